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

    def test_describes_what_a_run_on_the_spec_will_see(self):
        path = self.write("shop.csv", "id,price,banner,logged,a,b\n"
                          "1,2.5,x,a,1,4\n2,3.5,y,b,2,0\n3,4,x,a,3,2\n")
        found = self.described(path + ":class=banner,ignore=id|price,baseline=column:logged")
        self.assertEqual(found["name"], path)
        self.assertEqual(found["class"], "banner")
        self.assertEqual({each["name"]: each["role"] for each in found["columns"]},
                         {"id": "ignored", "price": "ignored", "banner": "class",
                          "logged": "baseline", "a": "feature", "b": "feature"})
        self.assertEqual((found["numeric_features"], found["nominal_features"]), (2, 0))
        costs = self.described(path + ":costs=a|b,cost_max=4,ignore=id")
        self.assertEqual(costs["costs"], [{"name": "a", "mean": 0.5}, {"name": "b", "mean": 0.5}])
        self.assertNotIn("class", costs)
        self.assertEqual([each["role"] for each in costs["columns"]],
                         ["ignored", "feature", "feature", "feature", "cost", "cost"])
        for spec, parts in ((":class=banner,ignore=id", ("ignored   id\n", "banner, 2 classes")),
                            (":costs=a|b,cost_max=4", ("2 columns, divided by 4", "0.5  a\n"))):
            text = self.good("data", "describe", path + spec, *self.flags)
            for part in parts:
                self.assertIn(part, text)
        # A run on the same SPEC has as many arms and features.
        spec = path + ":class=banner,ignore=id|logged,scale=none,constant=no"
        self.good("run", "--agent", "uniform", "--data", spec, "--rounds", 2, "--trace",
                  self.path("t.jsonl"))
        header = json.loads(self.read("t.jsonl").splitlines()[0])
        found = self.described(spec)
        self.assertEqual(header["arms"], len(found["classes"]))
        self.assertEqual(found["numeric_features"], 3)

    def test_a_spec_names_the_format_and_flags_override_it(self):
        path = self.write("shop.data", "banner;x\n".replace(";", "\t") + "a\t1\nb\t2\n")
        self.assertEqual(self.described(path + ":format=tsv,class=banner")["class"], "banner")
        overridden = self.described(path + ":format=libsvm,class=x", "--format", "tsv", "--class",
                                    "banner")
        self.assertEqual([each["name"] for each in overridden["classes"]], ["a", "b"])
        self.assertEqual(self.described(path + ":header=no,format=tsv")["rows"], 3)

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
                (["describe", "meadow", "--format", "xls"],
                 ["--format: data meadow: format is \"xls\"; one of auto, arff, csv"]),
                (["describe", "meadow:clas=soil"],
                 ['data meadow: unknown key "clas"; did you mean "class"?']),
                (["describe", "meadow:ignore=soyl"], ['"soyl"', '"soil"']),
                (["describe", "meadow:costs=height|hight"], ['"hight"', "a cost", '"height"']),
                (["describe", "meadow:class=soil,soil"], ['"soil" in', "key=value"]),
                (["describe", "meadow:class=soil,costs=height|soil"], ["both class and costs"]),
                (["describe", ":class=soil"], ["needs a name"]),
                (["describe", "meadow", "--retry-wait", "-1"], ["--retry-wait"]),
                (["fetch", "-"], ["stdin"]),
                (["fetch", "absent.csv"], ["absent.csv"])):
            with self.subTest(words=words):
                self.refused("data", *words, *self.flags, naming=naming)
        for words, naming in ((["data"], ["ubcommand"]), (["data", "lst"], ['"lst"', '"list"']),
                              (["data", "describe"], ["SPEC"]), (["data", "fetch"], ["NAME"]),
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
