// The tables of the report.
import { runsText } from "./charts/violation_bars";
import type { Comparison } from "./comparison";
import { breakable, element, svgElement, type Child } from "./dom";
import { ABSENT, chosen, chosenPercent, count, counted, number, percent, withError }
  from "./number_format";
import type { CellResult, Difference, Environment, Tuning } from "./report_input";
import { standings, type Standing } from "./standings";
import { agentName } from "./swatch";
import { table, type Column } from "./table";

function marked(text: string, isBroken: boolean): Child {
  return isBroken ? element("span", { class: "broken" }, text) : text;
}

function resultColumns(comparison: Comparison, best: CellResult | null): Column<CellResult>[] {
  return [
    {
      title: "agent", isText: true, order: (cell) => cell.agent,
      show: (cell) => agentName(comparison, cell.agent),
    },
    {
      title: "regret ± s.e.", hint: "mean and standard error over the runs, at the last round",
      order: (cell) => cell.regret.mean,
      show: (cell) => {
        const text = withError(cell.regret.mean, cell.regret.stderr);
        return cell === best ? element("strong", {}, text) : text;
      },
    },
    {
      title: "cost / baseline", order: (cell) => cell.costRatio,
      show: (cell) => number(cell.costRatio),
    },
    {
      title: "explored", hint: "share of the rounds that were not left to the baseline",
      order: (cell) => cell.exploredShare, show: (cell) => percent(cell.exploredShare),
    },
    {
      title: "rounds violated", order: (cell) => cell.violatedRoundsShare,
      show: (cell) => percent(cell.violatedRoundsShare),
    },
    {
      title: "runs violated", hint: "runs with a violation at any round",
      order: (cell) => cell.violatingRunsShare,
      show: (cell) => marked(runsText(cell), !comparison.keptPromise(cell)),
    },
    {
      title: "first violation", hint: "the earliest round, over all runs",
      order: (cell) => cell.firstViolation, show: (cell) => count(cell.firstViolation),
    },
    {
      title: "in hindsight", hint: "runs with a violation when the baseline is charged what it " +
        "would have cost in each round, luck included; no gate promises this",
      order: (cell) => cell.hindsight?.violatingRunsShare ?? null,
      show: (cell) => percent(cell.hindsight?.violatingRunsShare ?? null),
    },
    {
      title: "min. slack", hint: "the least certified slack of any run",
      order: (cell) => cell.minSlack, show: (cell) => number(cell.minSlack),
    },
    {
      title: "rounds / s", order: (cell) => cell.roundsPerSecond,
      show: (cell) => number(cell.roundsPerSecond),
    },
    {
      title: "chosen", isText: true, hint: "what the tuning runs chose",
      order: (cell) => cell.chosen, show: (cell) => breakable(cell.chosen ?? ABSENT),
    },
  ];
}

// A column that would hold nothing but dashes is left out.
function isKnown(column: Column<CellResult>, cells: readonly CellResult[]): boolean {
  const optional = ["in hindsight", "min. slack", "rounds / s", "chosen"];
  return !optional.includes(column.title) || cells.some((cell) => column.order?.(cell) != null);
}

export function resultTable(comparison: Comparison, data: string, alpha: number): HTMLElement {
  const cells = comparison.cellsOf(data, alpha);
  const columns = resultColumns(comparison, comparison.bestSafe(data, alpha));
  const delta = chosenPercent(comparison.report.delta);
  const hindsight = cells.some((cell) => cell.hindsight?.violatingRunsShare != null)
    ? " In hindsight: runs with a violation if the baseline is charged for its luck in each " +
      "round, which no gate promises anything about."
    : "";
  return table(
    `Results on ${data}, α = ${chosen(alpha)}. Bold: the least regret among the agents that ` +
    `broke the constraint in at most ${delta} of the runs.${hindsight}`,
    columns.filter((column) => isKnown(column, cells)), cells);
}

// The regret of one cell: bold if it is the least that kept the promise, struck through if it did
// not keep it.
function regretOf(comparison: Comparison, cell: CellResult | null): Child {
  if (cell === null) return ABSENT;
  const text = number(cell.regret.mean);
  if (cell === comparison.bestSafe(cell.data, cell.alpha)) return element("strong", {}, text);
  return marked(text, !comparison.keptPromise(cell));
}

function overviewCaption(comparison: Comparison, alpha: number): string {
  return `Regret at the last round, α = ${chosen(alpha)}. Bold: the least among the agents that ` +
    "kept the promise. Struck through: broke the constraint in more than " +
    `${chosenPercent(comparison.report.delta)} of the runs.`;
}

