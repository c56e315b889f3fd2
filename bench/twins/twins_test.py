#!/usr/bin/env python3
"""The draws that twins share with the program, and a twin beside it. Needs NumPy.

Usage: twins_test.py HANDRAIL        HANDRAIL is the program
"""

import argparse
import gzip
import pathlib
import sys
import tempfile
import unittest

import numpy

import beside
import draws
import lints
import streams

PROGRAM = None


def as_words(*values):
    return [numpy.array([value], dtype=numpy.uint64) for value in values]


class Twins(unittest.TestCase):
    # Known answers of Random123's distribution (kat_vectors, philox4x32, 10 rounds).
    def test_philox_gives_the_known_answers(self):
        ones = 0xffffffff
        self.assertEqual(draws.philox4x32(as_words(0, 0, 0, 0), (0, 0)),
                         tuple(as_words(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8)))
        self.assertEqual(draws.philox4x32(as_words(*[ones] * 4), (ones, ones)),
                         tuple(as_words(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd)))
        self.assertEqual(draws.random_blocks(0x299f31d0a4093822, 0x03707344, 0x13198a2e85a308d3,
                                             0x243f6a88),
                         tuple(as_words(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1)))

    def test_numbers_read_in_pieces_are_those_read_at_once(self):
        pieces = draws.Numbers(7, draws.POLICY, 3)
        read = [number for count in (1, 3, 2, 5) for number in pieces.uniforms(count)]
        self.assertEqual(read, list(draws.Numbers(7, draws.POLICY, 3).uniforms(11)))
        four, three = (draws.Numbers(7, draws.POLICY, 3).normals(count) for count in (4, 3))
        self.assertEqual(list(four[:3]), list(three))

    def test_orders_are_permutations(self):
        common = draws.Common(5)
        for count in (1, 2, 3, 16, 17, 300):
            self.assertEqual(sorted(common.row_order(count, 2)), list(range(count)))
            self.assertEqual(sorted(common.training_order(9, count, 20)), list(range(count)))

    # Rows of two passes, normals and arms are then the program's, round by round: one draw that
    # differs would soon play another arm.
    def test_with_common_draws_a_twin_plays_the_arms_of_the_program(self):
        rows = [f"{i % 7},{i * i % 11},{'abc'[(i + i // 4) % 3]}" for i in range(60)]
        text = "@relation r\n@attribute x numeric\n@attribute y numeric\n" \
               "@attribute c {a,b,c}\n@data\n" + "\n".join(rows)
        with tempfile.TemporaryDirectory() as folder:
            with gzip.open(pathlib.Path(folder) / "tiny.arff.gz", "wt", encoding="utf-8") as file:
                file.write(text)
            options = argparse.Namespace(rounds=100, draws="common", data_dir=folder, nu=0.1,
                                         ridge=1.0)
            program = beside.Program(PROGRAM, "lints:nu=0.1", "tiny", options)
            ours = program.play(seed=4)
            twin = lints.play(streams.load("tiny", 4, options), options)
        self.assertEqual(ours.arms, twin.arms)
        self.assertAlmostEqual(ours.regret, twin.regret)
        self.assertEqual(set(twin.arms), {0, 1, 2})
        self.assertEqual(beside.parting(ours, twin), "no other")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    PROGRAM = pathlib.Path(sys.argv.pop())
    unittest.main()
