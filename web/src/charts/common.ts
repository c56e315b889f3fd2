// Parts that several figures share: axes, legend, tooltip.
import { chosen } from "../number_format";
import { element } from "../dom";
import type { Look } from "./look";

/** At most `length` letters: the middle is left out, since both ends tell agents apart. */
export function shortName(name: string, length: number): string {
  if (name.length <= length) return name;
  const tail = Math.floor((length - 1) * 0.4);
  return `${name.slice(0, length - 1 - tail)}…${tail > 0 ? name.slice(-tail) : ""}`;
}

const MOST_LINES = 3;

/** Lines of at most `length` letters, broken where a SPEC has a comma or a colon. */
export function wrappedName(name: string, length: number): string {
  const lines: string[] = [];
  for (const piece of name.split(/(?<=[,:|/])/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + piece.length <= length) {
      lines[lines.length - 1] = last + piece;
    } else {
      lines.push(shortName(piece, length));
    }
  }
  const shown = lines.slice(0, MOST_LINES).join("\n");
  return lines.length > MOST_LINES ? `${shown}…` : shown;
}

export function textStyle(look: Look): object {
  return { fontFamily: look.font, fontSize: look.fontSize, color: look.ink };
}

/** What every figure begins with. */
export function frame(look: Look): Record<string, unknown> {
  return {
    animation: false,
    backgroundColor: look.standsAlone ? look.paper : "transparent",
    textStyle: textStyle(look),
  };
}

export function axis(look: Look, name: string): Record<string, unknown> {
  return {
    name,
    nameLocation: "middle",
    nameGap: look.fontSize * 2.1,
    nameTextStyle: { color: look.quiet, fontSize: look.fontSize },
    axisLabel: {
      color: look.quiet,
      fontSize: look.fontSize,
      hideOverlap: true,
      formatter: (value: number) => chosen(value),
    },
    axisLine: { show: true, lineStyle: { color: look.quiet, width: 1 } },
    axisTick: { show: true, lineStyle: { color: look.quiet } },
    splitLine: { show: true, lineStyle: { color: look.line, width: 1 } },
    minorSplitLine: { show: false },
  };
}

export interface TooltipRow {
  name: string;
  color: string;
  text: string;
}

/** Built from elements, so that a name is never read as HTML. */
export function tooltipContent(title: string, rows: readonly TooltipRow[]): HTMLElement {
  return element("div", { class: "tooltip" },
    element("div", { class: "tooltip-title" }, title),
    ...rows.map((row) => {
      const swatch = element("span", { class: "dot" });
      swatch.style.background = row.color;
      return element("div", { class: "tooltip-row" },
        swatch, element("span", { class: "tooltip-name" }, row.name),
        element("span", { class: "tooltip-value" }, row.text));
    }));
}

export function tooltip(look: Look): Record<string, unknown> {
  return {
    confine: true,
    backgroundColor: look.paper,
    borderColor: look.line,
    textStyle: { color: look.ink, fontSize: 12, fontFamily: look.font },
    padding: [6, 9],
    transitionDuration: 0,
  };
}
