// The figures of a data set, by name.
import type { Comparison } from "../comparison";
import { chosen } from "../number_format";
import { alphaChart, type AlphaQuantity } from "./alpha_chart";
import type { Drawing } from "./drawing";
import type { Look } from "./look";
import { timeChart, type DrawnQuantity } from "./time_chart";
import type { View } from "./view";
import { violationBars } from "./violation_bars";

export type Row = "main" | "details" | "alphas";
export const ROWS: readonly Row[] = ["main", "details", "alphas"];

export interface FigureKind {
  name: string;
  title: (view: View) => string;
  /** What to know to read it. */
  hint: string;
  /** Figures of a row stand side by side. */
  row: Row;
  /** Whether it is the same for every α. */
  overAlphas: boolean;
  /** Whether there is something to draw; only then may it be drawn. */
  exists: (comparison: Comparison, data: string, alpha: number) => boolean;
  draw: (comparison: Comparison, data: string, view: View, look: Look) => Drawing;
}

function overTime(
  quantity: DrawnQuantity,
): Pick<FigureKind, "row" | "overAlphas" | "exists" | "draw"> {
  return {
    row: quantity === "regret" ? "main" : "details",
    overAlphas: false,
    exists: (comparison, data, alpha) => comparison.curvesOf(data, alpha, quantity).length > 0,
    draw: (comparison, data, view, look) => timeChart(comparison, data, quantity, view, look),
  };
}

function overAlphas(
  quantity: AlphaQuantity,
): Pick<FigureKind, "row" | "overAlphas" | "exists" | "draw"> {
  return {
    row: "alphas",
    overAlphas: true,
    exists: (comparison) => comparison.alphas.length > 1,
    draw: (comparison, data, view, look) => alphaChart(comparison, data, quantity, view, look),
  };
}

function bandText(view: View): string {
  if (view.band === "stderr") return ", mean ± 2 standard errors";
  return view.band === "quantiles" ? ", mean and 5–95 % of the runs" : ", mean";
}

export const FIGURES: readonly FigureKind[] = [
  {
    name: "regret",
    title: (view) => `Regret${bandText(view)}`,
    hint: "Cost beyond that of the best arm of each round, summed. Lower is better.",
    ...overTime("regret"),
  },
  {
    name: "violations",
    title: () => "Violations of the constraint",
    hint: "Filled: conservative. Pale and dashed: unconstrained.",
    row: "main",
    overAlphas: false,
    exists: (comparison, data, alpha) => comparison.cellsOf(data, alpha).length > 0,
    draw: violationBars,
  },
  {
    name: "cost-ratio",
    title: () => "Cost relative to the baseline",
    hint: "Cost so far over the baseline’s. The promise: never above 1 + α.",
    ...overTime("cost_ratio"),
  },
  {
    name: "explored",
    title: () => "Share explored",
    hint: "Rounds so far that were not left to the baseline.",
    ...overTime("explored_share"),
  },
  {
    name: "slack",
    title: () => "Certified slack",
    hint: "With probability 1 − δ, at least this much is left before the constraint would break.",
    ...overTime("slack"),
  },
  {
    name: "violated",
    title: () => "Runs in violation",
    hint: "Share of the runs whose cost is above 1 + α times the baseline’s at this round.",
    ...overTime("violated_share"),
    // A figure of zeros would only repeat what the bars say.
    exists: (comparison, data, alpha) => comparison.curvesOf(data, alpha, "violated_share")
      .some((curve) => curve.mean.some((share) => (share ?? 0) > 0)),
  },
  {
    name: "alpha-regret",
    title: () => "Regret against α",
    hint: "At the last round. A larger α leaves more room to explore.",
    ...overAlphas("regret"),
  },
  {
    name: "alpha-cost",
    title: () => "Cost against α",
    hint: "At the last round, relative to the baseline. Dotted: 1 + α.",
    ...overAlphas("cost_ratio"),
  },
];

/** "shuttle-noise-flip-0.1": letters, digits, dots and hyphens, fit for a file name. */
export function slug(text: string): string {
  const plain = text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9.]+/g, "-");
  return plain.replace(/^[-.]+|[-.]+$/g, "").slice(0, 60) || "unnamed";
}

export function fileName(data: string, kind: FigureKind, alpha: number | null): string {
  const at = alpha === null ? "" : `-alpha-${slug(chosen(alpha))}`;
  return `${slug(data)}${at}-${kind.name}`;
}
