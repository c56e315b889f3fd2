"""The same seed gives the same bits: again, and saved and resumed. What is left behind by a run
that could not end. Usage: cli_resume_test.py HANDRAIL"""
import json
import os
import pathlib
import signal
import subprocess

import cli_support

BEFORE, AFTER = 120, 180
SMALL = "width=8,batch=4"
# Every kind of state that a save has to hold, and costs that are under way across the cut.
SPECS = [
    "c-squarecb:" + SMALL,
    "c-squarecb:optimizer=adam,buffer=50," + SMALL,
    "c-fastcb:update=periodic,optimizer=sgd,reading=mean," + SMALL,
    "c-squarecb:ensemble=4,optimizer=sgd,pull=0,update=online,width=8",
    "c-squarecb:oracle=ridge",
    "c-fastcb:oracle=linear,gate=paper,margin_scale=0.02",
    "c-squarecb:oracle=ridge,gate=model,ridge_regret=realised",
    "c-squarecb:oracle=linear,members=open,bound=mixture",
    "c-linucb",
    "c-linucb-unknown",
    "c-linucb2",
    "c-linucb2:gate=checkpoint,future_cost=0.1",
    "linucb:gate=stagewise",
    "uniform:gate=certified",
    "baseline",
    "epsilon-greedy:oracle=ridge",
    "c-squarecb:oracle=ridge,gate=certified-ips",
    "c-squarecb:oracle=linear,gate=certified-dr,bound=mixture",
    "uniform:gate=certified-stationary",
    "c-lints:draws=3",
    "glm-ucb:gate=certified",
    "falcon:oracle=ridge,gate=certified",
    "neural-ucb:gate=certified,hidden=8,train_steps=10,train_every=10,train_until=20",
    "neural-ts:hidden=8,train_steps=3,train_every=10,memory=50",
    "ee-net:units=8,pool=3,train_steps=50,decider=network,decider_from=20,gate=certified",
    "neural-linear:units=8,train_batch=16,kept=60",
    "neural-linear:units=8,train_batch=16,draws=16,gate=certified",
    "c-smooth-igw:oracle=ridge",
    "spanner-igw:gate=certified",
]
WORDS = ["--world", "drifting:jump=150,arms=5,dim=4", "--delay", "outcome:5:300", "--alpha", "0.5",
         "--seed", "7"]


