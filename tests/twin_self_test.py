"""Holds the twin itself to known numbers, and to noticing traces that were spoiled on purpose."""
import copy
import json
import random

import twin
import twin_accounts

FAILURES = []


def expect(what, got, wanted, digits=6):
    got, wanted = list(got), list(wanted)
    fine = len(got) == len(wanted) and all(
        abs(a - b) <= 0.6 * 10.0 ** -digits for a, b in zip(got, wanted))
    if not fine:
        FAILURES.append("%s: got %s, wanted %s" % (what, got, wanted))


def header(gate, **changes):
    head = {"handrail_trace": 1, "policy": "igw", "weighting": "absolute", "gate": gate,
            "alpha": .1, "delta": .05, "reserve": 0, "members": "risky", "floor": 0, "arms": 2,
            "margin_scale": 16, "margin_rounds": "m",
            "config": {"gamma": "rounds", "gamma_scale": 10, "gamma_exponent": .5}}
    return dict(head, **changes)


def weightings():
    expect("absolute gaps", twin.weigh([.1, .3, .6], 10, False), [.675, .2, .125], 12)
    expect("absolute gaps, tie", twin.weigh([.4, .1, .1, .9], 25, False),
           [.0869565217, .6213768116, .25, .0416666667], 10)
    expect("relative gaps", twin.weigh([.1, .3, .6], 10, True),
           [.9376538146, .0434782609, .0188679245], 10)
    expect("relative gaps, tie", twin.weigh([.4, .1, .1, .9], 25, True),
           [.0126582278, .7324398114, .25, .0049019608], 10)
    expect("floor", twin.weigh([.1, .3, .6], 10, False, .3), [.5725, .24, .1875], 12)


def bound_after(centres, costs, kind="minimum"):
    bound, path = twin.Bound(0.05, kind), []
    for centre, cost in zip(centres, costs):
        bound.add(centre)
        bound.reveal(centre, cost)
        path.append(bound.unclipped())
    return bound, path


def bounds():
    bound, path = bound_after([.5, .4, .3, .3, .2, .2], [1, 0, 0, 1, 0, 0])
    expect("bound", path, [6.045177, 6.095358, 6.124771, 7.417358, 7.431009, 7.444659])
    expect("mixture", bound_after([.5, .4, .3, .3, .2, .2], [1, 0, 0, 1, 0, 0], "mixture")[1],
           [5.940941, 5.990364, 6.019320, 7.305846, 7.319266, 7.332685])
    expect("clipped bound", [bound.upper], [6.0])
    expect("bound, coin", bound_after([.5] * 1000, [0, 1] * 500)[1][-1:], [552.771179])
    expect("bound, rare", bound_after([.1] * 1000, ([0] * 9 + [1]) * 100)[1][-1:], [134.209035])
    expect("bound, exact", bound_after([.01] * 1000, [.01] * 1000)[1][-1:], [14.918506])
    late = twin.Bound(0.05)
    for _ in range(10):
        late.add(.3)
    expect("bound, pending", [late.unclipped()], [17.844379])
    for _ in range(10):
        late.reveal(.3, 0)
    expect("bound, revealed", [late.unclipped()], [5.212628])


