// From where to where the axis of a quantity goes.
import { count } from "../number_format";
import type { Curve } from "../report_input";
import type { DrawnQuantity } from "./time_chart";
import type { View } from "./view";

export interface Range {
  min?: number;
  max?: number;
  interval?: number;
  note: string | null;
}

export function known(values: readonly (number | null)[]): number[] {
  return values.filter((value): value is number => value !== null);
}

// Four decades show what differs; below that lie the first few rounds.
const LOG_RANGE = 1e4;

function logFloor(curves: readonly Curve[]): number {
  const means = curves.flatMap((curve) => known(curve.mean)).filter((value) => value > 0);
  if (means.length === 0) return 1;
  const least = Math.max(Math.min(...means), Math.max(...means) / LOG_RANGE);
  return 10 ** Math.floor(Math.log10(least));
}

// The ratio of two small sums says nothing and would flatten everything after it: the axis is made
// for the rounds behind this share of all.
const SETTLED = 0.02;

// 1, 2 or 5 times a power of ten, so that a handful of them cover the span.
function niceStep(span: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1e-6) / 4));
  const wanted = span / 4 / power;
  return power * (wanted > 5 ? 10 : wanted > 2 ? 5 : wanted > 1 ? 2 : 1);
}

function ratioRange(curves: readonly Curve[], alpha: number): Range {
  const last = Math.max(0, ...curves.map((curve) => curve.t[curve.t.length - 1] ?? 0));
  let low = Math.min(1, 1 + alpha);
  let high = 1 + alpha;
  for (const curve of curves) {
    curve.t.forEach((t, index) => {
      const mean = curve.mean[index] ?? null;
      if (mean === null || t < SETTLED * last) return;
      low = Math.min(low, mean);
      high = Math.max(high, mean);
    });
  }
  const step = niceStep(high - low);
  const range = {
    min: Math.floor(low / step) * step,
    max: Math.ceil((high + step / 4) / step) * step,  // room for the words on the line
  };
  const beyond = curves.some((curve) =>
    known(curve.mean).some((mean) => mean > range.max || mean < range.min));
  const note = beyond
    ? `The first ${count(Math.floor(SETTLED * last))} rounds leave the range of the axis.`
    : null;
  return { ...range, interval: step, note };
}

// A band may reach below zero where no run does; the axis need not follow it there.
function isNeverNegative(curves: readonly Curve[]): boolean {
  return curves.every((curve) => known(curve.mean).every((mean) => mean >= 0));
}

export function axisRange(curves: readonly Curve[], quantity: DrawnQuantity, view: View): Range {
  switch (quantity) {
    case "explored_share":
    case "violated_share":
      return { min: 0, max: 1, interval: 0.25, note: null };
    case "cost_ratio":
      return ratioRange(curves, view.alpha);
    case "regret":
      if (view.regretScale === "log") return { min: logFloor(curves), note: null };
      return isNeverNegative(curves) ? { min: 0, note: null } : { note: null };
    case "slack":
      return { note: null };
  }
}