class SameBits(cli_support.CliTest):
    def play(self, name, *words):
        """(trace lines, results without what the clock says)."""
        path = self.path(name + ".jsonl")
        results = self.results(*words, "--trace", path)
        for field in ("seconds", "rounds_per_second"):
            self.assertGreater(results.pop(field), 0)
        return self.read(name + ".jsonl").splitlines(), results

    def test_a_run_repeats_itself(self):
        words = ["--agent", SPECS[0], *WORDS, "--rounds", BEFORE]
        self.assertEqual(self.play("one", *words), self.play("two", *words))
        lines, _ = self.play("three", *words[:-3], "8", *words[-2:])
        self.assertNotEqual(lines[1:], self.play("one", *words)[0][1:])

    def test_a_resumed_run_equals_one_that_never_stopped(self):
        for spec in SPECS:
            with self.subTest(spec=spec):
                words = ["--agent", spec, *WORDS]
                whole, results = self.play("whole", *words, "--rounds", BEFORE + AFTER)
                first, _ = self.play("first", *words, "--rounds", BEFORE, "--save",
                                     self.path("save"))
                second, resumed = self.play("second", "--resume", self.path("save"), "--rounds",
                                            AFTER)
                self.assertEqual(first[1:], whole[1:BEFORE + 1])
                self.assertEqual(second[1:], whole[BEFORE + 1:])
                self.assertEqual(resumed, results)
                self.assertEqual(json.loads(second[0]),
                                 {**json.loads(whole[0]), "first_round": BEFORE + 1})
                pending = json.loads(self.good("inspect", self.path("save"), "--json"))["pending"]
                self.assertGreater(pending, 20)

    def test_saving_twice_gives_the_same_file(self):
        words = ["--agent", SPECS[0], *WORDS]
        self.results(*words, "--rounds", 60, "--save", self.path("whole"))
        self.results(*words, "--rounds", 40, "--save", self.path("part"))
        self.results("--resume", self.path("part"), "--rounds", 20, "--save", self.path("part"))
        self.assertEqual(pathlib.Path(self.path("whole")).read_bytes(),
                         pathlib.Path(self.path("part")).read_bytes())

    def test_audit_takes_the_parts_of_a_run_in_order(self):
        words = ["--agent", SPECS[0], *WORDS]
        self.play("first", *words, "--rounds", BEFORE, "--save", self.path("save"))
        self.play("second", "--resume", self.path("save"), "--rounds", AFTER)
        self.play("other", *words[:-1], "8", "--rounds", BEFORE)
        first, second, other = (self.path(n + ".jsonl") for n in ("first", "second", "other"))
        self.assertIn("all %d rounds follow" % (BEFORE + AFTER), self.good("audit", first, second))
        self.refused("audit", second, naming=[second + ":1: ", "round 121"])
        self.refused("audit", second, first, naming=second + ":1: ")
        self.refused("audit", other, second, naming=[second + ":1: ", "another run"])
        self.refused("audit", first, first, naming=[first + ":1: ", "round 1;"])
        # One that was cut: the next part no longer follows on it.
        self.write("cut.jsonl", "".join(self.read("first.jsonl").splitlines(True)[:-1]))
        self.refused("audit", self.path("cut.jsonl"), second, naming=[second, "ends with 119"])

    def test_resume_accepts_what_is_the_same_and_refuses_what_is_not(self):
        self.results("--agent", "c-squarecb:oracle=ridge", "--world", "linear:arms=4", "--delay",
                     "5", "--alpha", "0.2", "--rounds", "20", "--save", self.path("save"))
        resume = ["--resume", self.path("save"), "--rounds", "1"]
        for same in (["--alpha", "0.2"], ["--agent", "c-squarecb:oracle=ridge"], ["--delay", "5"],
                     ["--agent", "c-squarecb:oracle=ridge,gate=certified"], ["--seed", "1"],
                     ["--world", "linear:arms=4,delay=5"], ["--noise", "bernoulli"],
                     ["--world", "linear:arms=4", "--delay", "5"], ["--baseline", "rank:2"],
                     ["--delta", "0.05", "--reserve", "0"]):
            with self.subTest(same=same):
                self.assertEqual(self.results(*resume, *same)["rounds"], 21)
        for other, naming in ((["--alpha", "0.3"], ["--alpha", '"0.3"', '"0.2"']),
                              (["--agent", "c-squarecb"], ["--agent"]),
                              (["--agent", "c-squarecb:oracle=linear"], ["--agent"]),
                              (["--world", "linear"], ["--world"]),
                              (["--world", "linear:arms=4"], ["--world", "delay=5"]),
                              (["--delay", "6"], ["--delay", '"delay=6"', '"delay=5"']),
                              (["--alpha", "0.2", "--noise", "none"], ["--noise"]),
                              (["--baseline", "rank:1"], ["--baseline"]),
                              (["--seed", "2"], ["--seed"]), (["--delta", "0.01"], ["--delta"]),
                              (["--reserve", "1"], ["--reserve"]),
                              (["--alpha", "abc"], ["abc"])):
            with self.subTest(other=other):
                self.refused("run", *resume, *other, naming=naming)

    def test_resume_accepts_the_file_that_started_the_run(self):
        path = self.write("run.toml", 'alpha = 0.2\nrounds = 5\ndelay = 3\n'
                          '[agent]\npreset = "c-squarecb"\noracle = "ridge"\nfloor = 0.1\n'
                          '[world]\nname = "armed"\narms = 4\n')
        self.results("--config", path, "--save", self.path("save"))
        again = ["--config", path, "--resume", self.path("save")]
        self.assertEqual(self.results(*again)["rounds"], 10)
        self.refused("run", *again, "--alpha", "0.3", naming="--alpha")
        part = self.write("part.toml", "[world]\narms = 4\n[agent]\nfloor = 0.1\n")
        self.results("--config", part, "--resume", self.path("save"), "--rounds", 1)
        part = self.write("part.toml", "[world]\narms = 4\n[agent]\nfloor = 0.2\n")
        self.refused("run", "--config", part, "--resume", self.path("save"),
                     naming=["part.toml:4:", '"floor=0.2"', '"floor=0.1"'])


