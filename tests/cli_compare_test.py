"""Comparisons: the same files however they are run, and what is refused.
Usage: cli_compare_test.py HANDRAIL"""
import csv
import io
import json
import os
import pathlib
import signal
import statistics
import subprocess

import cli_support

FILES = ("results.json", "curves.csv")
AGENTS = ["--agent", "c-squarecb:oracle=linear", "--agent", "squarecb:oracle=linear",
          "--agent", "baseline"]
WORLDS = ["--world", "linear:arms=4,dim=3", "--world", "armed:arms=3"]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class CompareTest(cli_support.CliTest):
    def compare(self, name, *words):
        folder = self.path(name)
        self.good("compare", *words, "-o", folder, "--quiet")
        return folder

    def files(self, folder):
        texts = [pathlib.Path(folder, name).read_text() for name in FILES]
        results = json.loads(texts[0])
        results.pop("command")  # it names the folder and the threads
        return results, texts[1]

    def cells(self, *words):
        return json.loads(self.good("compare", *words, "--json"))["results"]

    def run_results(self, *words):
        return json.loads(self.good("run", *words, "--json"))


class TheSameFiles(CompareTest):
    SMALL = [*WORLDS, *AGENTS, "--runs", "5", "--rounds", "300", "--alpha", "0.1", "--alpha", "0.5"]

    def test_any_number_of_threads(self):
        one = self.files(self.compare("one", *self.SMALL, "--threads", "1"))
        self.assertEqual(one, self.files(self.compare("three", *self.SMALL, "--threads", "3")))

    def test_more_runs_go_on_from_fewer(self):
        folder = self.compare("some", *self.SMALL[:-8], "--runs", "2", *self.SMALL[-6:])
        journal = pathlib.Path(folder, "journal.bin").read_bytes()
        self.compare("some", *self.SMALL)
        self.assertTrue(pathlib.Path(folder, "journal.bin").read_bytes().startswith(journal))
        self.assertEqual(self.files(folder), self.files(self.compare("all", *self.SMALL)))

    # Wherever the journal is cut, what is missing is played again.
    def test_a_cut_journal_is_mended(self):
        words = [*WORLDS[:2], *AGENTS[:2], "--runs", "3", "--rounds", "50"]
        folder = self.compare("whole", *words)
        whole = self.files(folder)
        journal = pathlib.Path(folder, "journal.bin")
        bytes_of_all = journal.read_bytes()
        first = 8 + int.from_bytes(bytes_of_all[:4], "little")
        for cut in sorted({0, 5, 20, first, first + 1, first + 9, len(bytes_of_all) // 2,
                           len(bytes_of_all) - 1, len(bytes_of_all)}):
            with self.subTest(cut=cut):
                journal.write_bytes(bytes_of_all[:cut])
                for name in FILES:
                    pathlib.Path(folder, name).unlink()
                self.compare("whole", *words)
                self.assertEqual(self.files(folder), whole)

    def test_interrupted_and_killed_comparisons_go_on(self):
        words = ["--world", "linear", *AGENTS, "--runs", "40", "--rounds", "3000"]
        whole = self.files(self.compare("whole", *words))
        for sign in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(signal=sign.name):
                folder = self.path(sign.name)
                journal = pathlib.Path(folder, "journal.bin")
                process = subprocess.Popen([self.program, "compare", *words, "-o", folder],
                                           stderr=subprocess.PIPE)
                size = 0
                while process.poll() is None and size < 50_000:  # until some runs are in it
                    size = journal.stat().st_size if journal.exists() else 0
                process.send_signal(sign)
                _, errors = process.communicate()
                if process.returncode == 130:
                    self.assertIn(b"interrupted; the same command goes on", errors)
                    self.assertFalse(pathlib.Path(folder, "results.json").exists())
                self.compare(sign.name, *words)
                self.assertEqual(self.files(folder), whole)

    def test_a_file_says_the_same_as_flags(self):
        path = self.write("compare.toml", 'title = "x"\nworld = ["linear:arms=4,dim=3", '
                          '"armed:arms=3"]\nagent = ["c-squarecb:oracle=linear", '
                          '"squarecb:oracle=linear", "baseline"]\nalpha = [0.1, 0.5]\nruns = 5\n'
                          'rounds = 300\n')
        from_file = self.files(self.compare("file", "--config", path))
        from_file[0]["title"] = None
        self.assertEqual(from_file, self.files(self.compare("flags", *self.SMALL)))
        answers = self.cells("--config", path, "--agent", "baseline", "--alpha", "0.2")
        self.assertEqual({(each["agent"], each["alpha"]) for each in answers}, {("baseline", 0.2)})


