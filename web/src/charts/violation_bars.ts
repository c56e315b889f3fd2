// How often the constraint was broken: each conservative agent above the same agent without its
// gate. Left the share of runs with any violation, right the share of rounds.
import type { Comparison } from "../comparison";
import { chosen, chosenPercent, count, percent } from "../number_format";
import type { CellResult } from "../report_input";
import { axis, frame, tooltip, tooltipContent, wrappedName } from "./common";
import type { Drawing } from "./drawing";
import type { Look } from "./look";
import type { View } from "./view";

/** "31 of 40" */
export function runsText(cell: CellResult): string {
  if (cell.violatingRuns === null || cell.runs === null) return percent(cell.violatingRunsShare);
  return `${count(cell.violatingRuns)} of ${count(cell.runs)}`;
}

interface Measure {
  title: string;
  share: (cell: CellResult) => number | null;
  text: (cell: CellResult) => string;
}

const MEASURES: readonly Measure[] = [
  { title: "runs with a violation", share: (cell) => cell.violatingRunsShare, text: runsText },
  { title: "rounds in violation", share: (cell) => cell.violatedRoundsShare,
    text: (cell) => percent(cell.violatedRoundsShare) },
];

// The text behind a bar is no part of it, so the bar is made pale by its colour, not as a whole.
const PALE = "59";

function bar(comparison: Comparison, cell: CellResult, measure: Measure): object {
  const { color } = comparison.style(cell.agent);
  const isConservative = comparison.agents.some(({ agent, conservative }) =>
    agent === cell.agent && conservative);
  return {
    name: cell.agent,
    value: measure.share(cell),
    label: { formatter: () => measure.text(cell) },
    itemStyle: isConservative
      ? { color }
      : { color: color + PALE, borderColor: color, borderWidth: 1.2, borderType: "dashed" },
  };
}

const AVERAGE_LETTER = 0.6;  // its width, of the font size

interface Columns {
  /** The room for names, left of the bars. */
  names: number;
  /** The room for the text behind a bar. */
  texts: number;
  bars: readonly { left: number; width: number }[];
}

// Names, then two columns of the same width, each with room behind it for its longest text.
function columns(look: Look, cells: readonly CellResult[]): Columns {
  const letters = MEASURES.flatMap(({ text }) => cells.map((cell) => text(cell).length));
  const names = Math.min(look.fontSize * 12, look.width * 0.32);
  const texts = look.fontSize * Math.max(4.8, AVERAGE_LETTER * Math.max(0, ...letters) + 0.6);
  const width = Math.max(24, (look.width - names) / 2 - texts);
  return { names, texts, bars: [{ left: names, width }, { left: names + width + texts, width }] };
}

function shareAxis(look: Look, gridIndex: number): object {
  const base = axis(look, "");
  return {
    ...base, gridIndex, type: "value", min: 0, max: 1, interval: 0.5,
    axisLabel: { ...(base.axisLabel as object), formatter: chosenPercent },
    axisTick: { show: false },
    axisLine: { show: false },
  };
}

function wrapped(name: string, room: number, look: Look): string {
  return wrappedName(name, Math.floor(room / look.fontSize / AVERAGE_LETTER));
}

function nameAxis(look: Look, gridIndex: number, names: readonly string[], room: number): object {
  return {
    gridIndex, type: "category", data: [...names], inverse: true,
    axisTick: { show: false },
    axisLine: { show: true, lineStyle: { color: look.quiet } },
    axisLabel: {
      show: gridIndex === 0, color: look.ink, fontSize: look.fontSize, interval: 0,
      lineHeight: look.fontSize + 1,
      formatter: (name: string) => wrapped(name, room, look),
    },
  };
}

function hover(comparison: Comparison, cells: readonly CellResult[]) {
  return (hovered: { dataIndex?: number }) => {
    const cell = cells[hovered.dataIndex ?? -1];
    if (cell === undefined) return "";
    const { color } = comparison.style(cell.agent);
    return tooltipContent(cell.agent, [
      { name: "runs with a violation", color,
        text: `${runsText(cell)} (${percent(cell.violatingRunsShare)})` },
      { name: "rounds in violation", color, text: percent(cell.violatedRoundsShare) },
      { name: "first violation at round", color, text: count(cell.firstViolation) },
    ]);
  };
}

export function violationBars(comparison: Comparison, data: string, view: View,
                              look: Look): Drawing {
  const cells = comparison.cellsOf(data, view.alpha)
    .filter((cell) => !view.hidden.has(cell.agent));
  const names = cells.map((cell) => cell.agent);
  const { names: room, texts, bars: places } = columns(look, cells);
  const top = look.fontSize + 17;
  const option = {
    ...frame(look),
    title: places.map((place, index) => ({
      text: MEASURES[index]?.title ?? "", left: place.left, top: 5, padding: 0,
      textStyle: { fontSize: look.fontSize, fontWeight: "normal", color: look.quiet,
        fontFamily: look.font, width: place.width + texts - look.fontSize * 0.3,
        overflow: "truncate" },
    })),
    grid: places.map((place) => ({ ...place, top, bottom: top, outerBoundsMode: "none" })),
    tooltip: { ...tooltip(look), trigger: "item", formatter: hover(comparison, cells) },
    xAxis: places.map((_, index) => shareAxis(look, index)),
    yAxis: places.map((_, index) => nameAxis(look, index, names, room)),
    series: MEASURES.map((measure, index) => ({
      type: "bar", xAxisIndex: index, yAxisIndex: index, barMaxWidth: look.fontSize * 1.4,
      data: cells.map((cell) => bar(comparison, cell, measure)),
      label: { show: true, position: "right", color: look.ink, fontSize: look.fontSize,
        fontFamily: look.font, distance: 4 },
      emphasis: { disabled: true },
    })),
  };
  const label = `Violations on ${data}, α = ${chosen(view.alpha)}: ` +
    cells.map((cell) => `${cell.agent} in ${runsText(cell)} runs`).join("; ") + ".";
  const lines = names.map((name) => Math.max(2, wrapped(name, room, look).split("\n").length));
  return { option, label, note: null, lines: lines.reduce((sum, each) => sum + each, 0) };
}
