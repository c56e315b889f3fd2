// What the program put into the page, as types. The program has checked its shape; here a field
// that is absent or of another kind becomes null or an empty list, and nothing else looks at JSON.
// The build writes metric_names.ts: what a cell holds comes from the program's table of metrics.
import { CELL_ESTIMATES, CELL_NUMBERS, HINDSIGHT_NUMBERS, type QUANTITIES } from "./metric_names";

export interface Estimate {
  mean: number | null;
  stderr: number | null;
}

export interface Environment {
  data: string;
  kind: string;
  spec: string;
  arms: number | null;
  features: number | null;
  rows: number | null;
  passes: number | null;
  baseline: string;
  baselineArm: string | null;
  baselineShare: number | null;
  baselineKnown: string;
  baselineCost: number | null;
  noise: string;
  notes: string[];
}

export interface Agent {
  agent: string;
  spec: string;
  gate: string;
  conservative: boolean;
  control: string | null;
}

type NumbersOf<Names> = { -readonly [name in keyof Names]: number | null };
type EstimatesOf<Names> = { -readonly [name in keyof Names]: Estimate };

export type Hindsight = NumbersOf<typeof HINDSIGHT_NUMBERS>;

export interface CellResult
  extends NumbersOf<typeof CELL_NUMBERS>, EstimatesOf<typeof CELL_ESTIMATES> {
  data: string;
  agent: string;
  alpha: number;
  chosen: string | null;
  runs: number | null;
  rounds: number | null;
  hindsight: Hindsight | null;
  roundsPerSecond: number | null;
}

export interface Difference {
  data: string;
  alpha: number;
  agent: string;
  against: string;
  mean: number | null;
  low: number | null;
  high: number | null;
}

export interface Candidate {
  agent: string;
  regret: Estimate;
  chosen: boolean;
}

export interface Tuning {
  data: string;
  agent: string;
  alpha: number;
  runs: number | null;
  candidates: Candidate[];
}

export type Quantity = (typeof QUANTITIES)[number];
export type Values = readonly (number | null)[];

export interface Curve {
  data: string;
  agent: string;
  alpha: number;
  quantity: string;
  t: readonly number[];
  mean: Values;
  stderr: Values;
  q05: Values;
  q95: Values;
}

export interface Timing {
  threads: number | null;
  seconds: number | null;
}

