"""Data sets of OpenML through the program, against a server on this machine.

Usage: openml_test.py HANDRAIL. HANDRAIL_OPENML_RECORDED may name a folder of answers that were
recorded from the real OpenML; what they are good for is tested too, then.
"""
import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import threading
import unittest

import cli_support
from openml_server import PATIENCE_SECONDS, Answer, Hangup, Server

OWN = pathlib.Path(__file__).parent / "openml"
RECORDED = os.environ.get("HANDRAIL_OPENML_RECORDED")

API = "/api/v1/json/data/"
ROWS = "/data/v1/download/9201"  # of set 201, "meadow"


class OpenmlTest(cli_support.CliTest):
    folders = (OWN,)

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.environment = {name: value for name, value in cli_support.ENVIRONMENT.items()
                            if not name.startswith("HANDRAIL_")}
        self.environment.update(HANDRAIL_CACHE=str(self.cache), no_proxy="*")
        self.server = Server(*self.folders)
        running = self.server.running()
        self.address = running.__enter__()
        self.addCleanup(running.__exit__, None, None, None)

    def data(self, verb, *words, **options):
        flags = [] if verb == "list" else ["--openml", self.address, "--retry-wait", "0"]
        return self.handrail("data", verb, *words, *flags, env=self.environment, **options)

    def fine(self, verb, *words):
        done = self.data(verb, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def described(self, *words):
        return json.loads(self.fine("describe", *words, "--json"))

    def fetched(self, *words):
        """Fetches, and gives the path of the one file."""
        files = json.loads(self.fine("fetch", *words, "--json"))["files"]
        self.assertEqual(len(files), 1)
        content = pathlib.Path(files[0]["path"]).read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        self.assertEqual(hashlib.md5(content).hexdigest(), files[0]["md5"])
        return pathlib.Path(files[0]["path"])

    def is_refused(self, *words, naming=()):
        """One sentence, exit code 2, and no rows in the cache."""
        done = self.data("fetch", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""), (words, done.stderr))
        self.assert_is_sentence(done.stderr, words)
        for part in naming:
            self.assertIn(part, done.stderr, words)
        self.assertEqual(self.kept("*/rows*"), [])
        return done.stderr

    def kept(self, pattern="*/*"):
        folder = self.cache / "openml"
        return sorted(str(path.relative_to(folder)) for path in folder.glob(pattern))

    def downloads(self):
        return [path for path in self.server.requests if path.startswith("/data/")]


