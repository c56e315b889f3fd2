// The sample of an agent's line that stands before its name.
import type { Comparison } from "./comparison";
import { breakable, element, svgElement } from "./dom";

export function swatch(comparison: Comparison, agent: string): SVGElement {
  const { color, dash } = comparison.style(agent);
  const line = svgElement("line", {
    x1: 1, y1: 5, x2: 25, y2: 5, stroke: color, "stroke-width": 2.6,
    ...(dash === "solid" ? {} : { "stroke-dasharray": dash.join(" ") }),
  });
  return svgElement("svg", { class: "swatch", width: 26, height: 10, viewBox: "0 0 26 10",
    "aria-hidden": "true" }, line);
}

export function agentName(comparison: Comparison, agent: string): HTMLElement {
  return element("span", { class: "agent" }, swatch(comparison, agent),
    element("span", { class: "agent-text" }, breakable(agent)));
}
