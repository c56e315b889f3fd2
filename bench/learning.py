#!/usr/bin/env python3
"""What the learners learn, and how fast: regret over seeds beside rounds a second.

Usage: bench/learning.py [--out learning.json] [--seeds N] [--quick] [--build DIR]

Open gate. With HANDRAIL_DATA set, streams are data sets; else synthetic rounds of the same shape,
on which no reach is meant.
"""

import sys

import bench_support
import tables

# (what, SPEC, stream, rounds, regret to reach)
ROWS = (
    ("linear", bench_support.LINEAR, "letter", 20_000, 9_891),
    ("linear", bench_support.LINEAR, "shuttle", 20_000, 1_150),
    ("network, default", "squarecb", "letter", 10_000, 3_900),
    ("network, default", "squarecb", "shuttle", 10_000, 280),
    ("network, default", "squarecb", "mnist", 10_000, 1_300),
    ("network, an eighth of the examples", "squarecb:batch=4", "letter", 10_000, None),
    ("network, ten times the steps", "squarecb:batches=10", "letter", 10_000, None),
)


def play(options, row, seed):
    _, agent, stream, rounds, _ = row
    return bench_support.decisions(options, [
        "--agent", agent, "--stream", stream, "--rounds", min(rounds, options.most_rounds),
        "--seed", seed, "--repetitions", 1])[0]


def measure(options, row):
    what, agent, stream, _, reach = row
    runs = [play(options, row, seed) for seed in range(1, options.seeds + 1)]
    mean, error = bench_support.mean_and_error([run["regret"] for run in runs])
    name = stream + (", synthetic" if runs[0]["synthetic"] else "")
    return {"what": f"{what}: `{agent}`", "stream": name, "rounds": runs[0]["rounds"],
            "runs": len(runs), "regret": mean, "error": error,
            "reach": None if runs[0]["synthetic"] else reach,
            "rate": bench_support.median([run["rounds_per_second"] for run in runs])}


def parse(arguments):
    parser = bench_support.parser(__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="runs of each agent [10]")
    options = parser.parse_args(arguments)
    options.most_rounds = 50 if options.quick else 1_000_000
    options.seeds = 1 if options.quick else options.seeds
    return options


def measure_all(options):
    return {"learning": [measure(options, row) for row in ROWS]}


def main(arguments):
    return bench_support.finish("learning", parse(arguments), measure_all, tables.learning_table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
