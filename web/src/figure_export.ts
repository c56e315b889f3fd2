// Every figure as a file of its own, for `handrail report --svg` and `--png`. The program opens the
// page with #figures=svg or #figures=png in a browser without a window and reads the element that
// this leaves behind.
import { FIGURES, fileName } from "./charts/figures";
import { PAPER } from "./charts/look";
import { svgText } from "./charts/engine";
import type { View } from "./charts/view";
import type { Comparison } from "./comparison";
import { element } from "./dom";

export const EXPORT_ID = "handrail-figures";
export type ExportFormat = "svg" | "png";

export interface ExportedFigure {
  name: string;
  /** The text of an SVG file, or a PNG file in base64. */
  content: string;
}

const HEIGHT = 440;
const LINE_HEIGHT = 20;
// Pixels of a PNG for each of the SVG: sharp in print at half a column's width.
const PNG_SCALE = 2;

export function exportFormat(hash: string): ExportFormat | null {
  const found = /^#figures=(svg|png)$/.exec(hash);
  return found === null ? null : (found[1] as ExportFormat);
}

interface Size {
  width: number;
  height: number;
}

export function svgFigures(comparison: Comparison): (ExportedFigure & Size)[] {
  const figures: (ExportedFigure & Size)[] = [];
  const taken = new Set<string>();
  const add = (wanted: string, svg: { text: string } & Size) => {
    let name = wanted;
    for (let again = 2; taken.has(name); again += 1) name = `${wanted}-${again}`;
    taken.add(name);
    figures.push({ name, content: svg.text, width: svg.width, height: svg.height });
  };
  for (const { data } of comparison.environments) {
    for (const kind of FIGURES) {
      const alphas = kind.overAlphas ? comparison.alphas.slice(0, 1) : comparison.alphas;
      for (const alpha of alphas) {
        if (!kind.exists(comparison, data, alpha)) continue;
        const view: View = { alpha, band: "stderr", roundsScale: "linear",
          regretScale: "linear", hidden: new Set() };
        const drawing = kind.draw(comparison, data, view, PAPER);
        const height = drawing.lines > 0 ? (drawing.lines + 4) * LINE_HEIGHT : HEIGHT;
        const text = svgText(drawing.option, PAPER.width, height);
        const one = kind.overAlphas || comparison.alphas.length === 1;
        add(fileName(data, kind, one ? null : alpha), { text, width: PAPER.width, height });
      }
    }
  }
  return figures;
}

async function pngOf(svg: ExportedFigure & Size): Promise<ExportedFigure> {
  const image = new Image(svg.width, svg.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.content)}`;
  await image.decode();
  const canvas = element("canvas");
  canvas.width = svg.width * PNG_SCALE;
  canvas.height = svg.height * PNG_SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser cannot draw on a canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const address = canvas.toDataURL("image/png");
  return { name: svg.name, content: address.slice(address.indexOf(",") + 1) };
}

/** Leaves {"figures": […]} or {"error": "…"} in the document. */
export async function exportFigures(comparison: Comparison, format: ExportFormat): Promise<void> {
  const made: ExportedFigure[] = [];
  let answer: object = { figures: made };
  try {
    for (const svg of svgFigures(comparison)) {
      made.push(format === "png" ? await pngOf(svg) : { name: svg.name, content: svg.content });
    }
  } catch (error) {
    answer = { error: String(error) };
  }
  const text = JSON.stringify(answer).replace(/</g, "\\u003c");
  document.body.replaceChildren(
    element("script", { id: EXPORT_ID, type: "application/json" }, text));
}
