// A small report to test with: two data sets, a conservative agent with its control, and one that
// stands alone.
import { Comparison } from "../src/comparison";
import { readReport } from "../src/report_input";

type Fields = Record<string, unknown>;

export function cell(data: string, agent: string, alpha: number, more: Fields = {}): Fields {
  return {
    data, agent, alpha, chosen: null, runs: 10, rounds: 1000, regret: { mean: 100, stderr: 2 },
    cost_ratio: 0.9, explored_share: 0.8, violated_rounds_share: 0, violating_runs_share: 0,
    violating_runs: 0, first_violation: null, largest_excess: -1, min_slack: 0.1,
    baseline_rounds: 200, hindsight: null, ...more,
  };
}

const BROKEN = { violating_runs: 8, violating_runs_share: 0.8, first_violation: 3 };

export function sampleJson(): { results: Fields; curves: Fields; timing: Fields | null } {
  return {
    results: {
      handrail_results: 1, version: "0.2.0", command: "handrail compare", title: null, runs: 10,
      rounds: 1000, seed: 1, delta: 0.05, reserve: 0, alphas: [0.1],
      environments: [{ data: "one", notes: [] }, { data: "two", notes: [] }],
      agents: [
        { agent: "open", spec: "", gate: "open", conservative: false, control: null },
        { agent: "safe", spec: "", gate: "certified", conservative: true, control: "open" },
        { agent: "other", spec: "", gate: "ellipsoid", conservative: true, control: null },
      ],
      results: [
        cell("one", "safe", 0.1, { regret: { mean: 50, stderr: 1 } }),
        cell("one", "open", 0.1, { regret: { mean: 25, stderr: 1 }, ...BROKEN }),
        cell("one", "other", 0.1),
        cell("two", "safe", 0.1, { regret: { mean: 200, stderr: 1 } }),
        cell("two", "open", 0.1, { regret: { mean: 100, stderr: 1 }, ...BROKEN }),
        cell("two", "other", 0.1, { regret: { mean: 150, stderr: 1 } }),
      ],
      differences: [], tuning: [],
    },
    curves: {
      rounds: [[1, 10, 1000]],
      curves: [
        { data: 0, agent: 1, alpha: 0, quantity: "regret", rounds: 0, mean: [0, 5, 50],
          stderr: [0, 1, 2], q05: [0, 3, 40], q95: [0, null, 60] },
      ],
    },
    timing: { handrail_timing: 1, threads: 2, seconds: 3,
      cells: [{ data: "one", agent: "safe", alpha: 0.1, rounds_per_second: 777, seconds: 1 }] },
  };
}

export function comparisonOf(json: object): Comparison {
  return new Comparison(readReport(JSON.stringify(json)));
}
