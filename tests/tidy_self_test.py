#!/usr/bin/env python3
"""Shows every rule of tidy_test.py something bad, and something good that looks like it."""

import unittest

import tidy_test


def rejections(path, text, named=True):
    """(line, sentence) for a tree of this one file, which CMake knows unless told otherwise."""
    texts = {path: text}
    if named:
        texts["CMakeLists.txt"] = f"add_library(handrail {path})\n"
    return [(line, why) for where, line, why in tidy_test.Tree(texts).rejections() if where == path]


def function_of(lines, head="int f()"):
    return f"{head} {{\n" + "  g();\n" * (lines - 2) + "}\n"


class Tidy(unittest.TestCase):
    def assert_rejects(self, text, why, path="handrail/core/x.cc", line=1):
        found = rejections(path, text)
        self.assertEqual(len(found), 1, found)
        self.assertEqual(found[0][0], line)
        self.assertIn(why, found[0][1])

    def assert_accepts(self, text, path="handrail/core/x.cc"):
        self.assertEqual(rejections(path, text), [])

    def test_counts_columns_in_characters(self):
        self.assert_rejects("int a;\n// " + "x" * 98 + "\n", "101 columns", line=2)
        self.assert_accepts("// " + "α" * 97 + "\n")
        self.assert_accepts("x" * 200 + "\n", path="docs/guide.md")

    def test_limits_files(self):
        self.assert_rejects("int a;\n" * 501, "501 lines", line=501)
        self.assert_accepts("int a;\n" * 500)

    def test_limits_functions(self):
        for head in ("int f()", "A::A() : x_{1}, y_(2)", "template <class T>\nauto f(T t) -> T",
                     "void A::f() const noexcept", "TEST(A, B)", "Result<int> f(const X& x = {})",
                     "A::A(int a)\n    : a_(a),\n      b_{2}"):
            # What stands before does not count: the line is that of the function's own head.
            extra = head.count("\n")
            text = "#include <a>\nclass X {\n public:\n" + function_of(71 - extra, head) + "};\n"
            with self.subTest(head):
                self.assert_rejects(text, "a function of 71 lines", line=4)
                self.assert_accepts(text.replace("  g();\n", "", 1))

    def test_knows_what_is_no_function(self):
        self.assert_accepts("class A final : public B {\n" + "  int a;\n" * 80 + "};\n")
        self.assert_accepts("constexpr int kTable[] = {\n" + "  1,\n" * 80 + "};\n")
        self.assert_accepts("namespace {\n" + "int f() { return '{'; }\n" * 80 + "}\n")
        self.assert_accepts("enum class E : int {\n" + "  kA, // {\n" * 80 + "};\n")

    def test_keeps_the_folder_order(self):
        self.assert_rejects('#include "handrail/agent/agent.h"\n', "core includes agent")
        self.assert_rejects('#include "handrail/handrail.h"\n', "handrail/FOLDER")
        self.assert_rejects('#include "round.h"\n', "handrail/FOLDER")
        self.assert_rejects('#include "tests/oracle_suite.h"\n', "handrail/FOLDER")
        self.assert_rejects("int a;\n", "has no place", path="handrail/util/x.cc")
        self.assert_accepts('#include "handrail/base/text.h"\n#include "handrail/core/round.h"\n')
        self.assert_accepts('#include "handrail/agent/agent.h"\n', path="handrail/core/x_test.cc")
        self.assert_accepts('#include "handrail/eval/run.h"\n', path="apps/handrail.cc")
        self.assert_accepts('#include "handrail/eval/run.h"\n', path="handrail/handrail.h")

    def test_wants_one_header_and_one_source_a_policy(self):
        entry = "const PolicyEntry kXPolicy"
        good = {"handrail/policy/x.h": f"extern {entry};\n",
                "handrail/policy/x.cc": '#include "handrail/policy/x.h"\n'
                                        '#include "handrail/policy/entry.h"\n'
                                        f"constinit {entry} = {{}};\n",
                "handrail/policy/x_test.cc": '#include "handrail/policy/y.h"\n',
                "handrail/policy/policy.h": "class Policy;\n"}

        def found(changes):
            texts = {path: text for path, text in (good | changes).items() if text is not None}
            texts["CMakeLists.txt"] = "\n".join(texts) + "\n"
            return [why for _, _, why in tidy_test.Tree(texts).rejections()]

        self.assertEqual(found({}), [])
        for changes, why in (
                ({"handrail/policy/x.h": None}, "one header and one source"),
                ({"handrail/policy/x.cc": None}, "one header and one source"),
                ({"handrail/policy/x.cc": '#include "handrail/policy/x.h"\n'}, "no policy's entry"),
                ({"handrail/policy/x.h": f'#include "handrail/policy/y.h"\nextern {entry};\n'},
                 "knows of another"),
                ({"handrail/policy/x.h": f'#include "handrail/safety/gate.h"\nextern {entry};\n'},
                 "policy includes safety")):
            with self.subTest(why):
                rejected = found(changes)
                self.assertEqual(len(rejected), 1, rejected)
                self.assertIn(why, rejected[0])
        rejected = found({"handrail/policy/x_entry.cc": f"constinit {entry} = {{}};\n"})
        self.assertEqual(len(rejected), 1, rejected)

    def test_wants_a_source_to_include_its_own_header_first(self):
        own = '#include "handrail/core/x.h"\n'
        other = '#include "handrail/core/round.h"\n'
        for text, lines in ((own + other, []), ("// Why.\n" + own, []), (other + own, [1]),
                            ("\n#include <span>\n" + own, [2]), ("int a;\n", [1])):
            tree = tidy_test.Tree({
                "CMakeLists.txt": "add_library(handrail handrail/core/x.cc handrail/core/x.h)\n",
                "handrail/core/x.h": "int a;\n", "handrail/core/x.cc": text})
            with self.subTest(text):
                self.assertEqual([line for _, line, _ in tree.rejections()], lines)
        self.assert_accepts(other)  # has no header of its own

    def test_confines_libraries(self):
        for name in ("Eigen/Dense", "toml++/toml.h", "nlohmann/json.hpp", "CLI/CLI.hpp", "zlib.h",
                     "gtest/gtest.h"):
            with self.subTest(name):
                self.assert_rejects(f"#include <{name}>\n", "one place")
        self.assert_accepts("#include <Eigen/Dense>\n", path="handrail/oracle/gram.cc")
        self.assert_accepts("#include <CLI/CLI.hpp>\n", path="apps/handrail.cc")
        self.assert_accepts("#include <gtest/gtest.h>\n", path="handrail/core/x_test.cc")

    def test_bans(self):
        for text, why in (("using namespace std;", "using namespace"),
                          ("std::shared_ptr<int> p;", "shared_ptr"),
                          ("#define A 1", "#define"),
                          ("  # define A 1", "#define"),
                          ("mutable int a;", "mutable"),
                          ("int a = rand();", "rand"),
                          ("int a = std::rand ();", "rand"),
                          ("srand(1);", "rand"),
                          ("std::random_device device;", "random_device"),
                          ("std::normal_distribution<double> d;", "std distributions"),
                          ("float a;", "float"),
                          ("try { f(); } catch (...) {}", "catch")):
            with self.subTest(text):
                self.assert_rejects("int a;\n" + text + "\n", why, line=2)
                self.assert_accepts("// " + text + "\n")
                self.assert_accepts('auto a = "' + text + '";\n')
                self.assert_accepts('auto a = R"(\n' + text + ')";\n')

    def test_bans_with_exceptions(self):
        self.assert_accepts("#define HANDRAIL_ASSERT(x)\n", path="handrail/base/assert.h")
        self.assert_accepts("float a;\n", path="handrail/oracle/kernels/dense.cc")
        self.assert_accepts("int f() try { } catch (...) { }\n", path="apps/handrail.cc")
        self.assert_accepts("const auto a = operand(1) + x.rand_(2) + float_count;\n")

    def test_finds_what_was_left_behind(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            self.assert_rejects(f"int a;  // {word}: b\n", word)
            self.assert_rejects(f"{word}\n", word, path="docs/guide.md")

    def test_knows_no_machine(self):
        for text in ("cd /" + "work/x", '"/' + 'root/.cache"', "in /" + "home/someone/x"):
            self.assert_rejects(text + "\n", "one machine", path="docs/guide.md")
        for host in ("registry" + ".example.org", "https://pypi" + ".org/simple",
                     "deb" + ".example.com"):
            self.assert_rejects(host + "\n", "packages come from", path="docs/guide.md")
        self.assert_accepts("decide/" "work/rest, packages.txt, $x/root/, docs.example.org\n",
                            path="docs/guide.md")

    def test_wants_clean_lines(self):
        self.assert_rejects("int a; \n", "end of the line")
        self.assert_rejects("int a;\n\tint b;\n", "tab", line=2)
        self.assert_rejects("int a;\nint b;", "no newline", line=2)
        self.assert_rejects("a \n", "end of the line", path="README.md")

    def test_wants_sources_built(self):
        for path in ("handrail/core/x.cc", "handrail/core/x.h", "apps/x.cc", "tests/x_test.cc"):
            found = rejections(path, "int a;\n", named=False)
            self.assertEqual([line for line, _ in found], [1], path)
        self.assertEqual(rejections("tests/oracle_suite.h", "int a;\n", named=False), [])
        commented = {"CMakeLists.txt": "# handrail/core/x.cc\n", "handrail/core/x.cc": "int a;\n"}
        self.assertEqual(len(list(tidy_test.Tree(commented).rejections())), 1)
        above = {"tests/CMakeLists.txt": "add_executable(t ../handrail/core/x_test.cc)\n",
                 "handrail/core/x_test.cc": "int a;\n"}
        self.assertEqual(list(tidy_test.Tree(above).rejections()), [])

    def test_wants_one_type_a_name(self):
        def found(first, second, path="handrail/core/y.h"):
            texts = {"handrail/core/x.h": "namespace handrail {\n" + first + "}\n",
                     path: "namespace handrail {\n" + second + "}\n"}
            texts["CMakeLists.txt"] = "\n".join(texts) + "\n"
            return [place for *place, _ in tidy_test.Tree(texts).rejections()]

        difference = "struct Difference {\n  int a;\n};\n"
        for second in (difference, "class Difference final : public Base {};\n",
                       "enum class Difference : int { kA };\n",
                       "template <typename T>\nstruct Difference {};\n"):
            with self.subTest(second):
                line = 3 if second.startswith("template") else 2
                self.assertEqual(found(difference, second), [["handrail/core/y.h", line]])
        for second in ("struct Other {\n  struct Difference {};\n};\n", "struct Difference;\n",
                       "struct Difference::Part {};\n",
                       "namespace {\n" + difference + "}\n", "Difference f(struct Difference a);\n",
                       "namespace detail {\n" + difference + "}\n",
                       "inline int f() {\n  struct Difference {};\n  return 0;\n}\n"):
            with self.subTest(second):
                self.assertEqual(found(difference, second), [])
        self.assertEqual(found("template <>\nstruct A<int> {};\n",
                               "template <>\nstruct A<char> {};\n"), [])
        self.assertEqual(found(difference, difference, "handrail/core/y.cc"), [])

    def test_wants_lists_in_cmake(self):
        self.assert_rejects("file(GLOB sources *.cc)\n", "glob", path="cmake/x.cmake")


if __name__ == "__main__":
    unittest.main()
