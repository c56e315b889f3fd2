"""Makes the saves of new entries, plays them, records their outcomes. Usage: make.py PROGRAM

Plays only the entries of entries.py that manifest.json does not have yet. An older entry and its
save stay as they are, since they say what the program of their time did. See README.md.
"""
import gzip
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import entries
import save_fixtures


def make_save(program, folder, name, command):
    save_fixtures.handrail(program, folder, command)
    # No time of day in the archive, so that the same save gives the same file.
    packed = gzip.compress((folder / (name + ".save")).read_bytes(), mtime=0)
    save_fixtures.packed_save(name).write_bytes(packed)


def record(program, folder, kind, entry):
    if kind == "saves":
        make_save(program, folder, entry["name"], entry["command"])
    return {**entry, "expected": save_fixtures.PLAYERS[kind](program, folder, entry)}


def written(manifest):
    """JSON with an entry a line, so that a difference of two manifests names the entries."""
    parts = []
    for key, value in manifest.items():
        if isinstance(value, list):
            lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            parts.append('"%s": [\n%s\n]' % (key, lines))
        else:
            parts.append('"%s": %s' % (key, json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments):
    if len(arguments) != 1:
        sys.exit("usage: make.py PROGRAM")
    program = os.path.abspath(arguments[0])
    manifest = {"saves": [], "runs": [], "comparisons": []}
    if save_fixtures.MANIFEST.exists():
        manifest = json.loads(save_fixtures.MANIFEST.read_text(encoding="utf-8"))
    added = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save_fixtures.copy_inputs(folder)
        for kind, listed in (("saves", entries.all_saves()), ("runs", entries.all_runs()),
                              ("comparisons", entries.all_comparisons())):
            there = {entry["name"] for entry in manifest[kind]}
            for entry in listed:
                if entry["name"] not in there:
                    manifest[kind].append(record(program, folder, kind, entry))
                    added += 1
    save_fixtures.MANIFEST.write_text(written(manifest), encoding="utf-8")
    print("%d entries added" % added)


if __name__ == "__main__":
    main(sys.argv[1:])
