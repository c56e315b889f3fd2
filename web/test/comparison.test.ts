import { describe, expect, it } from "vitest";
import { cell, comparisonOf, sampleJson } from "./sample";

describe("Comparison", () => {
  it("puts each control behind its agent", () => {
    const names = comparisonOf(sampleJson()).agents.map(({ agent }) => agent);
    expect(names).toEqual(["safe", "open", "other"]);
  });

  it("gives a control the colour of its agent, dashed, and nobody else's", () => {
    const comparison = comparisonOf(sampleJson());
    expect(comparison.style("open").color).toBe(comparison.style("safe").color);
    expect(comparison.style("safe").dash).toBe("solid");
    expect(comparison.style("open").dash).not.toBe("solid");
    expect(comparison.style("other").color).not.toBe(comparison.style("safe").color);
  });

  it("never gives two agents the same look", () => {
    const json = sampleJson();
    json.results.agents = Array.from({ length: 16 }, (_, index) => ({
      agent: `agent ${index}`, conservative: index % 2 === 0,
      control: index % 2 === 0 ? `agent ${index + 1}` : null,
    }));
    const comparison = comparisonOf(json);
    const looks = comparison.agents.map(({ agent }) => JSON.stringify(comparison.style(agent)));
    expect(new Set(looks).size).toBe(16);
  });

  it("finds the least regret among those that kept the promise only", () => {
    const comparison = comparisonOf(sampleJson());
    expect(comparison.bestSafe("one", 0.1)?.agent).toBe("safe");  // "open" has less, and broke it
    expect(comparison.bestSafe("two", 0.1)?.agent).toBe("other");
    expect(comparison.bestSafe("nowhere", 0.1)).toBeNull();
  });

  it("allows violations in a share of δ of the runs", () => {
    const json = sampleJson();
    json.results.results = [
      cell("one", "safe", 0.1, { violating_runs_share: 0.05 }),
      cell("one", "other", 0.1, { violating_runs_share: 0.06, regret: { mean: 1, stderr: 0 } }),
      cell("one", "open", 0.1, { violating_runs_share: null, regret: { mean: 0, stderr: 0 } }),
    ];
    expect(comparisonOf(json).bestSafe("one", 0.1)?.agent).toBe("safe");
  });

  it("pairs agents with their controls", () => {
    const pairs = comparisonOf(sampleJson()).pairs("one", 0.1);
    expect(pairs.map((pair) => [pair.conservative.agent, pair.control.agent]))
      .toEqual([["safe", "open"]]);
  });
});

describe("readReport", () => {
  it("takes speeds from the timing, and does without", () => {
    expect(comparisonOf(sampleJson()).cell("one", "safe", 0.1)?.roundsPerSecond).toBe(777);
    const untimed = comparisonOf({ ...sampleJson(), timing: null });
    expect(untimed.cell("one", "safe", 0.1)?.roundsPerSecond).toBeNull();
    expect(untimed.report.timing).toBeNull();
  });

  it("finds curves by the names behind their numbers", () => {
    const curve = comparisonOf(sampleJson()).curve("one", "safe", 0.1, "regret");
    expect(curve?.t).toEqual([1, 10, 1000]);
    expect(curve?.q95).toEqual([0, null, 60]);
  });

  it("takes nulls and missing fields anywhere", () => {
    const json = sampleJson();
    json.results.results = [{ data: "one", agent: "safe", alpha: 0.1, regret: null }];
    json.results.environments = [{ data: "one", baseline_share: null }, {}];
    const comparison = comparisonOf({ results: json.results });
    expect(comparison.cell("one", "safe", 0.1)?.regret.mean).toBeNull();
    expect(comparison.bestSafe("one", 0.1)).toBeNull();
    expect(comparisonOf({}).agents).toEqual([]);
  });
});
