"""What audit says of traces that were changed, cut or never were traces: 1 and a field, or 2 and a
place. Usage: cli_tamper_test.py HANDRAIL"""
import copy
import json
import pathlib
import random

import cli_support

# With a gate that both admits and refuses, costs that are late, and no prediction at a bound.
WORDS = ["--world", "linear:arms=4,dim=3", "--alpha", "0.5", "--delay", "3"]
SPECS = {
    "open": "squarecb:oracle=ridge",
    "certified": "c-squarecb:oracle=ridge",
    "paper": "c-fastcb:oracle=linear,gate=paper,margin_scale=0.02,regret_bound=2",
    "model": "c-squarecb:oracle=ridge,gate=model,regret_bound=0.05",
    "shut": "baseline",
    "uniform": "uniform:gate=certified",
    "ips": "c-squarecb:oracle=ridge,gate=certified-ips",
    "dr": "c-squarecb:oracle=ridge,gate=certified-dr,baseline_floor=0.5",
    "stationary": "c-squarecb:oracle=ridge,gate=certified-stationary",
}
# Rounds until they both admit and refuse.
ROUNDS = {"ips": 200, "dr": 200}
NUDGE = 1e-6


def nudged(value):
    return value - NUDGE if value > 0.5 else value + NUDGE


def other_arm(arm):
    return (arm + 1) % 4


def swapped_choice(choice):
    return {"explore": "baseline", "baseline": "explore"}[choice]


# What can be done to a field that audit checks, in a round of which everything follows.
CHANGES = {
    "t": lambda row: row["t"] + 1,
    "gamma": lambda row: 1.0 if row["gamma"] is None else nudged(row["gamma"]),
    "candidate": lambda row: other_arm(row["candidate"]),
    "exposure": lambda row: nudged(row["exposure"]),
    "margin": lambda row: nudged(row["margin"]),
    "allowance": lambda row: nudged(row["allowance"]),
    "choice": lambda row: swapped_choice(row["choice"]),
    "arm": lambda row: other_arm(row["arm"]),
    "propensity": lambda row: nudged(row["propensity"]),
    "centre": lambda row: nudged(row["centre"]),
    "regret_bound": lambda row: 0.5 if row["regret_bound"] is None else row["regret_bound"] + NUDGE,
    "slack": lambda row: 1.0 if row["slack"] is None else nudged(row["slack"]),
}


