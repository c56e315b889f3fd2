#!/usr/bin/env python3
"""What the learners learn, and how fast: regret over seeds beside rounds a second.

Usage: bench/learning.py [--out learning.json] [--seeds N] [--quick] [--build DIR]

Open gate. With HANDRAIL_DATA set, streams are data sets; else synthetic rounds of the same shape,
on which no reach is meant.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import bench_support
import tables

HERE = pathlib.Path(__file__).resolve().parent

# (what, SPEC, stream, rounds, regret to reach)
ROWS = (
    ("linear", "squarecb:oracle=linear", "letter", 20_000, 9_891),
    ("linear", "squarecb:oracle=linear", "shuttle", 20_000, 1_150),
    ("network, default", "squarecb", "letter", 10_000, 3_900),
    ("network, default", "squarecb", "shuttle", 10_000, 280),
    ("network, default", "squarecb", "mnist", 10_000, 1_300),
    ("network, a tenth of the steps", "squarecb:batch=4", "letter", 10_000, None),
    ("network, ten times the steps", "squarecb:batches=10", "letter", 10_000, None),
)


class Failure(Exception):
    """A sentence for the user."""


def play(options, row, seed):
    _, agent, stream, rounds, _ = row
    environment = dict(os.environ)
    if options.quick:
        environment.pop("HANDRAIL_DATA", None)
    done = subprocess.run(
        [str(options.build / "handrail_bench_decisions"), "--agent", agent, "--stream", stream,
         "--rounds", str(min(rounds, options.most_rounds)), "--seed", str(seed), "--repetitions",
         "1"], capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise Failure(f"handrail_bench_decisions ended with {done.returncode}: "
                      f"{done.stderr.strip()}")
    return json.loads(done.stdout)


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release/bench",
                        help="where the programs are")
    parser.add_argument("--out", type=pathlib.Path, help="write the numbers there as JSON")
    parser.add_argument("--seeds", type=int, default=10, help="runs of each agent [10]")
    parser.add_argument("--quick", action="store_true", help="only to see that it works")
    options = parser.parse_args(arguments)
    options.most_rounds = 50 if options.quick else 1_000_000
    options.seeds = 1 if options.quick else options.seeds
    return options


def main(arguments):
    options = parse(arguments)
    try:
        results = {"learning": [measure(options, row) for row in ROWS]}
        if options.out:
            options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    except (Failure, OSError) as failure:
        print(f"learning: {failure}", file=sys.stderr)
        return 2
    print(tables.learning_table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
