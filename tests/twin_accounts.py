"""The accounts of the gates, for twin.py: bounds on costs from the formulas, and nothing else."""
import math

GRID = [(0.75 * 2.0 ** -j, 1.0 / ((j + 1) * (j + 2))) for j in range(24)]
ESTIMATING = ("certified-ips", "certified-dr")             # of the baseline's cost, round by round
UNKNOWING = ESTIMATING + ("certified-stationary",)         # of the baseline's cost
CERTIFYING = ("certified",) + UNKNOWING


def mean_or_half(total, count):
    return total / count if count else 0.5


class Bound:
    """Time-uniform upper bound on the members' expected costs; an unknown cost counts 1."""

    def __init__(self, delta, kind="minimum"):
        self.prices = [math.log(1.0 / (delta * weight)) for _, weight in GRID]
        self.excess = self.mixture if kind == "mixture" else self.least
        self.centres, self.logs = 0.0, [0.0] * len(GRID)
        self.count, self.costs, self.upper = 0, 0.0, 0.0

    def least(self, rebate=0.0):
        return min((price - rebate - log) / rate for price, log, (rate, _)
                   in zip(self.prices, self.logs, GRID))

    def mixture(self):
        """Where the weighted growths sum to 1/delta. At `low` none has grown beyond its share."""
        low, high = self.least(math.log(len(GRID))), self.least()
        for _ in range(60):
            middle = 0.5 * (low + high)
            total = sum(math.exp(rate * middle + log - price) for price, log, (rate, _)
                        in zip(self.prices, self.logs, GRID))
            low, high = (low, middle) if total > 1.0 else (middle, high)
        return high

    def unclipped(self):
        return self.centres + self.excess()

    def add(self, centre):
        self.count += 1
        self.costs += 1.0
        self.centres += centre
        self.logs = [log + math.log1p(rate * (centre - 1.0)) for log, (rate, _)
                     in zip(self.logs, GRID)]
        self.upper = min(self.upper + 1.0, self.count, self.unclipped())

    def reveal(self, centre, cost):
        self.costs += cost - 1.0
        self.logs = [log + math.log1p(rate * (centre - cost)) - math.log1p(rate * (centre - 1.0))
                     for log, (rate, _) in zip(self.logs, GRID)]
        self.upper = min(self.upper, self.unclipped())


class LowerBound:
    """Time-uniform lower bound on a sum of means, each estimated by an X that falls at most `fall`
    short of its centre. It is the upper bound with the sign reversed, in units of `fall`."""

    def __init__(self, delta, kind, fall):
        self.mirror, self.fall, self.centres, self.lower = Bound(delta, kind), fall, 0.0, 0.0

    def current(self):
        return self.centres - self.fall * self.mirror.excess()

    def shift(self, gap, sign=1.0):
        logs = self.mirror.logs
        self.mirror.logs = [log + sign * math.log1p(rate / self.fall * gap) for log, (rate, _)
                            in zip(logs, GRID)]

    def add(self, centre, gap):
        self.centres += centre
        self.shift(gap)
        self.lower = max(self.lower, self.current())

    def replace(self, gap, better):
        self.shift(gap, -1.0)
        self.shift(better)
        self.lower = max(self.lower, self.current())


class Baseline:
    """What is known of a baseline whose cost nobody tells."""

    def __init__(self, header):
        config = header.get("config", {})
        self.gate, self.alpha = header["gate"], header["alpha"]
        self.floor = float(config["baseline_floor"]) if self.gate in ESTIMATING else 0.0
        share = 1.0 - float(config["delta_split"])
        fall = {"certified-ips": 1.0 + self.alpha, "certified-stationary": 1.0}.get(self.gate)
        self.bound = LowerBound(header["delta"] * share, config.get("bound"),
                                fall or (1.0 + self.alpha) / self.floor)
        self.known_sum, self.known_count = 0.0, 0
        self.open = self.shut = 0
        self.mean = 0.0                             # of certified-stationary: at most the true one

    def centre(self, predicted):
        if self.gate == "certified-dr":
            return predicted
        return mean_or_half(self.known_sum, self.known_count)

    def counts(self, row):
        """Whether the round's cost says something of the baseline's."""
        if self.gate == "certified-stationary":
            return row["choice"] == "baseline"
        return row["arm"] == row["baseline"]["arm"]

    def gap(self, row, centre, cost):
        """The estimate of the weighted baseline cost, minus the weighted centre."""
        if self.gate == "certified-stationary":
            return cost - centre
        explore = row["choice"] == "explore"
        chance = row["distribution"][row["baseline"]["arm"]] if explore else 1.0
        weight = 1.0 + self.alpha if explore else self.alpha
        seen = 1.0 if self.counts(row) else 0.0
        if self.gate == "certified-ips":
            return weight * (seen * cost / chance - centre)
        return weight * seen * (cost - centre) / chance

    def add(self, row, centre):
        explore = row["choice"] == "explore"
        self.open, self.shut = self.open + explore, self.shut + (not explore)
        if self.gate != "certified-stationary":
            weight = 1.0 + self.alpha if explore else self.alpha
            self.bound.add(weight * centre, self.gap(row, centre, 0.0))
        elif not explore:
            self.bound.add(centre, self.gap(row, centre, 0.0))
            self.mean = max(self.mean, self.bound.lower / self.shut)

    def reveal(self, row, centre):
        if not self.counts(row):
            return
        self.known_sum += row["cost"]
        self.known_count += 1
        self.bound.replace(self.gap(row, centre, 0.0), self.gap(row, centre, row["cost"]))
        if self.gate == "certified-stationary":
            self.mean = max(self.mean, self.bound.lower / self.shut)

    def earned(self, rounds):
        """At least, and with so many rounds more."""
        if self.gate == "certified-stationary":
            total = self.open + self.shut + rounds
            return (1.0 + self.alpha) * total * self.mean - self.shut * self.mean
        return self.bound.lower
