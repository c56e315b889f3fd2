"""`handrail data` on files of one's own. Usage: cli_data_test.py HANDRAIL"""
import gzip
import hashlib
import json
import os
import subprocess

import cli_support

MEADOW = "height,soil,flower\n12.5,chalk,daisy\n30,,poppy\n,clay,daisy\n11,chalk,daisy\n"


class Data(cli_support.CliTest):
    def setUp(self):
        super().setUp()
        self.mirror = self.folder / "mirror"
        self.mirror.mkdir()
        self.write("mirror/meadow.csv", MEADOW)
        self.write("mirror/Heath.csv.gz", gzip.compress(MEADOW.encode()))
        self.flags = ["--data-dir", str(self.mirror), "--cache-dir", self.path("cache")]

    def described(self, *words):
        return json.loads(self.good("data", "describe", *words, *self.flags, "--json"))

    def test_describes_a_table(self):
        for name in ("meadow", "Heath", str(self.mirror / "meadow.csv")):
            found = self.described(name)
            self.assertEqual(found["rows"], 4)
            self.assertEqual((found["numeric_features"], found["nominal_features"]), (1, 1))
            self.assertEqual(found["missing_cells"], 2)
            self.assertEqual(found["classes"], [{"name": "daisy", "count": 3, "share": 0.75},
                                                {"name": "poppy", "count": 1, "share": 0.25}])
            self.assertEqual([each["missing"] for each in found["columns"]], [1, 1, 0])
        text = self.good("data", "describe", "meadow", *self.flags)
        for part in (str(self.mirror / "meadow.csv"), "rows      4\n", "1 numeric, 1 nominal",
                     "2 cells in 2 columns", "flower, 2 classes", "75.0 %  daisy"):
            self.assertIn(part, text)

    def test_the_class_may_be_another_column_even_of_numbers(self):
        self.assertEqual(self.described("meadow", "--class", "soil")["class"], "soil")
        found = self.described("meadow", "--class", "height")
        self.assertEqual([each["name"] for each in found["classes"]], ["12.5", "30", "11"])
        # The row without a class counts for no share.
        self.assertEqual(sum(each["share"] for each in found["classes"]), 1.0)

    def test_reads_stdin(self):
        command = [self.program, "data", "describe", "-", "--format", "csv", "--json"]
        done = subprocess.run(command, input=MEADOW, capture_output=True, text=True, check=True,
                              env=cli_support.ENVIRONMENT)
        self.assertEqual(json.loads(done.stdout)["origin"], "stdin")
        self.assertEqual(json.loads(done.stdout)["rows"], 4)

    def test_lists_the_data_folder(self):
        listed = json.loads(self.good("data", "list", *self.flags, "--json"))
        self.assertEqual([(each["name"], each["format"], each["bytes"]) for each in listed
                          if each["place"] == "data folder"],
                         [("Heath", "csv", (self.mirror / "Heath.csv.gz").stat().st_size),
                          ("meadow", "csv", len(MEADOW))])
        self.assertIn("meadow", self.good("data", "list", *self.flags))

    def test_what_is_here_needs_no_fetching(self):
        md5 = hashlib.md5(MEADOW.encode()).hexdigest()
        for name, file in (("meadow", "meadow.csv"), ("Heath", "Heath.csv.gz")):
            self.assertEqual(self.good("data", "fetch", name, *self.flags),
                             "%s  %s\n" % (md5, self.mirror / file))
        self.assertFalse(os.path.exists(self.path("cache")))

    def test_bad_input_gets_a_sentence(self):
        numeric = self.write("numeric.arff", "@relation r\n@attribute x numeric\n@data\n1\n")
        for words, naming in (
                (["describe", "medow"], ['"medow"', '"meadow"', str(self.mirror)]),
                (["describe", "heath"], ['"heath"', '"Heath"']),
                (["describe", "meadow", "--class", "flwer"], ["meadow.csv", '"flwer"']),
                (["describe", numeric], [numeric, '"x" is numeric']),
                (["describe", "absent.csv"], ["absent.csv", "No such file"]),
                (["describe", str(self.mirror) + "/"], [str(self.mirror)]),
                (["describe", "meadow", "--format", "xls"], ["--format", '"xls"']),
                (["describe", "meadow", "--retry-wait", "-1"], ["--retry-wait"]),
                (["fetch", "-"], ["stdin"]),
                (["fetch", "absent.csv"], ["absent.csv"])):
            with self.subTest(words=words):
                self.refused("data", *words, *self.flags, naming=naming)
        for words, naming in ((["data"], ["ubcommand"]), (["data", "lst"], ['"lst"', '"list"']),
                              (["data", "describe"], ["NAME"]), (["data", "fetch"], ["NAME"]),
                              (["data", "list", "fly"], ["fly"]),
                              (["data", "list", "--data-dir", self.path("absent")], ["absent"])):
            with self.subTest(words=words):
                self.refused(*words, naming=naming)

    def test_a_full_disk_is_noticed(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in (["list"], ["describe", "meadow"], ["fetch", "meadow"]):
                with self.subTest(words=words):
                    self.refused("data", *words, *self.flags, stdout=full, naming="stdout")


if __name__ == "__main__":
    cli_support.main()
