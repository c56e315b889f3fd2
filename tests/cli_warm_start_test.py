"""Logs of plays: written by `run --log`, learned from by `--warm-start`.
Usage: cli_warm_start_test.py HANDRAIL"""
import gzip
import json

import cli_support

WORLD = ["--world", "linear:arms=4,dim=3", "--rounds", "60"]
LEARNER = ["--agent", "c-squarecb:oracle=ridge", "--seed", "5", *WORLD]


class WarmStart(cli_support.CliTest):
    def logged(self, name, *words):
        self.good("run", "--agent", "baseline", "--seed", "9", *WORLD, "--log", self.path(name),
                  "--quiet", *words)
        return self.path(name)

    def traced(self, name, *words):
        lines = self.read_trace(name, *words)
        return lines[0], lines[1:]

    def read_trace(self, name, *words):
        self.trace(name, *words)
        return [json.loads(line) for line in self.read(name).splitlines()]

    def test_a_log_holds_what_the_trace_says(self):
        rows = self.read_trace("trace", "--agent", "baseline", "--seed", "9", *WORLD,
                               "--trace-features")[1:]
        self.logged("log.jsonl")
        log = [json.loads(line) for line in self.read("log.jsonl").splitlines()]
        self.assertEqual(log, [{key: row[key] for key in ("features", "arm", "cost", "propensity")}
                               for row in rows])

    def test_both_formats_packed_or_not_teach_the_same(self):
        json_lines, table = self.logged("log.jsonl"), self.logged("log.csv")
        packed = self.write("packed", gzip.compress((self.folder / "log.csv").read_bytes()))
        header, first = self.traced("a", *LEARNER, "--warm-start", json_lines)
        self.assertEqual(header["warm_start_rows"], 60)
        for path in (table, packed):
            self.assertEqual(self.traced("b", *LEARNER, "--warm-start", path), (header, first))
        cold, without = self.traced("c", *LEARNER)
        self.assertEqual(cold["warm_start_rows"], 0)
        self.assertNotEqual(without[0]["predicted_costs"], first[0]["predicted_costs"])
        # A log earns nothing: the sides of the first round are the same with and without.
        for side in ("exposure", "allowance", "slack"):
            self.assertEqual(without[0][side], first[0][side])

    def test_the_audit_follows_and_a_run_goes_on(self):
        log = self.logged("log.csv")
        whole = self.trace("whole", *LEARNER, "--warm-start", log)
        self.assertIn("all 60 rounds follow", self.good("audit", whole))
        words = [*LEARNER[:-1], "30", "--warm-start", log]
        first = self.path("first")
        self.good("run", *words, "--trace", first, "--save", self.path("save"), "--quiet")
        resumed = ["--resume", self.path("save"), "--rounds", "30"]
        second = self.trace("second", *resumed)
        self.assertIn("all 60 rounds follow", self.good("audit", first, second))
        self.assertEqual(self.read("first").splitlines()[1:] + self.read("second").splitlines()[1:],
                         self.read("whole").splitlines()[1:])
        self.refused("run", *resumed, "--warm-start", log, naming=["--warm-start", "behind it"])

    def test_settings_of_a_file_name_it_too(self):
        log = self.logged("log.csv")
        config = self.write("run.toml", 'warm-start = "%s"\n' % log)
        self.assertEqual(self.traced("a", *LEARNER, "--config", config),
                         self.traced("b", *LEARNER, "--warm-start", log))

    def test_every_agent_of_a_comparison_learns_from_it(self):
        log = self.logged("log.csv")
        words = ["compare", "--agent", "c-squarecb:oracle=ridge", "--agent", "linucb", *WORLD,
                 "--runs", "2", "--seed", "5", "--quiet", "--json"]

        def regrets(*more):
            # Of everything that is printed only what does not tell the time.
            return [result["regret"] for result in json.loads(self.good(*words, *more))["results"]]
        warm, cold = regrets("--warm-start", log), regrets()
        self.assertEqual(len(warm), 2)
        for each, other in zip(warm, cold):
            self.assertNotEqual(each, other)
        self.refused(*words, "--warm-start", self.path("none.csv"), naming="none.csv")

    def test_refuses_a_log_of_another_layout(self):
        log = self.write("log.csv", "arm,cost,x\n0,0.5,1\n")
        self.refused("run", *LEARNER, "--warm-start", log,
                     naming=["log.csv:2", "1 features; 4 were expected"])
        self.refused("run", *LEARNER, "--warm-start", self.path("none"), naming="none")
        self.refused("run", *LEARNER, "--warm-start", "", naming="--warm-start")
        self.refused("run", *LEARNER, "--log", "-", naming="--log -")
        for other in ("--trace", "--save"):
            self.refused("run", *LEARNER, "--log", self.path("same"), other, self.path("same"),
                         naming=["--log", other])


if __name__ == "__main__":
    cli_support.main()
