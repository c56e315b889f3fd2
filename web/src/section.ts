// The part of the report about one data set.
import type { ChartBoard } from "./chart_board";
import { FIGURES, ROWS, type FigureKind } from "./charts/figures";
import type { View } from "./charts/view";
import type { Comparison } from "./comparison";
import { breakable, element } from "./dom";
import { chosen, count, counted, number, percent } from "./number_format";
import type { Environment } from "./report_input";
import { differenceTable, resultTable, tuningTable } from "./result_tables";
import { swatch } from "./swatch";

/** What a section needs to know of the page it stands on. */
export interface Stage {
  comparison: Comparison;
  board: ChartBoard;
  view: () => View;
  onToggle: (agent: string) => void;
}

export interface Section {
  root: HTMLElement;
  /** Brings everything but the charts in line with the view; those are the board's. */
  update: () => void;
}

/** "58 000 rows, 7 arms, 10 features. Baseline: majority (4), …" */
export function describe(environment: Environment): string {
  const { rows, passes, arms, features, baselineArm, baselineShare } = environment;
  const size = [
    rows === null ? null : counted(rows, "row"),
    passes === null || passes <= 1 ? null : `repeated ${chosen(passes)} times`,
    arms === null ? null : counted(arms, "arm"),
    features === null ? null : counted(features, "feature"),
    environment.noise === "" ? null : `noise ${environment.noise}`,
  ].filter((part) => part !== null);
  const arm = baselineArm === null ? "" : ` (${baselineArm}` +
    (baselineShare === null ? ")" : `, the right arm in ${percent(baselineShare)} of the rows)`);
  const cost = environment.baselineCost === null
    ? "" : `, mean cost ${number(environment.baselineCost)}`;
  const isKnown = environment.baselineKnown === ""
    ? "" : `; its cost is known: ${environment.baselineKnown.replace("_", " ")}`;
  const sizes = size.length === 0 ? "" : `${size.join(", ")}. `;
  return `${sizes}Baseline: ${environment.baseline}${arm}${cost}${isKnown}.`;
}

function legend(stage: Stage): { root: HTMLElement; update: () => void } {
  const buttons = stage.comparison.agents.map(({ agent, conservative }) => {
    const button = element("button", {
      type: "button", class: "legend-entry",
      title: conservative ? "conservative; click to hide or show" : "unconstrained; click to " +
        "hide or show",
    }, swatch(stage.comparison, agent), element("span", {}, breakable(agent)));
    button.addEventListener("click", () => stage.onToggle(agent));
    return { agent, button };
  });
  return {
    root: element("div", { class: "legend", role: "group", "aria-label": "Agents shown" },
      ...buttons.map(({ button }) => button)),
    update: () => {
      const { hidden } = stage.view();
      for (const { agent, button } of buttons) {
        button.setAttribute("aria-pressed", String(!hidden.has(agent)));
      }
    },
  };
}

function figure(stage: Stage, data: string, kind: FigureKind) {
  const canvas = element("div", { class: "chart", role: "img", "data-kind": kind.name });
  const title = element("span", { class: "figure-title" });
  const note = element("span", { class: "figure-note" });
  const root = element("figure", { class: `figure figure-${kind.name}` },
    element("figcaption", {}, title, element("span", { class: "figure-hint" }, kind.hint)),
    canvas, note);
  stage.board.add({
    canvas,
    draw: (look) => kind.draw(stage.comparison, data, stage.view(), look),
    onDrawn: (drawing) => {
      canvas.setAttribute("aria-label", drawing.label);
      note.textContent = drawing.note ?? "";
    },
  });
  const update = () => {
    title.textContent = kind.title(stage.view());
    root.hidden = !kind.exists(stage.comparison, data, stage.view().alpha);
  };
  return { root, update, row: kind.row };
}

export function section(stage: Stage, environment: Environment, id: string): Section {
  const { comparison } = stage;
  const { data, notes } = environment;
  const agents = legend(stage);
  const atAlpha = element("span", { class: "at-alpha" });
  const figures = FIGURES.map((kind) => figure(stage, data, kind));
  const rows = ROWS.map((row) => element("div", { class: `figures figures-${row}` },
    ...figures.filter((each) => each.row === row).map((each) => each.root)));
  const tables = element("div", { class: "tables" });
  const root = element("section", { class: "data-set", id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, data),
    element("p", { class: "about" }, atAlpha, describe(environment)),
    notes.length === 0 ? null
      : element("ul", { class: "notes" }, ...notes.map((note) => element("li", {}, note))),
    agents.root,
    ...rows,
    tables);
  let tablesAlpha: number | null = null;
  const update = () => {
    agents.update();
    figures.forEach((each) => each.update());
    for (const row of rows) {
      row.hidden = [...row.children].every((each) => (each as HTMLElement).hidden);
    }
    const { alpha } = stage.view();
    // The choice of α is not printed, so each section says which it is about.
    atAlpha.textContent = comparison.alphas.length > 1 ? `α = ${chosen(alpha)}. ` : "";
    if (alpha === tablesAlpha) return;  // else the reader's order of rows would be lost
    tablesAlpha = alpha;
    tables.replaceChildren(...[
      resultTable(comparison, data, alpha),
      differenceTable(comparison, data, alpha),
      tuningTable(comparison, data, alpha),
    ].filter((each): each is HTMLElement => each !== null));
  };
  return { root, update };
}

export function sectionId(index: number): string {
  return `data-${count(index + 1)}`;
}