class WhatIsInThem(CompareTest):
    def test_results_are_those_of_single_runs(self):
        words = ["--rounds", "400", "--alpha", "0.2"]
        runs = [self.run_results("--agent", "c-squarecb:oracle=ridge", "--world", "linear:arms=5",
                                 "--seed", seed, *words) for seed in (7, 8, 9)]
        (cell,) = self.cells("--agent", "c-squarecb:oracle=ridge", "--world", "linear:arms=5",
                               "--seed", "7", "--runs", "3", *words)
        regrets = [run["regret"] for run in runs]
        self.assertAlmostEqual(cell["regret"]["mean"], statistics.mean(regrets), places=9)
        self.assertAlmostEqual(cell["regret"]["stderr"], statistics.stdev(regrets) / 3 ** 0.5,
                               places=9)
        ratios = [run["charged_sum"] / run["baseline_cost_sum"] for run in runs]
        self.assertAlmostEqual(cell["cost_ratio"], statistics.mean(ratios), places=12)
        self.assertAlmostEqual(cell["explored_share"],
                               statistics.mean(run["explored"] / 400 for run in runs), places=12)

    def test_always_the_baseline_costs_exactly_the_baseline(self):
        folder = self.compare("base", "--world", "linear", *AGENTS, "--runs", "3", "--rounds", "90")
        results, curves = self.files(folder)
        (cell,) = [each for each in results["results"] if each["agent"] == "baseline"]
        self.assertEqual((cell["cost_ratio"], cell["explored_share"], cell["violating_runs_share"],
                          cell["first_violation"]), (1, 0, 0, None))
        last = [row for row in rows_of(curves) if row["t"] == "90" and row["agent"] == "baseline"]
        self.assertEqual({row["quantity"] for row in last},
                         {"regret", "cost_ratio", "explored_share", "violated_share"})
        self.assertAlmostEqual(float(last[0]["mean"]), cell["regret"]["mean"], places=9)

    def test_conservative_agents_know_their_controls(self):
        folder = self.compare("pair", "--world", "armed", *AGENTS, "--runs", "2", "--rounds", "20")
        agents = {each["agent"]: each for each in self.files(folder)[0]["agents"]}
        gated = agents["c-squarecb:oracle=linear"]
        self.assertEqual((gated["conservative"], gated["control"]),
                         (True, "squarecb:oracle=linear"))
        self.assertFalse(agents["baseline"]["conservative"])

    def test_paired_differences_are_of_the_same_seeds(self):
        words = ["--world", "linear:arms=5", "--rounds", "200", "--runs", "4"]
        folder = self.compare("paired", *words, "--agent", "uniform", "--agent", "baseline")
        (difference,) = self.files(folder)[0]["differences"]
        runs = {agent: [self.run_results("--agent", agent, *words[:4], "--seed", seed)["regret"]
                        for seed in (1, 2, 3, 4)] for agent in ("uniform", "baseline")}
        gaps = [a - b for a, b in zip(runs["baseline"], runs["uniform"])]
        self.assertEqual((difference["agent"], difference["against"]), ("baseline", "uniform"))
        self.assertAlmostEqual(difference["regret"]["mean"], statistics.mean(gaps), places=9)
        reach = 3.182446305 * statistics.stdev(gaps) / 2
        self.assertAlmostEqual(difference["regret"]["high"], statistics.mean(gaps) + reach,
                               places=5)

    # Each candidate is played on seeds of its own, and the best one only on the seeds compared.
    def test_grids_are_chosen_on_separate_seeds(self):
        spec = "squarecb:oracle=linear,lr=0.5|1e-06"
        folder = self.compare("grid", "--world", "linear", "--agent", spec, "--runs", "2",
                              "--rounds", "500", "--tuning-runs", "2")
        results = self.files(folder)[0]
        (tuning,) = results["tuning"]
        (cell,) = results["results"]
        self.assertEqual(cell["chosen"], "squarecb:oracle=linear,lr=0.5")
        self.assertEqual([each["chosen"] for each in tuning["candidates"]], [True, False])
        for each in tuning["candidates"]:
            regrets = [self.run_results("--agent", each["agent"], "--world", "linear", "--rounds",
                                        "500", "--seed", 1_000_001 + r)["regret"] for r in (0, 1)]
            self.assertAlmostEqual(each["regret"]["mean"], statistics.mean(regrets), places=9)

    def test_the_table_names_everything(self):
        text = self.good("compare", *WORLDS, *AGENTS, "--runs", "2", "--rounds", "50")
        for word in ("linear:arms=4,dim=3, alpha 0.1", "armed:arms=3", "c-squarecb:oracle=linear",
                     "rounds violated", "paired differences"):
            self.assertIn(word, text)


