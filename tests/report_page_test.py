"""report.html as its readers meet it, in a browser. Usage: report_page_test.py HANDRAIL"""
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile

import browser
import cli_support
import report_sample

NASTY_DATA = '</script><b id="injected">&amp;,"quoted"'
NASTY_AGENT = "<img src=x onerror=alert(1)>,a=1"
DATA = ["shuttle", NASTY_DATA, "a,b\nc"]
PAIRS = [("c-squarecb", "squarecb"), ("c-fastcb:lr=0.1|0.01", None), (NASTY_AGENT, "fastcb")]
ALPHAS = [0.1, 0.5]
RUNS = 40

CHARTS = "[...document.querySelectorAll('.chart')].filter((each) => each.clientWidth > 0)"
# Numbers in the longest path of a chart: a curve has many, an axis has few.
LONGEST_PATH = """Math.max(0, ...[...chart.querySelectorAll('path')].map((path) =>
    (path.getAttribute('d') || '').split(/[\\s,A-Za-z]+/).length))"""


def sample():
    """With whatever a comparison may hold: nulls, tuning, one run without an interval."""
    made = report_sample.Sample(DATA, PAIRS, ALPHAS, runs=RUNS, rounds=2000, point_count=40)
    first, second = made.results["results"][:2]
    second.update(regret={"mean": None, "stderr": None}, cost_ratio=None, explored_share=None,
                  violated_rounds_share=None, hindsight=None)
    first["chosen"] = "lr=0.01"
    made.results["environments"][2].update(
        rows=None, passes=None, baseline_arm=None, baseline_share=None, baseline_cost=None)
    made.results["differences"][0]["regret"].update(low=None, high=None)
    made.results["tuning"].append({
        "data": DATA[0], "agent": "c-fastcb:lr=0.1|0.01", "alpha": 0.1, "runs": 5, "candidates": [
            {"agent": "c-fastcb:lr=0.1", "regret": {"mean": 3.0, "stderr": 1.0}, "chosen": False},
            {"agent": "c-fastcb:lr=0.01", "regret": {"mean": 2.0, "stderr": None},
             "chosen": True}]})
    for row in made.rows[:40]:
        row[6] = ""  # no standard error
    return made


