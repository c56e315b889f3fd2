// Who is safe, who is cheap and who is fast: one line an agent, over all data sets.
import type { Comparison } from "./comparison";
import type { CellResult } from "./report_input";

export interface Standing {
  agent: string;
  /** Runs that broke the constraint, of all runs on all data sets. */
  violatingRuns: number;
  runs: number;
  /** Whether it kept the promise on every data set. */
  kept: boolean;
  /** Geometric mean, over the data sets, of its regret divided by the least of an agent that kept
   * the promise there; none if it cannot be said of every data set. */
  relativeRegret: number | null;
  /** Geometric mean over the data sets. */
  roundsPerSecond: number | null;
}

function geometricMean(values: readonly (number | null | undefined)[]): number | null {
  let logs = 0;
  for (const value of values) {
    if (value == null || !(value > 0)) return null;
    logs += Math.log(value);
  }
  return values.length === 0 ? null : Math.exp(logs / values.length);
}

function ratio(cell: CellResult, best: CellResult | null): number | null {
  if (best?.regret.mean == null || cell.regret.mean === null) return null;
  return best.regret.mean > 0 ? cell.regret.mean / best.regret.mean : null;
}

function standing(comparison: Comparison, agent: string, alpha: number): Standing | null {
  const cells = comparison.environments.map(({ data }) => comparison.cell(data, agent, alpha))
    .filter((cell): cell is CellResult => cell !== null);
  if (cells.length === 0) return null;
  const isWhole = cells.length === comparison.environments.length;
  const ratios = cells.map((cell) => ratio(cell, comparison.bestSafe(cell.data, alpha)));
  return {
    agent,
    violatingRuns: cells.reduce((sum, cell) => sum + (cell.violatingRuns ?? 0), 0),
    runs: cells.reduce((sum, cell) => sum + (cell.runs ?? 0), 0),
    kept: cells.every((cell) => comparison.keptPromise(cell)),
    relativeRegret: isWhole ? geometricMean(ratios) : null,
    roundsPerSecond: geometricMean(cells.map((cell) => cell.roundsPerSecond)),
  };
}

/** Those that kept the promise first, each group by its regret. */
export function standings(comparison: Comparison, alpha: number): Standing[] {
  const every = comparison.agents
    .map(({ agent }) => standing(comparison, agent, alpha))
    .filter((each): each is Standing => each !== null);
  const place = (each: Standing) => each.relativeRegret ?? Infinity;
  return every.sort((a, b) =>
    Number(b.kept) - Number(a.kept) || (place(a) < place(b) ? -1 : Number(place(a) > place(b))));
}
