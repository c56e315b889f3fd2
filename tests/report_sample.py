"""A made-up comparison, in the files that `handrail compare -o DIR` writes.

Usage: report_sample.py DIR [DATA_COUNT [AGENT_PAIR_COUNT [ALPHA_COUNT]]]

The curves have the shapes of real ones (regret like a root, ratios that settle, slack that grows)
and no more truth than that.
"""
import csv
import io
import json
import math
import pathlib
import random
import sys

DATA_NAMES = ["shuttle", "covertype:noise=flip:0.1", "MagicTelescope", "mushroom", "fashion-mnist"]
AGENT_PAIRS = [("c-squarecb", "squarecb"), ("c-fastcb", "fastcb"), ("c-linucb", "linucb"),
               ("c-squarecb:gate=paper,margin_scale=1", None),
               ("greedy:gate=certified", "greedy")]
ALPHAS = [0.1, 0.01, 0.05, 0.5]
QUANTITIES = ("regret", "cost_ratio", "explored_share", "violated_share", "slack")
HEADER = "data,agent,alpha,t,quantity,mean,stderr,q05,q25,q50,q75,q95".split(",")


def name(names, index):
    return names[index] if index < len(names) else "%s-%d" % (names[index % len(names)], index)


class Sample:
    """Everything about a comparison; change what you like, then write it."""

    def __init__(self, data_names, pairs, alphas, runs=40, rounds=10000, point_count=200):
        self.runs, self.rounds = runs, rounds
        self.random = random.Random(7)
        self.times = sorted({max(1, round(rounds * (i + 1) / point_count))
                             for i in range(point_count)} | {1, 2, 5, 10, 20})
        self.rows = []
        self.results = self.frame(data_names, pairs, alphas)
        for data in data_names:
            for alpha in alphas:
                for place, agent in enumerate(self.results["agents"]):
                    self.add_cell(data, alpha, agent, place)
                self.add_differences(data, alpha)

    def frame(self, data_names, pairs, alphas):
        agents = []
        for conservative, control in pairs:
            gate = "paper" if "gate=paper" in conservative else (
                "ellipsoid" if "linucb" in conservative else "certified")
            agents.append({"agent": conservative, "gate": gate, "conservative": True,
                           "spec": conservative + ",oracle=mlp,width=100", "control": control})
        for _, control in pairs:
            if control is not None:
                agents.append({"agent": control, "gate": "open", "conservative": False,
                               "spec": control + ",oracle=mlp,width=100", "control": None})
        return {
            "handrail_results": 1, "version": "0.2.0", "title": None, "runs": self.runs,
            "command": "handrail compare " + " ".join("--data " + data for data in data_names) +
                       " -o out", "rounds": self.rounds, "seed": 1, "delta": 0.05, "reserve": 0,
            "alphas": alphas, "agents": agents, "results": [], "differences": [], "tuning": [],
            "environments": [
                {"data": data, "kind": "data", "spec": data + ",baseline=majority", "arms": 7,
                 "features": 10, "rows": 58000, "passes": 1, "baseline": "majority",
                 "baseline_arm": "4", "baseline_share": 0.786, "baseline_known": "mean",
                 "baseline_cost": 0.222, "noise": "none",
                 "notes": ["2 constant columns were left out."] if place == 0 else []}
                for place, data in enumerate(data_names)]}

    def add_cell(self, data, alpha, agent, place):
        draw = self.random.uniform
        scale = draw(3, 12) * (1 + 0.25 * place)
        opened = 1.0 if not agent["conservative"] else min(1.0, draw(0.6, 0.9) + alpha)
        wait = 0 if not agent["conservative"] else 0.02 * self.rounds * (0.1 / alpha) ** 0.5
        unsafe = 0.0 if agent["conservative"] else draw(0.2, 0.9)
        for t in self.times:
            learned = max(0.0, t - wait)
            regret = 0.2 * min(t, wait) + scale * math.sqrt(learned)
            ratio = 1 + (-0.55 if learned else 0) * (1 - math.exp(-learned / 900.0))
            if unsafe:
                ratio += 0.8 * math.exp(-t / 250.0)
            values = {
                "regret": regret, "cost_ratio": ratio,
                "explored_share": opened * learned / t if t else 0,
                "violated_share": unsafe * math.exp(-t / 900.0) if unsafe else 0.0,
                "slack": alpha * 0.22 * t + 0.02 * learned - 0.1}
            for quantity in QUANTITIES:
                if quantity != "slack" or agent["gate"] == "certified":
                    self.add_row(data, agent["agent"], alpha, t, quantity, values[quantity])
        broken = round(unsafe * self.runs)
        self.results["results"].append({
            "data": data, "agent": agent["agent"], "alpha": alpha, "chosen": None,
            "runs": self.runs, "rounds": self.rounds,
            "regret": {"mean": regret, "stderr": regret * 0.02}, "cost_ratio": ratio,
            "explored_share": values["explored_share"], "violated_rounds_share": unsafe * 0.09,
            "violating_runs_share": broken / self.runs, "violating_runs": broken,
            "first_violation": 3 if broken else None, "largest_excess": 3.5 if broken else -2.0,
            "min_slack": 0.01 if agent["gate"] == "certified" else None,
            "baseline_rounds": self.rounds * (1 - values["explored_share"]),
            "hindsight": {"cost_ratio": ratio, "violating_runs_share": min(1, unsafe + 0.05),
                          "violated_rounds_share": unsafe * 0.1}})

    def add_row(self, data, agent, alpha, t, quantity, mean):
        error = abs(mean) * 0.02 + 0.0003
        quantiles = [mean + error * step for step in (-9, -3.5, 0.1, 3.5, 9)]
        self.rows.append([data, agent, alpha, t, quantity, mean, error, *quantiles])

    def add_differences(self, data, alpha):
        regrets = {row["agent"]: row["regret"]["mean"] for row in self.results["results"]
                   if row["data"] == data and row["alpha"] == alpha}
        names = list(regrets)
        for agent in names[1:]:
            mean = regrets[names[0]] - regrets[agent]
            self.results["differences"].append({
                "data": data, "alpha": alpha, "agent": names[0], "against": agent,
                "regret": {"mean": mean, "low": mean - 60, "high": mean + 60}})

    def timing(self):
        return {"handrail_timing": 1, "threads": 2, "seconds": 123.4, "cells": [
            {"data": row["data"], "agent": row["agent"], "alpha": row["alpha"],
             "rounds_per_second": 12345.6 + place, "seconds": 3.2}
            for place, row in enumerate(self.results["results"])]}

    def curves_text(self):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(self.rows)
        return text.getvalue()

    def write(self, folder, with_timing=True):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(json.dumps(self.results), encoding="utf-8")
        (folder / "curves.csv").write_text(self.curves_text(), encoding="utf-8")
        if with_timing:
            (folder / "timing.json").write_text(json.dumps(self.timing()), encoding="utf-8")


def main(arguments):
    if not arguments:
        sys.exit(__doc__.strip())
    counts = [int(word) for word in arguments[1:]] + [3, 4, 1][len(arguments) - 1:]
    Sample([name(DATA_NAMES, i) for i in range(counts[0])],
           [AGENT_PAIRS[i] for i in range(min(counts[1], len(AGENT_PAIRS)))],
           ALPHAS[:counts[2]]).write(arguments[0])


if __name__ == "__main__":
    main(sys.argv[1:])
