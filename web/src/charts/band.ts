// The band around a curve: its edges, and the polygon that fills it.
import type { Curve } from "../report_input";
import type { Band } from "./view";

/** (t, low, high) of each round where both edges are known. */
export type BandPoint = [number, number, number];

export function edges(curve: Curve, index: number, band: Band): [number, number] | null {
  if (band === "none") return null;
  const mean = curve.mean[index] ?? null;
  const stderr = curve.stderr[index] ?? null;
  const low = band === "stderr" && mean !== null && stderr !== null ? mean - 2 * stderr : null;
  const high = band === "stderr" && mean !== null && stderr !== null ? mean + 2 * stderr : null;
  const edge = band === "stderr"
    ? [low, high]
    : [curve.q05[index] ?? null, curve.q95[index] ?? null];
  return edge[0] == null || edge[1] == null ? null : [edge[0], edge[1]];
}

export function bandPoints(curve: Curve, band: Band, floor: number | null): BandPoint[] {
  const points: BandPoint[] = [];
  curve.t.forEach((t, index) => {
    const edge = edges(curve, index, band);
    if (edge === null) return;
    // A logarithmic axis has no place for what is not positive: there the band ends at its floor.
    if (floor !== null && edge[1] <= floor) return;
    points.push([t, floor === null ? edge[0] : Math.max(edge[0], floor), edge[1]]);
  });
  return points;
}

interface Coordinates {
  coord(values: number[]): number[];
}

/** One polygon for all points, drawn by the first item; the others draw nothing. */
export function bandSeries(points: BandPoint[], color: string): object {
  return {
    type: "custom",
    data: points,
    encode: { x: 0, y: [1, 2] },
    silent: true,
    clip: true,
    z: 1,
    tooltip: { show: false },
    itemStyle: { color },
    renderItem: (params: { dataIndex: number }, api: Coordinates) => {
      if (params.dataIndex !== 0) return undefined;
      const upper = points.map(([t, , high]) => api.coord([t, high]));
      const lower = points.map(([t, low]) => api.coord([t, low])).reverse();
      return {
        type: "polygon",
        shape: { points: [...upper, ...lower] },
        style: { fill: color, opacity: 0.16 },
      };
    },
  };
}
