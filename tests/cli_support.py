"""What the tests of the command line share: how to run it, and what a refusal looks like.

Each test is `python3 cli_..._test.py HANDRAIL`, HANDRAIL the program under test.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

# A sanitizer's report must not look like an answer of the program, whose codes are 0, 1 and 2.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
# A process that hangs is a failure with a name, not a test that never ends.
TIMEOUT_SECONDS = 120


class CliTest(unittest.TestCase):
    program = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def handrail(self, *words, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("env", ENVIRONMENT)
        return subprocess.run([self.program, *map(str, words)], stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT_SECONDS, check=False, **options)

    def good(self, *words):
        """Runs it, expects success, gives what it printed."""
        done = self.handrail(*words)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        self.assertEqual(done.stderr, "", words)
        return done.stdout

    def results(self, *words):
        return json.loads(self.good("run", *words, "--json"))

    def refused(self, *words, naming=(), **options):
        """Exit code 2, nothing on stdout, one sentence on stderr that names what is wrong."""
        done = self.handrail(*words, **options)
        self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
        self.assertFalse(done.stdout, words)
        self.assert_is_sentence(done.stderr, words)
        for part in [naming] if isinstance(naming, str) else naming:
            self.assertIn(part, done.stderr, words)
        return done.stderr

    def assert_is_sentence(self, text, context=None):
        self.assertTrue(text.startswith("handrail: "), (context, text))
        self.assertTrue(text.endswith("\n"), (context, text))
        self.assertEqual(text.count("\n"), 1, (context, text))

    def trace(self, name, *words):
        """Plays with a trace and gives its path."""
        self.good("run", *words, "--trace", self.path(name), "--quiet")
        return self.path(name)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: " + sys.argv[0] + " HANDRAIL")
    CliTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