class DataSets(CompareTest):
    def csv_file(self, name="points.csv", rows=60):
        lines = ["x,y,logged,kind"]
        for i in range(rows):
            lines.append("%d,%g,%s,%s" % (i % 7, i * 0.5, "ab"[i % 2], "aabc"[i % 4]))
        return self.write(name, "\n".join(lines) + "\n")

    def test_baselines_and_what_is_known_of_them(self):
        path = self.csv_file()
        for words, cost in (([], 0.505), (["--baseline", "c"], 0.7525),
                            (["--baseline", "1"], 0.7525), (["--baseline", "minority"], 0.7525),
                            (["--baseline-known", "per_round"], 0.505),
                            (["--noise", "flip:0.5"], 0.628750)):
            with self.subTest(words=words):
                folder = self.compare("d" + "".join(words), "--data", path, "--agent", "baseline",
                                      *words, "--runs", "1", "--rounds", "60")
                (facts,) = self.files(folder)[0]["environments"]
                self.assertAlmostEqual(facts["baseline_cost"], cost, places=9)
        for words in (["--baseline", "trained:20"], ["--baseline", "column:logged"]):
            folder = self.compare("p" + words[1][:4], "--data", path, "--agent", "uniform", *words,
                                  "--runs", "1", "--rounds", "60")
            self.assertIsNone(self.files(folder)[0]["environments"][0]["baseline_arm"])

    def test_rows_that_repeat_are_said_to(self):
        answer = self.good("compare", "--data", self.csv_file(), "--agent", "baseline",
                              "--rounds", "200", "--runs", "1")
        self.assertIn("60 rows are played more than once, in a new order each time", answer)

    def test_cost_columns(self):
        path = self.write("costs.csv", "x,left,right\n1,2,8\n2,4,0\n3,6,6\n")
        (cell,) = self.cells("--data", path, "--costs", "left,right", "--cost-max", "8",
                               "--agent", "uniform", "--runs", "1", "--rounds", "9")
        self.assertLessEqual(cell["regret"]["mean"], 9 * 0.75)
        self.refused("compare", "--data", path, "--costs", "left,right", "--agent", "uniform",
                     naming=["row 1", '"left"', "2", "[0, 1]", "--cost-max"])
        self.refused("compare", "--data", path, "--costs", "left,wrong", "--agent", "uniform",
                     naming=['"wrong"'])

    def test_a_run_of_a_data_set_goes_on_and_sees_changed_cells(self):
        path = self.csv_file()
        words = ["--data", path, "--agent", "c-squarecb:oracle=ridge"]
        save = self.path("half.save")
        self.good("run", *words, "--rounds", "100", "--save", save)
        half = self.run_results(*words, "--rounds", "100", "--resume", save)
        whole = self.run_results(*words, "--rounds", "200")
        self.assertEqual(half["regret"], whole["regret"])
        self.csv_file(rows=61)
        self.refused("run", "--rounds", "5", "--resume", save, naming=["other cells"])

    def test_changed_cells_are_another_comparison(self):
        path = self.csv_file()
        words = ["--data", path, "--agent", "uniform", "--runs", "1", "--rounds", "5"]
        folder = self.compare("changed", *words)
        self.csv_file(rows=61)
        self.refused("compare", *words, "-o", folder, naming=["another comparison", "checksum"])


