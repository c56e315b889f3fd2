"""Settings from files, and what the program says of itself: agents, saves, version.
Usage: cli_settings_test.py HANDRAIL"""
import json

import cli_support

SHORT = ["--world", "armed:arms=3", "--rounds", "5"]
TABLES = '''
rounds = 40
alpha = 0.3
seed = 5
delay = "uniform:4"

[agent]
preset = "c-fastcb"
oracle = "linear"
floor = 0.05
learn_from_baseline = false
gamma_scale = 20

[world]
name = "nonlinear"
arms = 4
shape = "cosine"
'''
AS_FLAGS = ["--agent", "c-fastcb:oracle=linear,floor=0.05,learn_from_baseline=no,gamma_scale=20",
            "--world", "nonlinear:arms=4,shape=cosine", "--rounds", "40", "--alpha", "0.3",
            "--seed", "5", "--delay", "uniform:4"]


class TomlFiles(cli_support.CliTest):
    def traced(self, name, *words):
        self.trace(name, *words)
        return self.read(name)

    def test_tables_say_the_same_as_flags(self):
        path = self.write("run.toml", TABLES)
        self.assertEqual(self.traced("a", "--config", path), self.traced("b", *AS_FLAGS))

    def test_a_spec_may_be_written_whole(self):
        path = self.write("run.toml", 'agent = "%s"\nworld = "%s"\nrounds = 40\nalpha = 0.3\n'
                          'seed = 5\ndelay = "uniform:4"\n' % (AS_FLAGS[1], AS_FLAGS[3]))
        self.assertEqual(self.traced("a", "--config", path), self.traced("b", *AS_FLAGS))

    def test_flags_override_the_file(self):
        path = self.write("run.toml", TABLES)
        header = json.loads(self.traced("a", "--config", path, "--alpha", "0.7", "--world", "armed",
                                        "--delay", "2", "--rounds", "3").splitlines()[0])
        self.assertEqual((header["alpha"], header["seed"]), (0.7, 5))
        self.assertEqual(header["environment"], "armed:arms=10,rank=4,noise=bernoulli,delay=2")
        self.assertEqual(header["config"]["oracle"], "linear")
        header = json.loads(self.traced("b", "--config", path, "--agent", "squarecb:oracle=ridge",
                                        "--rounds", "3").splitlines()[0])
        self.assertEqual((header["agent"], header["config"]["floor"]), ("squarecb", 0))

    def test_files_that_make_no_sense_are_refused_with_their_place(self):
        for text, naming in (
                ("alpha = \n", ":1:"), ("[agent\n", ":1:7"), ("a\nb\n", ":1:"),
                ("x = 1 1\n", ":1:"),
                ('seed = 1\nagent = "c-squarecb\n', ":2:"), ("rounds = 5\nrounds = 6\n", ":2:"),
                ("\nalhpa = 0.1\n", [":2:9", '"alhpa"', '"alpha"']),
                ("[agent]\norcle = 'ridge'\n", [":2:9", '"orcle"', '"oracle"']),
                ("[agent]\noracle = 'forest'\n", [":2:10", '"forest"']),
                ("[agent]\npreset = 'c-squarbc'\n", [":2:10", '"c-squarbc"', '"c-squarecb"']),
                ("[agent]\noracle = 'ridge,gate=open'\n", [":2:10", "comma"]),
                ("[world]\nname = 'lineal'\n", [":2:8", '"lineal"', '"linear"']),
                ("[world]\narms = 0\n", [":2:8", 'arms is "0"']),
                ("[wrold]\nname = 'linear'\n", [":2:8", '"wrold.name"']),
                ("alpha = [0.1]\n", [":1:10", "alpha is a list"]),
                ("alpha = 2024-01-01\n", [":1:9", "alpha"]),
                ("alpha = 'much'\n", [":1:9", '"much"']), ("alpha = true\n", [":1:9", "alpha"]),
                ("rounds = -5\n", [":1:10", '"-5"']), ("rounds = 1.5\n", [":1:10", '"1.5"']),
                ("agent = 3\n", [":1:9", '"3"']), ("agent = ''\n", [":1:9", "agent"]),
                ("alpha = nan\n", ["alpha", "nan"]), ("delta = 1\n", ['delta is "1"']),
                ("x = " + "[" * 5000 + "]" * 5000 + "\n", ":1:")):
            path = self.write("bad.toml", text)
            parts = [naming] if isinstance(naming, str) else naming
            place = path + parts[0] if parts[0].startswith(":") else parts[0]
            with self.subTest(text=text[:60]):
                self.refused("run", "--config", path, naming=[place, *parts[1:]])

    def test_files_that_cannot_be_read_are_refused(self):
        self.refused("run", "--config", self.path("absent.toml"), naming="absent.toml")
        self.refused("run", "--config", str(self.folder), naming=str(self.folder))
        self.refused("run", "--config", self.write("bad.toml", b"alpha = \xff\n"),
                     naming="bad.toml:1:")
        self.refused("run", "--config", self.write("bad.toml", b"\0" * 10), naming="bad.toml:1:")

    def test_an_empty_file_changes_nothing(self):
        path = self.write("empty.toml", "# nothing\n")
        words = ["--agent", "uniform", *SHORT]
        self.assertEqual(self.traced("a", "--config", path, *words), self.traced("b", *words))