class GoodSets(OpenmlTest):
    def test_describes_what_it_fetched(self):
        found = self.described("openml:201")
        self.assertEqual(found["rows"], 12)
        self.assertEqual(found["origin"], "openml:201, meadow, version 1")
        self.assertEqual((found["numeric_features"], found["nominal_features"]), (1, 1))
        self.assertEqual(found["missing_cells"], 3)
        self.assertEqual(found["class"], "flower")
        self.assertEqual([(each["name"], each["count"]) for each in found["classes"]],
                         [("daisy", 5), ("poppy", 4), ("clover", 3)])
        self.assertEqual({each["name"]: each["role"] for each in found["columns"]},
                         {"plot": "ignored", "height": "feature", "soil": "feature",
                          "surveyor": "ignored", "flower": "class"})
        text = self.fine("describe", "openml:201")
        for part in ("from      openml:201", "rows      12\n", "1 numeric, 1 nominal",
                     "ignored   plot", "3 cells in 2 columns", "flower, 3 classes",
                     "  41.7 %  daisy"):
            self.assertIn(part, text)

    def test_fetches_once_and_prints_where_it_is(self):
        path = self.fetched("openml:201")
        self.assertEqual(path, self.cache / "openml" / "201" / "rows.arff")
        self.assertEqual(path.read_bytes(), self.server.body(ROWS))
        self.assertEqual(len(self.server.requests), 3)
        asked = len(self.server.requests)
        md5 = hashlib.md5(path.read_bytes()).hexdigest()
        self.assertEqual(self.fine("fetch", "openml:201"), "%s  %s\n" % (md5, path))
        self.described("openml:201")
        self.assertEqual(len(self.server.requests), asked)
        self.assertEqual(self.kept(),
                         ["201/description.json", "201/features.json", "201/rows.arff"])

    def test_finds_sets_by_name(self):
        first = self.described("openml:Meadow")
        self.assertEqual(first["origin"], "openml:201, meadow, version 1, the first of several")
        self.assertEqual(self.described("openml:meadow@1")["origin"],
                         "openml:201, meadow, version 1")
        self.assertEqual(self.described("openml:MARSH")["origin"], "openml:202, marsh, version 1")
        self.assertEqual(self.described("openml:wild oats/rye")["rows"], 12)

    def test_a_name_keeps_its_meaning(self):
        self.fetched("openml:meadow")
        asked = len(self.server.requests)
        self.fetched("openml:meadow")
        self.fetched("openml:meadow@1")
        self.assertEqual(len(self.server.requests), asked)

    def test_reads_sparse_sets(self):
        found = self.described("openml:202")
        self.assertEqual((found["rows"], found["numeric_features"], found["missing_cells"]),
                         (4, 2, 0))
        self.assertEqual([(each["name"], each["count"]) for each in found["classes"]],
                         [("absent", 2), ("present", 2)])

    def test_lists_what_is_kept(self):
        self.assertEqual(json.loads(self.fine("list", "--json")), self.packages())
        self.fetched("openml:201")
        kept = [each for each in json.loads(self.fine("list", "--json"))
                if each["place"] == "cache"]
        self.assertEqual(kept, [{"name": "openml:201", "format": "arff",
                                 "bytes": len(self.server.body(ROWS)), "place": "cache",
                                 "note": "meadow@1"}])
        self.assertIn("meadow@1", self.fine("list"))

    def packages(self):
        return [each for each in json.loads(self.fine("list", "--json"))
                if each["place"] == "package"]

    def test_takes_rows_however_they_are_packed(self):
        rows = self.server.body(ROWS)
        for headers in ({"Content-Encoding": "gzip"}, {}):
            with self.subTest(headers=headers):
                shutil.rmtree(self.cache, ignore_errors=True)
                self.server.answer(ROWS, Answer(gzip.compress(rows), headers=headers))
                self.assertEqual(self.described("openml:201")["rows"], 12)
                self.fetched("openml:201")

    def test_follows_redirects(self):
        for path in (API + "201", ROWS):
            moved = self.server.answers[path]
            self.server.answer("/moved" + path, *moved)
            self.server.answer(path, Answer(status=302, headers={"Location": "/moved" + path}))
        self.assertEqual(self.described("openml:201")["rows"], 12)

    def test_an_address_may_end_in_a_slash(self):
        self.address += "/"
        self.fetched("openml:201")
        self.assertEqual(self.server.requests[0], API + "201")

    def test_shows_progress_on_a_terminal_only(self):
        large = self.server.body(ROWS) + b"% a comment\n" * 100000
        description = json.loads(self.server.body(API + "201"))
        description["data_set_description"]["md5_checksum"] = hashlib.md5(large).hexdigest()
        self.server.answer(API + "201", Answer(json.dumps(description).encode()))
        self.server.answer(ROWS, Answer(large))
        self.fetched("openml:201")  # stderr is no terminal here, and has to stay empty
        for words, is_shown in (([], True), (["--quiet"], False)):
            shutil.rmtree(self.cache)
            self.assertEqual("MB of 1.2" in self.seen_on_terminal(*words), is_shown, words)

    def seen_on_terminal(self, *words):
        mine, its = os.openpty()
        with open(mine, "rb", buffering=0) as screen:
            command = [self.program, "data", "fetch", "openml:201", "--openml", self.address]
            with subprocess.Popen([*command, *words], env=self.environment, stderr=its,
                                  stdout=subprocess.DEVNULL) as process:
                os.close(its)
                shown = b""
                with contextlib.suppress(OSError):  # how the end of a terminal reads
                    while piece := screen.read(4096):
                        shown += piece
            self.assertEqual(process.returncode, 0)
            return shown.decode()