class Unfinished(cli_support.CliTest):
    LATE = ["--agent", "uniform:gate=certified,pending_limit=10", "--delay", "30"]

    def test_a_traced_run_stops_before_it_would_give_up_a_decision(self):
        path = self.path("trace.jsonl")
        self.refused("run", *self.LATE, "--rounds", "100", "--trace", path, "--save",
                     self.path("save"), naming=["round 11 ", "pending_limit=10"])
        self.assertEqual(os.listdir(self.folder), ["trace.jsonl.partial"])
        self.assertEqual(len(self.read("trace.jsonl.partial").splitlines()), 11)
        self.assertIn("all 10 rounds follow", self.good("audit", path + ".partial"))

    def test_an_untraced_run_counts_what_it_gave_up(self):
        results = self.results(*self.LATE, "--rounds", "100", "--save", self.path("save"))
        self.assertEqual((results["rounds"], results["given_up"]), (100, 90))
        self.assertIn("90 decisions", self.good("run", *self.LATE, "--rounds", "100"))
        found = json.loads(self.good("inspect", self.path("save"), "--json"))
        self.assertEqual((found["given_up"], found["pending"]), (90, 10))

    def test_a_limit_that_is_never_passed_is_no_limit(self):
        self.trace("trace.jsonl", "--agent", "uniform:pending_limit=4", "--delay", "3",
                   "--rounds", "50")
        self.assertEqual(os.listdir(self.folder), ["trace.jsonl"])

    def interrupt(self, number, *words):
        """Starts a run without an end, sends it the signal once it has written some rounds."""
        partial = pathlib.Path(self.path("trace.jsonl.partial"))
        with subprocess.Popen(
                [self.program, "run", "--agent", "uniform:gate=certified", "--delay", "7",
                 "--rounds", "1000000000", "--trace", self.path("trace.jsonl"), *words],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=cli_support.ENVIRONMENT) as process:
            while process.poll() is None and not (
                    partial.exists() and partial.stat().st_size > 10_000):  # beyond the header
                pass
            process.send_signal(number)
            out, err = process.communicate(timeout=cli_support.TIMEOUT_SECONDS)
        return process.returncode, out, err

    def test_an_interrupted_run_leaves_whole_lines_and_a_state_to_go_on_from(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for name in os.listdir(self.folder):
                os.remove(self.path(name))
            code, out, err = self.interrupt(number, "--save", self.path("save"))
            self.assertEqual((code, out), (130, ""))
            self.assert_is_sentence(err)
            self.assertIn("interrupted after round", err)
            self.assertEqual(sorted(os.listdir(self.folder)), ["save", "trace.jsonl.partial"])
            lines = self.read("trace.jsonl.partial")
            self.assertTrue(lines.endswith("}\n"))
            rounds = lines.count("\n") - 1
            self.assertIn("round %d;" % rounds, err)
            self.assertIn("all %d rounds" % rounds,
                          self.good("audit", self.path("trace.jsonl.partial")))
            found = json.loads(self.good("inspect", self.path("save"), "--json"))
            self.assertEqual(found["decisions"], rounds)
            self.assertEqual(self.results("--resume", self.path("save"), "--rounds", 3)["rounds"],
                             rounds + 3)

    def test_an_interrupted_run_without_a_save_says_so(self):
        code, _, err = self.interrupt(signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertNotIn("state", err)
        self.assertEqual(os.listdir(self.folder), ["trace.jsonl.partial"])


if __name__ == "__main__":
    cli_support.main()
