"""Saves made by an earlier program go on bit for bit; runs and comparisons of the same seed give
the same bytes as they did then. Usage: save_fixtures_test.py HANDRAIL

saves/manifest.json holds what that program did; saves/README.md names the program.

Equal bits need more than equal sources. HANDRAIL_ISA pins the portable kernels, since wider ones
sum in another order. exp, log, cos and the like come from the C library, which chooses among
versions of them by processor: the expectations were recorded with Debian 12's on x86-64 with FMA.
On another C library or processor a difference may come from there and not from a bug: with FMA
switched off in glibc, 24 of the 187 entries differ.
"""
import concurrent.futures
import json
import os

import cli_support
import save_fixtures


class SaveFixtures(cli_support.CliTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.manifest = json.loads(save_fixtures.MANIFEST.read_text(encoding="utf-8"))
        save_fixtures.copy_inputs(self.folder)

    def play_all(self, kind):
        """Plays the entries of a kind, several at a time; gives pairs (entry, outcome)."""
        play, entries = save_fixtures.PLAYERS[kind], self.manifest[kind]

        def outcome(entry):
            try:
                return play(self.program, self.folder, entry)
            except Exception as problem:  # the message below names the fixture, whatever happened
                return problem

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            return list(zip(entries, pool.map(outcome, entries)))

    def compare_all(self, kind, command_of):
        for entry, found in self.play_all(kind):
            with self.subTest(fixture=entry["name"]):
                if isinstance(found, Exception):
                    different = ["%s: %s" % (type(found).__name__, found)]
                else:
                    different = save_fixtures.differences(entry["expected"], found)
                if different:
                    self.fail("%s, played by\n  %s\n  %s" % (entry["name"], command_of(entry),
                                                             "\n  ".join(different)))

    def test_saves_go_on_bit_for_bit(self):
        self.compare_all("saves", save_fixtures.continue_command)

    def test_runs_give_the_same_bytes(self):
        self.compare_all("runs", lambda entry: entry["command"])

    def test_comparisons_give_the_same_bytes(self):
        self.compare_all("comparisons", lambda entry: entry["command"])

    def test_every_save_is_listed_and_every_listed_save_is_there(self):
        listed = [entry["name"] for entry in self.manifest["saves"]]
        self.assertEqual(len(listed), len(set(listed)))
        there = {path.name for path in save_fixtures.FOLDER.glob("*.save.gz")}
        self.assertEqual(there, {name + ".save.gz" for name in listed})

    # Parts that came after the format of these saves need none of them.
    def test_every_gate_policy_and_oracle_of_then_has_a_save(self):
        then = {"gate": 15, "policy": 15, "oracle": 3}
        for part, count in then.items():
            saved = {entry["expected"][part] for entry in self.manifest["saves"]}
            self.assertEqual(len(saved), count, part)


if __name__ == "__main__":
    cli_support.main()
