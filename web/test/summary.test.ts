import { describe, expect, it } from "vitest";
import { textOf } from "../src/sentence";
import { priceSentence, safetySentences, summary, winnerSentence } from "../src/summary";
import { cell, comparisonOf, sampleJson } from "./sample";

describe("the summary", () => {
  const comparison = comparisonOf(sampleJson());

  it("sets the gate against its absence", () => {
    expect(safetySentences(comparison, 0.1).map(textOf)).toEqual([
      "With the gate, 0 of 20 runs broke the constraint of at most 1.1 times the baseline’s " +
        "cost; without it, 16 of 20 did.",
      "other broke it in 0 of 20 runs.",
    ]);
  });

  it("keeps gates of different kinds apart", () => {
    const json = sampleJson();
    json.results.agents = [
      { agent: "safe", gate: "certified", conservative: true, control: "open" },
      { agent: "other", gate: "paper", conservative: true, control: "open" },
      { agent: "open", gate: "open", conservative: false, control: null },
    ];
    expect(safetySentences(comparisonOf(json), 0.1).map(textOf)).toEqual([
      "With gate certified, 0 of 20 runs broke the constraint of at most 1.1 times the " +
        "baseline’s cost and with gate paper 0 of 20; without a gate, 16 of 20 did.",
    ]);
  });

  it("counts the data sets that each agent won", () => {
    expect(textOf(winnerSentence(comparison, 0.1))).toBe(
      "Of the agents that kept the promise, safe had the least regret on 1 of 2 data sets and " +
      "other on 1.");
  });

  it("says by how much the only data set was won", () => {
    const json = sampleJson();
    json.results.environments = [{ data: "one" }];
    expect(textOf(winnerSentence(comparisonOf(json), 0.1))).toBe(
      "Of the agents that kept the promise, safe had the least regret, 50.0; other, the next, " +
      "had 2.00 times as much.");
  });

  it("says so if nobody kept the promise", () => {
    const json = sampleJson();
    json.results.results = [cell("one", "safe", 0.1, { violating_runs_share: 1 })];
    expect(textOf(winnerSentence(comparisonOf(json), 0.1))).toBe("No agent kept the promise.");
  });

  it("averages the price of the gate by ratio", () => {
    expect(textOf(priceSentence(comparison, 0.1) ?? [])).toContain(
      "safe had 2.00 times the regret of open and explored in 80.0");
  });

  it("leaves out what is not known", () => {
    const json = sampleJson();
    json.results.results = [cell("one", "safe", 0.1, {
      regret: null, violating_runs: null, violating_runs_share: null, explored_share: null })];
    expect(summary(comparisonOf(json), 0.1).map(textOf)).toEqual(["No agent kept the promise."]);
  });
});