export interface Report {
  version: string;
  command: string;
  title: string | null;
  runs: number | null;
  rounds: number | null;
  seed: number | null;
  delta: number | null;
  reserve: number | null;
  alphas: number[];
  environments: Environment[];
  agents: Agent[];
  results: CellResult[];
  differences: Difference[];
  tuning: Tuning[];
  curves: Curve[];
  timing: Timing | null;
}

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objects(value: unknown): Fields[] {
  return list(value).map(fieldsOf);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function text(value: unknown): string {
  return textOrNull(value) ?? "";
}

function numbers(value: unknown): number[] {
  return list(value).filter((each): each is number => typeof each === "number");
}

function estimate(value: unknown): Estimate {
  const fields = fieldsOf(value);
  return { mean: numberOrNull(fields.mean), stderr: numberOrNull(fields.stderr) };
}

// The fields that have these names, by the names that the page has for them.
function named<Name extends string, Value>(
  names: Record<Name, string>, fields: Fields, read: (value: unknown) => Value,
): Record<Name, Value> {
  const pairs = Object.entries<string>(names).map(([name, field]) => [name, read(fields[field])]);
  return Object.fromEntries(pairs) as Record<Name, Value>;
}

function environment(fields: Fields): Environment {
  return {
    data: text(fields.data),
    kind: text(fields.kind),
    spec: text(fields.spec),
    arms: numberOrNull(fields.arms),
    features: numberOrNull(fields.features),
    rows: numberOrNull(fields.rows),
    passes: numberOrNull(fields.passes),
    baseline: text(fields.baseline),
    baselineArm: textOrNull(fields.baseline_arm),
    baselineShare: numberOrNull(fields.baseline_share),
    baselineKnown: text(fields.baseline_known),
    baselineCost: numberOrNull(fields.baseline_cost),
    noise: text(fields.noise),
    notes: list(fields.notes).map(text).filter((note) => note !== ""),
  };
}

function agent(fields: Fields): Agent {
  return {
    agent: text(fields.agent),
    spec: text(fields.spec),
    gate: text(fields.gate),
    conservative: fields.conservative === true,
    control: textOrNull(fields.control),
  };
}

function hindsight(value: unknown): Hindsight | null {
  if (typeof value !== "object" || value === null) return null;
  return named(HINDSIGHT_NUMBERS, fieldsOf(value), numberOrNull);
}

function cellResult(fields: Fields, timing: Fields[]): CellResult {
  const timed = timing.find((cell) =>
    cell.data === fields.data && cell.agent === fields.agent && cell.alpha === fields.alpha);
  return {
    data: text(fields.data),
    agent: text(fields.agent),
    alpha: numberOrNull(fields.alpha) ?? 0,
    chosen: textOrNull(fields.chosen),
    runs: numberOrNull(fields.runs),
    rounds: numberOrNull(fields.rounds),
    ...named(CELL_ESTIMATES, fields, estimate),
    ...named(CELL_NUMBERS, fields, numberOrNull),
    hindsight: hindsight(fields.hindsight),
    roundsPerSecond: numberOrNull(timed?.rounds_per_second),
  };
}

function difference(fields: Fields): Difference {
  const regret = fieldsOf(fields.regret);
  return {
    data: text(fields.data),
    alpha: numberOrNull(fields.alpha) ?? 0,
    agent: text(fields.agent),
    against: text(fields.against),
    mean: numberOrNull(regret.mean),
    low: numberOrNull(regret.low),
    high: numberOrNull(regret.high),
  };
}

function tuning(fields: Fields): Tuning {
  return {
    data: text(fields.data),
    agent: text(fields.agent),
    alpha: numberOrNull(fields.alpha) ?? 0,
    runs: numberOrNull(fields.runs),
    candidates: objects(fields.candidates).map((candidate) => ({
      agent: text(candidate.agent),
      regret: estimate(candidate.regret),
      chosen: candidate.chosen === true,
    })),
  };
}

// Curves name their data set, agent and α by place in the lists of the results, and the rounds by
// place in `rounds`, since most curves share them.
function curves(value: unknown, results: Fields): Curve[] {
  const fields = fieldsOf(value);
  const rounds = list(fields.rounds).map(numbers);
  const name = (part: unknown, of: unknown, key: string) =>
    text(objects(of)[numberOrNull(part) ?? -1]?.[key]);
  return objects(fields.curves).map((curve) => ({
    data: name(curve.data, results.environments, "data"),
    agent: name(curve.agent, results.agents, "agent"),
    alpha: numbers(results.alphas)[numberOrNull(curve.alpha) ?? -1] ?? 0,
    quantity: text(curve.quantity),
    t: rounds[numberOrNull(curve.rounds) ?? -1] ?? [],
    mean: list(curve.mean).map(numberOrNull),
    stderr: list(curve.stderr).map(numberOrNull),
    q05: list(curve.q05).map(numberOrNull),
    q95: list(curve.q95).map(numberOrNull),
  }));
}

/** The report in the page's JSON. Throws only if that is not JSON at all. */
export function readReport(json: string): Report {
  const whole = fieldsOf(JSON.parse(json));
  const results = fieldsOf(whole.results);
  const timing = fieldsOf(whole.timing);
  const timedCells = objects(timing.cells);
  return {
    version: text(results.version),
    command: text(results.command),
    title: textOrNull(results.title),
    runs: numberOrNull(results.runs),
    rounds: numberOrNull(results.rounds),
    seed: numberOrNull(results.seed),
    delta: numberOrNull(results.delta),
    reserve: numberOrNull(results.reserve),
    alphas: numbers(results.alphas),
    environments: objects(results.environments).map(environment),
    agents: objects(results.agents).map(agent),
    results: objects(results.results).map((fields) => cellResult(fields, timedCells)),
    differences: objects(results.differences).map(difference),
    tuning: objects(results.tuning).map(tuning),
    curves: curves(whole.curves, results),
    timing: typeof whole.timing === "object" && whole.timing !== null
      ? { threads: numberOrNull(timing.threads), seconds: numberOrNull(timing.seconds) }
      : null,
  };
}
