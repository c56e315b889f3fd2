import { describe, expect, it } from "vitest";
import { bandPoints } from "../src/charts/band";
import { shortName, wrappedName } from "../src/charts/common";
import { FIGURES, fileName, slug } from "../src/charts/figures";
import { LIGHT, PAPER } from "../src/charts/look";
import { axisRange } from "../src/charts/ranges";
import type { View } from "../src/charts/view";
import { violationBars } from "../src/charts/violation_bars";
import type { Curve } from "../src/report_input";
import { sorted } from "../src/table";
import { cell, comparisonOf, sampleJson } from "./sample";

const VIEW: View = {
  alpha: 0.1, band: "stderr", roundsScale: "linear", regretScale: "linear", hidden: new Set(),
};

function curve(t: number[], mean: (number | null)[]): Curve {
  const none = t.map(() => null);
  return { data: "one", agent: "safe", alpha: 0.1, quantity: "regret", t, mean,
    stderr: mean.map((value) => (value === null ? null : 1)), q05: none, q95: none };
}

describe("bands", () => {
  it("are two standard errors wide, and absent where nothing is known", () => {
    expect(bandPoints(curve([1, 2, 3], [5, null, 7]), "stderr", null)).toEqual(
      [[1, 3, 7], [3, 5, 9]]);
    expect(bandPoints(curve([1], [5]), "quantiles", null)).toEqual([]);
    expect(bandPoints(curve([1], [5]), "none", null)).toEqual([]);
  });
  it("end at the floor of a logarithmic axis", () => {
    expect(bandPoints(curve([1, 2], [-9, 1]), "stderr", 0.1)).toEqual([[2, 0.1, 3]]);
  });
});

describe("axes", () => {
  it("are not made for the first rounds of a ratio, and say so", () => {
    const range = axisRange([curve([1, 50, 100], [90, 0.9, 0.8])], "cost_ratio", VIEW);
    expect(range.max).toBeLessThan(2);
    expect(range.max).toBeGreaterThan(1.1);
    expect(range.note).toContain("leave the range");
  });
  it("show all of a ratio that is calm", () => {
    const range = axisRange([curve([1, 50, 100], [1, 0.9, 0.8])], "cost_ratio", VIEW);
    expect(range.min).toBeLessThanOrEqual(0.8);
    expect(range.note).toBeNull();
  });
  it("begin at zero for regret that is never negative, whatever its band does", () => {
    expect(axisRange([curve([1, 2], [0, 3])], "regret", VIEW).min).toBe(0);
    expect(axisRange([curve([1, 2], [-1, 3])], "regret", VIEW).min).toBeUndefined();
  });
  it("stand on a power of ten if logarithmic", () => {
    const log: View = { ...VIEW, regretScale: "log" };
    expect(axisRange([curve([1, 2], [0, 3])], "regret", log).min).toBe(1);
    expect(axisRange([curve([1], [null])], "regret", log).min).toBe(1);
    expect(axisRange([], "regret", log).min).toBe(1);
  });
});

describe("figures", () => {
  it("exist where there is something to draw, and can be drawn with nothing shown", () => {
    const comparison = comparisonOf(sampleJson());
    const names = FIGURES.filter((kind) => kind.exists(comparison, "one", 0.1));
    expect(names.map((kind) => kind.name)).toEqual(["regret", "violations"]);
    for (const kind of names) {
      const hidden = new Set(["safe", "open", "other"]);
      expect(kind.draw(comparison, "one", { ...VIEW, hidden }, LIGHT).label).toContain("one");
    }
  });
  it("leave room for the longest text between the bars", () => {
    const all = { runs: 1000, violating_runs: 1000, violating_runs_share: 1 };
    const json = sampleJson();
    json.results.results = [cell("one", "open", 0.1, all)];
    const { option } = violationBars(comparisonOf(json), "one", VIEW, PAPER);
    const [left, right] = (option as { grid: { left: number; width: number }[] }).grid;
    if (left === undefined || right === undefined) throw new Error("two columns were expected");
    const room = right.left - left.left - left.width;
    expect(room).toBeGreaterThan("1000 of 1000".length * PAPER.fontSize * 0.5 + 4);
    expect(right.left + right.width + room).toBeLessThanOrEqual(PAPER.width);
  });
  it("have names that are fit for files", () => {
    expect(slug("covertype:noise=flip:0.1")).toBe("covertype-noise-flip-0.1");
    expect(slug("../../etc/passwd")).toBe("etc-passwd");
    expect(slug("</script><b>")).toBe("script-b");
    expect(slug("…")).toBe("unnamed");
    const [regret] = FIGURES;
    if (regret === undefined) throw new Error("no figures");
    expect(fileName("Shuttle", regret, 0.05)).toBe("shuttle-alpha-0.05-regret");
  });
});

describe("names", () => {
  it("are shortened in the middle", () => {
    expect(shortName("abcdefghij", 10)).toBe("abcdefghij");
    expect(shortName("abcdefghijk", 10)).toBe("abcdef…ijk");
  });
  it("are wrapped where a SPEC has its joints", () => {
    expect(wrappedName("c-squarecb:gate=paper,lr=1", 14)).toBe("c-squarecb:\ngate=paper,\nlr=1");
    expect(wrappedName("a:b", 14)).toBe("a:b");
  });
});

describe("sorting", () => {
  it("keeps what is not known at the end, either way", () => {
    const rows = [2, null, 3, 1];
    expect(sorted(rows, (row) => row, "ascending")).toEqual([1, 2, 3, null]);
    expect(sorted(rows, (row) => row, "descending")).toEqual([3, 2, 1, null]);
  });
});
