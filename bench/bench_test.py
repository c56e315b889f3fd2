#!/usr/bin/env python3
"""The benchmarks as programs: what they print, what they refuse, and the arithmetic of the scripts.

Usage: bench_test.py BUILD        BUILD is the folder of the programs
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import bench_support
import learning
import scaling
import scaling_figure
import tables

BUILD = None
LETTER_SHAPE = "synthetic:arms=26,features=17"


def decisions(*words, **environment):
    """Runs the program without a data folder."""
    variables = {**os.environ, "HANDRAIL_DATA": "", **environment}
    return subprocess.run([str(BUILD / "handrail_bench_decisions"), *map(str, words)],
                          capture_output=True, text=True, timeout=120, check=False, env=variables)


def lines_of(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


class Decisions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tape = pathlib.Path(folder.name) / "rounds.tape"

    def refused(self, *words, naming):
        done = decisions(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn(naming, done.stderr)

    def test_prints_one_object_an_agent(self):
        done = decisions("--agent", "uniform", "--agent", "squarecb:oracle=linear", "--rounds", 400,
                         "--stream", LETTER_SHAPE, "--repetitions", 2)
        uniform, linear = lines_of(done)
        self.assertEqual((linear["arms"], linear["features"], linear["rounds"]), (26, 17, 400))
        self.assertAlmostEqual(linear["rounds_per_second"], 400 / linear["seconds"])
        self.assertLessEqual(linear["best_seconds"], linear["seconds"])
        # Any arm costs 0.99 more than the right one in 25 of 26 rounds; a learner pays less.
        self.assertAlmostEqual(uniform["regret"], 400 * 0.99 * 25 / 26, delta=25)
        self.assertLess(linear["regret"], uniform["regret"])

    def test_recorded_rounds_play_as_the_stream_does(self):
        words = ("--agent", "squarecb:oracle=linear", "--rounds", 300, "--repetitions", 1)
        fresh, = lines_of(decisions(*words, "--stream", LETTER_SHAPE, "--record", self.tape))
        recorded, = lines_of(decisions(*words, "--tape", self.tape))
        self.assertEqual(fresh["regret"], recorded["regret"])
        self.assertEqual(fresh["stream"], recorded["stream"])

    def test_rows_play_the_same_as_lists(self):
        words = ("--agent", "squarecb:oracle=linear", "--agent", "squarecb", "--rounds", 200,
                 "--repetitions", 1, "--stream", "synthetic:arms=4,features=60,density=0.2")
        rows, lists = lines_of(decisions(*words)), lines_of(decisions(*words, "--lists"))
        self.assertEqual([line["regret"] for line in rows], [line["regret"] for line in lists])
        self.assertEqual([line["lists"] for line in rows + lists], [False, False, True, True])

    def test_says_that_a_data_set_is_not_there(self):
        done = decisions("--stream", "shuttle", "--agent", "uniform", "--rounds", 10)
        self.assertIn("shuttle is not in the data folder", done.stderr)
        self.assertTrue(lines_of(done)[0]["synthetic"])

    def test_refuses_what_it_does_not_understand(self):
        self.refused("--agent", "nobody", "--rounds", 5, naming="nobody")
        self.refused("--stream", "synthetic:arms=0", naming="arms is \"0\"")
        self.refused("--stream", "synthetic:legs=2", naming="legs")
        self.refused("--stream", "nowhere", naming="nowhere")
        self.refused("--rounds", 0, naming="--rounds")
        self.refused("--tape", self.tape, naming=self.tape.name)

    def test_refuses_a_tape_that_is_cut(self):
        decisions("--stream", LETTER_SHAPE, "--rounds", 20, "--record", self.tape)
        content = self.tape.read_bytes()
        for size in (0, 5, 40, len(content) - 8):
            self.tape.write_bytes(content[:size])
            self.refused("--tape", self.tape, "--agent", "uniform", naming=self.tape.name)


class Scripts(unittest.TestCase):
    def test_exponent_of_a_power_is_the_power(self):
        self.assertAlmostEqual(scaling.exponent([(x, 3e-6 * x ** 1.5) for x in (2, 5, 9, 40)]), 1.5)

    def test_scaling_and_learning_run(self):
        options = ["--quick", "--build", str(BUILD)]
        self.assertEqual(learning.main(options), 0)
        self.assertEqual(scaling.main(options), 0)

    def test_figure_is_xml_with_every_point(self):
        curves = [{"panel": "width", "title": "width, network", "exponent": 1.0,
                   "points": [[8, 1e-6], [16, 2e-6], [32, 4e-6]]}]
        root = xml.etree.ElementTree.fromstring(scaling_figure.draw(curves))
        circles = [element for element in root.iter() if element.tag.endswith("circle")]
        self.assertEqual(len(circles), 3)

    def test_tables_replace_their_section_only(self):
        document = "before\n<!-- begin x -->\nold\n<!-- end x -->\nafter\n"
        self.assertEqual(tables.with_section(document, "x", "new"),
                         "before\n<!-- begin x -->\nnew\n<!-- end x -->\nafter\n")
        with self.assertRaises(ValueError):
            tables.with_section(document, "y", "new")

    def test_verdicts_know_which_way_is_better(self):
        def verdict(number, **words):
            return tables.Row("", "", **words).fill(number, "", "").verdict()

        faster = {"goals": (20, 40)}
        self.assertEqual([verdict(number, **faster) for number in (19, 20, 40)],
                         ["no", "reached", "aim"])
        cheaper = {"goals": (1.3, 1.1), "is_cost": True}
        self.assertEqual([verdict(number, **cheaper) for number in (1.4, 1.3, 1.1)],
                         ["no", "reached", "aim"])

    def test_median(self):
        self.assertEqual(bench_support.median([5, 1, 3]), 3)
        self.assertEqual(bench_support.median([4, 1, 2, 3]), 2.5)

    def test_standard_error(self):
        self.assertEqual(bench_support.mean_and_error([1.0, 3.0]), (2.0, 1.0))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    BUILD = pathlib.Path(sys.argv.pop())
    unittest.main()