class Refusals(OpenmlTest):
    def test_sets_that_cannot_be_learnt_from_are_not_fetched(self):
        for name, naming in {
                "openml:203": ["heath, version 1", "deactivated"],
                "openml:heath@1": ["deactivated"],
                "openml:heath@2": ["no such version"],
                "openml:heath": ["no active data set"],
                "openml:204": ["2 target columns", '"apple", "pear"'],
                "openml:205": ['"depth" is numeric', "nominal"],
                "openml:206": ["2 of its 4 columns", "text or dates", '"written", "text"'],
                "openml:299": ["no such data set"],
        }.items():
            with self.subTest(name=name):
                self.is_refused(name, naming=[name + ": ", *naming])
        self.assertEqual(self.downloads(), [])

    def test_another_class_column_may_be_chosen(self):
        found = self.described("openml:204", "--class", "pear")
        self.assertEqual({each["name"]: each["role"] for each in found["columns"]},
                         {"height": "feature", "apple": "ignored", "pear": "class"})
        found = self.described("openml:205", "--class", "bank")
        self.assertEqual((found["class"], found["numeric_features"]), ("bank", 2))
        shutil.rmtree(self.cache)
        self.is_refused("openml:204", "--class", "plum", naming=['"plum"', '"pear"'])
        self.is_refused("openml:201", "--class", "height", naming=['"height" is numeric'])

    def test_names_that_make_no_sense(self):
        for name in ("openml:", "openml:@1", "openml:meadow@", "openml:meadow@one",
                     "openml:meadow@-1", "openml:99999999999999999999", "openml:" + "x" * 200):
            with self.subTest(name=name):
                self.is_refused(name, naming=["NAME@VERSION"])
        self.assertEqual(self.server.requests, [])

    def test_plain_names_stay_off_the_network(self):
        self.is_refused("meadow", naming=['"meadow"', "openml:meadow"])
        self.assertEqual(self.server.requests, [])

    def test_answers_that_are_none_are_refused_and_not_kept(self):
        for path in (API + "201", API + "features/201"):
            whole = self.server.body(path)
            for garbage in (b"", b"\0", b"<html>busy</html>", b"null", b"[]", b"{}", b"[" * 100000,
                            b'{"data_set_description": 1}', b'{"data_set_description": {"id": 1}}',
                            b'{"data_features": {"feature": [1]}}', whole[:-5]):
                with self.subTest(path=path, garbage=garbage[:40]):
                    self.server.answer(path, Answer(garbage))
                    self.is_refused("openml:201", naming=["the answer", path])
            self.server.answer(path, Answer(whole))
        self.fetched("openml:201")

    def test_a_description_of_another_set_is_refused(self):
        self.server.answers[API + "201"] = self.server.answers[API + "202"]
        self.is_refused("openml:201", naming=["describes data set 202"])

    def test_a_description_without_a_checksum_is_refused(self):
        for value in ("", "abc", "z" * 32):
            description = json.loads(Server(OWN).body(API + "201"))
            description["data_set_description"]["md5_checksum"] = value
            self.server.answer(API + "201", Answer(json.dumps(description).encode()))
            self.is_refused("openml:201", naming=["md5_checksum"])

    def test_other_formats_are_refused(self):
        description = json.loads(self.server.body(API + "201"))
        description["data_set_description"]["format"] = "parquet"
        self.server.answer(API + "201", Answer(json.dumps(description).encode()))
        self.is_refused("openml:201", naming=['"parquet"', "ARFF"])

    def test_what_openml_says_is_passed_on(self):
        body = (OWN / "no-features.json").read_bytes()
        self.server.answer(API + "features/201", Answer(body, 412))
        self.is_refused("openml:201", naming=["412", "274", "No features found"])

    def test_a_cache_that_cannot_be_written(self):
        self.write("cache", "a file where the folder should be")
        done = self.data("fetch", "openml:201")
        self.assertEqual(done.returncode, 2)
        self.assert_is_sentence(done.stderr)
        self.assertIn(str(self.cache), done.stderr)

    def test_no_place_for_a_cache(self):
        for name in ("HANDRAIL_CACHE", "XDG_CACHE_HOME", "HOME"):
            self.environment.pop(name, None)
        self.is_refused("openml:201", naming=["--cache-dir", "HANDRAIL_CACHE"])


