#!/usr/bin/env python3
"""Linear Thompson sampling as a plain NumPy script, the twin of Handrail's lints.

For every arm, V = lambda I + sum x x', b = sum cost x over the rounds that played it. A round
draws all of the model, theta = V^-1 b + v z with L'z = g for V = LL' and g standard normals, and
plays the arm with the least x'theta; v^2 = lambda nu. Handrail draws one normal an arm in place of
z, which must come to the same.

Both play the same data with the same encoding and costs, but shuffle the rows and draw by streams
of their own, so that runs differ one by one; means over seeds are what is compared.

    HANDRAIL_DATA=FOLDER bench/twins/lints.py [--data letter shuttle] [--rounds 10000]
"""

import argparse
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import bench_support

bench_support.prepare_openblas()  # before the library is loaded
import numpy

import beside
import streams


def twin_regret(stream, rounds, ridge, nu):
    arms, size = stream.arm_count, stream.feature_count
    random = numpy.random.default_rng([stream.seed, 1])
    grams = numpy.stack([ridge * numpy.eye(size)] * arms)
    roots = numpy.stack([numpy.eye(size) / math.sqrt(ridge)] * arms)  # (L')^-1
    responses = numpy.zeros((arms, size))
    means = numpy.zeros((arms, size))
    scale = math.sqrt(ridge * nu)
    regret = 0.0
    for t in range(rounds):
        x, label = stream.round(t)
        normals = random.standard_normal((arms, size))
        drawn = means + scale * numpy.einsum("aij,aj->ai", roots, normals)
        arm = int(numpy.argmin(drawn @ x))
        cost = stream.cost(t, arm)
        regret += cost - stream.cost(t, label)
        grams[arm] += numpy.outer(x, x)
        responses[arm] += cost * x
        roots[arm] = numpy.linalg.inv(numpy.linalg.cholesky(grams[arm]).T)
        means[arm] = roots[arm] @ (roots[arm].T @ responses[arm])
    return regret


def compare(options, data):
    agent = f"lints:nu={options.nu!r},lambda={options.ridge!r}"

    def twin(seed):
        stream = streams.load(data, seed, options.data_dir)
        return twin_regret(stream, options.rounds, options.ridge, options.nu)

    def ours(seed):
        return beside.handrail_regret(options.handrail, agent, data, options, seed)

    beside.compare(f"{agent} on {data}, {options.rounds} rounds", range(1, options.seeds + 1), ours,
                   twin)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", nargs="+", default=["letter", "shuttle", "mushroom", "pendigits"])
    parser.add_argument("--data-dir", default=None, help="folder of the files [HANDRAIL_DATA]")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--nu", type=float, default=0.001)
    parser.add_argument("--ridge", type=float, default=1.0, help="lambda")
    parser.add_argument("--handrail", default=beside.PROGRAM)
    options = parser.parse_args(arguments)
    for data in options.data:
        compare(options, data)


if __name__ == "__main__":
    main(sys.argv[1:])
