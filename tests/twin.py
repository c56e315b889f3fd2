"""Checks traces by recomputing them from the formulas, sharing no code with the program.

    python3 tests/twin.py TRACE.jsonl [...]    prints "OK n rounds", or the first number that does
                                               not follow, as "line N: field: trace X, recomputed Y"
    python3 tests/twin.py --self-test          known numbers, and traces spoiled on purpose

Exit status: 0 all follow, 1 one does not, 2 a file that cannot be read or parts not known here.
Known gates: open, shut, paper, certified, certified-ips, certified-dr, certified-stationary,
armwise, budget; policies: igw, linucb, uniform, greedy, epsilon-greedy, ucb. Taken on trust:
predicted costs, which arm the dice chose, expected costs, an oracle's own regret bound, and
distributions that are not gap weightings.
"""
import json
import math
import operator
import sys

from twin_accounts import CERTIFYING, UNKNOWING, Arms, Baseline, Bound, Budget, mean_or_half

TOLERANCE = 1e-9
POLICIES = ("igw", "linucb", "uniform", "greedy", "epsilon-greedy", "ucb")
GATES = ("open", "shut", "paper", "armwise", "budget") + CERTIFYING


def close(a, b):
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b))


def weigh(costs, gamma, relative, floor=0.0):
    """Gap weighting: the greedy arm gets what the others leave, then floor / K is mixed in."""
    best = min(costs)
    greedy, unit, count = costs.index(best), best if relative else 1.0, len(costs)
    p = [unit / (count * unit + gamma * (cost - best)) for cost in costs]
    p[greedy] = 1.0 - sum(p[:greedy]) - sum(p[greedy + 1:])
    return [(1.0 - floor) * share + floor / count for share in p]


def toward(p, arm, share):
    """One arm gets `share` on top of what the shrunk others leave it."""
    return [(1.0 - share) * x + (share if a == arm else 0.0) for a, x in enumerate(p)]


