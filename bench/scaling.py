#!/usr/bin/env python3
"""How the cost of a decision with its feedback grows with what can be chosen about it.

Usage: bench/scaling.py [--out scaling.json] [--svg scaling.svg] [--quick] [--build DIR]

Synthetic rounds; one thing grows while the others stay as they are on letter (K = 26, d = 17).
The exponent is the slope of a least-squares line through the logarithms. Where fixed costs still
count, it is below what the formulas promise.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import scaling_figure
import tables

HERE = pathlib.Path(__file__).resolve().parent

PAPER = ("squarecb:oracle=mlp,own_layer=first,skip=no,pull=0,optimizer=sgd,lr=0.01,clip=inf,"
         "update=periodic,period=10,reading=steps")
REPLAY = "squarecb:oracle=mlp,width=100,own_layer=first,skip=no,optimizer=sgd,lr=0.01,clip=inf"
LINEAR = "squarecb:oracle=linear"

# (panel, title of the curve, agent, stream, values); {x} is what grows.
CURVES = (
    ("arms K", "arms K, network", PAPER + ",width=100", "synthetic:arms={x},features=17",
     (2, 4, 8, 16, 32, 64, 128, 256)),
    ("arms K", "arms K, linear", LINEAR, "synthetic:arms={x},features=17",
     (2, 4, 8, 16, 32, 64, 128, 256)),
    ("features d", "features d, network", PAPER + ",width=100",
     "synthetic:arms=26,features={x}", (4, 8, 16, 32, 64, 128, 256, 512)),
    ("features d", "features d, linear", LINEAR, "synthetic:arms=26,features={x}",
     (4, 8, 16, 32, 64, 128, 256, 512)),
    ("width", "width, network", PAPER + ",width={x}", "synthetic:arms=26,features=17",
     (8, 16, 32, 64, 128, 256, 512, 1024)),
    ("copies S", "copies S, network", PAPER + ",width=100,ensemble={x}",
     "synthetic:arms=26,features=17", (1, 2, 4, 8, 16, 32, 64)),
    ("sample-gradients a round", "sample-gradients a round (minibatches of 16), network",
     REPLAY + ",update=replay,batch=16,batches={sixteenth}", "synthetic:arms=26,features=17",
     (16, 32, 64, 128, 256, 512, 1024)),
)


class Failure(Exception):
    """A sentence for the user."""


class Point:
    """One value of one curve: its best time so far."""

    def __init__(self, options, agent, stream, x):
        words = {"x": x, "sixteenth": x // 16}
        self.x, self.options = x, options
        self.agent, self.stream = agent.format(**words), stream.format(**words)
        self.rounds = options.probe_rounds
        self.seconds = self._play()
        # Long enough for the clock, short enough to be tried often.
        self.rounds = max(options.probe_rounds, int(options.turn_seconds / self.seconds))

    def take_turn(self):
        self.seconds = min(self.seconds, self._play())

    def _play(self):
        done = subprocess.run(
            [str(self.options.build / "handrail_bench_decisions"), "--agent", self.agent,
             "--stream", self.stream, "--rounds", str(self.rounds), "--repetitions", "1"],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"handrail_bench_decisions ended with {done.returncode}: "
                          f"{done.stderr.strip()}")
        line = json.loads(done.stdout)
        return line["best_seconds"] / line["rounds"]


def exponent(points):
    """The slope of log(seconds) over log(x)."""
    logs = [(math.log(x), math.log(seconds)) for x, seconds in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) /
            sum((x - mean_x) ** 2 for x, _ in logs))


def measure(options):
    """All points take turns, so that a slow minute of the machine bends no curve."""
    curves = [(panel, title, [Point(options, agent, stream, x)
                              for x in (values[:2] if options.quick else values)])
              for panel, title, agent, stream, values in CURVES]
    for _ in range(options.repetitions):
        for _, _, points in curves:
            for point in points:
                point.take_turn()
    results = []
    for panel, title, points in curves:
        pairs = [[point.x, point.seconds] for point in points]
        results.append({"panel": panel, "title": title, "points": pairs,
                        "exponent": exponent(pairs)})
    return {"scaling": results}


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release/bench",
                        help="where the programs are")
    parser.add_argument("--out", type=pathlib.Path, help="write the numbers there as JSON")
    parser.add_argument("--svg", type=pathlib.Path, help="draw them there")
    parser.add_argument("--repetitions", type=int, default=7, help="turns; the best counts [7]")
    parser.add_argument("--quick", action="store_true", help="only to see that it works")
    options = parser.parse_args(arguments)
    options.probe_rounds, options.turn_seconds = 50, 0.05
    if options.quick:
        options.probe_rounds, options.turn_seconds, options.repetitions = 10, 0.001, 1
    return options


def main(arguments):
    options = parse(arguments)
    try:
        results = measure(options)
        if options.out:
            options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        if options.svg:
            options.svg.write_text(scaling_figure.draw(results["scaling"]), encoding="utf-8")
    except (Failure, OSError) as failure:
        print(f"scaling: {failure}", file=sys.stderr)
        return 2
    print(tables.scaling_table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
