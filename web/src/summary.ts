// The results in words: who was safe, who was cheapest, and what safety cost.
import type { Comparison, Pair } from "./comparison";
import { chosen, count, counted, number, percent } from "./number_format";
import type { CellResult } from "./report_input";
import { joined, named, say, type Sentence } from "./sentence";

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

function cellsEverywhere(comparison: Comparison, agent: string, alpha: number): CellResult[] {
  return comparison.environments
    .map(({ data }) => comparison.cell(data, agent, alpha))
    .filter((cell): cell is CellResult => cell !== null);
}

// The cells of agents that have a control, by the kind of their gate, in the order of the agents.
function cellsByGate(comparison: Comparison, pairs: readonly Pair[]): Map<string, CellResult[]> {
  const gates = new Map<string, CellResult[]>();
  for (const { agent, gate } of comparison.agents) {
    const cells = pairs.map((pair) => pair.conservative).filter((cell) => cell.agent === agent);
    if (cells.length > 0) gates.set(gate, [...(gates.get(gate) ?? []), ...cells]);
  }
  return gates;
}

/** "With the gate, 0 of 40 runs broke the constraint; without it, 31 of 40 did." */
export function safetySentences(comparison: Comparison, alpha: number): Sentence[] {
  const pairs = pairsEverywhere(comparison, alpha);
  const gates = [...cellsByGate(comparison, pairs)]
    .map(([gate, cells]) => ({ gate, ...tally(cells) }))
    .filter(({ runs }) => runs > 0);
  const open = tally([...new Set(pairs.map((pair) => pair.control))]);
  const sentences: Sentence[] = [];
  if (gates.length > 0 && open.runs > 0) {
    const bound = chosen(1 + alpha);
    const verb = `broke the constraint of at most ${bound} times the baseline’s cost`;
    const parts = gates.map(({ gate, broke, runs }, index) => {
      const name = gates.length === 1 ? say`the gate` : say`gate ${named(gate)}`;
      return index === 0
        ? say`With ${name}, ${count(broke)} of ${counted(runs, "run")} ${verb}`
        : say`with ${name} ${count(broke)} of ${count(runs)}`;
    });
    const without = gates.length === 1 ? "without it" : "without a gate";
    sentences.push(say`${joined(parts, ", ", " and ")}; ${without}, ${count(open.broke)} of ${
      count(open.runs)} did.`);
  }
  const paired = new Set(pairs.flatMap((pair) => [pair.conservative.agent, pair.control.agent]));
  const alone = comparison.agents
    .filter(({ agent }) => !paired.has(agent))
    .map(({ agent }) => ({ agent, ...tally(cellsEverywhere(comparison, agent, alpha)) }))
    .filter(({ runs }) => runs > 0);
  if (alone.length > 0) {
    const parts = alone.map(({ agent, broke, runs }, index) => index === 0
      ? say`${named(agent)} broke it in ${count(broke)} of ${counted(runs, "run")}`
      : say`${named(agent)} in ${count(broke)} of ${count(runs)}`);
    sentences.push(say`${joined(parts, ", ", " and ")}.`);
  }
  return sentences;
}

// How many data sets each agent won, most first.
function winners(comparison: Comparison, alpha: number): [string, number][] {
  const wins = new Map<string, number>();
  for (const { data } of comparison.environments) {
    const best = comparison.bestSafe(data, alpha);
    if (best !== null) wins.set(best.agent, (wins.get(best.agent) ?? 0) + 1);
  }
  return [...wins].sort((a, b) => b[1] - a[1]);
}

/** Who had the least regret among those that kept the promise, and on how many data sets. */
export function winnerSentence(comparison: Comparison, alpha: number): Sentence {
  const total = comparison.environments.length;
  if (total === 1) return onlyWinner(comparison, alpha);
  const wins = winners(comparison, alpha);
  if (wins.length === 0) return say`No agent kept the promise.`;
  const undecided = total - sum(wins.map(([, won]) => won));
  const parts = wins.map(([agent, won], index) => index === 0
    ? say`${named(agent)} had the least regret on ${count(won)} of ${counted(total, "data set")}`
    : say`${named(agent)} on ${count(won)}`);
  const none = undecided > 0 ? `; on ${count(undecided)} nobody kept it` : "";
  return say`Of the agents that kept the promise, ${joined(parts, ", ", " and ")}${none}.`;
}

function onlyWinner(comparison: Comparison, alpha: number): Sentence {
  const data = comparison.environments[0]?.data ?? "";
  const best = comparison.bestSafe(data, alpha);
  if (best === null) return say`No agent kept the promise.`;
  const next = comparison.cellsOf(data, alpha)
    .filter((cell) => cell !== best && comparison.keptPromise(cell) && cell.regret.mean !== null)
    .sort((a, b) => (a.regret.mean ?? 0) - (b.regret.mean ?? 0))[0];
  const ratio = (next?.regret.mean ?? NaN) / (best.regret.mean ?? NaN);
  const behind = next === undefined || !(ratio >= 1 && Number.isFinite(ratio))
    ? ""
    : say`; ${named(next.agent)}, the next, had ${number(ratio)} times as much`;
  return say`Of the agents that kept the promise, ${named(best.agent)} had the least regret, ${
    number(best.regret.mean)}${behind}.`;
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(sum(values.map(Math.log)) / values.length);
}

/** What the winners paid in regret for their gate, over all data sets. */
export function priceSentence(comparison: Comparison, alpha: number): Sentence | null {
  const everywhere = pairsEverywhere(comparison, alpha);
  const parts: Sentence[] = [];
  for (const [agent] of winners(comparison, alpha)) {
    const pairs = everywhere.filter((pair) => pair.conservative.agent === agent);
    const control = pairs[0]?.control.agent;
    const ratios = pairs
      .map((pair) => (pair.conservative.regret.mean ?? 0) / (pair.control.regret.mean ?? 0))
      .filter((ratio) => Number.isFinite(ratio) && ratio > 0);
    const explored = pairs
      .map((pair) => pair.conservative.exploredShare)
      .filter((share): share is number => share !== null);
    if (control === undefined || ratios.length === 0 || explored.length === 0) continue;
    parts.push(say`${named(agent)} had ${number(geometricMean(ratios))} times the regret of ${
      named(control)} and explored in ${percent(sum(explored) / explored.length)} of its rounds`);
  }
  if (parts.length === 0) return null;
  const mean = comparison.environments.length > 1 ? ", on average over the data sets" : "";
  return say`What the gate cost${mean}: ${joined(parts, "; ")}.`;
}

/** The paragraph at the top. */
export function summary(comparison: Comparison, alpha: number): Sentence[] {
  const price = priceSentence(comparison, alpha);
  return [
    ...safetySentences(comparison, alpha),
    winnerSentence(comparison, alpha),
    ...(price === null ? [] : [price]),
  ];
}
