// A quantity over the rounds: one curve and one band for each agent.
import type { Comparison } from "../comparison";
import { chosen, chosenPercent, count, number, percent } from "../number_format";
import type { Curve, Quantity } from "../report_input";
import { bandPoints, bandSeries, edges } from "./band";
import { axis, frame, tooltip, tooltipContent } from "./common";
import type { Drawing } from "./drawing";
import { legend, legendHeight } from "./legend";
import type { Look } from "./look";
import type { View } from "./view";

interface Meaning {
  title: string;
  axis: string;
  write: (value: number | null) => string;
}

export const MEANINGS: Record<Quantity, Meaning> = {
  regret: { title: "Regret", axis: "regret", write: number },
  cost_ratio: {
    title: "Cost relative to the baseline", axis: "cost / baseline’s cost", write: number,
  },
  explored_share: { title: "Share explored", axis: "rounds explored so far", write: percent },
  violated_share: {
    title: "Runs in violation", axis: "runs in violation at this round", write: percent,
  },
  slack: { title: "Certified slack", axis: "slack, in units of cost", write: number },
};

interface Range {
  min?: number;
  max?: number;
  interval?: number;
  note: string | null;
}

function shown(curves: readonly Curve[], view: View): Curve[] {
  return curves.filter((curve) => !view.hidden.has(curve.agent));
}

function known(values: readonly (number | null)[]): number[] {
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

function range(curves: readonly Curve[], quantity: Quantity, view: View): Range {
  switch (quantity) {
    case "explored_share":
    case "violated_share":
      return { min: 0, max: 1, interval: 0.25, note: null };
    case "cost_ratio":
      return ratioRange(curves, view.alpha);
    case "regret":
      return view.regretScale === "log" ? { min: logFloor(curves), note: null } : { note: null };
    case "slack":
      return { note: null };
  }
}

type Side = "Top" | "Bottom";

function line(value: number, text: string, side: Side, look: Look): object {
  const dashed = side === "Top";
  return {
    yAxis: value,
    lineStyle: { color: look.ink, width: dashed ? 1.4 : 0.8, type: dashed ? [2, 2] : "solid" },
    label: {
      show: text !== "", formatter: text, position: `insideEnd${side}`, color: look.ink,
      fontSize: look.fontSize, fontFamily: look.font, distance: [2, 3],
    },
  };
}

function referenceLines(quantity: Quantity, view: View, look: Look): object[] {
  const lines = quantity === "cost_ratio"
    ? [line(1 + view.alpha, "1 + α", "Top", look), line(1, "baseline", "Bottom", look)]
    : quantity === "slack" ? [line(0, "", "Bottom", look)] : [];
  if (lines.length === 0) return [];
  return [{
    type: "line", name: "", data: [], silent: true, tooltip: { show: false },
    markLine: { silent: true, symbol: "none", animation: false, data: lines },
  }];
}

interface Hovered {
  seriesType?: string;
  seriesName?: string;
  dataIndex?: number;
  value?: unknown;
}

function hover(curves: readonly Curve[], quantity: Quantity, view: View,
               colorOf: (agent: string) => string) {
  const { write } = MEANINGS[quantity];
  return (hovered: Hovered | Hovered[]) => {
    const points = (Array.isArray(hovered) ? hovered : [hovered])
      .filter((point) => point.seriesType === "line" && Array.isArray(point.value));
    const t = (points[0]?.value as number[] | undefined)?.[0] ?? null;
    const rows = points.flatMap((point) => {
      const curve = curves.find((each) => each.agent === point.seriesName);
      const index = point.dataIndex ?? -1;
      const mean = curve?.mean[index] ?? null;
      if (curve === undefined || mean === null) return [];
      const edge = edges(curve, index, view.band);
      const band = edge === null ? "" : `  (${write(edge[0])} to ${write(edge[1])})`;
      return [{ mean, name: curve.agent, color: colorOf(curve.agent), text: write(mean) + band }];
    });
    rows.sort((a, b) => b.mean - a.mean);
    return tooltipContent(`round ${count(t)}`, rows);
  };
}

function curveSeries(curve: Curve, comparison: Comparison, look: Look, floor: number | null) {
  const { color, dash } = comparison.style(curve.agent);
  const points = curve.t.map((t, index) => {
    const mean = curve.mean[index] ?? null;
    return [t, mean !== null && floor !== null && mean < floor ? null : mean];
  });
  return {
    type: "line",
    name: curve.agent,
    data: points,
    showSymbol: false,
    symbol: look.standsAlone ? "none" : "circle",  // where the pointer is
    symbolSize: 6,
    connectNulls: false,
    clip: true,
    z: 3,
    itemStyle: { color },
    lineStyle: { color, width: look.lineWidth, type: dash },
    emphasis: { disabled: true },
  };
}

function label(curves: readonly Curve[], data: string, quantity: Quantity, view: View): string {
  const { title, write } = MEANINGS[quantity];
  const ends = curves.map((curve) => `${curve.agent} ${write(known(curve.mean).pop() ?? null)}`);
  return `${title} over the rounds on ${data}, α = ${chosen(view.alpha)}. ` +
    `At the end: ${ends.join("; ")}.`;
}

export function timeChart(comparison: Comparison, data: string, quantity: Quantity,
                          view: View, look: Look): Drawing {
  const every = comparison.curvesOf(data, view.alpha, quantity);
  const curves = shown(every, view);
  const logarithmic = quantity === "regret" && view.regretScale === "log";
  const { note, ...limits } = range(every, quantity, view);
  const floor = logarithmic ? (limits.min ?? null) : null;
  const meaning = MEANINGS[quantity];
  const names = curves.map((curve) => curve.agent);
  const yAxis = axis(look, look.standsAlone ? meaning.axis : "");
  if (meaning.write === percent) {
    yAxis.axisLabel = { ...(yAxis.axisLabel as object), formatter: chosenPercent };
  }
  const colorOf = (agent: string) => comparison.style(agent).color;
  const bands = curves.map((curve) =>
    bandSeries(bandPoints(curve, view.band, floor), colorOf(curve.agent)));
  const option = {
    ...frame(look),
    grid: { left: 6, right: 14, top: 10, bottom: 6 + legendHeight(names, look),
      outerBoundsMode: "same" },
    legend: legend(names, look),
    tooltip: { ...tooltip(look), trigger: "axis",
      axisPointer: { type: "line", lineStyle: { color: look.quiet, type: "solid", width: 1 } },
      formatter: hover(curves, quantity, view, colorOf) },
    xAxis: { ...axis(look, "round"), splitNumber: look.width < 420 ? 3 : 5, type: view.roundsScale === "log" ? "log" : "value",
      min: view.roundsScale === "log" ? 1 : 0, max: "dataMax",
      splitLine: { show: false } },
    yAxis: { ...yAxis, type: logarithmic ? "log" : "value", ...limits },
    series: [...bands, ...curves.map((curve) => curveSeries(curve, comparison, look, floor)),
      ...referenceLines(quantity, view, look)],
  };
  return { option, label: label(curves, data, quantity, view), note, lines: 0 };
}