class Twin:
    """What an agent must have known before each round, and what follows from it."""

    def __init__(self, header):
        self.header, self.config = header, header.get("config", {})
        self.gate, self.alpha, self.delta = header["gate"], header["alpha"], header["delta"]
        self.baseline = Baseline(header) if self.gate in UNKNOWING else None
        share = float(self.config["delta_split"]) if self.baseline else 1.0
        self.bound = Bound(self.delta * share, self.config.get("bound"))
        self.t = self.explored = 0
        self.own_costs = self.predicted = 0.0       # revealed and explored; sum of p times y-hat
        self.charged = self.others = 0.0            # baseline costs of the two kinds of rounds
        self.member_costs, self.members_known = 0.0, 0
        self.pending = {}                           # round of arrival -> rounds, in order
        self.knows = header.get("baseline_known", "per_round") != "unknown"
        self.arms = Arms(header)
        self.budget = Budget(self.knows, self.arms)

    def regret_bound(self, row):
        named = self.config.get("regret_bound", "auto")
        return float(named) if named != "auto" else row.get("regret_bound")

    def gamma(self, row):
        """None where it is taken on trust."""
        kind, arms, reg = self.config.get("gamma"), self.header["arms"], self.regret_bound(row)
        scale = float(self.config.get("gamma_scale", 0))
        exponent = float(self.config.get("gamma_exponent", 0))
        if kind == "rounds":
            return scale * (self.explored + 1) ** exponent
        if kind == "costs":
            return scale * (1.0 + self.own_costs) ** exponent
        if kind == "constant":
            return scale
        if reg is None:
            return None
        if kind == "sqrt":
            return math.sqrt(arms * (self.explored + 1) / (reg + math.log(4.0 / self.delta)))
        if kind == "first-order":
            return max(10.0 * arms, math.sqrt(arms * (1.0 + self.own_costs) / reg))
        if kind == "episodic":  # eta doubles whenever the costs outgrow twice of it
            eta = 1.0
            while self.own_costs > 2.0 * eta:
                eta *= 2.0
            return max(10.0 * arms, math.sqrt(arms * eta / reg))
        return None

    def margin(self, row):
        if self.gate in CERTIFYING:
            return self.bound.upper - self.bound.costs
        if self.gate == "armwise":
            return self.arms.exposure(row["candidate"])[1]
        if self.gate == "budget":
            return self.regret_rate()
        if self.gate != "paper":
            return 0.0
        rounds = self.explored + (1 if self.header["margin_rounds"] == "m_plus_one" else 0)
        reg = self.regret_bound(row)
        if reg is None:
            raise KeyError("regret_bound")
        return self.header["margin_scale"] * math.sqrt(rounds * (reg + math.log(4.0 / self.delta)))

    def regret_rate(self):
        named = self.config.get("budget_regret", "auto")
        return self.arms.regret_rate() if named == "auto" else float(named)

    def exposure(self, row, arm):
        if self.gate in CERTIFYING:
            return self.bound.upper + 1.0
        if self.gate == "armwise":
            return self.arms.exposure(arm)[0]
        if self.gate == "budget":
            return self.regret_rate()
        if self.gate != "paper":
            return 0.0
        costs = row["predicted_costs"] or [0.0] * self.header["arms"]
        return costs[arm] + self.predicted + self.margin(row)

    def allowance(self, cost, rounds=0):
        if self.baseline:
            return self.baseline.earned(rounds) + self.header.get("reserve", 0)
        return ((1.0 + self.alpha) * (self.charged + cost) + self.alpha * self.others
                + self.header.get("reserve", 0))

    def right_side(self, row):
        reserve = self.header.get("reserve", 0)
        if self.gate == "budget":
            return self.budget.rate(row, self.alpha, reserve)
        if self.gate == "armwise" and not self.knows:
            return self.arms.allowance(row, self.alpha) + reserve
        return self.allowance(row["baseline"]["cost"], 1)

    def is_member(self, row):
        if self.gate == "armwise":
            return row["arm"] != row["baseline"]["arm"]
        if self.gate == "certified" and self.header["members"] == "risky":
            return row["arm"] != row["baseline"]["arm"]
        return row["choice"] == "explore"

    def choice(self, row, exposure, allowance):
        if self.gate == "armwise" and row["candidate"] == row["baseline"]["arm"]:
            return "baseline"  # no exploration
        if self.gate in ("open", "shut"):
            return "explore" if self.gate == "open" else "baseline"
        if close(exposure, allowance) and "choice" in row:
            return row["choice"]  # the last bits decide, and they may differ
        return "explore" if exposure <= allowance else "baseline"

    def propensity(self, row, result):
        """The chance of ending on the played arm; None where a tie of the gate leaves it open."""
        p, arm = result.get("distribution") or row["distribution"], result["arm"]
        if self.gate not in ("paper", "armwise"):
            return p[arm] if result["choice"] == "explore" else 1.0
        sides = [(self.exposure(row, a), result["allowance"]) for a in range(len(p))]
        if any(close(exposure, allowance) for exposure, allowance in sides):
            return None
        if arm != row["baseline"]["arm"]:
            return p[arm]
        return p[arm] + sum(p[a] for a, (exposure, allowance) in enumerate(sides)
                            if a != arm and exposure > allowance)

    def recompute(self, row):
        """Every field that follows from the past and this round's inputs."""
        costs, result = row["predicted_costs"], {"t": self.t + 1}
        weighting = self.header["weighting"]
        gamma = self.gamma(row) if weighting else None
        if gamma is not None or not weighting:
            result["gamma"] = gamma
        if weighting:
            result["distribution"] = weigh(costs, gamma if gamma is not None else row["gamma"],
                                           weighting == "relative", self.header.get("floor", 0))
            if self.baseline:
                result["distribution"] = toward(result["distribution"], row["baseline"]["arm"],
                                                self.baseline.floor)
        result["regret_bound"] = self.regret_bound(row) if self.gate == "paper" else None
        result["exposure"] = self.exposure(row, row["candidate"])
        result["margin"] = self.margin(row)
        result["allowance"] = self.right_side(row)
        result["choice"] = self.choice(row, result["exposure"], result["allowance"])
        explore = result["choice"] == "explore"
        result["arm"] = row["candidate"] if explore else row["baseline"]["arm"]
        propensity = self.propensity(row, result)
        if propensity is not None:
            result["propensity"] = propensity
        result["centre"] = self.guess(row, result["arm"])
        return result

    def guess(self, row, arm):
        """Of an arm's cost, before it is drawn."""
        costs = row["predicted_costs"]
        return costs[arm] if costs else mean_or_half(self.member_costs, self.members_known)

    def apply(self, row):
        """Takes the round in, then the costs that arrive after it."""
        self.t += 1
        centre = None
        if self.baseline:
            centre = self.baseline.centre(self.guess(row, row["baseline"]["arm"]))
            self.baseline.add(row, centre)
        if self.budget.opened is None and row["choice"] == "explore":
            self.budget.opened = self.budget.rate(row, self.alpha, self.header.get("reserve", 0))
        self.budget.costs.append(row["baseline"]["cost"])
        self.arms.book(row)
        if self.is_member(row):
            self.bound.add(row["centre"])
            self.charged += row["baseline"]["cost"]
        else:
            self.others += row["baseline"]["cost"]
        if row["choice"] == "explore":
            self.explored += 1
            self.predicted += sum(map(operator.mul, row["distribution"], row["predicted_costs"]))
        self.pending.setdefault(row["arrives"], []).append((row, centre))
        for known, guessed in self.pending.pop(self.t, []):
            if self.baseline:
                self.baseline.reveal(known, guessed)
            self.arms.reveal(known)
            self.own_costs += known["cost"] if known["choice"] == "explore" else 0.0
            if self.is_member(known):
                self.bound.reveal(known["centre"], known["cost"])
                self.member_costs += known["cost"]
                self.members_known += 1

    def slack(self):
        return self.allowance(0.0) - self.bound.upper if self.gate in CERTIFYING else None


