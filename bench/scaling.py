#!/usr/bin/env python3
"""How the cost of a decision with its feedback grows with what can be chosen about it.

Usage: bench/scaling.py [--out scaling.json] [--svg scaling.svg] [--quick] [--build DIR]

Synthetic rounds; one thing grows while the others stay as they are on letter (K = 26, d = 17).
The exponent is the slope of a least-squares line through the logarithms. Where fixed costs still
count, it is below what the formulas promise.
"""

import math
import pathlib
import sys

import bench_support
import scaling_figure
import tables
from bench_support import LINEAR, NETWORK, PAPER

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
     NETWORK + ",width=100,update=replay,batch=16,batches={sixteenth}",
     "synthetic:arms=26,features=17",
     (16, 32, 64, 128, 256, 512, 1024)),
)


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
        line = bench_support.decisions(self.options, [
            "--agent", self.agent, "--stream", self.stream, "--rounds", self.rounds,
            "--repetitions", 1])[0]
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
    if options.svg:
        options.svg.write_text(scaling_figure.draw(results), encoding="utf-8")
    return {"scaling": results}


def parse(arguments):
    parser = bench_support.parser(__doc__)
    parser.add_argument("--svg", type=pathlib.Path, help="draw them there")
    parser.add_argument("--repetitions", type=int, default=7, help="turns; the best counts [7]")
    options = parser.parse_args(arguments)
    options.probe_rounds, options.turn_seconds = 50, 0.05
    if options.quick:
        options.probe_rounds, options.turn_seconds, options.repetitions = 10, 0.001, 1
    return options


def main(arguments):
    return bench_support.finish("scaling", parse(arguments), measure, tables.scaling_table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
