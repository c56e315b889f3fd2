#!/usr/bin/env python3
"""Handrail's neural policies beside their PyTorch twins: same data, same schedule, same seeds.

The two shuffle rows and start their networks differently, so that runs differ one by one; means
over seeds are what is compared. Each run is given as a line, then for every data set the mean
regret of both with its standard error, and the ratio.

    HANDRAIL_DATA=FOLDER bench/twins/compare.py --policy ucb --data letter shuttle \
        --train-steps 10 --train-until 0 --train-every 10
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

import neural
import streams

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
AGENTS = {"ucb": "neural-ucb", "ts": "neural-ts"}
KEYS = ("nu", "ridge", "hidden", "step", "train_steps", "train_until", "train_every")


def handrail_run(program, options, seed):
    settings = ",".join(f"{key}={getattr(options, key)!r}" for key in KEYS)
    command = [str(program), "run", "--data", options.data, "--agent",
               f"{AGENTS[options.policy]}:{settings},memory={options.rounds}",
               "--rounds", str(options.rounds), "--seed", str(seed), "--json", "--quiet",
               "--offline", "--data-dir", str(streams.data_folder(options.data_dir))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compare: {' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def mean_text(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.1f} ± {error:.1f}"


def compare(program, options):
    ours, twins = [], []
    for seed in options.seeds:
        mine = handrail_run(program, options, seed)
        twin = neural.run(options, seed)
        ours.append(mine["regret"])
        twins.append(twin["regret"])
        print(f"{options.policy} {options.data} seed {seed}: handrail {mine['regret']:.1f} "
              f"({mine['rounds_per_second']:.0f} rounds/s), twin {twin['regret']:.1f} "
              f"({twin['rounds_per_second']:.0f} rounds/s)", flush=True)
    ratio = statistics.mean(ours) / statistics.mean(twins)
    print(f"{options.policy} {options.data}, {options.rounds} rounds, {len(ours)} seeds: handrail "
          f"{mean_text(ours)}, twin {mean_text(twins)}, ratio {ratio:.3f}", flush=True)


def main(arguments):
    own = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0],
                                  epilog="What else is given goes to neural.py's options.")
    own.add_argument("--data", nargs="+", default=["letter", "shuttle", "mushroom", "pendigits"])
    own.add_argument("--handrail", default=ROOT / "build" / "release" / "handrail")
    mine, rest = own.parse_known_args(arguments)
    neural.torch.set_num_threads(1)
    for data in mine.data:
        compare(mine.handrail, neural.parse(rest + ["--data", data]))


if __name__ == "__main__":
    main(sys.argv[1:])
