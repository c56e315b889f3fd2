// A report with its questions answered: which cell is where, which agents belong together, which of
// them kept the promise and which of those is best.
import { agentStyles, type AgentStyle } from "./palette";
import type { Agent, CellResult, Curve, Difference, Environment, Quantity, Report, Tuning }
  from "./report_input";

export interface Pair {
  conservative: CellResult;
  control: CellResult;
}

function key(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}

export class Comparison {
  readonly report: Report;
  readonly alphas: readonly number[];
  /** In the order of the figures: each conservative agent is followed by its control. */
  readonly agents: readonly Agent[];
  private readonly styles: Map<string, AgentStyle>;
  private readonly cells = new Map<string, CellResult>();
  private readonly curves = new Map<string, Curve>();

  constructor(report: Report) {
    this.report = report;
    this.alphas = report.alphas;
    this.agents = pairedOrder(report.agents);
    this.styles = agentStyles(this.agents);
    for (const cell of report.results) {
      this.cells.set(key(cell.data, cell.agent, cell.alpha), cell);
    }
    for (const curve of report.curves) {
      this.curves.set(key(curve.data, curve.agent, curve.alpha, curve.quantity), curve);
    }
  }

  get environments(): readonly Environment[] {
    return this.report.environments;
  }

  style(agent: string): AgentStyle {
    return this.styles.get(agent) ?? { color: "#8c8c8c", dash: "solid" };
  }

  cell(data: string, agent: string, alpha: number): CellResult | null {
    return this.cells.get(key(data, agent, alpha)) ?? null;
  }

  /** The cells of one data set, in the order of the agents. */
  cellsOf(data: string, alpha: number): CellResult[] {
    return this.agents
      .map(({ agent }) => this.cell(data, agent, alpha))
      .filter((cell): cell is CellResult => cell !== null);
  }

  curve(data: string, agent: string, alpha: number, quantity: Quantity): Curve | null {
    return this.curves.get(key(data, agent, alpha, quantity)) ?? null;
  }

  /** The curves of one figure, in the order of the agents. */
  curvesOf(data: string, alpha: number, quantity: Quantity): Curve[] {
    return this.agents
      .map(({ agent }) => this.curve(data, agent, alpha, quantity))
      .filter((curve): curve is Curve => curve !== null && curve.t.length > 0);
  }

  differencesOf(data: string, alpha: number): Difference[] {
    return this.report.differences.filter((each) => each.data === data && each.alpha === alpha);
  }

  tuningOf(data: string, alpha: number): Tuning[] {
    return this.report.tuning.filter((each) => each.data === data && each.alpha === alpha);
  }

  /** Whether an agent broke the constraint in no more runs than δ allows. */
  keptPromise(cell: CellResult): boolean {
    return cell.violatingRunsShare !== null && cell.violatingRunsShare <= (this.report.delta ?? 0);
  }

  /** Of the agents that kept the promise, the one with the least regret. */
  bestSafe(data: string, alpha: number): CellResult | null {
    let best: CellResult | null = null;
    for (const cell of this.cellsOf(data, alpha)) {
      if (cell.regret.mean === null || !this.keptPromise(cell)) continue;
      if (best === null || cell.regret.mean < (best.regret.mean ?? Infinity)) best = cell;
    }
    return best;
  }

  /** Every conservative agent beside the same agent without its gate. */
  pairs(data: string, alpha: number): Pair[] {
    const found: Pair[] = [];
    for (const agent of this.agents) {
      if (!agent.conservative || agent.control === null) continue;
      const conservative = this.cell(data, agent.agent, alpha);
      const control = this.cell(data, agent.control, alpha);
      if (conservative !== null && control !== null) found.push({ conservative, control });
    }
    return found;
  }
}

function pairedOrder(agents: readonly Agent[]): Agent[] {
  const ordered: Agent[] = [];
  const add = (agent: Agent | undefined) => {
    if (agent !== undefined && !ordered.includes(agent)) ordered.push(agent);
  };
  const controls = new Set(agents.map((agent) => agent.control));
  for (const agent of agents) {
    if (controls.has(agent.agent)) continue;  // comes behind the agent it belongs to
    add(agent);
    add(agents.find((other) => other.agent === agent.control));
  }
  agents.forEach(add);
  return ordered;
}
