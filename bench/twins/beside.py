"""Handrail beside a twin: the same data set and seeds for both, regrets and their ratio.

The two shuffle rows differently, so that runs differ one by one; means over seeds are compared.
"""

import json
import math
import pathlib
import statistics
import subprocess
import sys

import streams

PROGRAM = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "release" / "handrail"


def handrail_regret(program, agent, data, options, seed):
    """`options` has the rounds and the folder of the data."""
    command = [str(program), "run", "--data", data, "--agent", agent, "--rounds",
               str(options.rounds), "--seed", str(seed), "--json", "--quiet", "--offline",
               "--data-dir", str(streams.data_folder(options.data_dir))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["regret"]


def mean_text(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.1f} ± {error:.1f}"


def compare(title, seeds, ours_of, twin_of):
    """Each function gives the regret of a seed. Prints every pair, then the means."""
    ours, twins = [], []
    for seed in seeds:
        ours.append(ours_of(seed))
        twins.append(twin_of(seed))
        print(f"{title}, seed {seed}: handrail {ours[-1]:.1f}, twin {twins[-1]:.1f}", flush=True)
    ratio = statistics.mean(ours) / statistics.mean(twins)
    print(f"{title}, {len(ours)} seeds: handrail {mean_text(ours)}, twin {mean_text(twins)}, "
          f"ratio {ratio:.3f}", flush=True)
