#!/usr/bin/env python3
"""Follows the recipes of CONTRIBUTING.md in a copy of the tree: a policy, an oracle, a gate, a
world and a data format are added as a new developer would, built, tested and run.

Usage: recipes_test.py BUILD_DIR

BUILD_DIR is a build of the tree, whose compiler flags the copy takes over, so that ccache knows
what did not change.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = TREE / "tests" / "recipes"
COPIED = ("CMakeLists.txt", "apps", "cmake", "handrail", "tests", "web", "README.md")

# Kind of part: the folder, its registry, the new files' stem and the name of the entry.
RECIPES = {
    "policy": ("registry.cc", "boltzmann", "kBoltzmannPolicy"),
    "oracle": ("registry.cc", "mean_cost", "kMeanCostOracle"),
    "safety": ("registry.cc", "every_nth_gate", "kEveryNthGate"),
    "env": ("world_registry.cc", "coin_world", "kCoinWorld"),
    "data": ("format_registry.cc", "pipe_reader", "kPipeFormat"),
}


def add_part(tree, folder):
    """What the recipe says: new files, one call in CMakeLists.txt, the entry in the registry."""
    registry_name, stem, entry = RECIPES[folder]
    home = tree / "handrail" / folder
    files = [f"{stem}.h", f"{stem}.cc", f"{stem}_test.cc"]
    for name in files:
        shutil.copy(EXAMPLES / folder / f"{name}.in", home / name)
    lists = home / "CMakeLists.txt"
    text = lists.read_text(encoding="utf-8")
    call = f"handrail_part({' '.join(files)})\n"
    first = text.index("handrail_part(")
    lists.write_text(text[:first] + call + text[first:], encoding="utf-8")
    registry = home / registry_name
    text = registry.read_text(encoding="utf-8")
    last = list(re.finditer(r'^#include "handrail/.*\n', text, re.MULTILINE))[-1]
    text = text[:last.end()] + f'#include "handrail/{folder}/{stem}.h"\n' + text[last.end():]
    listed = re.search(r"(constexpr std::array k\w+ = \{.*?)(\n?\};)", text, re.DOTALL)
    text = text[:listed.end(1)] + f"\n    &{entry}," + text[listed.start(2):]
    registry.write_text(text, encoding="utf-8")


class Recipes(unittest.TestCase):
    build_dir = None

    @classmethod
    def setUpClass(cls):
        root = os.environ.get("TEST_TMPDIR") or tempfile.gettempdir()
        cls.temporary = tempfile.TemporaryDirectory(prefix="recipes", dir=root)
        cls.tree = pathlib.Path(cls.temporary.name) / "tree"
        for name in COPIED:
            source = TREE / name
            if source.is_dir():
                shutil.copytree(source, cls.tree / name,
                                ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            else:
                cls.tree.mkdir(exist_ok=True)
                shutil.copy(source, cls.tree / name)
        # Where the presets have theirs, so that ccache sees the same relative paths.
        cls.build = cls.tree / "build" / "recipes"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def command(self, *words, **options):
        environment = {**os.environ, "CCACHE_BASEDIR": str(self.tree), "CCACHE_NOHASHDIR": "true"}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              env=environment, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def cache_value(self, name):
        text = (self.build_dir / "CMakeCache.txt").read_text(encoding="utf-8")
        found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
        return found.group(1) if found else ""

    def test_each_recipe_gives_a_part_that_is_listed_played_and_checked(self):
        for folder in RECIPES:
            add_part(self.tree, folder)
        self.command("cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja",
                     "-DHANDRAIL_REPORT=OFF", "-DHANDRAIL_BENCH=OFF", "-DHANDRAIL_STATISTICS=OFF",
                     "-DCMAKE_BUILD_TYPE=None",
                     *(f"-D{name}={self.cache_value(name)}" for name in
                       ("CMAKE_CXX_COMPILER", "CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_CXX_FLAGS")))
        self.command("cmake", "--build", self.build, "--target", "handrail_cli",
                     "handrail_number_tests")
        self.command(self.build / "tests" / "handrail_number_tests",
                     "--gtest_filter=MeanCost.*:EveryNthGate.*:Oracles/*mean_cost*:Gate.*")
        self.logic_tests()
        self.lists()
        self.plays()

    def logic_tests(self):
        """Those of policy, world and format, without the other hundred."""
        objects = [f"tests/CMakeFiles/handrail_tests.dir/__/handrail/{folder}/{stem}_test.cc.o"
                   for folder, (_, stem, _) in RECIPES.items()
                   if folder in ("policy", "env", "data")]
        self.command("ninja", "-C", self.build, *objects)
        program = self.build / "logic_tests"
        libraries = self.command("ninja", "-C", self.build, "-t", "commands",
                                 "tests/handrail_number_tests").strip().splitlines()[-1]
        linked = re.search(r" -o \S+ (.*?)(?:&&|$)", libraries).group(1)
        words = [word for word in linked.split() if not word.endswith(".cc.o")]
        self.command(self.cache_value("CMAKE_CXX_COMPILER"),
                     *self.cache_value("CMAKE_CXX_FLAGS").split(), *objects, "-o", program, *words,
                     cwd=self.build)
        self.command(program)

    def lists(self):
        listing = json.loads(self.command(self.build / "handrail", "agents", "--json"))
        for kind, name in (("policies", "boltzmann"), ("oracles", "mean-cost"),
                           ("gates", "every-nth"), ("worlds", "coin"), ("data_formats", "pipe")):
            self.assertIn(name, [each["name"] for each in listing[kind]])

    def plays(self):
        program = self.build / "handrail"
        rows = self.tree / "rows.pipe"
        rows.write_text("a|b|class\n" + "".join(f"{i % 7}|{i % 5}|{'xy'[i % 2]}\n"
                                                for i in range(40)), encoding="utf-8")
        spec = "boltzmann:oracle=mean-cost,gate=every-nth,every_nth=3,temperature=0.5"
        for where in (["--world", "coin:sides=4"], ["--data", str(rows)]):
            trace = self.tree / "trace.jsonl"
            answer = json.loads(self.command(program, "run", "--agent", spec, *where, "--rounds",
                                             "60", "--trace", trace, "--json", "--save",
                                             self.tree / "save"))
            self.assertEqual(answer["explored"], 20)
            self.assertIn("every_nth=3", answer["agent"])
            audited = json.loads(self.command(program, "audit", trace, "--json"))
            self.assertIn("distribution", audited["checked"])
            self.command(program, "run", "--resume", self.tree / "save", "--rounds", "10")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    Recipes.build_dir = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