/** Regret of every agent on every data set, a line a data set. */
function overviewByData(comparison: Comparison, alpha: number,
                        link: (data: string) => Child): HTMLElement {
  const columns: Column<Environment>[] = comparison.agents.map(({ agent }) => ({
    title: agent,
    order: ({ data }) => comparison.cell(data, agent, alpha)?.regret.mean ?? null,
    show: ({ data }) => regretOf(comparison, comparison.cell(data, agent, alpha)),
  }));
  return table(overviewCaption(comparison, alpha),
    [{ title: "data set", isText: true, order: (row) => row.data, show: (row) => link(row.data) },
      ...columns],
    comparison.environments);
}

/** Who is safe, cheap and fast, a line an agent, with the regret on every data set. */
function overviewByAgent(comparison: Comparison, alpha: number,
                         link: (data: string) => Child): HTMLElement {
  const rows = standings(comparison, alpha);
  const columns: Column<Standing>[] = [
    { title: "agent", isText: true, order: (row) => row.agent,
      show: (row) => agentName(comparison, row.agent) },
    { title: "safe?", hint: "runs that broke the constraint, of all runs",
      order: (row) => row.violatingRuns,
      show: (row) => marked(`${count(row.violatingRuns)} of ${count(row.runs)}`, !row.kept) },
    { title: "cheap?", hint: "regret divided by the least that kept the promise, geometric mean",
      order: (row) => row.relativeRegret, show: (row) => number(row.relativeRegret) },
    { title: "fast?", hint: "rounds a second, geometric mean over the data sets",
      order: (row) => row.roundsPerSecond, show: (row) => number(row.roundsPerSecond) },
    ...comparison.environments.map(({ data }): Column<Standing> => ({
      title: data,
      order: (row) => comparison.cell(data, row.agent, alpha)?.regret.mean ?? null,
      show: (row) => regretOf(comparison, comparison.cell(data, row.agent, alpha)),
    })),
  ];
  const caption = `${overviewCaption(comparison, alpha)} Safe: runs that broke it. Cheap: regret ` +
    "as a multiple of the least that kept the promise, geometric mean over the data sets. Fast: " +
    "rounds a second on one core.";
  const known = rows.some((row) => row.roundsPerSecond !== null);
  return element("div", {},
    table(caption, columns.filter((column) => known || column.title !== "fast?"), rows),
    element("p", { class: "jump" }, "Go to ",
      ...comparison.environments.flatMap(({ data }, index) =>
        index === 0 ? [link(data)] : [" · ", link(data)])));
}

/** All results at a glance, in the form that is less wide. */
export function overviewTable(comparison: Comparison, alpha: number,
                              link: (data: string) => Child): HTMLElement {
  return comparison.environments.length > comparison.agents.length
    ? overviewByData(comparison, alpha, link)
    : overviewByAgent(comparison, alpha, link);
}

const FOREST_WIDTH = 180;
const FOREST_HEIGHT = 16;

// The interval on a line that all rows share; the vertical line is zero.
function forest(difference: Difference, reach: number): Child {
  const { mean, low, high } = difference;
  if (mean === null || !(reach > 0)) return ABSENT;
  const x = (value: number) => FOREST_WIDTH / 2 + (value / reach) * (FOREST_WIDTH / 2 - 6);
  const middle = FOREST_HEIGHT / 2;
  const parts = [svgElement("line", { class: "zero", x1: x(0), x2: x(0), y1: 0,
    y2: FOREST_HEIGHT })];
  if (low !== null && high !== null) {
    parts.push(svgElement("line", { class: "interval", x1: x(low), x2: x(high), y1: middle,
      y2: middle }));
  }
  parts.push(svgElement("circle", { class: "mean", cx: x(mean), cy: middle, r: 3.5 }));
  return svgElement("svg", { class: "forest", width: FOREST_WIDTH, height: FOREST_HEIGHT,
    viewBox: `0 0 ${FOREST_WIDTH} ${FOREST_HEIGHT}`, "aria-hidden": "true" }, ...parts);
}

function verdict({ low, high }: Difference): string {
  if (low === null || high === null) return ABSENT;
  if (high < 0) return "less regret";
  return low > 0 ? "more regret" : "no clear difference";
}

