// Parts that several figures share: axes, legend, tooltip.
import { chosen } from "../number_format";
import { element } from "../dom";
import type { Look } from "./look";

const LONGEST_NAME = 34;

/** A name that fits beside a bar: its middle is left out, since both ends tell agents apart. */
export function shortName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const tail = Math.floor(LONGEST_NAME * 0.4);
  return `${name.slice(0, LONGEST_NAME - tail - 1)}…${name.slice(-tail)}`;
}

export function textStyle(look: Look): object {
  return { fontFamily: look.font, fontSize: look.fontSize, color: look.ink };
}

/** What every figure begins with. */
export function frame(look: Look): Record<string, unknown> {
  return {
    animation: false,
    backgroundColor: look.standsAlone ? look.paper : "transparent",
    textStyle: textStyle(look),
  };
}

export function axis(look: Look, name: string): Record<string, unknown> {
  return {
    name,
    nameLocation: "middle",
    nameTextStyle: { color: look.quiet, fontSize: look.fontSize },
    axisLabel: {
      color: look.quiet,
      fontSize: look.fontSize,
      hideOverlap: true,
      formatter: (value: number) => chosen(value),
    },
    axisLine: { show: true, lineStyle: { color: look.quiet, width: 1 } },
    axisTick: { show: true, lineStyle: { color: look.quiet } },
    splitLine: { show: true, lineStyle: { color: look.line, width: 1 } },
    minorSplitLine: { show: false },
  };
}

export interface TooltipRow {
  name: string;
  color: string;
  text: string;
}

/** Built from elements, so that a name is never read as HTML. */
export function tooltipContent(title: string, rows: readonly TooltipRow[]): HTMLElement {
  return element("div", { class: "tooltip" },
    element("div", { class: "tooltip-title" }, title),
    ...rows.map((row) => {
      const swatch = element("span", { class: "dot" });
      swatch.style.background = row.color;
      return element("div", { class: "tooltip-row" },
        swatch, element("span", { class: "tooltip-name" }, row.name),
        element("span", { class: "tooltip-value" }, row.text));
    }));
}

export function tooltip(look: Look): Record<string, unknown> {
  return {
    confine: true,
    backgroundColor: look.paper,
    borderColor: look.line,
    textStyle: { color: look.ink, fontSize: 12, fontFamily: look.font },
    padding: [6, 9],
    transitionDuration: 0,
  };
}
