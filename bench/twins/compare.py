#!/usr/bin/env python3
"""Handrail's neural policies beside their PyTorch twins: same data, same schedule, same seeds.

Each run is given as a line, then for every data set the mean regret of both with its standard
error, and the ratio.

    HANDRAIL_DATA=FOLDER bench/twins/compare.py --policy ucb --data letter shuttle \
        --train-steps 10 --train-until 0 --train-every 10
"""

import argparse
import sys

import beside
import neural
import streams

AGENTS = {"ucb": "neural-ucb", "ts": "neural-ts"}
KEYS = ("nu", "ridge", "hidden", "step", "train_steps", "train_until", "train_every")


def compare(mine, options):
    settings = ",".join(f"{key}={getattr(options, key)!r}" for key in KEYS)
    agent = (f"{AGENTS[options.policy]}:{settings},memory={options.rounds},"
             f"precision={mine.precision}")
    beside.compare(beside.Program(mine.handrail, agent, options.data, options), options.seeds,
                   lambda seed: neural.play(streams.load(options.data, seed, options), options))


def main(arguments):
    own = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0],
                                  epilog="What else is given goes to neural.py's options.")
    own.add_argument("--data", nargs="+", default=["letter", "shuttle", "mushroom", "pendigits"])
    own.add_argument("--handrail", default=beside.PROGRAM)
    own.add_argument("--precision", choices=["float", "double"], default="float",
                     help="of Handrail; the twin computes in double")
    mine, rest = own.parse_known_args(arguments)
    for data in mine.data:
        compare(mine, neural.parse(rest + ["--data", data]))


if __name__ == "__main__":
    main(sys.argv[1:])