def baseline_rounds(gate, kind, floor):
    """The bound after 300 rounds: every third is open, at a chance of a quarter for the baseline's
    arm, which every fourth of these plays at a cost of 1 and 0 in turn; the others are shut."""
    settings = {"baseline_floor": floor, "delta_split": 0, "bound": kind}
    baseline = twin.Baseline(header(gate, config=settings))
    for i in range(300):
        k, explore = i // 3, i % 3 == 0
        row = {"choice": "explore" if explore else "baseline", "distribution": [.25, .75],
               "arm": int(explore and k % 4 > 0), "baseline": {"arm": 0},
               "cost": 1 - k // 4 % 2 if explore else i % 2}
        baseline.add(row, .5)
        baseline.reveal(row, .5)
    return baseline.bound.current()


def baseline_bounds():
    shut = twin_accounts.LowerBound(.05, "minimum", 1.1)
    for i in range(200):
        shut.add(.05, -.05)
        shut.replace(-.05, .1 * (i % 2) - .05)
    expect("lower bound, shut", [shut.current()], [4.419090])
    expect("lower bound, ips", [baseline_rounds("certified-ips", "minimum", .1),
                                baseline_rounds("certified-ips", "mixture", .1)],
           [29.850172, 30.683116])
    expect("lower bound, dr", [baseline_rounds("certified-dr", "minimum", .1),
                               baseline_rounds("certified-dr", "minimum", .25)],
           [8.924001, 34.515108])
    expect("toward", twin.toward([.5, .3, .2], 1, .1), [.45, .37, .18], 12)


def certified_run(costs, delay):
    """Rounds in which the gate opened, and the bound after the last decision."""
    checker, opened = twin.Twin(header("certified", weighting=None)), []
    for t in range(1, 201):
        row = {"predicted_costs": [.3, .3], "distribution": [.5, .5], "candidate": 0,
               "baseline": {"arm": 1, "cost": .57}}
        row.update(checker.recompute(row))
        # What follows the last decision stays unknown: the bound is the one before that feedback.
        row["arrives"] = t + delay if t + delay < 200 else None
        row["cost"] = 0.0
        if row["choice"] == "explore":
            row["cost"] = costs[len(opened) % len(costs)]
            opened.append(t)
        checker.apply(row)
    return opened, checker.bound.upper


def certified_gate():
    opened, upper = certified_run([0], 0)
    expect("certified, free", opened, [8, 16, 23, 31, 38] + list(range(46, 201)))
    expect("certified, free: bound", [len(opened), upper], [160, 10.595047])
    opened, upper = certified_run([0], 5)
    expect("certified, late", opened[:14], [8, 16, 23, 31, 38, 46, 52, 53, 54, 58, 59, 60, 61, 62])
    expect("certified, late: bound", [len(opened), upper], [152, 16.675625])
    opened, upper = certified_run([1, 0], 0)
    expect("certified, coin", opened[:14], [8, 16, 23, 31, 38, 46, 53, 61, 68, 76, 83, 91, 99, 106])
    expect("certified, coin: bound", [len(opened), upper], [63, 46.900491])


def paper_gate():
    checker = twin.Twin(header("paper"))
    checker.explored = 4
    expect("paper margin", [checker.margin({"regret_bound": 1})], [74.237425])
    # Two of three arms are refused, so the baseline's arm is reached through them as well.
    checker = twin.Twin(header("paper", arms=3))
    row = {"predicted_costs": [.1, .3, .6], "candidate": 2, "regret_bound": 1,
           "baseline": {"arm": 1, "cost": .2}}
    result = checker.recompute(row)
    p = result["distribution"]
    expect("paper propensity", [result["arm"], result["propensity"]], [1, p[1] + p[2]], 12)
    expect("paper propensity, played", [checker.recompute(dict(row, candidate=0))["propensity"]],
           [p[0]], 12)


def arms():
    first = twin.Arms(header("armwise", arms=4, config={"arm_width": "first"}))
    expect("psi, first form", map(first.psi, [1, 10, 1000]), [8.764053, 22.579564, 50.210585])
    second = twin.Arms(header("armwise", arms=4))
    expect("psi, second form", map(second.psi, [1, 10, 1000]), [9.796437, 9.796437, 10.956595])
    expect("an arm without plays", [second.lower(0), second.upper(0)], [0, 1])


def made_up_trace(head, seed):
    """Eighty rounds that follow, with costs up to five rounds late."""
    dice, checker, rows = random.Random(seed), twin.Twin(head), []
    for t in range(1, 81):
        costs = [dice.uniform(.01, 1.) for _ in range(head["arms"])]
        played = dice.random()
        row = {"predicted_costs": costs, "candidate": 0, "cost": float(dice.random() < .3),
               "regret_bound": 1.0 if head["gate"] == "paper" else None,
               "baseline": {"arm": dice.randrange(head["arms"]), "cost": dice.uniform(.5, 1.)},
               "arrives": t + dice.randrange(6), "expected_cost": played, "best_cost": played / 2}
        p = checker.recompute(row)["distribution"]
        row["candidate"] = dice.choices(range(head["arms"]), p)[0]
        row.update(checker.recompute(row))
        checker.apply(row)
        row["slack"] = checker.slack()
        rows.append(row)
    return rows


def lines_of(head, rows):
    return [json.dumps(row) for row in [head] + rows]


def spoiled_traces():
    gates = [header("certified", arms=4), header("certified", arms=4, members="open", floor=.1),
             header("paper", arms=4, margin_scale=.1, margin_rounds="m_plus_one"),
             header("open", arms=4, weighting="relative",
                    config={"gamma": "costs", "gamma_scale": 10, "gamma_exponent": .5}),
             header("shut", arms=4), header("armwise", arms=4, reserve=30),
             header("armwise", arms=4, reserve=30, baseline_known="unknown"),
             header("budget", arms=4, config=dict(header("")["config"], budget_regret=.5)),
             header("budget", arms=4, reserve=9, baseline_known="unknown")]
    settings = dict(gates[0]["config"], baseline_floor=.5, delta_split=.4)
    gates += [header(gate, arms=4, reserve=4, config=settings) for gate in twin.UNKNOWING]
    spoil = {"t": 99, "gamma": 3.0, "exposure": .123, "margin": .123, "allowance": .123,
             "arm": 9, "propensity": .123, "centre": .123, "slack": .123, "cost": 1.5, "arrives": 1,
             "best_cost": 2.0, "candidate": 9, "baseline": {"arm": 9, "cost": .5}}
    for head in gates:
        rows = made_up_trace(head, 1)
        rounds, problem = twin.check(lines_of(head, rows))
        if rounds != 80 or problem:
            FAILURES.append("%s: an honest trace: %s" % (head["gate"], problem))
        for field, value in spoil.items():
            bad = copy.deepcopy(rows)
            bad[49][field] = value
            notice(head, bad, "line 51: %s: " % field)
        bad = copy.deepcopy(rows)
        bad[49]["distribution"] = bad[49]["distribution"][::-1]
        notice(head, bad, "line 51: distribution[")
        bad = copy.deepcopy(rows)
        bad[49]["choice"] = {"explore": "baseline", "baseline": "explore"}[bad[49]["choice"]]
        notice(head, bad, "line 51: choice: ")
        bad = copy.deepcopy(rows)
        del bad[49]["margin"]
        notice(head, bad, "line 51: margin: missing")


def notice(head, rows, wanted):
    problem = twin.check(lines_of(head, rows))[1]
    if not (problem or "").startswith(wanted):
        FAILURES.append("%s: said %r of a trace spoiled at %r" % (head["gate"], problem, wanted))


def run():
    for test in (weightings, bounds, baseline_bounds, certified_gate, paper_gate, arms,
                 spoiled_traces):
        test()
    for failure in FAILURES:
        print(failure)
    print("FAILED" if FAILURES else "OK")
    return 1 if FAILURES else 0
