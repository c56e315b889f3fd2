"""Plays the entries of saves/manifest.json and gives their outcomes as digests and numbers.

Shared by save_fixtures_test.py, which compares, and saves/make.py, which records.
"""
import gzip
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess

import cli_support

FOLDER = pathlib.Path(__file__).resolve().parent / "saves"
MANIFEST = FOLDER / "manifest.json"
# Saves and results hold the names of data sets, so every command runs in a folder with these files.
INPUTS = ("rows.csv", "costs.csv", "log.csv")
# These kernels run on every machine; wider ones sum in another order and give other last bits.
ENVIRONMENT = {**cli_support.ENVIRONMENT, "HANDRAIL_ISA": "portable"}
# The clock's part of results.
TIMINGS = re.compile(r',"(seconds|rounds_per_second)":[^,}]*')
ROUNDS_AFTER_LOAD = 40
# Rounds of a trace that share a digest, so that a message can say where two traces part.
BLOCK_ROUNDS = 20
# Numbers of results that the manifest holds in plain text, for a message to show. All other fields
# are in the digest of the results.
SHOWN = ("regret", "cost_sum", "explored", "baseline_played", "min_slack")
# Half of a SHA-256 keeps the manifest small, and 128 bits tell any two files apart.
DIGEST_CHARACTERS = 32
PART_CHARACTERS = 8
# A save is "HANDRAIL", the version, the length of the payload, the payload, a checksum.
VERSION_OFFSET, PAYLOAD_OFFSET, CHECKSUM_BYTES = 8, 20, 4


class Failure(Exception):
    """A command did not end as it should; the text names the command and says how it ended."""


def digest(data):
    """How `sha256sum` begins."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_CHARACTERS]


def copy_inputs(folder):
    for name in INPUTS:
        shutil.copy(FOLDER / name, folder)


def packed_save(name):
    return FOLDER / (name + ".save.gz")


def handrail(program, folder, command):
    """Runs the command in `folder`, expects success without a word on stderr, gives its stdout."""
    words = shlex.split(command)
    assert words[0] == "handrail", command
    done = subprocess.run([program, *words[1:]], cwd=folder, env=ENVIRONMENT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=cli_support.TIMEOUT_SECONDS)
    if done.returncode != 0 or done.stderr:
        raise Failure("%s\n  ended with code %d and said: %s"
                      % (command, done.returncode, done.stderr.strip()))
    return done.stdout


def results_of(printed):
    """The digest of results without their timings, and some of their numbers."""
    text = TIMINGS.sub("", printed)
    values = json.loads(text)
    return {"sha256": digest(text.encode()), **{name: values[name] for name in SHOWN}}


def trace_of(path):
    """The digest of a trace, and short ones of its parts: the header, then blocks of rounds."""
    header, *rounds = path.read_bytes().splitlines(keepends=True)
    blocks = [b"".join(rounds[first:first + BLOCK_ROUNDS])
              for first in range(0, len(rounds), BLOCK_ROUNDS)]
    parts = [digest(part)[:PART_CHARACTERS] for part in [header, *blocks]]
    return {"sha256": digest(path.read_bytes()), "parts": " ".join(parts)}


def parameter(spec, name):
    """The value of a parameter in a SPEC that spells every parameter out."""
    return re.search(r"[:,]%s=([^,]*)" % name, spec).group(1)


def inspect_command(entry):
    return "handrail inspect %s.save --json" % entry["name"]


def continue_command(entry):
    trace = "" if entry.get("untraced") else " --trace %(name)s.jsonl"
    return ("handrail run --resume %(name)s.save --rounds " + str(ROUNDS_AFTER_LOAD) + trace +
            " --save %(name)s.after --json") % entry


def play_save(program, folder, entry):
    """Shows the save, resumes it, plays on and saves again."""
    packed = packed_save(entry["name"]).read_bytes()
    (folder / (entry["name"] + ".save")).write_bytes(gzip.decompress(packed))
    shown = handrail(program, folder, inspect_command(entry))
    found = {"inspect": digest(shown.encode()), "pending": json.loads(shown)["pending"]}
    for name in ("policy", "gate", "oracle"):
        found[name] = parameter(json.loads(shown)["agent"], name)
    found["results"] = results_of(handrail(program, folder, continue_command(entry)))
    if not entry.get("untraced"):
        found["trace"] = trace_of(folder / (entry["name"] + ".jsonl"))
    saved = (folder / (entry["name"] + ".after")).read_bytes()
    found["saved_version"] = int.from_bytes(saved[VERSION_OFFSET:VERSION_OFFSET + 4], "little")
    found["saved_payload"] = digest(saved[PAYLOAD_OFFSET:-CHECKSUM_BYTES])
    return found


def play_run(program, folder, entry):
    """Plays from round 1 on, audits the trace, and looks at other files that the entry names."""
    results = results_of(handrail(program, folder, entry["command"]))
    found = {"results": results["sha256"], "regret": results["regret"],
             "trace": trace_of(folder / (entry["name"] + ".jsonl"))}
    if entry.get("audited"):
        answer = handrail(program, folder, "handrail audit --json %(name)s.jsonl" % entry)
        found["audit"] = digest(answer.encode())
    for file in entry.get("files", ()):
        found[file] = digest((folder / file).read_bytes())
    return found


def play_comparison(program, folder, entry):
    handrail(program, folder, entry["command"])
    results = (folder / entry["name"] / "results.json").read_bytes()
    # A release changes the version and nothing else.
    results = re.sub(rb'"version":"[^"]*"', b'"version":""', results, count=1)
    curves = (folder / entry["name"] / "curves.csv").read_bytes()
    return {"results.json": digest(results), "curves.csv": digest(curves)}


# The manifest has a list of each kind, and a function plays an entry of it.
PLAYERS = {"saves": play_save, "runs": play_run, "comparisons": play_comparison}


def parts_that_differ(expected, found):
    """Names the parts in which two traces differ; trace_of() gave both lists of digests."""
    expected, found = expected.split(), found.split()
    if len(expected) != len(found):
        return "its length"
    different = [place for place, pair in enumerate(zip(expected, found)) if pair[0] != pair[1]]
    return ", ".join("its header" if place == 0 else "its rounds %d to %d"
                     % ((place - 1) * BLOCK_ROUNDS + 1, place * BLOCK_ROUNDS)
                     for place in different)


def differences(expected, found, place=""):
    """Sentences that name what differs, for two values of JSON."""
    if expected == found:
        return []
    if place.endswith("parts") and expected and found:
        return ["the trace differs in " + parts_that_differ(expected, found)]
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return ["%s is %s, was %s" % (place, json.dumps(found), json.dumps(expected))]
    sentences = []
    for key in [*expected, *(key for key in found if key not in expected)]:
        sentences += differences(expected.get(key), found.get(key), (place + " " + key).strip())
    return sentences