class BadInput(CompareTest):
    ONE = ["--world", "armed", "--agent", "uniform", "--runs", "1", "--rounds", "5"]

    def test_settings_that_make_no_sense(self):
        for words, naming in (
                (["--agent", "uniform"], "--data"), (["--world", "linear"], "--agent"),
                ([*self.ONE, "--agent", "uniform"], "given twice"),
                ([*self.ONE, "--alpha", "0.1", "--alpha", "0.10"], "given twice"),
                ([*self.ONE, "--alpha", "x"], '"x"'), ([*self.ONE, "--alpha", "-1"], "-1"),
                ([*self.ONE, "--delta", "1"], 'delta is "1"'), (["--runs", "0"], '"0"'),
                ([*self.ONE, "--agent", "c-squarecb:lr=0.1|x"], '"x"'),
                ([*self.ONE, "--agent", "greddy"], '"greedy"'),
                ([*self.ONE, "--baseline", "majority"], "rank:N"),
                ([*self.ONE, "--class", "x"], "data sets only"),
                ([*self.ONE, "--threads", "0"], "threads"),
                (["--data", "none.csv", *self.ONE], "none.csv"),
                (["--data", "a:scale=up", *self.ONE], '"up"'),
                (["--data", "a:scael=none", *self.ONE], '"scale"'),
                (["--config", "/nonexistent.toml"], "/nonexistent.toml")):
            with self.subTest(words=words):
                self.refused("compare", *words, naming=[naming])

    def test_lists_and_grids_that_make_no_sense(self):
        one = 'world = "armed"\nagent = "uniform"\n'
        for text, naming in (
                (one + 'noise = ["none", "bernoulli"]\n', [":3:10", "noise is a list"]),
                (one + "runs = [1, 2]\n", [":3:9", "runs is a list"]),
                (one + "alpha = [0.1,\n-1]\n", [":4:1", "-1"]),
                ('world = "armed"\nagent = "c-squarecb:gate=open|certified"\n', [":2:9", "gate"]),
                ('world = "armed"\nagent = "squarecb:lr=0.1|0.10"\n', [":2:9", "twice"])):
            with self.subTest(text=text):
                self.refused("compare", "--config", self.write("bad.toml", text), naming=naming)

    def test_a_baseline_that_costs_nothing(self):
        path = self.write("free.csv", "x,a,b\n1,0,1\n2,0,0.5\n")
        self.refused("compare", "--data", path, "--costs", "a,b", "--agent", "uniform",
                     naming=["the baseline is said to cost nothing"])

    def test_stdin_is_read_once_and_may_stand_beside_others(self):
        words = ["compare", "--data", "-:format=csv", *self.ONE]
        done = self.handrail(*words, input="x,k\n1,a\n2,b\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(*words, "--data", "-:format=csv,scale=none", input="x,k\n1,a\n2,b\n",
                     naming=["stdin can be one data set only"])

    def test_data_that_cannot_be_played(self):
        for text, words, naming in (
                ("x,k\n1,a\n2,a\n", [], ["one class only", '"a"']),
                ("x,k\n1,a\n2,\n", [], ["row 2 has no class"]),
                ("x,k\n1,a\n2,b\n", ["--class", "kind"], ['"kind"']),
                ("x,k\n1,0.5\n2,1.5\n", [], ['"k" holds numbers such as 0.5']),
                ("x,k\n1,0.5\n2,1.5\n", ["--class", "x", "--baseline", "7"], ['"7"']),
                ("x,k\n1,a\n2,b,c\n", [], [":3"]), ("", [], ["empty"]),
                ("x,k\n1,a\n2,b\n", ["--baseline", "trained:2"], ["trained:2"]),
                ("x,k\n1,a\n2,b\n", ["--baseline-known", "unknown"], ["unknown"])):
            path = self.write("bad.csv", text)
            with self.subTest(text=text, words=words):
                self.refused("compare", "--data", path, "--agent", "c-squarecb", *words,
                             naming=naming)
        self.write("bad.arff", "@relation r\n@attribute x real\n@attribute y real\n@data\n1,2\n")
        self.refused("compare", "--data", self.path("bad.arff"), "--agent", "uniform",
                     naming=['"y" is numeric'])
        # ARFF says what is a class; a name that merely holds its ending is no ARFF.
        self.refused("compare", "--data", self.write("bad.arff.csv", "x,k\n1,0.5\n2,1.5\n"),
                     "--agent", "uniform", naming=['"k" holds numbers such as 0.5'])

    def test_a_folder_of_another_comparison_is_left_alone(self):
        folder = self.compare("taken", *self.ONE)
        before = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        self.refused("compare", *self.ONE[:-1], "6", "-o", folder,
                     naming=["another comparison", "rounds 5", "rounds 6"])
        # Other vector instructions give other last bits.
        self.refused("compare", *self.ONE, "-o", folder, naming=["another comparison", "isa"],
                     env={**cli_support.ENVIRONMENT, "HANDRAIL_ISA": "portable"})
        self.assertEqual(before, {path.name: path.read_bytes()
                                  for path in pathlib.Path(folder).iterdir()})

    def test_two_comparisons_do_not_share_a_folder(self):
        folder = self.path("busy")
        words = ["compare", "--world", "linear", "--agent", "c-squarecb", "--runs", "50",
                 "--rounds", "100000", "-o", folder]
        first = subprocess.Popen([self.program, *words], stderr=subprocess.DEVNULL)
        while not pathlib.Path(folder, "journal.bin").exists() or \
                pathlib.Path(folder, "journal.bin").stat().st_size == 0:
            self.assertIsNone(first.poll())
        self.refused(*words, naming=["another comparison is writing there"])
        first.kill()
        first.wait()

    def test_places_that_cannot_be_written(self):
        self.refused("compare", *self.ONE, "-o", "/dev/full", naming=["/dev/full"])
        self.refused("compare", *self.ONE, "-o", "/dev/null/x", naming=["/dev/null/x"])
        folder = pathlib.Path(self.path("broken"))
        folder.mkdir()
        (folder / "journal.bin").write_text("not a journal")
        self.refused("compare", *self.ONE, "-o", str(folder), naming=["not a journal"])

    # Runs that no longer fit are an error, and the comparison goes on when there is room again.
    # Before anything is played: results.json shows the command.
    def test_a_command_that_is_no_text(self):
        folder = self.path(os.fsdecode(b"no\xfftext"))
        self.refused("compare", "--world", "armed", "--agent", "uniform", "-o", folder,
                     naming="not text in UTF-8")
        self.assertFalse(os.path.exists(folder))

    def test_a_full_disk(self):
        words = ["--world", "armed", "--agent", "uniform", "--runs", "40", "--rounds", "300"]
        whole = self.files(self.compare("room", *words))
        limit = ["bash", "-c", 'ulimit -f 64; exec "$@"', "-", self.program]
        folder = self.path("full")
        done = subprocess.run([*limit, "compare", *words, "-o", folder], capture_output=True,
                              text=True, preexec_fn=lambda: signal.signal(signal.SIGXFSZ,
                                                                           signal.SIG_IGN))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("journal.bin: cannot be written", done.stderr)
        self.assertEqual(os.listdir(folder), ["journal.bin"])
        self.compare("full", *words)
        self.assertEqual(self.files(folder), whole)


if __name__ == "__main__":
    cli_support.main()
