// What α costs: the results at the end against the tolerance, one line for each agent.
import type { Comparison } from "../comparison";
import { chosen, number } from "../number_format";
import type { CellResult } from "../report_input";
import { axis, frame, tooltip, tooltipContent } from "./common";
import type { Drawing } from "./drawing";
import { legend, legendHeight } from "./legend";
import type { Look } from "./look";
import type { View } from "./view";

export type AlphaQuantity = "regret" | "cost_ratio";

const AXES: Record<AlphaQuantity, string> = {
  regret: "regret at the end",
  cost_ratio: "cost / baseline’s cost at the end",
};

function valueOf(cell: CellResult | null, quantity: AlphaQuantity): number | null {
  if (cell === null) return null;
  return quantity === "regret" ? cell.regret.mean : cell.costRatio;
}

export function alphaChart(comparison: Comparison, data: string, quantity: AlphaQuantity,
                           view: View, look: Look): Drawing {
  const alphas = [...comparison.alphas].sort((a, b) => a - b);
  const agents = comparison.agents.filter(({ agent }) => !view.hidden.has(agent) &&
    alphas.some((alpha) => comparison.cell(data, agent, alpha) !== null));
  const names = agents.map(({ agent }) => agent);
  const values = (agent: string) =>
    alphas.map((alpha) => valueOf(comparison.cell(data, agent, alpha), quantity));
  const lines = names.map((agent) => {
    const { color, dash } = comparison.style(agent);
    return {
      type: "line", name: agent, data: values(agent), symbol: "circle", symbolSize: 6,
      itemStyle: { color }, lineStyle: { color, width: look.lineWidth, type: dash },
      emphasis: { disabled: true }, z: 3,
    };
  });
  const limit = quantity === "cost_ratio" ? [{
    type: "line", name: "1 + α", data: alphas.map((alpha) => 1 + alpha), symbol: "none",
    silent: true, tooltip: { show: false }, z: 2,
    lineStyle: { color: look.ink, width: 1.4, type: [2, 2] },
  }] : [];
  const option = {
    ...frame(look),
    grid: { left: 6, right: 14, top: 10, bottom: 6 + legendHeight(names, look),
      outerBoundsMode: "same" },
    legend: legend(names, look),
    tooltip: { ...tooltip(look), trigger: "axis",
      formatter: (hovered: { dataIndex?: number }[]) => {
        const index = hovered[0]?.dataIndex ?? 0;
        const rows = names
          .map((name) => ({ name, value: values(name)[index] ?? null }))
          .sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity))
          .map(({ name, value }) =>
            ({ name, color: comparison.style(name).color, text: number(value) }));
        return tooltipContent(`α = ${chosen(alphas[index] ?? null)}`, rows);
      } },
    xAxis: { ...axis(look, "α"), type: "category", data: alphas.map((alpha) => chosen(alpha)),
      axisLabel: { color: look.quiet, fontSize: look.fontSize }, splitLine: { show: false } },
    yAxis: { ...axis(look, look.standsAlone ? AXES[quantity] : ""), type: "value",
      scale: quantity === "cost_ratio" },
    series: [...lines, ...limit],
  };
  const label = `${AXES[quantity]} against α on ${data}: ` +
    names.map((name) => `${name} ${values(name).map((value) => number(value)).join(", ")}`)
      .join("; ") + ".";
  return { option, label, note: null, lines: 0 };
}
