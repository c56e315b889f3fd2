"""Every policy behind every gate that takes it, in worlds and on data sets: plays, is audited, and
is checked by the twin where that knows the gate. Usage:

    python3 tests/frame_matrix.py HANDRAIL [--rounds N] [--worlds SPEC ...] [--data SPEC ...]
                                           [--policies NAME ...] [--gates NAME ...]

A pair that the program refuses with a sentence is counted and listed, not an error. The last line
is "N passed, N failed"; exit status 1 if any failed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import twin

WORLDS = ["linear:arms=4,dim=5", "nonlinear:arms=4,dim=5", "drifting:arms=4,dim=5,jump=500",
          "armed:arms=5"]
DATA = ["pendigits", "mushroom", "segment", "vowel"]
WITHOUT_FOLDER = ["fashion-mnist"]
# Training schedules that end before morning under a sanitizer.
QUICK = {
    "igw": "oracle=linear",
    "greedy": "width=8,batch=4",
    "neural-ucb": "hidden=8,train_steps=4,train_every=10,train_until=20",
    "neural-ts": "hidden=8,train_steps=2,train_every=50",
    "neural-linear": "units=6,train_batch=16,train_epochs=5,train_every=100",
    "ee-net": "units=6,pool=3,train_steps=10",
}


def listing(program):
    done = subprocess.run([program, "agents", "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)


def spec_of(policy, gate):
    quick = QUICK.get(policy, "oracle=ridge")
    return ("uniform:policy=%s,gate=%s,regret_bound=2,future_cost=0.1,budget_regret=2,%s"
            % (policy, gate, quick))


def play(program, words, folder):
    """(verdict, what was said): "passed", "refused" or "failed"."""
    handle, trace = tempfile.mkstemp(suffix=".jsonl", dir=folder)
    os.close(handle)
    run = subprocess.run([program, "run", "--quiet", *words, "--trace", trace],
                         capture_output=True, text=True)
    if run.returncode == 2:
        return "refused", run.stderr.strip()
    if run.returncode != 0:
        return "failed", run.stderr[-2000:]
    audit = subprocess.run([program, "audit", trace], capture_output=True, text=True)
    if audit.returncode != 0:
        return "failed", audit.stdout[-500:] + audit.stderr[-1500:]
    lines = pathlib.Path(trace).read_text(encoding="utf-8").splitlines()
    os.unlink(trace)
    header = json.loads(lines[0])
    if header["gate"] in twin.GATES and header["policy"] in twin.POLICIES:
        rounds, difference = twin.check(lines)
        if difference is not None:
            return "failed", "twin, after %d rounds: %s" % (rounds, difference)
    return "passed", ""


def cases(options, known):
    flags = [("--world", each) for each in options.worlds]
    flags += [("--data", each) for each in options.data]
    for policy in options.policies or [each["name"] for each in known["policies"]]:
        for gate in options.gates or [each["name"] for each in known["gates"]]:
            for flag, environment in flags:
                yield ["--agent", spec_of(policy, gate), flag, environment, "--alpha", "0.2",
                       "--rounds", str(options.rounds)]


def parsed(arguments):
    there = bool(os.environ.get("HANDRAIL_DATA"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--worlds", nargs="*", default=WORLDS)
    parser.add_argument("--data", nargs="*", default=DATA if there else WITHOUT_FOLDER)
    parser.add_argument("--policies", nargs="*")
    parser.add_argument("--gates", nargs="*")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    counts, refusals = {"passed": 0, "refused": 0, "failed": 0}, {}
    work = list(cases(options, listing(options.program)))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = {pool.submit(play, options.program, words, folder): words for words in work}
        for done, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            verdict, said = job.result()
            counts[verdict] += 1
            if verdict == "failed":
                print("FAILED", " ".join(jobs[job]), said, sep="\n  ", flush=True)
            elif verdict == "refused":
                refusals.setdefault(said, jobs[job])
            if sys.stderr.isatty():
                print("\r%d of %d" % (done, len(work)), end="", file=sys.stderr, flush=True)
    print("refused: %d, with these sentences:" % counts["refused"])
    for said, words in sorted(refusals.items()):
        print("  %s   (%s)" % (said, words[1]))
    print("%(passed)d passed, %(failed)d failed" % counts)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
