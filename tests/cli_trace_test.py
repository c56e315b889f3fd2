"""Traces of every kind of agent, in every world: the program's audit accepts them, and so does the
twin, which shares no code with it. Usage: cli_trace_test.py HANDRAIL"""
import json

import cli_support
import twin

ROUNDS = 150

# Each factor runs through its values at its own pace, so that neighbours in the list differ in all
# of them; the lengths have no common period, so that combinations do not repeat.
WEIGHINGS = ["c-squarecb", "c-fastcb", "squarecb", "fastcb"]
ORACLES = ["oracle=ridge", "oracle=linear", "oracle=mlp,width=8,batch=4",
           "oracle=mlp,width=6x4,update=online,optimizer=sgd",
           "oracle=ridge,ridge_regret=realised"]
GATES = [
    "gate=open",
    "gate=certified",
    "gate=paper",
    "gate=certified,members=open",
    "gate=paper,margin_scale=1,regret_bound=2",
    "gate=certified,bound=mixture",
    "gate=paper,margin_scale=0.01",
    "gate=certified,learn_from_baseline=no,floor=0.05",
    "gate=paper,margin_rounds=m_plus_one,margin_scale=0.05",
    "gate=certified,members=open,bound=mixture",
    "gate=paper,margin_scale=0,floor=0.05",
    "gate=certified-ips",
    "gate=certified-dr",
    "gate=certified-stationary",
    "gate=certified-ips,baseline_floor=0.02,floor=0.05,bound=mixture",
    "gate=certified-dr,baseline_floor=0.7,delta_split=0.9",
    "gate=certified-stationary,delta_split=0.2,bound=mixture,learn_from_baseline=no",
]
GAMMAS = ["gamma=rounds", "gamma=costs", "gamma=constant,gamma_scale=30", "gamma=sqrt",
          "gamma=episodic", "gamma=first-order", "gamma=rounds,gamma_scale=700,gamma_exponent=0.25"]
WORLDS = ["linear", "nonlinear:shape=quadratic", "misspecified", "drifting:jump=50", "armed",
          "nonlinear:shape=bilinear", "nonlinear:shape=cosine"]
ARMS = [2, 10, 50]
ALPHAS = ["0.01", "0.1", "1"]
DELAYS = ["none", "7", "uniform:9", "outcome:5:300"]
RESERVES = ["0", "0", "1", "5"]
NOISES = ["bernoulli", "bernoulli", "none"]
CASE_COUNT = 119  # each gate in each world: 17 and 7 have no common divisor


def world_of(name, arms):
    few = 3 if name == "misspecified" else 2
    arms = max(arms, few)
    rank = ",rank=1" if arms == 3 else ""
    return name + (",arms=%d%s" if ":" in name else ":arms=%d%s") % (arms, rank)


