// Colours and dashes of the agents. The colours are those of Okabe and Ito, which people who see
// red and green alike can tell apart. An agent looks the same in every figure; the unconstrained
// twin of a conservative agent has its colour, dashed.
import type { Agent } from "./report_input";

export interface AgentStyle {
  color: string;
  dash: number[] | "solid";
}

// The eighth colour of the palette, yellow, is too faint on white; black is the ink of the page.
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c"];
// When the colours are used up they come again with the next pair of dashes.
const CONSERVATIVE_DASHES: AgentStyle["dash"][] = ["solid", [14, 3, 2, 3], [14, 3, 2, 3, 2, 3]];
const OPEN_DASHES: AgentStyle["dash"][] = [[6, 4], [2, 3], [4, 2, 1, 2]];

function dash(conservative: boolean, cycle: number): AgentStyle["dash"] {
  const dashes = conservative ? CONSERVATIVE_DASHES : OPEN_DASHES;
  return dashes[cycle % dashes.length] ?? "solid";
}

/** The style of each agent, by its text. A control stands behind the agents that name it. */
export function agentStyles(agents: readonly Agent[]): Map<string, AgentStyle> {
  const family = new Map<string, number>();
  let families = 0;
  for (const agent of agents) {
    const lender = agents.find((other) => other.control === agent.agent);
    const lent = lender === undefined ? undefined : family.get(lender.agent);
    family.set(agent.agent, lent ?? families++);
  }
  return new Map(agents.map((agent) => {
    const place = family.get(agent.agent) ?? 0;
    const cycle = Math.floor(place / COLORS.length);
    const color = COLORS[place % COLORS.length] ?? "#0072b2";
    return [agent.agent, { color, dash: dash(agent.conservative, cycle) }];
  }));
}
