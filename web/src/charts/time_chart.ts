// A quantity over the rounds: one curve and one band for each agent.
import type { Comparison } from "../comparison";
import { chosen, chosenPercent, count, number, percent } from "../number_format";
import type { Curve, Quantity } from "../report_input";
import { bandPoints, bandSeries, edges } from "./band";
import { axis, frame, tooltip, tooltipContent } from "./common";
import type { Drawing } from "./drawing";
import { legend, legendHeight } from "./legend";
import type { Look } from "./look";
import { axisRange, known } from "./ranges";
import type { View } from "./view";

interface Meaning {
  title: string;
  axis: string;
  write: (value: number | null) => string;
}

const MEANINGS = {
  regret: { title: "Regret", axis: "regret", write: number },
  cost_ratio: {
    title: "Cost relative to the baseline", axis: "cost / baseline’s cost", write: number,
  },
  explored_share: { title: "Share explored", axis: "rounds explored so far", write: percent },
  violated_share: {
    title: "Runs in violation", axis: "runs in violation at this round", write: percent,
  },
  slack: { title: "Certified slack", axis: "slack, in units of cost", write: number },
} satisfies Partial<Record<Quantity, Meaning>>;

/** Of the quantities that have curves, those that the page draws. */
export type DrawnQuantity = keyof typeof MEANINGS;

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

// Where α is a small part of the axis, two names would stand on top of each other.
const CLOSE = 0.06;

function referenceLines(quantity: DrawnQuantity, view: View, look: Look,
                        span: number): object[] {
  const baseline = view.alpha < CLOSE * span ? "" : "baseline";
  const lines = quantity === "cost_ratio"
    ? [line(1 + view.alpha, "1 + α", "Top", look), line(1, baseline, "Bottom", look)]
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

function hover(curves: readonly Curve[], quantity: DrawnQuantity, view: View,
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

function label(curves: readonly Curve[], data: string, quantity: DrawnQuantity,
               view: View): string {
  const { title, write } = MEANINGS[quantity];
  const ends = curves.map((curve) => `${curve.agent} ${write(known(curve.mean).pop() ?? null)}`);
  return `${title} over the rounds on ${data}, α = ${chosen(view.alpha)}. ` +
    `At the end: ${ends.join("; ")}.`;
}

function roundsAxis(view: View, look: Look): object {
  const isLog = view.roundsScale === "log";
  return {
    ...axis(look, "round"), type: isLog ? "log" : "value", min: isLog ? 1 : 0, max: "dataMax",
    splitNumber: look.width < 420 ? 3 : 5, splitLine: { show: false },
  };
}

function valueAxis(quantity: DrawnQuantity, isLog: boolean, look: Look): Record<string, unknown> {
  const meaning = MEANINGS[quantity];
  const made = axis(look, look.standsAlone ? meaning.axis : "");
  if (meaning.write === percent) {
    made.axisLabel = { ...(made.axisLabel as object), formatter: chosenPercent };
  }
  return { ...made, type: isLog ? "log" : "value" };
}

export function timeChart(comparison: Comparison, data: string, quantity: DrawnQuantity,
                          view: View, look: Look): Drawing {
  const curves = comparison.curvesOf(data, view.alpha, quantity)
    .filter((curve) => !view.hidden.has(curve.agent));
  const names = curves.map((curve) => curve.agent);
  const isLog = quantity === "regret" && view.regretScale === "log";
  const { note, ...limits } = axisRange(curves, quantity, view);
  const floor = isLog ? (limits.min ?? null) : null;
  const colorOf = (agent: string) => comparison.style(agent).color;
  const option = {
    ...frame(look),
    grid: { left: 6, right: 14, top: 10, bottom: 6 + legendHeight(names, look),
      outerBoundsMode: "same" },
    legend: legend(names, look),
    tooltip: { ...tooltip(look), trigger: "axis",
      axisPointer: { type: "line", lineStyle: { color: look.quiet, type: "solid", width: 1 } },
      formatter: hover(curves, quantity, view, colorOf) },
    xAxis: roundsAxis(view, look),
    yAxis: { ...valueAxis(quantity, isLog, look), ...limits },
    series: [
      ...curves.map((curve) =>
        bandSeries(bandPoints(curve, view.band, floor), colorOf(curve.agent))),
      ...curves.map((curve) => curveSeries(curve, comparison, look, floor)),
      ...referenceLines(quantity, view, look, (limits.max ?? 0) - (limits.min ?? 0)),
    ],
  };
  return { option, label: label(curves, data, quantity, view), note, lines: 0 };
}