def case(i):
    """The i-th combination, as words of the command line."""
    def pick(values, pace=1):
        return values[(i // pace) % len(values)]
    parts = [pick(ORACLES), pick(GATES), pick(GAMMAS, 7)]
    return ["--agent", pick(WEIGHINGS) + ":" + ",".join(parts),
            "--world", world_of(pick(WORLDS), pick(ARMS, 2)), "--alpha", pick(ALPHAS, 3),
            "--delay", pick(DELAYS, 5), "--reserve", pick(RESERVES, 2), "--noise", pick(NOISES, 4),
            "--seed", str(i), "--rounds", str(ROUNDS)]


# Of arms without context.
ARMED = [
    "c-ucb", "c-ucb:arm_width=first", "ucb", "budget-first", "budget-first:budget_regret=0.3",
    "c-ucb:gate=certified", "c-ucb:gate=paper,margin_scale=0.01", "uniform:gate=armwise",
    "squarecb:oracle=linear,gate=armwise", "c-fastcb:oracle=ridge,gate=budget,budget_regret=0.2",
]


class Traces(cli_support.CliTest):
    def test_audit_and_twin_accept_arms_without_context(self):
        seen = set()
        for i, agent in enumerate(ARMED * 2):
            words = ["--agent", agent, "--world", "armed:arms=%d" % ARMS[i % 2],
                     "--delay", DELAYS[i % 4], "--reserve", ["0", "20"][i // len(ARMED)],
                     "--seed", str(i), "--rounds", "400"]
            with self.subTest(words=" ".join(words)):
                path = self.trace("trace.jsonl", *words)
                self.assertIn("all 400 rounds follow", self.good("audit", path))
                lines = self.read("trace.jsonl").splitlines()
                self.assertEqual(twin.check(lines), (400, None))
                header, *rounds = map(json.loads, lines)
                seen |= {(header["gate"], row["choice"]) for row in rounds}
        for gate in ("armwise", "budget"):
            self.assertLessEqual({(gate, "explore"), (gate, "baseline")}, seen)

    def test_audit_and_twin_accept_a_covering_sample(self):
        seen, partial_propensities = set(), 0
        for i in range(CASE_COUNT):
            with self.subTest(words=" ".join(case(i))):
                path = self.trace("trace.jsonl", *case(i))
                self.assertIn("all %d rounds follow" % ROUNDS, self.good("audit", path))
                lines = self.read("trace.jsonl").splitlines()
                self.assertEqual(twin.check(lines), (ROUNDS, None))
                header, *rounds = map(json.loads, lines)
                seen |= {(header["gate"], row["choice"]) for row in rounds}
                partial_propensities += sum(
                    row["distribution"][row["arm"]] < row["propensity"] < 1.0 for row in rounds)
        # A sample that never explored, or never refused, would prove little.
        both = ["paper", "certified", "certified-ips", "certified-dr", "certified-stationary"]
        self.assertEqual(seen, {("open", "explore")} | {
            (gate, choice) for gate in both for choice in ("explore", "baseline")})
        self.assertGreater(partial_propensities, 30)

    def test_audit_accepts_the_other_agents(self):
        small = "width=8,batch=4"
        specs = ["baseline", "uniform", "uniform:gate=certified", "linucb", "c-linucb",
                 "linucb:gate=certified", "linucb:bonus_scale=0.1,gate=paper,margin_scale=0.01",
                 "greedy:" + small, "greedy:oracle=ridge,gate=certified",
                 "epsilon-greedy:" + small, "epsilon-greedy:oracle=linear,epsilon=0.3,gate=paper",
                 "c-squarecb:oracle=ridge,gate=model", "c-squarecb:oracle=ridge,gate=ellipsoid",
                 "c-fastcb:oracle=linear,gate=model,regret_bound=3",
                 "uniform:gate=certified-ips", "linucb:gate=certified-dr,baseline_floor=0.6",
                 "greedy:oracle=ridge,gate=certified-stationary",
                 "greedy:oracle=ridge,gate=certified-ips", "uniform:gate=certified-stationary",
                 "linucb:gate=certified-ips", "uniform:gate=certified-dr,baseline_floor=1",
                 "epsilon-greedy:oracle=linear,epsilon=0.3,gate=certified-dr",
                 "c-squarecb@paper:width=8", "c-fastcb@paper:width=8",
                 "c-fastcb@paper:width=8,gamma=episodic,best_cost=0.2,margin_scale=0.01",
                 "squarecb@paper:width=8", "fastcb@paper:width=8", "c-linucb@paper",
                 "c-linucb-unknown", "c-linucb-unknown:radius=0.1,sigma=0.1", "c-linucb2",
                 "c-linucb2:radius=0.1,sigma=0.1,members=open",
                 "c-linucb2:gate=checkpoint,future_cost=0.1",
                 "c-squarecb:oracle=ridge,gate=safeset",
                 "linucb:gate=stagewise,radius=0.1,sigma=0.1",
                 "epsilon-greedy:oracle=ridge,gate=contrast,radius=0.1,sigma=0.1",
                 "linucb@paper", "baseline@paper", "uniform@paper", "greedy@paper:width=8",
                 "epsilon-greedy@paper:width=8", "lints", "c-lints:draws=20",
                 "lints:gate=ellipsoid", "lints:draws=20,gate=ellipsoid", "glm-ucb",
                 "glm-ucb:gate=certified", "falcon:" + small,
                 "falcon:oracle=ridge,gate=certified,variant=plus",
                 "neural-ucb:hidden=8,train_steps=10",
                 "neural-ucb:gate=certified,hidden=8,train_steps=10",
                 "neural-ts:gate=certified,hidden=8,train_steps=3",
                 "neural-ts:gate=paper,margin_scale=0.01,hidden=8,train_steps=3,draws=9",
                 "ee-net:units=8,pool=3,train_steps=50",
                 "ee-net:units=8,pool=3,train_steps=50,decider=network,decider_from=20,gate=paper",
                 "neural-linear:units=8,train_batch=16",
                 "neural-linear:units=8,train_batch=16,draws=16,gate=certified"]
        worlds = ["linear:arms=4,dim=3", "armed:arms=5", "drifting:jump=50,arms=3"]
        for i, spec in enumerate(specs):
            words = ["--agent", spec, "--world", worlds[i % 3], "--delay", DELAYS[i % 4],
                     "--alpha", "0.5", "--rounds", str(ROUNDS)]
            with self.subTest(words=" ".join(words)):
                path = self.trace("trace.jsonl", *words)
                self.assertIn("all %d rounds follow" % ROUNDS, self.good("audit", path))

    def test_audit_accepts_a_few_of_many_arms(self):
        specs = ["smooth-igw:oracle=ridge", "c-smooth-igw:oracle=ridge,propensity_draws=0",
                 "smooth-igw:oracle=linear,acceptance=igw,gate=paper,margin_scale=0.01",
                 "spanner-igw:gate=certified", "spanner-igw@paper", "c-smooth-igw@paper:width=8"]
        for i, spec in enumerate(specs):
            words = ["--agent", spec, "--world", "product", "--delay", DELAYS[i % 4],
                     "--alpha", "0.5", "--rounds", str(ROUNDS)]
            with self.subTest(words=" ".join(words)):
                path = self.trace("trace.jsonl", *words)
                self.assertIn("all %d rounds follow" % ROUNDS, self.good("audit", path))
                with self.assertRaisesRegex(ValueError, "not of a policy known here"):
                    twin.check(self.read("trace.jsonl").splitlines())

    def test_trace_features_adds_those_of_the_played_arm(self):
        words = ["--agent", "uniform", "--world", "linear:arms=3,dim=4", "--rounds", "20"]
        self.trace("plain.jsonl", *words)
        full = self.trace("full.jsonl", *words, "--trace-features")
        self.good("audit", full)
        rows = [list(map(json.loads, self.read(name).splitlines()))
                for name in ("plain.jsonl", "full.jsonl")]
        for bare, row in list(zip(*rows))[1:]:
            features = row.pop("features")
            self.assertEqual(len(features), 5)
            self.assertAlmostEqual(sum(x * x for x in features), 1.0, 12)
            self.assertEqual(bare, row)

    def test_trace_to_stdout_is_the_trace_alone(self):
        words = ["--agent", "c-squarecb:oracle=ridge", "--rounds", "30"]
        path = self.trace("trace.jsonl", *words)
        done = self.handrail("run", *words, "--trace", "-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.read("trace.jsonl"))
        self.assertIn("regret", done.stderr)
        with open(path, encoding="utf-8") as lines:
            self.assertIn("all 30 rounds follow", self.handrail("audit", "-", stdin=lines).stdout)


if __name__ == "__main__":
    cli_support.main()