class TamperTest(cli_support.CliTest):
    def spoiled(self, rows, name="spoiled.jsonl"):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        return self.write(name, "".join(line + "\n" for line in lines))

    def assert_does_not_follow(self, rows, line, field):
        """Audit exits with 1, and names the place and the field in words and as JSON."""
        path = self.spoiled(rows)
        done = self.handrail("audit", path)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        found = json.loads(self.handrail("audit", path, "--json").stdout)
        self.assertFalse(found["follows"])
        self.assertIn(found["field"] + " does not follow: ", done.stdout)
        if line is not None:
            self.assertEqual(found["place"], "%s:%d" % (path, line))
        if field is not None:
            self.assertTrue(found["field"].startswith(field), (field, found))

    def rows_of(self, gate, rounds=None):
        path = self.trace("trace.jsonl", "--agent", SPECS[gate], *WORDS,
                          "--rounds", rounds or ROUNDS.get(gate, 60))
        self.good("audit", path)
        return list(map(json.loads, self.read("trace.jsonl").splitlines()))

    def middle(self, rows, *wanted):
        """Index of a round in the middle whose choice is one of those wanted."""
        return next(i for i in range(len(rows) // 2, len(rows) - 1)
                    if rows[i]["choice"] in wanted)


class ChangedTraces(TamperTest):
    def test_no_checked_field_can_be_changed(self):
        for gate in SPECS:
            rows = self.rows_of(gate)
            checked = json.loads(self.good("audit", self.path("trace.jsonl"), "--json"))["checked"]
            choices = {row["choice"] for row in rows[30:]}
            for choice in choices:
                place = self.middle(rows, choice)
                for field in set(checked) & set(CHANGES):
                    changed = copy.deepcopy(rows)
                    changed[place][field] = CHANGES[field](rows[place])
                    with self.subTest(gate=gate, choice=choice, field=field):
                        self.assert_does_not_follow(changed, place + 1, None)

    def test_the_changed_field_is_the_one_that_is_named(self):
        rows = self.rows_of("certified")
        place = self.middle(rows, "explore")
        for field in ("t", "gamma", "candidate", "exposure", "margin", "allowance", "propensity",
                      "centre", "slack", "regret_bound", "arm"):
            changed = copy.deepcopy(rows)
            changed[place][field] = CHANGES[field](rows[place])
            with self.subTest(field=field):
                self.assert_does_not_follow(changed, place + 1, field)

    def test_a_distribution_cannot_be_changed(self):
        for gate in ("open", "certified", "paper", "uniform", "ips", "dr", "stationary"):
            rows = self.rows_of(gate)
            shifted = copy.deepcopy(rows)
            p = shifted[20]["distribution"]
            p[0], p[1] = p[0] - 2.0 ** -20, p[1] + 2.0 ** -20
            self.assert_does_not_follow(shifted, 21, "distribution")
            for wrong in (p + [0.0], [2.0, -1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], []):
                changed = copy.deepcopy(rows)
                changed[20]["distribution"] = wrong
                self.assert_does_not_follow(changed, 21, "distribution")

    def test_inputs_outside_their_range_do_not_follow(self):
        rows = self.rows_of("certified")
        for field, value in (("candidate", 4), ("arm", 4), ("cost", 1.5), ("cost", -0.1),
                             ("expected_cost", 2), ("best_cost", 1), ("arrives", 19),
                             ("predicted_costs", []), ("predicted_costs", [0.1, 0.2, 0.3, 1.1]),
                             ("baseline", {"arm": 4, "cost": 0.5}),
                             ("baseline", {"arm": 0, "cost": 1.5}), ("gamma", -1)):
            changed = copy.deepcopy(rows)
            changed[20][field] = value
            with self.subTest(field=field, value=value):
                self.assert_does_not_follow(changed, 21, field)

    # What is taken on trust in its own round still has to fit the rounds that follow from it.
    def test_trusted_fields_show_later(self):
        rows = self.rows_of("certified")
        place = next(i for i in range(30, 50) if rows[i]["choice"] == "explore"
                     and rows[i]["arm"] != rows[i]["baseline"]["arm"])
        for field, value in (("cost", 1 - rows[place]["cost"]), ("cost", None),
                             ("arrives", rows[place]["arrives"] + 1), ("arrives", None),
                             ("baseline", {**rows[place]["baseline"], "cost": 0.123})):
            changed = copy.deepcopy(rows)
            changed[place][field] = value
            with self.subTest(field=field, value=value):
                self.assert_does_not_follow(changed, None, None)

    def test_lines_cannot_be_removed_repeated_or_swapped(self):
        for gate in SPECS:
            rows = self.rows_of(gate)
            with self.subTest(gate=gate):
                self.assert_does_not_follow(rows[:30] + rows[31:], 31, "t")
                self.assert_does_not_follow(rows[:31] + rows[30:], 32, "t")
                self.assert_does_not_follow(rows[:30] + [rows[31], rows[30]] + rows[32:], 31, "t")
                self.assert_does_not_follow(rows[:1] + rows[2:], 2, "t")

    def test_a_header_with_other_terms_does_not_follow(self):
        for gate, changes in (
                ("certified", {"alpha": 0.4, "delta": 0.1, "reserve": 0.1, "seed": 2,
                               "members": "open", "gate": "open", "weighting": "relative"}),
                ("paper", {"alpha": 0.4, "margin_scale": 0.03, "margin_rounds": "m_plus_one",
                           "floor": 0.1, "gate": "certified"}),
                ("ips", {"alpha": 0.4, "delta": 0.1, "reserve": 0.1, "gate": "certified-dr"}),
                ("dr", {"alpha": 0.4, "delta": 0.1, "reserve": 0.1, "gate": "certified-ips"}),
                ("stationary", {"alpha": 0.4, "delta": 0.1, "gate": "certified-ips"})):
            rows = self.rows_of(gate)
            for field, value in changes.items():
                changed = copy.deepcopy(rows)
                changed[0][field] = value
                with self.subTest(gate=gate, field=field):
                    self.assert_does_not_follow(changed, None, None)


class BrokenTraces(TamperTest):
    def test_what_is_no_trace_is_refused_with_its_place(self):
        rows = self.rows_of("certified", rounds=5)
        lines = self.read("trace.jsonl").splitlines()
        header, cut = json.loads(lines[0]), lines[3][:len(lines[3]) // 2]
        path = self.path("spoiled.jsonl")
        cases = [
            ("cut in half", lines[:3] + [cut] + lines[4:], ":4: "),
            ("nothing", lines[:3] + [""] + lines[3:], ":4: "),
            ("not JSON", ["once upon a time"], ":1: "),
            ("not an object", ["[1, 2]"], ":1: "),
            ("no header", lines[1:], ":1: "),
            ("a list for a round", lines[:2] + ["[]"], ":3: "),
            ("NaN", lines[:2] + [lines[2].replace('"margin":', '"margin":NaN,"was":')], ":3: "),
            ("infinity", lines[:2] + [lines[2].replace('"margin":', '"margin":1e999,"was":')],
             ":3: "),
            ("bad text", lines[:2] + [lines[2].replace('"explore"', '"exp"')
                                      .replace('"baseline",', '"base",')], ":3: "),
            ("version", [{**header, "handrail_trace": 2}] + lines[1:], ":1: "),
            ("version as text", [{**header, "handrail_trace": "1"}] + lines[1:], ":1: "),
            ("gate", [{**header, "gate": "ajar"}] + lines[1:], ":1: "),
            ("policy", [{**header, "policy": "oracle"}] + lines[1:], ":1: "),
            ("members", [{**header, "members": "all"}] + lines[1:], ":1: "),
            ("members left open", [{**header, "members": "auto"}] + lines[1:], ":1: "),
            ("delta", [{**header, "delta": 0}] + lines[1:], ":1: "),
            ("arms", [{**header, "arms": 0}] + lines[1:], ":1: "),
            ("alpha", [{**header, "gate": "certified-ips", "alpha": -2}] + lines[1:], ":1: "),
            ("alpha as text", [{**header, "alpha": "0.5"}] + lines[1:], ":1: "),
            ("deep", lines[:2] + ['{"t":' + "[" * 100000 + "]" * 100000 + "}"], ":3: "),
        ]
        for name, content, place in cases:
            with self.subTest(name):
                self.spoiled(content)
                sentence = self.refused("audit", path, naming=path + place)
                self.assertLess(len(sentence), 500 + len(path))
        for field in rows[1]:
            missing = {key: value for key, value in rows[1].items() if key != field}
            self.spoiled([rows[0], missing])
            self.refused("audit", path, naming=[path + ":2: ", field])
        # A trace may lack these: what an audit recomputes does not hang on them, or has a default.
        for field in set(header) - {"first_round", "isa", "baseline_known", "warm_start_rows"}:
            self.spoiled([{key: value for key, value in header.items() if key != field}])
            self.refused("audit", path, naming=path + ":1: ")

    def test_a_last_line_without_an_end_is_refused(self):
        self.rows_of("certified", rounds=5)
        text = self.read("trace.jsonl")
        path = self.write("cut.jsonl", text[:-1])
        self.refused("audit", path, naming=path + ":6: ")
        self.refused("audit", self.write("cut.jsonl", text[:-40]), naming=path + ":6: ")

    def test_files_that_cannot_be_read_are_refused(self):
        self.refused("audit", self.path("absent.jsonl"), naming="absent.jsonl")
        self.refused("audit", str(self.folder), naming=str(self.folder))
        self.refused("audit", self.write("empty.jsonl", ""), naming=["empty.jsonl", "empty"])
        self.refused("audit", self.write("zeros.jsonl", b"\0" * 100), naming="zeros.jsonl:1: ")
        self.refused("audit", self.write("latin.jsonl", b'{"a":"\xe4"}\n'),
                     naming="latin.jsonl:1: ")

    # A header that asks for parts that do not fit together, which no program wrote.
    def test_headers_that_contradict_themselves_are_refused(self):
        rows = self.rows_of("uniform")
        self.spoiled([{**rows[0], "gate": "paper"}] + rows[1:])
        self.refused("audit", self.path("spoiled.jsonl"), naming=":1: ")
        rows = self.rows_of("paper")
        without = {k: v for k, v in rows[0]["config"].items() if k != "regret_bound"}
        self.spoiled([{**rows[0], "config": without}] + rows[1:])
        self.refused("audit", self.path("spoiled.jsonl"), naming=[":1: ", "regret_bound"])
        self.trace("trace.jsonl", "--agent", "epsilon-greedy:oracle=ridge", *WORDS,
                   "--rounds", 60)
        header, *lines = self.read("trace.jsonl").splitlines()
        self.spoiled([header.replace('"epsilon":0.05', '"epsilon":9.05')] + lines)
        self.refused("audit", self.path("spoiled.jsonl"), naming=[":1: ", "epsilon"])

    # Every byte is changed in the unit tests; here a sample goes through the program itself.
    def test_no_changed_byte_crashes_it(self):
        dice = random.Random(1)
        for gate in ("certified", "paper"):
            self.rows_of(gate, rounds=5)
            text = pathlib.Path(self.path("trace.jsonl")).read_bytes()
            for _ in range(60):
                place = dice.randrange(len(text))
                byte = dice.choice(b'0917-.,:"{}[]en \n\0\xff')
                path = self.write("byte.jsonl", text[:place] + bytes([byte]) + text[place + 1:])
                done = self.handrail("audit", path)
                self.assertIn(done.returncode, (0, 1, 2), (place, byte, done.stderr))
                if done.returncode == 2:
                    self.assert_is_sentence(done.stderr, (place, byte))
                else:
                    self.assertEqual(done.stderr, "", (place, byte))


if __name__ == "__main__":
    cli_support.main()
