"""`handrail report`: what it writes, and what it says of bad input.

Usage: cli_report_test.py HANDRAIL
"""
import json
import os
import pathlib
import struct
import unittest
import xml.etree.ElementTree

import cli_support
import report_sample

KINDS = ["regret", "violations", "cost-ratio", "explored", "slack", "violated"]
SVG = "{http://www.w3.org/2000/svg}"


class Report(cli_support.CliTest):
    def sample(self, name="dir"):
        made = report_sample.Sample(["shuttle", 'a,"b"</script>'], [("c-fastcb:x=1", "fastcb")],
                                    [0.1], runs=3, rounds=100, point_count=10)
        made.write(self.path(name))
        return made

    def names(self, name="dir"):
        return sorted(path.name for path in (self.folder / name).iterdir())

    def test_writes_the_page_beside_the_results(self):
        self.sample()
        printed = self.good("report", self.path("dir"))
        self.assertEqual(printed, self.path("dir/report.html") + "\n")
        first = self.read("dir/report.html")
        self.assertTrue(first.startswith("<!doctype html>"))
        self.good("report", self.path("dir"))
        self.assertEqual(self.read("dir/report.html"), first)
        self.assertEqual(self.names(), ["curves.csv", "report.html", "results.json",
                                        "timing.json"])

    def test_writes_elsewhere_if_asked(self):
        self.sample()
        self.good("report", self.path("dir"), "-o", self.path("new/place"))
        self.assertEqual(self.names("new/place"), ["report.html"])
        self.assertNotIn("report.html", self.names())

    def test_does_without_timings(self):
        self.sample().write(self.path("untimed"), with_timing=False)
        self.good("report", self.path("untimed"))

    def test_writes_figures_for_a_paper(self):
        self.sample()
        printed = self.good("report", self.path("dir"), "--svg", "--png")
        figures = self.folder / "dir" / "figures"
        expected = sorted("%s-%s.%s" % (data, kind, ending) for data in ("shuttle", "a-b-script")
                          for kind in KINDS for ending in ("svg", "png"))
        self.assertEqual(sorted(path.name for path in figures.iterdir()), expected)
        self.assertEqual(printed.count("\n"), 1 + len(expected))
        for path in figures.glob("*.svg"):
            self.check_svg(path)
        for path in figures.glob("*.png"):
            self.check_png(path)

    def check_svg(self, path):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        self.assertEqual(root.get("width"), "720")
        background = root.find(SVG + "rect")
        self.assertEqual(background.get("fill"), "#ffffff", path)
        texts = " ".join(element.text or "" for element in root.iter(SVG + "text"))
        self.assertIn("fastcb", texts, path)  # the legend, or the names beside the bars
        self.assertGreater(len(list(root.iter(SVG + "path"))), 5, path)
        self.assertEqual(list(root.iter(SVG + "script")), [])

    def check_png(self, path):
        content = path.read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n", path)
        width, height = struct.unpack(">II", content[16:24])
        self.assertEqual(width, 1440, path)  # twice the pixels of the SVG
        self.assertGreater(height, 200, path)
        self.assertGreater(len(content), 5000, path)

    def test_says_if_there_is_no_browser(self):
        self.sample()
        environment = {**cli_support.ENVIRONMENT, "HANDRAIL_BROWSER": "/nowhere/browser"}
        self.refused("report", self.path("dir"), "--svg", env=environment,
                     naming=["/nowhere/browser", "chromium"])
        self.assertNotIn("report.html", self.names())

    def test_a_folder_that_is_not_one(self):
        self.refused("report", naming="DIR")
        self.refused("report", self.path("nowhere"), naming=["nowhere/results.json", "No such"])
        self.refused("report", self.write("file", "x"), naming=["results.json", "Not a directory"])
        os.mkdir(self.path("empty"))
        self.refused("report", self.path("empty"), naming="empty/results.json")

    def test_results_that_make_no_sense(self):
        made = self.sample()
        whole = json.dumps(made.results)
        for text, naming in (
                ("", "results.json:1:1"), (whole[:-5], "was it cut?"), ("[]", "JSON object"),
                (whole.replace('"handrail_results": 1', '"handrail_results": 7'), "format 7"),
                (whole.replace('"alphas": [0.1]', '"alphas": [0.2]'), "not listed"),
                (whole.replace('"shuttle"', '"letter"'), "curves.csv:2"),
                ("\0" * 100, "results.json:1:1"), ("[" * 100000, "results.json")):
            with self.subTest(naming=naming):
                self.write("dir/results.json", text)
                self.refused("report", self.path("dir"), naming=naming)
        self.assertNotIn("report.html", self.names())

    def test_curves_that_do_not_match(self):
        self.sample()
        whole = self.read("dir/curves.csv")
        lines = whole.splitlines(keepends=True)
        for text, naming in (
                ("", "curves.csv:1"), ("".join(lines[1:]), "curves.csv:1: the header"),
                (whole[:-3], "was the file cut?"), ("".join(lines[:-1]), "was the file cut?"),
                ("".join(lines[:len(lines) // 2]), "curves.csv"),
                (whole.replace("shuttle", "letter", 1), 'curves.csv:2: column data is "letter"'),
                (whole + lines[1], "column t is"), (whole + "\n", "1 fields")):
            with self.subTest(naming=naming):
                self.write("dir/curves.csv", text)
                self.refused("report", self.path("dir"), naming=naming)
        self.assertNotIn("report.html", self.names())

    def test_timings_that_make_no_sense(self):
        self.sample()
        self.write("dir/timing.json", "{}")
        self.refused("report", self.path("dir"), naming="timing.json")

    def test_a_place_that_cannot_be_written(self):
        self.sample()
        self.refused("report", self.path("dir"), "-o", "/dev/full", naming="/dev/full")
        self.refused("report", self.path("dir"), "-o", "/proc/nowhere", naming="/proc/nowhere")
        blocked = pathlib.Path(self.path("dir/report.html"))
        blocked.mkdir()
        self.refused("report", self.path("dir"), naming="report.html")
        self.assertEqual(list(blocked.iterdir()), [])
        self.assertEqual(self.names(), ["curves.csv", "report.html", "results.json",
                                        "timing.json"])

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody else")
    def test_a_folder_of_somebody_else(self):
        self.sample()
        self.folder.chmod(0o755)
        (self.folder / "dir").chmod(0o555)
        try:
            self.handrail("--version", user=65534)
        except PermissionError:
            self.skipTest("the build is in a folder that others may not enter")
        self.refused("report", self.path("dir"), user=65534, naming="cannot create")
        (self.folder / "dir" / "results.json").chmod(0)
        self.refused("report", self.path("dir"), user=65534, naming="Permission denied")


if __name__ == "__main__":
    cli_support.main()