class Listings(cli_support.CliTest):
    def config_of(self, spec):
        self.trace("trace.jsonl", "--agent", spec, "--world", "armed:arms=3", "--rounds", "1")
        return json.loads(self.read("trace.jsonl").splitlines()[0])

    def test_every_listed_parameter_can_be_given_back(self):
        listing = json.loads(self.good("agents", "--json"))
        self.assertGreater(len(listing["agents"]), 19)
        names = [parameter["name"] for parameter in listing["parameters"]]
        own = {kind: {part["name"]: [parameter["name"] for parameter in part["parameters"]]
                      for part in listing[parts]}
               for kind, parts in (("policy", "policies"), ("oracle", "oracles"),
                                   ("gate", "gates"))}
        for agent in listing["agents"]:
            with self.subTest(agent=agent["name"]):
                owned = [name for kind in own for name in own[kind][agent["parameters"][kind]]]
                self.assertEqual(list(agent["parameters"]), names + owned)
                pairs = ["%s=%s" % pair for pair in agent["parameters"].items()]
                self.assertEqual(self.config_of(agent["name"] + ":" + ",".join(pairs)),
                                 self.config_of(agent["name"]))

    def test_every_listed_parameter_of_the_defaults_is_said_to_be_its_default(self):
        listing = json.loads(self.good("agents", "--json"))
        first = listing["agents"][0]
        self.assertEqual(first["name"], "c-squarecb")
        for parameter in listing["parameters"]:
            self.assertEqual(first["parameters"][parameter["name"]], parameter["default"])
            self.assertTrue(parameter["meaning"] and parameter["expected"] and parameter["group"])

    def test_every_listed_world_can_be_played(self):
        listing = json.loads(self.good("agents", "--json"))
        names = [world["name"] for world in listing["worlds"]]
        self.assertEqual(names[:6], ["linear", "nonlinear", "misspecified", "drifting", "armed",
                                     "product"])
        for world in listing["worlds"]:
            keys = ",".join("%s=%s" % (key["name"], key["default"]) for key in world["keys"])
            spec = world["name"] + ":" + keys
            for name, given in (("full.jsonl", spec), ("bare.jsonl", world["name"])):
                self.trace(name, "--agent", "smooth-igw:oracle=linear", "--world", given,
                           "--rounds", 2)
            self.assertEqual(self.read("full.jsonl"), self.read("bare.jsonl"))

    def test_every_listed_key_says_what_it_expects(self):
        listing = json.loads(self.good("agents", "--json"))
        keys = [key for world in listing["worlds"] for key in world["keys"]]
        for key in keys + listing["data_keys"]:
            self.assertTrue(key["meaning"] and key["expected"], key["name"])
        bounds = {world["name"]: {key["name"]: key["expected"] for key in world["keys"]}
                  for world in listing["worlds"]}
        self.assertEqual(bounds["linear"]["arms"], "a whole number in [1, 65536]")
        self.assertEqual(bounds["misspecified"]["arms"], "a whole number in [3, 65536]")
        self.assertEqual(bounds["drifting"]["rank"], "auto or a whole number in [1, 65536]")
        self.assertEqual([name for name in bounds if "jump" in bounds[name]], ["drifting"])
        formats = [each["name"] for each in listing["data_formats"]]
        self.assertEqual(formats[:5], ["arff", "csv", "tsv", "libsvm", "idx"])
        self.assertIn(".tab", listing["data_formats"][2]["endings"])
        self.assertEqual(listing["data_keys"][0]["expected"], "one of " + ", ".join(
            ["auto"] + formats))

    def test_the_listing_names_everything_in_words(self):
        listing, text = json.loads(self.good("agents", "--json")), self.good("agents")
        for part in ("agents", "parameters", "worlds", "data_keys", "data_formats"):
            for entry in listing[part]:
                self.assertIn(entry["name"].replace("@paper", ""), text)
        self.assertIn("@paper", text)

    def test_version_and_help(self):
        self.assertRegex(self.good("--version"), r"^handrail \d+\.\d+\.\d+\n$")
        for words in ([], ["run"], ["audit"], ["agents"], ["inspect"]):
            self.assertIn("--help", self.good(*words, "--help"))

    def test_inspect_tells_what_a_save_holds(self):
        path = self.path("save")
        results = self.results("--agent", "uniform:gate=certified", *SHORT, "--delay", "3",
                               "--seed", "9", "--alpha", "0.7", "--save", path)
        found = json.loads(self.good("inspect", path, "--json"))
        for field, value in {"alpha": 0.7, "delta": 0.05, "reserve": 0, "seed": 9, "decisions": 5,
                             "pending": 3, "given_up": 0,
                             "layout": "3 blocks of 1 features"}.items():
            self.assertEqual(found[field], value)
        for field in ("agent", "explored", "baseline_played", "regret", "cost_sum", "min_slack",
                      "violated_rounds", "world", "given_up"):
            self.assertEqual(found[field], results[field])
        text = dict(line.split(": ", 1) for line in self.good("inspect", path).splitlines())
        self.assertEqual(text.keys(), found.keys())
        self.assertEqual((text["seed"], text["agent"]), ("9", found["agent"]))

    def test_results_add_up(self):
        words = ["--agent", "c-squarecb:oracle=ridge", "--world", "armed:arms=3", "--rounds", "200",
                 "--alpha", "0.5"]
        results = self.results(*words, "--trace", self.path("trace.jsonl"))
        rows = list(map(json.loads, self.read("trace.jsonl").splitlines()))[1:]
        cost = sum(row["expected_cost"] for row in rows)
        explored = [row for row in rows if row["choice"] == "explore"]
        self.assertEqual((results["rounds"], results["explored"], results["baseline_played"]),
                         (200, len(explored), 200 - len(explored)))
        self.assertAlmostEqual(results["cost_sum"], cost, 9)
        self.assertAlmostEqual(results["regret"], cost - sum(row["best_cost"] for row in rows), 9)
        self.assertAlmostEqual(results["baseline_cost_sum"],
                               sum(row["baseline"]["cost"] for row in rows), 9)
        self.assertEqual(results["min_slack"], min(row["slack"] for row in rows))
        self.assertEqual((results["violated_rounds"], results["first_violation"]), (0, None))
        self.assertGreater(results["rounds_per_second"], 0)


if __name__ == "__main__":
    cli_support.main()