class Page(cli_support.CliTest):
    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as opening:
            folder = opening.enter_context(tempfile.TemporaryDirectory(
                dir=os.environ.get("TEST_TMPDIR")))
            sample().write(folder)
            subprocess.run([cls.program, "report", folder], check=True, stdout=subprocess.DEVNULL,
                           env=cli_support.ENVIRONMENT, timeout=cli_support.TIMEOUT_SECONDS)
            cls.report = pathlib.Path(folder) / "report.html"
            cls.browser = opening.enter_context(browser.Browser())
            cls.addClassCleanup(opening.pop_all().close)

    def open(self, suffix="", width=1280, height=900, dark=False):
        self.browser.media(dark=dark)
        self.browser.size(width, height)
        self.browser.open("/dev/null")  # else a new fragment of the same page loads nothing
        self.browser.complaints()
        self.browser.requests()
        self.browser.open(self.report, suffix)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def charts(self):
        """(kind, data set, numbers in its longest path) of each chart that has a place."""
        return self.browser.run("return %s.map((chart) => [chart.dataset.kind, "
                                "chart.closest('section').querySelector('h2').textContent, %s])"
                                % (CHARTS, LONGEST_PATH))

    def curves_of(self, kind):
        """The curves of the first chart of a kind: paths that are stroked and not straight."""
        return self.browser.run(
            "return [...document.querySelector('.chart[data-kind=\"' + arguments[0] + '\"]')"
            ".querySelectorAll('path')].filter((path) => path.getAttribute('fill') === 'none' &&"
            "path.getAttribute('d').length > 200).map((path) => path.getAttribute('d'))", kind)

    def choose(self, name, text):
        self.browser.run(
            "[...document.querySelectorAll('input[name=' + arguments[0] + ']')].find((each) =>"
            "each.nextSibling.textContent === arguments[1]).click()", name, text)

    def test_needs_no_network(self):
        self.open("?all")
        self.assertEqual(self.browser.requests(), [self.report.as_uri() + "?all"])

    def test_draws_every_chart_with_data(self):
        self.open("?all")
        kinds = {}
        for kind, data, longest in self.charts():
            kinds.setdefault(data, []).append(kind)
            # Bars are rectangles; lines over two alphas have two points; curves have forty.
            least = {"violations": 6, "alpha-regret": 4, "alpha-cost": 4}.get(kind, 80)
            self.assertGreaterEqual(longest, least, (kind, data))
        self.assertEqual(sorted(kinds), sorted(DATA))
        for data, found in kinds.items():
            self.assertEqual(found, ["regret", "violations", "cost-ratio", "explored", "slack",
                                     "violated", "alpha-regret", "alpha-cost"], data)
        self.assertEqual(len(self.curves_of("regret")), 5)
        self.assertEqual(len(self.curves_of("slack")), 3)  # the certified agents
        labels = self.browser.run("return %s.map((chart) => chart.ariaLabel)" % CHARTS)
        self.assertTrue(all(label and "shuttle" in label for label in labels[:8]), labels)

    def test_draws_first_what_can_be_seen(self):
        self.open()
        drawn = "return document.querySelectorAll('.chart svg').length"
        self.browser.run("document.querySelector('.chart').scrollIntoView()")
        some = self.browser.wait(drawn)
        self.assertLess(some, 24)
        self.browser.run("document.querySelectorAll('.chart')[23].scrollIntoView()")
        self.browser.wait("return document.querySelectorAll('.chart')[23].querySelector('svg')")
        self.browser.run("handrailDrawAll()")
        self.assertEqual(self.browser.run(drawn), 24)

    def test_shows_names_as_text(self):
        self.open("?all")
        headings = self.browser.run(
            "return [...document.querySelectorAll('.data-set h2')].map((e) => e.textContent)")
        self.assertEqual(headings, DATA)
        self.assertEqual(self.browser.run(
            "return document.querySelectorAll('#injected, main img, main b').length"), 0)
        text = self.browser.run("return document.querySelector('.legend').textContent")
        self.assertIn(NASTY_AGENT, text)

    def test_says_the_results_in_words(self):
        self.open()
        text = self.browser.run("return document.querySelector('.summary').textContent")
        self.assertRegex(text, r"^With the gate, 0 of 240 runs broke the constraint of at most "
                               r"1\.1 times .*; without it, \d+ of 240 did\.")
        title = self.browser.run("return document.title")
        self.assertEqual(title, "5 agents on 3 data sets – Handrail")
        command = self.browser.run("return document.querySelector('.command').textContent")
        self.assertIn("handrail compare", command)
        licences = self.browser.run("return document.querySelector('#licences').textContent")
        for name in ("echarts", "zrender", "tslib", "Apache License"):
            self.assertIn(name, licences)

    def test_changes_with_its_controls(self):
        self.open("?all")
        before = self.curves_of("regret")
        filled = ("return document.querySelectorAll('.chart[data-kind=regret] "
                  "path[fill-opacity]').length")
        bands = self.browser.run(filled)
        self.assertGreaterEqual(bands, 4)
        self.choose("band", "none")
        self.browser.run("handrailDrawAll()")
        self.assertEqual(self.browser.run(filled), 0)
        self.choose("regret-scale", "log")
        logarithmic = self.curves_of("regret")
        self.assertNotEqual(before, logarithmic)
        self.choose("rounds-scale", "log")
        self.assertNotEqual(logarithmic, self.curves_of("regret"))
        self.choose("alpha", "0.5")
        caption = self.browser.run("return document.querySelector('.tables caption').textContent")
        self.assertIn("α = 0.5", caption)
        self.assertIn("1.5 times", self.browser.run(
            "return document.querySelector('.summary').textContent"))

    def test_hides_an_agent_everywhere(self):
        self.open("?all")
        self.browser.run("document.querySelector('.legend-entry').click(); handrailDrawAll()")
        self.assertEqual(len(self.curves_of("regret")), 4)
        self.assertEqual(len(self.curves_of("slack")), 2)
        pressed = self.browser.run("return [...document.querySelectorAll('.legend')].map((each) =>"
                                   "each.firstChild.getAttribute('aria-pressed'))")
        self.assertEqual(pressed, ["false"] * 3)
        self.browser.run("document.querySelectorAll('.legend-entry').forEach((each) => "
                         "each.getAttribute('aria-pressed') === 'true' && each.click());"
                         "handrailDrawAll()")
        self.browser.run("document.querySelectorAll('.legend-entry')[0].click()")
        self.browser.run("handrailDrawAll()")
        self.assertEqual(len(self.curves_of("regret")), 1)

    def test_shows_values_under_the_pointer(self):
        self.open("?all")
        place = self.browser.run(
            "const chart = document.querySelector('.chart[data-kind=regret]');"
            "chart.scrollIntoView({block: 'center'});"
            "const box = chart.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]")
        self.browser.devtools("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
        text = self.browser.wait("return document.querySelector('.tooltip')?.textContent")
        self.assertRegex(text, r"^round \d")
        self.assertIn(NASTY_AGENT, text)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img').length"), 0)

    def test_sorts_its_table(self):
        self.open()
        column = ("return [...document.querySelectorAll('.tables table')[0].tBodies[0].rows]"
                  ".map((row) => row.cells[1].textContent)")
        self.browser.run("document.querySelectorAll('.tables .sort')[1].click()")
        upwards = self.browser.run(column)
        self.browser.run("document.querySelectorAll('.tables .sort')[1].click()")
        downwards = self.browser.run(column)
        numbers = [float(re.sub(r"\s", "", text).split("±")[0]) for text in upwards[:-1]]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(upwards[-1], "–")
        self.assertEqual(downwards, upwards[-2::-1] + ["–"])
        self.assertEqual(self.browser.run(
            "return document.querySelectorAll('.tables strong').length > 0"), True)

    def test_fits_a_phone(self):
        too_wide = "return document.documentElement.scrollWidth"
        self.open("?all", width=360, height=740)
        self.assertEqual(self.browser.run(too_wide), 360)
        self.open("?all", width=1280)
        self.browser.size(360, 740)
        self.assertEqual(self.browser.run(too_wide), 360)
        sizes = self.browser.wait(
            "const first = document.querySelector('.chart'), svg = first.querySelector('svg');"
            "first.scrollIntoView();"
            "return svg.clientWidth <= first.clientWidth && [svg.clientWidth, first.clientWidth]")
        self.assertLessEqual(sizes[0], 360)

    def colours(self):
        return self.browser.run(
            "return [getComputedStyle(document.documentElement).backgroundColor,"
            "document.querySelector('.chart[data-kind=regret] text').getAttribute('fill')]")

    def test_is_dark_where_that_is_preferred(self):
        self.open("?all")
        light = self.colours()
        self.assertEqual(light[0], "rgb(255, 255, 255)")
        self.browser.run("document.querySelector('.theme').click(); handrailDrawAll()")
        dark = self.colours()
        self.assertNotEqual(light[0], dark[0])
        self.assertNotEqual(light[1], dark[1])
        self.open("?all", dark=True)
        self.assertEqual(self.colours(), dark)
        self.browser.run("document.querySelector('.theme').click(); handrailDrawAll()")
        self.assertEqual(self.colours(), light)

    def test_prints_light_and_whole(self):
        self.open(dark=True)
        self.browser.media("print", dark=True)
        self.browser.wait("return document.querySelectorAll('.chart svg').length === 24")
        self.assertTrue(all(longest > 3 for _, _, longest in self.charts()))
        background, ink = self.colours()
        self.assertEqual(background, "rgb(255, 255, 255)")
        self.assertIn(ink, ("#1c1d1f", "#5d6066"))
        self.assertEqual(self.browser.run(
            "return ['.controls', '.theme', '#licences'].map((each) =>"
            "getComputedStyle(document.querySelector(each)).display)"), ["none"] * 3)
        self.browser.media("", dark=True)
        self.browser.wait(
            "return document.querySelector('.chart text').getAttribute('fill') !== arguments[0]",
            ink)
        pdf = self.browser.pdf()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", pdf)), 3)


if __name__ == "__main__":
    cli_support.main()
