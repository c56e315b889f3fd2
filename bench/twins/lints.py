#!/usr/bin/env python3
"""Linear Thompson sampling as a plain NumPy script, the twin of Handrail's lints.

For every arm, V = lambda I + sum x x', b = sum cost x over the rounds that played it. A round
draws all of the model, theta = V^-1 b + v z with L'z = g for V = LL' and g standard normals, and
plays the arm with the least x'theta; v^2 = lambda nu. Handrail draws one normal n an arm in place
of z, so that x'theta moves by v|L^-1 x|n, which must come to the same. With common draws n is g's
part along L^-1 x, and the rest of g is the twin's own.

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
import draws
import streams


def with_parts_along(directions, parts, vectors):
    """The vectors, one a row, with the given parts along the directions."""
    units = directions / numpy.linalg.norm(directions, axis=1, keepdims=True)
    missing = parts - (units * vectors).sum(axis=1)
    return vectors + missing[:, None] * units


def play(stream, options):
    arms, size = stream.arm_count, stream.feature_count
    random = draws.Own(stream.draws.seed)
    ridge = options.ridge
    grams = numpy.stack([ridge * numpy.eye(size)] * arms)
    roots = numpy.stack([numpy.eye(size) / math.sqrt(ridge)] * arms)  # (L')^-1
    responses = numpy.zeros((arms, size))
    means = numpy.zeros((arms, size))
    scale = math.sqrt(ridge * options.nu)
    played = beside.Play()
    for t in range(options.rounds):
        x, label = stream.round(t)
        normals = random.normals(t + 1, (arms, size))
        if options.draws == "common":
            normals = with_parts_along(numpy.einsum("aji,j->ai", roots, x),
                                       stream.draws.normals(t + 1, arms), normals)
        drawn = means + scale * numpy.einsum("aij,aj->ai", roots, normals)
        arm = int(numpy.argmin(drawn @ x))
        cost = stream.cost(t, arm)
        played.add(arm, cost - stream.cost(t, label))
        grams[arm] += numpy.outer(x, x)
        responses[arm] += cost * x
        roots[arm] = numpy.linalg.inv(numpy.linalg.cholesky(grams[arm]).T)
        means[arm] = roots[arm] @ (roots[arm].T @ responses[arm])
    return played


def compare(options, data):
    agent = f"lints:nu={options.nu!r},lambda={options.ridge!r}"
    beside.compare(beside.Program(options.handrail, agent, data, options),
                   range(1, options.seeds + 1),
                   lambda seed: play(streams.load(data, seed, options), options))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", nargs="+", default=["letter", "shuttle", "mushroom", "pendigits"])
    parser.add_argument("--data-dir", default=None, help="folder of the files [HANDRAIL_DATA]")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=5)
    draws.add_option(parser)
    parser.add_argument("--nu", type=float, default=0.001)
    parser.add_argument("--ridge", type=float, default=1.0, help="lambda")
    parser.add_argument("--handrail", default=beside.PROGRAM)
    options = parser.parse_args(arguments)
    for data in options.data:
        compare(options, data)


if __name__ == "__main__":
    main(sys.argv[1:])