class BadWeather(OpenmlTest):
    def test_passing_failures_are_tried_again(self):
        for path in (API + "201", API + "features/201", ROWS):
            good = self.server.answers[path][0]
            for failure in (Answer(status=500), Answer(status=503), Answer(status=429), Hangup(),
                            Answer(good.body[:9], promised=len(good.body))):
                with self.subTest(path=path, failure=failure):
                    shutil.rmtree(self.cache, ignore_errors=True)
                    self.server.requests.clear()
                    self.server.answer(path, failure, failure, good)
                    self.fetched("openml:201")
                    self.assertEqual(self.server.requests.count(path), 3)

    def test_the_tries_have_an_end(self):
        for failure, naming in ((Answer(status=502), "502"), (Hangup(), "mpty reply")):
            with self.subTest(naming=naming):
                self.server.requests.clear()
                self.server.answer(ROWS, failure)
                self.is_refused("openml:201", naming=[ROWS, naming, "tried 4 times"])
                self.assertEqual(self.downloads(), [ROWS] * 4)

    def test_other_failures_are_not_tried_again(self):
        for failure, naming in ((Answer(status=404), "404"), (Answer(status=403), "403"),
                                (Answer(status=302, headers={"Location": ROWS}), "redirects"),
                                (Answer(status=302, headers={"Location": "file:///etc/hostname"}),
                                 "rotocol")):
            with self.subTest(naming=naming):
                self.server.requests.clear()
                self.server.answer(ROWS, failure)
                message = self.is_refused("openml:201", naming=[ROWS, naming])
                self.assertNotIn("tried", message)

    def test_rows_that_were_cut_or_changed_are_not_kept(self):
        rows = self.server.body(ROWS)
        packed = gzip.compress(rows)
        for body, promised, naming in ((rows[:-1], len(rows), "tried 4 times"),
                                       (rows[:-1], None, "MD5"), (rows[:-1], "none", "MD5"),
                                       (rows + b"\n", None, "MD5"), (b"", None, "MD5"),
                                       (rows.replace(b"12.5", b"12.6"), None, "MD5"),
                                       (packed[:-9], None, "cut"),
                                       (gzip.compress(rows[:-1]), None, "MD5")):
            with self.subTest(body=body[-20:], promised=promised):
                self.server.answer(ROWS, Answer(body, promised=promised))
                self.is_refused("openml:201", naming=[ROWS, naming])
        self.server.answer(ROWS, Answer(rows))
        self.fetched("openml:201")

    def test_a_server_that_is_not_there(self):
        self.address = "http://localhost:1"
        self.is_refused("openml:201", naming=[self.address, "onnect"])
        self.address = "localhost"
        self.is_refused("openml:201", naming=['"localhost"', "https://"])

    def test_a_server_that_cannot_prove_who_it_is(self):
        if shutil.which("openssl") is None:
            self.skipTest("there is no openssl to make a certificate with")
        key, certificate = self.path("key.pem"), self.path("certificate.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        with self.server.running(secured_by=context) as address:
            self.address = address
            message = self.is_refused("openml:201", naming=["certificate"])
            self.assertNotIn("tried", message)
            self.assertEqual(self.server.requests, [])


class OtherCommands(OpenmlTest):
    def test_an_agent_plays_a_set_of_openml(self):
        flags = ["--openml", self.address, "--retry-wait", "0", "--cache-dir", self.cache]
        words = ["run", "--data", "openml:201", "--rounds", "20", "--json", *flags]
        played = self.handrail(*words, env=self.environment)
        self.assertEqual((played.returncode, played.stderr), (0, ""))
        again = self.handrail(*words, "--offline", env=self.environment)
        self.assertEqual(json.loads(again.stdout)["regret"], json.loads(played.stdout)["regret"])
        refused = self.handrail("run", "--data", "openml:204", *flags, env=self.environment)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("2 target columns", refused.stderr)
        chosen = self.handrail("run", "--data", "openml:204", "--class", "pear", "--rounds", "5",
                               *flags, env=self.environment)
        self.assertEqual((chosen.returncode, chosen.stderr), (0, ""))


class Caches(OpenmlTest):
    def test_offline_the_cache_is_enough_or_the_end(self):
        for name in ("openml:201", "openml:meadow", "openml:meadow@1"):
            self.is_refused(name, "--offline", naming=[name, "offline", str(self.cache)])
        self.assertEqual(self.server.requests, [])
        self.fetched("openml:meadow")
        asked = len(self.server.requests)
        for name in ("openml:201", "openml:meadow", "openml:Meadow@1"):
            self.assertEqual(self.described(name, "--offline")["rows"], 12)
        self.assertEqual(len(self.server.requests), asked)

    def test_offline_a_name_is_not_guessed(self):
        self.fetched("openml:201")
        done = self.data("fetch", "openml:meadow", "--offline")
        self.assertEqual(done.returncode, 2)
        self.assertIn("openml:meadow@1", done.stderr)
        self.described("openml:meadow@1", "--offline")

    def test_damaged_rows_are_fetched_again_or_refused(self):
        path = self.fetched("openml:201")
        whole = path.read_bytes()
        for damaged in (whole[:-1], b"", whole.replace(b"daisy", b"daisX")):
            path.write_bytes(damaged)
            done = self.data("describe", "openml:201", "--offline")
            self.assertEqual(done.returncode, 2)
            self.assertIn("damaged", done.stderr)
            self.assertIn(str(path), done.stderr)
            self.fetched("openml:201")
            self.assertEqual(path.read_bytes(), whole)

    def test_damaged_answers_are_asked_for_again_or_refused(self):
        self.fetched("openml:201")
        for name in ("description.json", "features.json"):
            path = self.cache / "openml" / "201" / name
            whole = path.read_bytes()
            path.write_bytes(whole[:20])
            self.assertEqual(self.data("describe", "openml:201", "--offline").returncode, 2)
            self.fetched("openml:201")
            self.assertEqual(path.read_bytes(), whole)

    def test_what_was_fetched_by_a_process_that_died_does_not_look_whole(self):
        rows = self.server.body(ROWS)
        half_sent, go_on = threading.Event(), threading.Event()

        def pause():
            half_sent.set()
            go_on.wait(PATIENCE_SECONDS)

        self.addCleanup(go_on.set)
        self.server.answer(ROWS, Answer(rows[:40], promised=len(rows), before=pause), Answer(rows))
        with self.start_fetching() as process:
            self.assertTrue(half_sent.wait(PATIENCE_SECONDS))
            process.kill()
        go_on.set()
        self.assertEqual(self.kept("*/rows*"), [])
        self.assertEqual(self.data("describe", "openml:201", "--offline").returncode, 2)
        self.assertEqual(self.fetched("openml:201").read_bytes(), rows)

    def test_two_processes_may_fetch_the_same_set(self):
        rows = self.server.body(ROWS)
        meeting = threading.Barrier(2, timeout=PATIENCE_SECONDS)
        # Each gets a part, and the rest once both are there.
        self.server.answer(ROWS, *[self.in_two_parts(rows, meeting)] * 2)
        with self.start_fetching() as one, self.start_fetching() as other:
            self.assertEqual([one.wait(PATIENCE_SECONDS), other.wait(PATIENCE_SECONDS)], [0, 0])
        self.assertEqual(self.downloads(), [ROWS] * 2)
        self.assertEqual((self.cache / "openml" / "201" / "rows.arff").read_bytes(), rows)
        self.assertEqual(self.kept(),
                         ["201/description.json", "201/features.json", "201/rows.arff"])

    def start_fetching(self):
        command = [self.program, "data", "fetch", "openml:201", "--openml", self.address,
                   "--retry-wait", "0"]
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL)

    @staticmethod
    def in_two_parts(body, meeting):
        class InTwoParts(Answer):
            def send(self, request):
                super().send(request)
                meeting.wait()
                request.wfile.write(body[40:])

        return InTwoParts(body[:40], promised=len(body))


