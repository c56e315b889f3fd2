import { expect, test } from "vitest";
import { standings } from "../src/standings";
import { comparisonOf, sampleJson } from "./sample";

test("those that kept the promise come first, by their regret", () => {
  const found = standings(comparisonOf(sampleJson()), 0.1);
  expect(found.map(({ agent }) => agent)).toEqual(["safe", "other", "open"]);
  expect(found.map(({ kept }) => kept)).toEqual([true, true, false]);
});

test("regret is measured against the least that kept the promise", () => {
  const [safe, other, open] = standings(comparisonOf(sampleJson()), 0.1);
  // one: 50, 100, 25 against 50; two: 200, 150, 100 against 150.
  expect(safe?.relativeRegret).toBeCloseTo(Math.sqrt(200 / 150));
  expect(other?.relativeRegret).toBeCloseTo(Math.sqrt(2));
  expect(open?.relativeRegret).toBeCloseTo(Math.sqrt(0.5 * 100 / 150));
});

test("runs are added up, and a speed that is not known everywhere is none", () => {
  const [safe, , open] = standings(comparisonOf(sampleJson()), 0.1);
  expect([safe?.violatingRuns, safe?.runs]).toEqual([0, 20]);
  expect([open?.violatingRuns, open?.runs]).toEqual([16, 20]);
  expect(safe?.roundsPerSecond).toBeNull();
});

test("an agent that was not played on a data set has no relative regret", () => {
  const json = sampleJson();
  const results = json.results.results as { data: string; agent: string }[];
  json.results.results = results.filter(({ data, agent }) => data !== "two" || agent !== "other");
  const other = standings(comparisonOf(json), 0.1).find(({ agent }) => agent === "other");
  expect(other?.runs).toBe(10);
  expect(other?.relativeRegret).toBeNull();
});
