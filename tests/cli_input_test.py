"""Bad input gets one sentence and exit code 2, whatever it is. Usage: cli_input_test.py HANDRAIL"""
import os
import pathlib
import random
import threading

import cli_support

SHORT = ["--agent", "uniform:gate=certified", "--world", "linear:arms=3,dim=2", "--rounds", "5"]


class Flags(cli_support.CliTest):
    def test_numbers_that_make_no_sense(self):
        for flag, values in {
                "alpha": ("0", "-1", "nan", "inf", "abc", "", "0.1x"),
                "delta": ("0", "1", "2", "-0.1", "nan", "x"),
                "reserve": ("-1", "nan", "inf", "x"),
                "rounds": ("0", "-1", "1.5", "1e3", "x", "99999999999999999999999"),
                "seed": ("-1", "1.5", "x", "18446744073709551616"),
        }.items():
            for value in values:
                with self.subTest(flag=flag, value=value):
                    self.refused("run", "--%s=%s" % (flag, value), naming=[flag, value])

    def test_agents_that_make_no_sense(self):
        for spec, naming in {
                "c-sqarecb": ['"c-sqarecb"', '"c-squarecb"'],
                "c-fastcb@papr": ['"c-fastcb@papr"', "nearest"],
                "c-squarecb:orcle=ridge": ['"orcle"', '"oracle"'],
                "c-squarecb:oracle=forest": ['"forest"', "linear, ridge, mlp"],
                "c-squarecb:gamma_scale=-1": ["gamma_scale", '"-1"'],
                "c-squarecb:floor=1.5": ["floor", '"1.5"', "[0, 1]"],
                "c-squarecb:floor=nan": ["floor", '"nan"'],
                "c-squarecb:width=0": ["width", '"0"'],
                "c-squarecb:width=8x": ["width", '"8x"'],
                "c-squarecb:batch=1.5": ["batch", '"1.5"'],
                "c-squarecb:pending_limit=0": ["pending_limit", '"0"'],
                "c-squarecb:lr=0": ["lr", '"0"'],
                "c-squarecb:": ["c-squarecb:", "key=value"],
                "c-squarecb:oracle": ['"oracle"', "key=value"],
                "c-squarecb:oracle=ridge,,": ["key=value"],
                "c-squarecb:oracle=ridge,loss=log": ["ridge", "loss=log"],
                "uniform:gate=paper": ["gate=paper", "uniform"],
                "uniform:gate=model": ["gate=model", "uniform"],
                "c-squarecb:gate=model": ["gate=model", "regret bound"],
                ":": ["key=value"],
        }.items():
            with self.subTest(spec=spec):
                self.refused("run", "--agent", spec, naming=naming)

    def test_worlds_that_make_no_sense(self):
        for words, naming in (
                (["--world", "linaer"], ['"linaer"', '"linear"']),
                (["--world", "linear:arm=3"], ['"arm"', '"arms"']),
                (["--world", "linear:arms=0"], ['arms is "0"', "[1, 65536]"]),
                (["--world", "linear:arms=-1"], ['arms is "-1"']),
                (["--world", "linear:arms=99999999"], ["99999999"]),
                (["--world", "linear:dim=0"], ['dim is "0"']),
                (["--world", "misspecified:arms=2"], ['arms is "2"', "[3, 65536]"]),
                (["--world", "linear:rank=11"], ['rank is "11"', "[1, 10]"]),
                (["--world", "misspecified:arms=4,rank=3"], ['rank is "3"', "[1, 2]"]),
                (["--world", "linear:jump=3"], ['"jump"', "drifting"]),
                (["--world", "armed:dim=3"], ['"dim"']),
                (["--world", "nonlinear:shape=round"], ['"round"', "cosine"]),
                (["--world", "linear:arms=3,arms=4"], ['"arms"', "twice"]),
                (["--world", "product:choices=100"], ["choices is 100", "2^24"]),
                (["--world", "product"], ["looks at every arm", "smooth-igw"]),
                (["--baseline", "rank:11"], ["--baseline", 'rank is "11"']),
                (["--baseline", "rank:0"], ["--baseline", 'rank is "0"']),
                (["--baseline", "cheapest"], ['"cheapest"', "rank:N"]),
                (["--baseline-known", "mean"], ['"mean"', "per_round"]),
                (["--noise", "flip:0.1"], ['"flip:0.1"', "labels"]),
                (["--noise", "loud"], ['"loud"']),
                (["--delay", "soon"], ['"soon"', "outcome:N:M"]),
                (["--delay", "-3"], ['"-3"']),
                (["--delay", "outcome:3"], ['"outcome:3"'])):
            with self.subTest(words=words):
                self.refused("run", "%s=%s" % tuple(words), naming=naming)

    def test_words_that_are_not_understood(self):
        for words, naming in (([], ["command"]), (["fly"], ['"fly"']), (["runn"], ['"run"']),
                              (["run", "--fly"], ["--fly"]), (["run", "fly"], ["fly"]),
                              (["run", "--alpha"], ["--alpha"]), (["audit"], ["FILE"]),
                              (["inspect"], ["SAVE"]), (["agents", "fly"], ["fly"]),
                              (["inspect", "a", "b"], ["b"]),
                              (["run", "--alpha", "1", "--alpha", "2"], ["--alpha"])):
            with self.subTest(words=words):
                self.refused(*words, naming=naming)

    def test_memory_that_is_not_there_is_refused(self):
        self.refused("run", "--agent", "c-squarecb:width=1000000x1000000x1000000", "--rounds",
                     "1")


