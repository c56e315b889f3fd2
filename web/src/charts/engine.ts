// Apache ECharts, with only the parts that the figures use. No other file names the library, except
// for types.
import { BarChart, CustomChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent, TooltipComponent }
  from "echarts/components";
import { init, use, type EChartsCoreOption, type EChartsType } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, CustomChart, LineChart, GridComponent, LegendComponent, MarkLineComponent,
  TitleComponent, TooltipComponent, SVGRenderer]);

export type { EChartsCoreOption as ChartOption, EChartsType as Chart };

/** A chart that fills `element` and can be pointed at. */
export function liveChart(element: HTMLElement): EChartsType {
  return init(element, null, { renderer: "svg" });
}

/** The text of an SVG file of the given size in pixels. */
export function svgText(option: EChartsCoreOption, width: number, height: number): string {
  const place = document.createElement("div");
  const chart = init(place, null, { renderer: "svg", width, height });
  chart.setOption(option);
  const svg = place.querySelector("svg");
  if (svg === null) throw new Error("the chart has no drawing");
  svg.removeAttribute("style");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  // The library's own text is not always XML: it does not escape the quotes of a font's name.
  const text = new XMLSerializer().serializeToString(svg);
  chart.dispose();
  return text;
}
