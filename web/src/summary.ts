// The results in words: who was safe, who was cheapest, and what safety cost.
import type { Comparison, Pair } from "./comparison";
import { chosen, count, counted, enumerated, number, percent } from "./number_format";
import type { CellResult } from "./report_input";

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Tally {
  broke: number;
  runs: number;
}

function tally(cells: readonly CellResult[]): Tally {
  const known = cells.filter((cell) => cell.violatingRuns !== null && cell.runs !== null);
  return {
    broke: sum(known.map((cell) => cell.violatingRuns ?? 0)),
    runs: sum(known.map((cell) => cell.runs ?? 0)),
  };
}

function pairsEverywhere(comparison: Comparison, alpha: number): Pair[] {
  return comparison.environments.flatMap(({ data }) => comparison.pairs(data, alpha));
}

export function setupSentence(comparison: Comparison, alpha: number): string {
  const { environments, report } = comparison;
  const where = environments.length === 1
    ? `on ${environments[0]?.data ?? ""}`
    : `on ${counted(environments.length, "data set")}`;
  const runs = report.runs === null ? "" : `, ${counted(report.runs, "run")}`;
  const rounds = report.rounds === null ? "" : ` of ${counted(report.rounds, "round")} each`;
  const promise = `The constraint: at every round, no more than ${chosen(1 + alpha)} times ` +
    `the cost of the baseline so far`;
  return `${counted(comparison.agents.length, "agent")} ${where}${runs}${rounds}. ${promise}.`;
}

/** "With the gate, 0 of 40 runs broke the constraint; without it, 31 of 40 did." */
export function safetySentences(comparison: Comparison, alpha: number): string[] {
  const pairs = pairsEverywhere(comparison, alpha);
  const gated = tally([...new Set(pairs.map((pair) => pair.conservative))]);
  const open = tally([...new Set(pairs.map((pair) => pair.control))]);
  const sentences: string[] = [];
  if (gated.runs > 0 && open.runs > 0) {
    sentences.push(`With the gate, ${count(gated.broke)} of ${counted(gated.runs, "run")} broke ` +
      `the constraint; without it, ${count(open.broke)} of ${count(open.runs)} did.`);
  }
  const paired = new Set(pairs.flatMap((pair) => [pair.conservative.agent, pair.control.agent]));
  const rest = comparison.agents.filter(({ agent }) => !paired.has(agent));
  for (const { agent } of rest) {
    const alone = tally(comparison.environments
      .map(({ data }) => comparison.cell(data, agent, alpha))
      .filter((cell): cell is CellResult => cell !== null));
    if (alone.runs === 0) continue;
    sentences.push(`${agent} broke it in ${count(alone.broke)} of ${count(alone.runs)}.`);
  }
  return sentences;
}

/** Who had the least regret among those that kept the promise, and on how many data sets. */
export function winnerSentence(comparison: Comparison, alpha: number): string {
  const wins = new Map<string, number>();
  let undecided = 0;
  for (const { data } of comparison.environments) {
    const best = comparison.bestSafe(data, alpha);
    if (best === null) undecided += 1;
    else wins.set(best.agent, (wins.get(best.agent) ?? 0) + 1);
  }
  if (wins.size === 0) return "No agent kept the promise.";
  const ordered = [...wins].sort((a, b) => b[1] - a[1]);
  const total = comparison.environments.length;
  if (total === 1) return oneWinner(comparison, alpha);
  const parts = ordered.map(([agent, won], index) => index === 0
    ? `${agent} had the least regret on ${count(won)} of ${count(total)} data sets`
    : `${agent} on ${count(won)}`);
  const none = undecided > 0 ? `; on ${count(undecided)} nobody kept the promise` : "";
  return `Of the agents that kept the promise, ${enumerated(parts)}${none}.`;
}

function oneWinner(comparison: Comparison, alpha: number): string {
  const data = comparison.environments[0]?.data ?? "";
  const best = comparison.bestSafe(data, alpha);
  if (best === null) return "No agent kept the promise.";
  const others = comparison.cellsOf(data, alpha)
    .filter((cell) => cell !== best && comparison.keptPromise(cell) && cell.regret.mean !== null)
    .sort((a, b) => (a.regret.mean ?? 0) - (b.regret.mean ?? 0));
  const next = others[0];
  const ratio = (next?.regret.mean ?? 0) / (best.regret.mean ?? NaN);
  const behind = next === undefined || !Number.isFinite(ratio) || ratio < 1
    ? ""
    : `, and ${next.agent}, the next, ${number(ratio)} times as much`;
  return `Of the agents that kept the promise, ${best.agent} had the least regret, ` +
    `${number(best.regret.mean)}${behind}.`;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(sum(values.map(Math.log)) / values.length);
}

/** What each conservative agent paid in regret for its gate, over all data sets. */
export function priceSentence(comparison: Comparison, alpha: number): string | null {
  const parts: string[] = [];
  for (const agent of comparison.agents) {
    if (!agent.conservative || agent.control === null) continue;
    const pairs = pairsEverywhere(comparison, alpha)
      .filter((pair) => pair.conservative.agent === agent.agent);
    const ratios = pairs
      .map((pair) => (pair.conservative.regret.mean ?? 0) / (pair.control.regret.mean ?? 0))
      .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
    const explored = pairs
      .map((pair) => pair.conservative.exploredShare)
      .filter((share): share is number => share !== null);
    if (ratios.length === 0 || explored.length === 0) continue;
    parts.push(`${agent.agent} had ${number(geometricMean(ratios))} times the regret of ` +
      `${agent.control} and explored in ${percent(sum(explored) / explored.length)} of its rounds`);
  }
  if (parts.length === 0) return null;
  const mean = comparison.environments.length > 1 ? " (geometric mean over the data sets)" : "";
  return `What the gate cost${mean}: ${parts.join("; ")}.`;
}

/** The paragraph at the top, one sentence or group of sentences each. */
export function summary(comparison: Comparison, alpha: number): string[] {
  const price = priceSentence(comparison, alpha);
  return [
    setupSentence(comparison, alpha),
    ...safetySentences(comparison, alpha),
    winnerSentence(comparison, alpha),
    ...(price === null ? [] : [price]),
  ];
}
