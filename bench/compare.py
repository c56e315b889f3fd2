#!/usr/bin/env python3
"""Handrail beside a plain PyTorch script and beside what the machine can do, in one run.

Usage: bench/compare.py [--out results.json] [--repetitions N] [--quick] [--build DIR]

The two programs take turns (A B A B), so that what disturbs the machine disturbs both, and a ratio
is the median over the turns. Within a turn the best repetition counts, on both sides. The
ceilings of the machine are measured in the same turns. With HANDRAIL_DATA set, streams are data
sets; else synthetic rounds of the same shape. --quick only shows that everything works: its
numbers mean nothing. Needs PyTorch under /usr/bin/python3; ends with 2 where it is missing.
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import bench_support
import tables
from bench_support import HERE, LINEAR, NETWORK, PAPER, Failure, output_of

PYTHON = "/usr/bin/python3"
PACKAGES = "python3-torch libopenblas0"

AGENTS = {
    "linear": LINEAR,
    "linear-lists": LINEAR,
    "gated": "c-" + LINEAR,
    "paper": PAPER + ",width=100,ensemble=0",
    "ensemble": PAPER + ",width=100,ensemble=10",
    "replay": NETWORK + ",width=100,update=replay,batch=1,batches=100",
    "replay-batches": NETWORK + ",width=100,update=replay,batch=10,batches=10",
}

# Agents that get their rows as lists of what is not 0.
LISTED = {"linear-lists"}

# (stream, agents that take turns in one process, rounds, arguments of the PyTorch script or None)
TURNS = (
    ("letter", ("linear", "gated"), 20_000, None),
    ("shuttle", ("linear",), 20_000, None),
    ("mnist", ("linear",), 10_000, None),
    ("mnist", ("linear-lists",), 10_000, None),
    ("letter", ("paper", "ensemble"), 4_000, ("--update", "paper")),
    ("shuttle", ("paper",), 4_000, ("--update", "paper")),
    ("mnist", ("paper",), 1_000, ("--update", "paper")),
    ("letter", ("ensemble",), 1_000, ("--update", "paper", "--ensemble")),
    ("letter", ("replay",), 200, ("--update", "replay")),
    ("letter", ("replay-batches",), 200, ("--update", "replay-batches")),
    ("letter", (), 0, ("--job", "gradients")),
    ("mnist", (), 0, ("--job", "gradients")),
)
# (stream, agent, rounds): long enough to learn something, short enough for the slower of the two.
REGRETS = (("letter", "paper", 3_000), ("letter", "ensemble", 1_500), ("shuttle", "paper", 3_000),
           ("mnist", "paper", 1_000))
REGRET_SECONDS = 120
TAPE_ROUNDS = {"letter": 20_000, "shuttle": 20_000, "mnist": 10_000, "letter-16": 4_000,
               "shuttle-9": 4_000, "mnist-784": 1_000}
# Networks have biases and get the columns of the data set alone.
NETWORK_TAPES = {"letter": "letter-16", "shuttle": "shuttle-9", "mnist": "mnist-784"}
PLAIN_FORM = "plain"
TUNED_FORMS = ("flat", "arms", "blocks")
FORM_TRIALS = 3
KERNEL_PROGRAMS = ("handrail_bench_agent", "handrail_bench_linear", "handrail_bench_network")


class Reference:
    """The PyTorch script. One process waits for all jobs, idle while others have their turn."""

    def __enter__(self):
        self.process = subprocess.Popen([PYTHON, "-B", HERE / "torch_reference.py", "-"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def ask(self, words):
        self.process.stdin.write(shlex.join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failure(f"torch_reference.py ended with {self.process.wait()}")
        return json.loads(answer)

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Bench:
    """Runs the programs and keeps what they said, turn by turn."""

    def __init__(self, options, folder, reference):
        self.options = options
        self.reference = reference
        self.folder = folder
        self.tuned_forms = {}  # of each PyTorch job, the fastest
        self.measured = {}  # name -> one number a turn

    def program(self, name):
        path = self.options.build / name
        return path if path.exists() else None

    def record_tapes(self):
        """One file of rounds a stream. Returns the names of those that are synthetic."""
        synthetic = []
        for stream, rounds in TAPE_ROUNDS.items():
            recorded = self.decisions(
                "--stream", stream, "--record", self.file(stream), "--rounds",
                min(rounds, self.options.most_rounds), "--agent", "uniform", "--repetitions", 1)
            if recorded[0]["synthetic"]:
                synthetic.append(stream)
        return synthetic

    def decisions(self, *words):
        return bench_support.decisions(self.options, words)

    def file(self, tape):
        return self.folder / f"{tape}.tape"

    def note(self, name, value):
        self.measured.setdefault(name, []).append(value)

    def compare_regrets(self):
        """Whether both learn the same: their regret over seeds, after the same rounds."""
        for stream, agent, rounds in REGRETS:
            rounds = min(rounds, self.options.most_rounds)
            arguments = next(words for name, agents, _, words in TURNS
                             if words and name == stream and agents[0] == agent)
            forms = {"torch": PLAIN_FORM, "tuned torch": self.tuned_forms[stream, arguments]}
            for seed in range(1, self.options.seeds + 1):
                here = self.play(stream, (agent,), rounds, 1, seed)[agent]
                self.note(f"{stream}/{agent} regret", here["regret"])
                for which, form in forms.items():
                    there = self.torch(stream, (*arguments, "--rounds", rounds, "--seed", seed),
                                       REGRET_SECONDS, form)
                    if there["rounds"] != rounds:
                        raise Failure(f"PyTorch played {there['rounds']} of {rounds} rounds of "
                                      f"{stream} in {REGRET_SECONDS} seconds")
                    self.note(f"{stream}/{agent} {which} regret", there["regret"])
            self.note(f"{stream}/{agent} regret rounds", rounds)

    def play(self, stream, agents, rounds, repetitions, seed=1):
        flags = [flag for agent in agents for flag in ("--agent", AGENTS[agent])]
        flags += ["--lists"] if LISTED.issuperset(agents) else []
        networks = [NETWORK in AGENTS[agent] for agent in agents]
        tape = NETWORK_TAPES[stream] if all(networks) else stream
        lines = self.decisions("--tape", self.file(tape), "--rounds",
                               min(rounds, self.options.most_rounds), "--repetitions", repetitions,
                               "--seed", seed, *flags)
        return dict(zip(agents, lines))

    def torch(self, stream, arguments, seconds, form):
        return self.reference.ask(["--tape", self.file(NETWORK_TAPES[stream]), "--seconds", seconds,
                                   "--form", form, *arguments])

    def choose_forms(self):
        """The fastest way to write each job: a script that somebody took trouble over."""
        forms = TUNED_FORMS[:1] if self.options.quick else TUNED_FORMS
        for stream, _, _, arguments in TURNS:
            if arguments is None:
                continue
            rates = dict.fromkeys(forms, 0.0)
            for _ in range(FORM_TRIALS):
                for form in forms:
                    answer = self.torch(stream, arguments, self.options.seconds / 3, form)
                    rates[form] = max(rates[form], rate_of(answer))
            self.tuned_forms[stream, arguments] = max(rates, key=rates.get)

    def take_turn(self, stream, agents, rounds, arguments):
        lines = self.play(stream, agents, rounds, self.options.inner) if agents else {}
        for agent, line in lines.items():
            self.note(f"{stream}/{agent}", line["best_rounds_per_second"])
        if "ensemble" in lines and "paper" in lines:
            self.note(f"{stream}/ensemble slowdown",
                      lines["ensemble"]["best_seconds"] / lines["paper"]["best_seconds"])
        if "gated" in lines:
            added = lines["gated"]["best_seconds"] - lines["linear"]["best_seconds"]
            self.note(f"{stream}/gate seconds", added / lines["gated"]["rounds"])
        if arguments is None:
            return
        tuned = self.torch(stream, arguments, self.options.seconds,
                           self.tuned_forms[stream, arguments])
        if not agents:
            self.note(f"{stream}/torch gradient seconds", tuned["best_seconds_per_round"])
            return
        plain = self.torch(stream, arguments, self.options.seconds, PLAIN_FORM)
        here = lines[agents[0]]["best_rounds_per_second"]
        for which, answer in (("torch", plain), ("tuned torch", tuned)):
            self.note(f"{stream}/{agents[0]} {which}", rate_of(answer))
            self.note(f"{stream}/{agents[0]} {which} ratio", here / rate_of(answer))

    def measure_ceilings(self):
        ceilings = json.loads(output_of([self.options.build / "handrail_bench_ceilings",
                                         self.options.seconds / 5]))
        for level in ("l1", "l2", "l2_letter", "l3", "memory"):
            self.note(f"ceiling/{level}", ceilings[level]["bytes_per_second"])
        self.note("ceiling/fma", ceilings["flops_per_second"])
        sgemm = self.reference.ask(["--job", "sgemm", "--seconds", self.options.seconds / 5])
        self.note("ceiling/sgemm", sgemm["flops_per_second"])

    def measure_kernels(self):
        """Google Benchmark's programs, as far as they are built."""
        for name in KERNEL_PROGRAMS:
            program = self.program(name)
            if program is None:
                continue
            report = json.loads(output_of([
                program, "--benchmark_format=json", f"--benchmark_repetitions={self.options.inner}",
                f"--benchmark_min_time={self.options.seconds / 20}"]))
            best = {}
            for entry in report["benchmarks"]:
                if entry.get("run_type") == "aggregate" or entry.get("error_occurred"):
                    continue
                kernel = "/".join(entry["name"].split("/")[:2])
                if kernel not in best or entry["cpu_time"] < best[kernel]["cpu_time"]:
                    best[kernel] = entry
            for kernel, entry in best.items():
                self.note_kernel(kernel, entry)

    def note_kernel(self, name, entry):
        units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
        self.note(f"kernel/{name} seconds", entry["cpu_time"] * units[entry["time_unit"]])
        for counter in ("bytes_per_second", "flops_per_second"):
            if counter in entry:
                self.note(f"kernel/{name} {counter}", entry[counter])

    def run(self):
        synthetic = self.record_tapes()
        self.choose_forms()
        for _ in range(self.options.repetitions):
            self.measure_ceilings()
            self.measure_kernels()
            for turn in TURNS:
                self.take_turn(*turn)
        self.compare_regrets()
        return {"machine": bench_support.machine(), "coretype": bench_support.coretype(),
                "synthetic": synthetic, "repetitions": self.options.repetitions,
                "forms": {f"{stream} {' '.join(words)}": form
                          for (stream, words), form in self.tuned_forms.items()},
                "measured": self.measured}


