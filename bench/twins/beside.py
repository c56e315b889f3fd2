"""Handrail beside a twin: the same data set and seeds for both, regrets and their ratio.

With common draws (draws.py) both should play nearly the same arms, and what is said of each seed
has the rounds in which they did. Without, runs differ one by one and only means are compared.
"""

import dataclasses
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import streams

PROGRAM = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "release" / "handrail"


@dataclasses.dataclass
class Play:
    """What a run played, round by round, and what it lost."""

    regret: float = 0.0
    arms: list = dataclasses.field(default_factory=list)

    def add(self, arm, regret):
        self.arms.append(arm)
        self.regret += regret


@dataclasses.dataclass
class Program:
    """Handrail beside the twin. `options` has the rounds, the draws and the folder of the data."""

    path: str
    agent: str
    data: str
    options: object

    def title(self):
        return (f"{self.agent} on {self.data}, {self.options.rounds} rounds, {self.options.draws} "
                "draws")

    def play(self, seed):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.jsonl"
            command = [str(self.path), "run", "--data", self.data, "--agent", self.agent,
                       "--rounds", str(self.options.rounds), "--seed", str(seed), "--json",
                       "--quiet", "--offline", "--trace", str(trace),
                       "--data-dir", str(streams.data_folder(self.options.data_dir))]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
            with open(trace, encoding="utf-8") as lines:
                next(lines)  # the header
                arms = [json.loads(line)["arm"] for line in lines]
        return Play(json.loads(done.stdout)["regret"], arms)


def mean_text(values):
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.1f} ± {error:.1f}"


def agreement(pairs):
    """In words: in how many rounds both played the same arm."""
    same = [a == b for ours, twin in pairs for a, b in zip(ours.arms, twin.arms)]
    return f"same arm in {sum(same)} of {len(same)} rounds"


def parting(ours, twin):
    """In words: the first round in which they played different arms."""
    rounds = enumerate(zip(ours.arms, twin.arms), start=1)
    first = next((t for t, (a, b) in rounds if a != b), None)
    return f"the first other in round {first}" if first else "no other"


def compare(program, seeds, twin_of):
    """`twin_of` gives the twin's play of a seed. Prints every pair, then the means."""
    pairs = []
    common = program.options.draws == "common"
    for seed in seeds:
        ours, twin = program.play(seed), twin_of(seed)
        pairs.append((ours, twin))
        said = f", {agreement(pairs[-1:])}, {parting(ours, twin)}" if common else ""
        print(f"{program.title()}, seed {seed}: handrail {ours.regret:.1f}, twin {twin.regret:.1f}"
              f"{said}", flush=True)
    ours, twins = ([play.regret for play in side] for side in zip(*pairs))
    said = f", {agreement(pairs)}" if common else ""
    print(f"{program.title()}, {len(ours)} seeds: handrail {mean_text(ours)}, twin "
          f"{mean_text(twins)}, ratio {statistics.mean(ours) / statistics.mean(twins):.3f}{said}",
          flush=True)