def implausible(row, t, arms):
    """Fields that no round t can have: (field, value, what it must be)."""
    p, costs, baseline = row["distribution"], row["predicted_costs"], row["baseline"]
    unit, index = "a number in [0, 1]", "an arm below %d" % arms

    def in_unit(value):
        return isinstance(value, (int, float)) and 0.0 <= value <= 1.0

    checks = [("predicted_costs", costs, len(costs) in (0, arms) and all(map(in_unit, costs)),
               "none or %d numbers in [0, 1]" % arms),
              ("distribution", p, len(p) == arms and all(map(in_unit, p)) and close(sum(p), 1.0),
               "%d probabilities that sum to 1" % arms),
              ("candidate", row["candidate"], 0 <= row["candidate"] < arms, index)]
    checks += [("baseline", baseline, 0 <= baseline["arm"] < arms and in_unit(baseline["cost"]),
                index + " and " + unit)]
    checks += [(name, row[name], in_unit(row[name]), unit) for name in ("cost", "expected_cost")]
    checks += [("arrives", row["arrives"], row["arrives"] is None or row["arrives"] >= t,
                "at least %d" % t),
               ("best_cost", row["best_cost"], in_unit(row["best_cost"])
                and row["best_cost"] <= row["expected_cost"] + TOLERANCE, "at most expected_cost")]
    yield from ((name, value, wanted) for name, value, fine, wanted in checks if not fine)
    if 0 <= row["candidate"] < len(p) and not p[row["candidate"]] > 0.0:
        yield "candidate", row["candidate"], "an arm of positive probability"


def differences(field, traced, recomputed):
    if isinstance(recomputed, list) and isinstance(traced, list) and len(traced) == len(recomputed):
        for i, (a, b) in enumerate(zip(traced, recomputed)):
            yield from differences("%s[%d]" % (field, i), a, b)
    elif isinstance(recomputed, (int, float)) and isinstance(traced, (int, float)):
        if not close(traced, recomputed):
            yield field, traced, recomputed
    elif traced != recomputed:
        yield field, traced, recomputed


def first_problem(twin, row):
    """Takes the round in. None, or (field, trace, recomputed)."""
    for problem in implausible(row, twin.t + 1, twin.header["arms"]):
        return problem
    for field, value in twin.recompute(row).items():
        for problem in differences(field, row[field], value):
            return problem
    twin.apply(row)
    return next(differences("slack", row["slack"], twin.slack()), None)


def check(lines):
    """(rounds that follow, None or a sentence about the first that does not)."""
    twin = None
    for number, line in enumerate(lines, start=1):
        row = json.loads(line)
        if twin is None:
            if row.get("handrail_trace") != 1 or row.get("gate") not in GATES:
                raise ValueError("line 1: not a trace of a gate known here: " + ", ".join(GATES))
            if row.get("policy", "igw") not in POLICIES:
                raise ValueError("line 1: not of a policy known here: " + ", ".join(POLICIES))
            twin = Twin(row)
            continue
        try:
            problem = first_problem(twin, row)
        except KeyError as missing:
            return twin.t, "line %d: %s: missing" % (number, missing.args[0])
        except (IndexError, TypeError) as error:
            return twin.t, "line %d: not a round: %s" % (number, error)
        if problem:
            return twin.t, "line %d: %s: trace %s, recomputed %s" % ((number,) + problem)
    if twin is None:
        raise ValueError("line 1: nothing there")
    return twin.t, None


def main(paths):
    if paths == ["--self-test"]:
        import twin_self_test
        return twin_self_test.run()
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for path in paths:
        prefix = path + ": " if len(paths) > 1 else ""
        try:
            with open(path, encoding="utf-8") as lines:
                rounds, problem = check(lines)
        except (OSError, ValueError) as error:
            print("%s: %s" % (path, error), file=sys.stderr)
            return 2
        print(prefix + (problem or "OK %d rounds" % rounds))
        status = 1 if problem else status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