class Files(cli_support.CliTest):
    def test_places_that_cannot_be_written_are_refused(self):
        nowhere = self.path("absent/file")
        self.refused("run", *SHORT, "--trace", nowhere, naming=nowhere)
        self.refused("run", *SHORT, "--save", nowhere, naming=nowhere)
        self.refused("run", *SHORT, "--trace", str(self.folder), naming=str(self.folder))
        self.refused("run", *SHORT, "--save", str(self.folder), naming=str(self.folder))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_is_noticed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in (["run", *SHORT], ["run", *SHORT, "--json"],
                          ["run", *SHORT, "--trace", "-"],
                          ["agents"], ["agents", "--json"], ["--help"], ["--version"]):
                with self.subTest(words=words):
                    self.refused(*words, stdout=full, naming="stdout")
            path = self.trace("trace.jsonl", *SHORT)
            self.refused("audit", path, stdout=full, naming="stdout")
            self.good("run", *SHORT, "--save", self.path("save"))
            self.refused("inspect", self.path("save"), stdout=full, naming="stdout")

    # A device takes the lines as they come. To rename a finished trace over it would replace the
    # device for everybody; hence the link, which is all that a mistake here can destroy.
    def test_a_device_is_written_to_and_never_replaced(self):
        link = self.path("full")
        os.symlink("/dev/full", link)
        self.refused("run", *SHORT, "--trace", link, naming=link)
        self.refused("run", *SHORT, "--save", link, naming=link)
        # Nobody shall go on from a save whose rounds were not all written down.
        self.refused("run", *SHORT, "--trace", link, "--save", self.path("save"), naming=link)
        self.assertEqual(os.readlink(link), "/dev/full")
        self.assertEqual(os.listdir(self.folder), ["full"])
        null = self.path("null")
        os.symlink("/dev/null", null)
        self.good("run", *SHORT, "--trace", null)
        self.assertEqual(os.readlink(null), "/dev/null")

    def test_a_trace_can_go_through_a_pipe(self):
        pipe, received = self.path("pipe"), []
        os.mkfifo(pipe)
        reader = threading.Thread(
            target=lambda: received.append(pathlib.Path(pipe).read_text(encoding="utf-8")))
        reader.start()
        self.good("run", *SHORT, "--trace", pipe)
        reader.join()
        self.trace("trace.jsonl", *SHORT)
        self.assertEqual(received, [self.read("trace.jsonl")])
        self.assertEqual(sorted(os.listdir(self.folder)), ["pipe", "trace.jsonl"])

    def test_two_things_cannot_both_go_to_stdout(self):
        self.refused("run", *SHORT, "--json", "--trace", "-", naming=["--json", "--trace"])


class Saves(cli_support.CliTest):
    def setUp(self):
        super().setUp()
        self.good("run", *SHORT, "--delay", "3", "--save", self.path("save"))
        self.bytes = pathlib.Path(self.path("save")).read_bytes()

    def assert_is_refused(self, content, naming=()):
        path = self.write("bad", content)
        self.refused("inspect", path, naming=[path, *naming])
        self.refused("run", "--resume", path, naming=[path, *naming])

    # Every length and every byte are tried in the unit tests; here a sample through the program.
    def test_a_save_that_was_cut_is_refused(self):
        size = len(self.bytes)
        for length in (0, 1, 7, 8, 20, 23, 24, size // 2, size - 5, size - 1):
            self.assert_is_refused(self.bytes[:length])

    def test_a_save_with_a_changed_byte_is_refused(self):
        dice = random.Random(2)
        for place in [0, 8, 12, 20, len(self.bytes) - 1, *dice.sample(range(len(self.bytes)), 25)]:
            for bits in (1, 0xff):
                changed = bytearray(self.bytes)
                changed[place] ^= bits
                self.assert_is_refused(bytes(changed))

    def test_what_is_no_save_is_refused(self):
        self.assert_is_refused("once upon a time", ["not a Handrail save file"])
        self.assert_is_refused(self.bytes + b"\0")
        self.refused("inspect", self.path("absent"), naming="absent")
        self.refused("inspect", str(self.folder), naming=str(self.folder))
        self.refused("run", "--resume", str(self.folder), naming=str(self.folder))
        self.refused("inspect", "/dev/null", naming="/dev/null")


if __name__ == "__main__":
    cli_support.main()