/** None if the comparison has no differences here. */
export function differenceTable(comparison: Comparison, data: string,
                                alpha: number): HTMLElement | null {
  const every = comparison.differencesOf(data, alpha);
  if (every.length === 0) return null;
  const best = comparison.bestSafe(data, alpha)?.agent;
  const first = every.filter(({ agent, against }) => agent === best || against === best);
  const rest = every.filter((each) => !first.includes(each));
  const about = `differences of regret on ${data}, α = ${chosen(alpha)}: first minus second on ` +
    "the same random numbers, with 95 % intervals";
  if (first.length === 0 || rest.length === 0) {
    return differences(comparison, `Paired ${about}`, every);
  }
  return element("div", {},
    differences(comparison, `Paired ${about}. Those of the best that kept the promise`, first),
    element("details", {},
      element("summary", {}, `the other ${counted(rest.length, "pair")}`),
      differences(comparison, `Other paired ${about}`, rest)));
}

function differences(comparison: Comparison, caption: string,
                     rows: readonly Difference[]): HTMLElement {
  const ends = rows.flatMap(({ mean, low, high }) => [mean, low, high]);
  const reach = Math.max(...ends.map((end) => Math.abs(end ?? 0)));
  return table(caption,
    [
      { title: "agent", isText: true, order: (row) => row.agent,
        show: (row) => agentName(comparison, row.agent) },
      { title: "minus", isText: true, order: (row) => row.against,
        show: (row) => agentName(comparison, row.against) },
      { title: "difference", order: (row) => row.mean, show: (row) => number(row.mean) },
      { title: "95 % interval", order: (row) => row.low,
        show: (row) => row.low === null || row.high === null
          ? ABSENT : `${number(row.low)} to ${number(row.high)}` },
      { title: "", show: (row) => forest(row, reach) },
      { title: "verdict", isText: true, order: verdict, show: verdict },
    ],
    rows);
}

interface TuningRow {
  tuning: Tuning;
  candidate: Tuning["candidates"][number];
}

/** None if nothing was tuned. */
export function tuningTable(comparison: Comparison, data: string,
                            alpha: number): HTMLElement | null {
  const tunings = comparison.tuningOf(data, alpha);
  const rows: TuningRow[] = tunings.flatMap((tuning) =>
    tuning.candidates.map((candidate) => ({ tuning, candidate })));
  if (rows.length === 0) return null;
  return table(
    `Tuning on ${data}, α = ${chosen(alpha)}: regret of each candidate on seeds of its own. ` +
    "Bold: chosen.",
    [
      { title: "grid", isText: true, order: (row) => row.tuning.agent,
        show: (row) => breakable(row.tuning.agent) },
      { title: "candidate", isText: true, order: (row) => row.candidate.agent,
        show: (row) => row.candidate.chosen
          ? element("strong", {}, breakable(row.candidate.agent))
          : breakable(row.candidate.agent) },
      { title: "runs", order: (row) => row.tuning.runs, show: (row) => count(row.tuning.runs) },
      { title: "regret ± s.e.", order: (row) => row.candidate.regret.mean,
        show: (row) => {
          const text = withError(row.candidate.regret.mean, row.candidate.regret.stderr);
          return row.candidate.chosen ? element("strong", {}, text) : text;
        } },
    ],
    rows);
}

export function environmentTable(comparison: Comparison): HTMLElement {
  const columns: Column<Environment>[] = [
    { title: "data set", isText: true, order: (row) => row.data,
      show: (row) => breakable(row.data) },
    { title: "rows", order: (row) => row.rows, show: (row) => count(row.rows) },
    { title: "passes", order: (row) => row.passes, show: (row) => chosen(row.passes) },
    { title: "arms", order: (row) => row.arms, show: (row) => count(row.arms) },
    { title: "features", order: (row) => row.features, show: (row) => count(row.features) },
    { title: "baseline", isText: true, order: (row) => row.baseline,
      show: (row) => row.baseline + (row.baselineArm === null ? "" : `: ${row.baselineArm}`) },
    { title: "its share", order: (row) => row.baselineShare,
      show: (row) => percent(row.baselineShare) },
    { title: "its cost", order: (row) => row.baselineCost,
      show: (row) => number(row.baselineCost) },
    { title: "cost known", isText: true, show: (row) => row.baselineKnown },
    { title: "noise", isText: true, show: (row) => row.noise },
    { title: "in full", isText: true,
      show: (row) => element("code", {}, row.spec) },
  ];
  return table("Data sets and their baselines", columns, comparison.environments);
}

export function agentTable(comparison: Comparison): HTMLElement {
  return table("Agents", [
    { title: "agent", isText: true, order: (row) => row.agent,
      show: (row) => agentName(comparison, row.agent) },
    { title: "gate", isText: true, order: (row) => row.gate, show: (row) => row.gate },
    { title: "without its gate", isText: true,
      show: (row) => breakable(row.control ?? ABSENT) },
    { title: "in full", isText: true, show: (row) => element("code", {}, row.spec) },
  ], comparison.agents);
}