class Arms:
    """Intervals for what arms without context cost, from all plays; unknown costs are the worst."""

    def __init__(self, header):
        self.count, self.delta = header["arms"], header["delta"]
        self.first = header.get("config", {}).get("arm_width") == "first"
        self.plays, self.unknown = [0] * self.count, [0] * self.count
        self.costs = [0.0] * self.count
        self.charged, self.as_baseline = [0] * self.count, [0] * self.count

    def psi(self, s):
        zeta = self.count / self.delta
        if self.first:
            return 2.0 * math.log(zeta * s ** 3)
        return (math.log(max(3.0, math.log(zeta))) + math.log(2.0 * math.e ** 2 * zeta)
                + zeta * (1.0 + math.log(zeta)) / ((zeta - 1.0) * math.log(zeta))
                * max(1.0, math.log(max(1.0, math.log(1.0 + s)))))

    def mean(self, arm):
        plays = self.plays[arm]
        return (self.costs[arm] + self.unknown[arm]) / plays if plays else 0.0

    def upper(self, arm):
        plays = self.plays[arm]
        return min(1.0, self.mean(arm) + math.sqrt(self.psi(plays) / plays)) if plays else 1.0

    def lower(self, arm):
        plays = self.plays[arm]
        known = self.costs[arm] / plays if plays else 0.0
        return max(0.0, known - math.sqrt(self.psi(plays) / plays)) if plays else 0.0

    def regret_rate(self):
        return math.sqrt(self.count) * (1.0 + 4.0 * math.sqrt(self.psi(2.0 ** 63)))

    def book(self, row):
        arm, baseline = row["arm"], row["baseline"]["arm"]
        self.plays[arm] += 1
        self.unknown[arm] += 1
        self.charged[arm] += arm != baseline
        self.as_baseline[baseline] += 1

    def reveal(self, row):
        self.unknown[row["arm"]] -= 1
        self.costs[row["arm"]] += row["cost"]

    def exposure(self, candidate):
        """(all of it, what of it lies beyond the means)."""
        uppers = [(count + (arm == candidate), self.upper(arm), self.mean(arm))
                  for arm, count in enumerate(self.charged)]
        return (sum(count * upper for count, upper, _ in uppers),
                sum(count * (upper - mean) for count, upper, mean in uppers))

    def allowance(self, row, alpha):
        """What a baseline of unknown cost has earned at least."""
        rounds = list(self.as_baseline)
        rounds[row["baseline"]["arm"]] += 1
        return sum(((1.0 + alpha) * count - (self.plays[arm] - self.charged[arm])) * self.lower(arm)
                   for arm, count in enumerate(rounds) if count)


class Budget:
    """What baseline rounds cost before the first explored one, and at least will."""

    def __init__(self, known, arms):
        self.known, self.arms, self.opened = known, arms, None
        self.costs = []

    def rate(self, row, alpha, reserve):
        """The C for which C times the root of rounds is covered for ever."""
        if self.opened is not None:
            return self.opened
        now, arms = row["baseline"], self.arms
        if self.known:
            total, least = sum(self.costs), min(self.costs + [now["cost"]])
        else:
            seen = [arm for arm in range(arms.count) if arms.as_baseline[arm] or arm == now["arm"]]
            total = sum(arms.as_baseline[arm] * arms.lower(arm) for arm in seen)
            least = min(arms.lower(arm) for arm in seen)
        return 2.0 * math.sqrt((alpha * total + reserve) * alpha * least)