@unittest.skipIf(RECORDED is None, "no recorded answers: HANDRAIL_OPENML_RECORDED is not set")
class Recorded(OpenmlTest):
    folders = (RECORDED,)

    def test_sets_that_can_be_learnt_from(self):
        for name, shape in {
                "openml:61": (150, 4, 0, 3), "openml:iris": (150, 4, 0, 3),
                "openml:iris@1": (150, 4, 0, 3), "openml:3": (3196, 0, 36, 2),
                "openml:62": (101, 1, 15, 7), "openml:42585": (344, 4, 2, 3),
                "openml:2": (11, 6, 32, 6), "openml:anneal": (11, 6, 32, 6),
                "openml:1119": (10, 6, 8, 2), "openml:adult-census": (10, 6, 8, 2),
                "openml:1590": (10, 6, 8, 2), "openml:MiceProtein@4": (7, 77, 0, 8),
        }.items():
            with self.subTest(name=name):
                found = self.described(name)
                self.assertEqual((found["rows"], found["numeric_features"],
                                  found["nominal_features"], len(found["classes"])), shape)
        self.assertIn("the first of several", self.described("openml:iris")["origin"])

    def test_sets_that_cannot(self):
        for name, naming in {
                "openml:1": "deactivated", "openml:292": "deactivated",
                "openml:40675": "deactivated", "openml:40981": "deactivated",
                "openml:glass2@1": "deactivated", "openml:australian@1": "deactivated",
                "openml:glass2": "no active", "openml:561": "numeric", "openml:cpu": "numeric",
                "openml:40589": "6 target columns", "openml:emotions@3": "6 target columns",
                "openml:40945": "5 of its 14 columns hold text or dates",
        }.items():
            with self.subTest(name=name):
                self.is_refused(name, naming=[naming])
        self.assertEqual(self.downloads(), [])

    def test_one_of_several_targets(self):
        found = self.described("openml:emotions", "--class", "sad.lonely")
        self.assertEqual((found["numeric_features"], found["nominal_features"]), (72, 0))


if __name__ == "__main__":
    cli_support.main()