def rate_of(answer):
    if "best_rounds_per_second" in answer:
        return answer["best_rounds_per_second"]
    return 1.0 / answer["best_seconds_per_round"]


def has_torch():
    return subprocess.run([PYTHON, "-c", "import torch"], capture_output=True,
                          check=False).returncode == 0


def parse(arguments):
    parser = bench_support.parser(__doc__)
    parser.add_argument("--repetitions", type=int, default=5, help="turns [5]")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each PyTorch job [2]")
    parser.add_argument("--seeds", type=int, default=10, help="runs behind each regret [10]")
    options = parser.parse_args(arguments)
    options.inner, options.most_rounds = 7, max(TAPE_ROUNDS.values())
    if options.quick:
        options.repetitions, options.seconds, options.inner = 1, 0.1, 1
        options.most_rounds, options.seeds = 50, 2
    return options


def main(arguments):
    options = parse(arguments)
    if not pathlib.Path(PYTHON).exists() or not has_torch():
        print(f"compare: PyTorch is missing under {PYTHON}; `apt-get install "
              f"--no-install-recommends {PACKAGES}` brings it", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder, Reference() as reference:
            results = Bench(options, pathlib.Path(folder), reference).run()
    except (Failure, OSError) as failure:
        print(f"compare: {failure}", file=sys.stderr)
        return 2
    if options.out:
        options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for name in ("machine", "ratios", "ceilings", "kernels", "regrets"):
        print("\n" + tables.SECTIONS[name](results))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
