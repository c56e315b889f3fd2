// How often the constraint was broken: each conservative agent above the same agent without its
// gate. Left the share of runs with any violation, right the share of rounds.
import type { Comparison } from "../comparison";
import { chosen, count, percent } from "../number_format";
import type { CellResult } from "../report_input";
import { axis, frame, shortName, tooltip, tooltipContent } from "./common";
import type { Drawing } from "./drawing";
import type { Look } from "./look";
import type { View } from "./view";

function runsText(cell: CellResult): string {
  if (cell.violatingRuns === null || cell.runs === null) return percent(cell.violatingRunsShare);
  return `${count(cell.violatingRuns)} of ${count(cell.runs)}`;
}

function bar(comparison: Comparison, cell: CellResult, share: number | null, text: string) {
  const { color, dash } = comparison.style(cell.agent);
  const filled = dash === "solid" || agentIsConservative(comparison, cell.agent);
  return {
    name: cell.agent,
    value: share,
    label: { formatter: text },
    itemStyle: filled
      ? { color }
      : { color, opacity: 0.45, borderColor: color, borderWidth: 1.2, borderType: "dashed" },
  };
}

function agentIsConservative(comparison: Comparison, name: string): boolean {
  return comparison.agents.some((agent) => agent.agent === name && agent.conservative);
}

function shareAxis(look: Look, gridIndex: number): object {
  const base = axis(look, "");
  return {
    ...base, gridIndex, type: "value", min: 0, max: 1, interval: 0.5,
    axisLabel: { ...(base.axisLabel as object), formatter: (value: number) => percent(value) },
    axisTick: { show: false },
    axisLine: { show: false },
  };
}

function nameAxis(look: Look, gridIndex: number, names: string[], labelled: boolean): object {
  return {
    gridIndex, type: "category", data: names, inverse: true,
    axisTick: { show: false },
    axisLine: { show: true, lineStyle: { color: look.quiet } },
    axisLabel: {
      show: labelled, color: look.ink, fontSize: look.fontSize, interval: 0,
      formatter: shortName, width: look.fontSize * 9.5, overflow: "break",
      lineHeight: look.fontSize + 2,
    },
  };
}

export function violationBars(comparison: Comparison, data: string, view: View,
                              look: Look): Drawing {
  const cells = comparison.cellsOf(data, view.alpha)
    .filter((cell) => !view.hidden.has(cell.agent));
  const names = cells.map((cell) => cell.agent);
  const series = (gridIndex: number, data: object[]) => ({
    type: "bar", xAxisIndex: gridIndex, yAxisIndex: gridIndex, data, barMaxWidth: 15,
    barMinHeight: 1.5,
    label: { show: true, position: "right", color: look.ink, fontSize: look.fontSize,
      fontFamily: look.font, distance: 4 },
    emphasis: { disabled: true },
  });
  const labels = look.fontSize * 10;
  const after = look.fontSize * 4.6;
  const title = (text: string, left: string | number) => ({
    text, left, top: 0, padding: 0,
    textStyle: { fontSize: look.fontSize, fontWeight: "normal", color: look.quiet,
      fontFamily: look.font },
  });
  const middle = "60%";
  const option = {
    ...frame(look),
    title: [title("runs with a violation", labels), title("rounds in violation", middle)],
    grid: [
      { left: labels, right: `40%`, top: look.fontSize + 10, bottom: look.fontSize + 12,
        outerBoundsMode: "none" },
      { left: middle, right: after, top: look.fontSize + 10, bottom: look.fontSize + 12,
        outerBoundsMode: "none" },
    ],
    tooltip: { ...tooltip(look), trigger: "item",
      formatter: (hovered: { dataIndex?: number }) => {
        const cell = cells[hovered.dataIndex ?? -1];
        if (cell === undefined) return "";
        const { color } = comparison.style(cell.agent);
        return tooltipContent(cell.agent, [
          { name: "runs with a violation", color,
            text: `${runsText(cell)} (${percent(cell.violatingRunsShare)})` },
          { name: "rounds in violation", color, text: percent(cell.violatedRoundsShare) },
          { name: "first violation", color, text: count(cell.firstViolation) },
        ]);
      } },
    xAxis: [shareAxis(look, 0), shareAxis(look, 1)],
    yAxis: [nameAxis(look, 0, names, true), nameAxis(look, 1, names, false)],
    series: [
      series(0, cells.map((cell) => bar(comparison, cell, cell.violatingRunsShare,
        runsText(cell)))),
      series(1, cells.map((cell) => bar(comparison, cell, cell.violatedRoundsShare,
        percent(cell.violatedRoundsShare)))),
    ],
  };
  const label = `Violations on ${data}, α = ${chosen(view.alpha)}: ` +
    cells.map((cell) => `${cell.agent} in ${runsText(cell)} runs`).join("; ") + ".";
  return { option, label, note: null, lines: names.length };
}
