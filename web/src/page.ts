// The whole report: header, summary, a section for each data set, and how it was made.
import licences from "../LICENSES.md?raw";
import { ChartBoard } from "./chart_board";
import { DARK, LIGHT, type Look } from "./charts/look";
import type { View } from "./charts/view";
import type { Comparison } from "./comparison";
import { controls } from "./controls";
import { element } from "./dom";
import { chosen, counted, duration } from "./number_format";
import { agentTable, environmentTable, overviewTable } from "./result_tables";
import { section, sectionId, type Section, type Stage } from "./section";
import { elementsOf, joined } from "./sentence";
import { summary } from "./summary";

export function pageTitle(comparison: Comparison): string {
  const { report, environments, agents } = comparison;
  if (report.title !== null && report.title !== "") return report.title;
  return `${counted(agents.length, "agent")} on ${counted(environments.length, "data set")}`;
}

function settingsLine({ report }: Comparison): string {
  const seed = report.seed !== null && Number.isSafeInteger(report.seed) ? report.seed : null;
  return [
    report.runs === null ? null : counted(report.runs, "run"),
    report.rounds === null ? null : counted(report.rounds, "round"),
    `α = ${report.alphas.map(chosen).join(", ")}`,
    report.delta === null ? null : `δ = ${chosen(report.delta)}`,
    report.reserve === null || report.reserve === 0 ? null : `reserve ${chosen(report.reserve)}`,
    seed === null ? null : `seed ${String(seed)}`,
    report.version === "" ? null : `handrail ${report.version}`,
  ].filter((part) => part !== null).join(" · ");
}

function madeLine({ report }: Comparison): string {
  const { timing } = report;
  if (timing === null) return `handrail ${report.version}.`;
  const threads = timing.threads === null ? "" : ` on ${counted(timing.threads, "thread")}`;
  return `handrail ${report.version}, ${duration(timing.seconds)}${threads}.`;
}

function colophon(comparison: Comparison): HTMLElement {
  return element("section", { class: "colophon", "aria-labelledby": "made" },
    element("h2", { id: "made" }, "How this was made"),
    element("pre", { class: "command" }, comparison.report.command),
    element("p", {}, madeLine(comparison) + " A run breaks the constraint when, at any round, " +
      "its expected cost so far exceeds 1 + α times the baseline’s. A conservative agent " +
      `promises that this happens with probability ${chosen(comparison.report.delta)} at most.`),
    environmentTable(comparison),
    agentTable(comparison));
}

function footer(): HTMLElement {
  return element("footer", {},
    element("p", {}, "This file is complete: it asks nothing of the network."),
    element("details", { id: "licences" },
      element("summary", {}, "Licences of the JavaScript in this file"),
      element("pre", {}, licences)));
}

function darkIsPreferred(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

/** The report as it stands in the document, and what the reader can change about it. */
export class Page {
  private view: View;
  private isDark = darkIsPreferred().matches;
  private readonly comparison: Comparison;
  private readonly board: ChartBoard;
  private readonly sections: Section[];
  private readonly words = element("div", { class: "summary" });
  private readonly overview = element("div", { class: "overview" });
  private readonly themeButton = element("button", { type: "button", class: "theme" });

  constructor(comparison: Comparison, root: HTMLElement) {
    this.comparison = comparison;
    this.view = {
      alpha: comparison.alphas[0] ?? 0, band: "stderr", roundsScale: "linear",
      regretScale: "linear", hidden: new Set(),
    };
    this.board = new ChartBoard(this.look());
    const stage: Stage = {
      comparison, board: this.board, view: () => this.view,
      onToggle: (agent) => this.toggle(agent),
    };
    this.sections = comparison.environments.map((environment, index) =>
      section(stage, environment, sectionId(index)));
    const title = pageTitle(comparison);
    document.title = `${title} – Handrail`;
    root.replaceChildren(
      element("header", {},
        element("p", { class: "kind" }, "Handrail comparison"),
        this.themeButton,
        element("h1", {}, title),
        element("p", { class: "settings" }, settingsLine(comparison))),
      ...this.opening(),
      ...this.sections.map((each) => each.root),
      colophon(comparison), footer());
    this.listen();
    this.showTheme();
    this.change({});
  }

  // α changes the words too, so its choice stands before them; the others are about the figures.
  private opening(): HTMLElement[] {
    const { alphas } = this.comparison;
    const choices = controls(alphas, this.view, (change) => this.change(change));
    return alphas.length > 1
      ? [choices, this.words, this.overview]
      : [this.words, this.overview, choices];
  }

  /** Draws every chart now, whether it is in sight or not. */
  drawAll(): void {
    this.board.drawAll();
  }

  private look(): Look {
    return this.isDark ? DARK : LIGHT;
  }

  private change(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    const { alpha } = this.view;
    this.words.replaceChildren(
      element("p", {}, ...elementsOf(joined(summary(this.comparison, alpha), " "))));
    if (this.comparison.environments.length > 1) {
      this.overview.replaceChildren(overviewTable(this.comparison, alpha, (data) => {
        const index = this.comparison.environments.findIndex((each) => each.data === data);
        return element("a", { href: `#${sectionId(index)}` }, data);
      }));
    }
    this.sections.forEach((each) => each.update());
    this.board.redraw(this.look());
  }

  private toggle(agent: string): void {
    const hidden = new Set(this.view.hidden);
    if (!hidden.delete(agent)) hidden.add(agent);
    this.change({ hidden });
  }

  private setDark(isDark: boolean): void {
    this.isDark = isDark;
    this.showTheme();
    this.board.redraw(this.look());
  }

  private showTheme(): void {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    this.themeButton.textContent = this.isDark ? "light" : "dark";
    this.themeButton.setAttribute("aria-label",
      this.isDark ? "Switch to light colours" : "Switch to dark colours");
  }

  private listen(): void {
    this.themeButton.addEventListener("click", () => this.setDark(!this.isDark));
    darkIsPreferred().addEventListener("change", ({ matches }) => this.setDark(matches));
    window.addEventListener("beforeprint", () => this.forPrint());
    window.addEventListener("afterprint", () => this.board.redraw(this.look()));
    window.matchMedia("print").addEventListener("change", ({ matches }) => {
      if (matches) this.forPrint();
      else this.board.redraw(this.look());
    });
  }

  // Paper is light, and shows what nobody has scrolled to.
  private forPrint(): void {
    this.board.redraw(LIGHT);
    this.board.drawAll();
  }
}

