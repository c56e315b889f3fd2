#!/usr/bin/env python3
"""Style that a machine can see, as a test.

Usage: tidy_test.py ROOT

Each rejection is one line, `file:line: what, and why`. A rule is a function from a file to
(line, sentence) pairs; RULES names them all. tidy_self_test.py shows each of them something bad,
since a rule that never fired proves nothing.
"""

import bisect
import pathlib
import re
import sys

MAX_COLUMNS = 100
MAX_FUNCTION_LINES = 70
MAX_FILE_LINES = 500

# A file includes from its own folder and those before it.
FOLDERS = ("base", "config", "core", "oracle", "explore", "policy", "safety", "agent", "data",
           "env", "eval", "report")

# What all policies have in common. Every other file there is one policy's header or source.
POLICY = "handrail/policy/"
POLICY_FRAME = ("entry.h", "own_draws.cc", "own_draws.h", "policy.h", "registry.cc", "registry.h")

KERNELS = "handrail/oracle/kernels/"
TESTS_AND_BENCHES = ("_test.cc", "tests/", "bench/")

# Where a library outside this project may be seen: a name that ends in / is a folder, one that
# begins with _ an ending. Adapters are few, so that a change of library is a change of one file.
THIRD_PARTY = {
    "Eigen/": ("handrail/oracle/gram.cc", "handrail/oracle/ridge_fit.cc"),
    "toml++/": ("handrail/agent/toml_settings.cc",),
    "nlohmann/": ("handrail/eval/json_fields.cc", "handrail/eval/json_fields.h",
                  "handrail/eval/trace_reader.cc", "handrail/data/openml_answer.cc",
                  "handrail/data/play_log.cc", "handrail/report/json_checker.h",
                  "handrail/report/page_json.cc", "handrail/report/report_json.cc"),
    "CLI/": ("apps/", "bench/"),
    "zlib.h": ("handrail/base/bytes.cc", "handrail/data/gzip_source.cc", "tests/packing.cc"),
    "zstd.h": ("handrail/data/zstd_source.cc", "tests/packing.cc"),
    "hwy/": (KERNELS,),
    "curl/": ("handrail/data/http.cc",),
    "openssl/": ("handrail/data/md5.cc",),
    "gtest/": TESTS_AND_BENCHES,
    "gmock/": TESTS_AND_BENCHES,
    "benchmark/": ("bench/",),
}

# Third-party exceptions stop in the file that sees the library; nothing else catches.
CATCHERS = ("handrail/agent/toml_settings.cc", "handrail/eval/trace_reader.cc",
            "handrail/report/report_json.cc", "apps/handrail.cc", "bench/decisions.cc")

# Prose, tables and transcripts may be as wide and as long as they need.
CODE_ENDINGS = (".cc", ".h", ".py", ".cmake", "CMakeLists.txt", ".in", ".toml", ".ts")
SKIPPED_FOLDERS = ("build", "demo-output")
SKIPPED_ANYWHERE = ("__pycache__", "node_modules")

# Put together here, so that this file does not hold what it looks for.
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
MACHINE_PATH = re.compile(r"(?<![\w.$}/~*-])/(work|root|home|Users|workspace)/")
PACKAGE_HOST = re.compile(
    r"\b(?:registry|mirrors?|packages?|artifactory|nexus|pypi|deb|npm|files|proxy)"
    r"(?:[.-][a-z0-9-]+)*\.(?:org|com|net|io|dev|internal|local|lan|corp)\b")

# (pattern, where it is allowed, sentence), looked for in C++ without its comments and strings.
BANNED = (
    (r"\busing\s+namespace\b", (),
     "`using namespace` hides where a name comes from; write the namespace"),
    (r"\bshared_ptr\b", (),
     "`shared_ptr` leaves ownership undecided; one owner has a unique_ptr, the rest references"),
    (r"^[ \t]*#[ \t]*define\b", ("handrail/base/assert.h", KERNELS),
     "`#define` outside base/assert.h; write a constant or a function"),
    (r"\bmutable\b", (),
     "`mutable` makes const a half-truth; give the caller a workspace"),
    (r"(?<![\w.>])s?rand\s*\(", (),
     "`rand` cannot be replayed; use a RandomStream"),
    (r"\brandom_device\b", (),
     "`random_device` cannot be replayed; use a RandomStream"),
    (r"\bstd\s*::\s*\w+_distribution\b", (),
     "std distributions differ between libraries; use a RandomStream"),
    (r"\bfloat\b", (KERNELS, "bench/", "tests/kernel_fixture.h"),
     "`float` outside oracle/kernels; whatever a guarantee is computed from is a double"),
    (r"\bcatch\s*\(", CATCHERS,
     "`catch` outside an adapter; expected failures are a Status or a Result"),
)


def matches(path, places):
    """Whether `path` is one of `places`: a file, a folder/ or an _ending."""
    return any(path == place or (place.endswith("/") and path.startswith(place)) or
               (place.startswith("_") and path.endswith(place)) for place in places)


class File:
    """A text file, with what several rules need of it."""

    TOKENS = re.compile(
        r'R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/'
        r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.lines = text.split("\n")
        self.is_cpp = path.endswith((".cc", ".h"))
        self.is_code = path.endswith(CODE_ENDINGS) or path.startswith(("scripts/", ".ci/"))
        self.is_cmake = path.endswith(("CMakeLists.txt", ".cmake"))
        self._newlines = [place for place, c in enumerate(text) if c == "\n"]
        # Comments and strings become blanks: what is left has the same lines and columns.
        self.code = self.TOKENS.sub(
            lambda found: re.sub(r"[^\n]", " ", found.group()), text) if self.is_cpp else text

    def line_at(self, offset):
        return bisect.bisect_left(self._newlines, offset) + 1

    def includes(self):
        """(line, opening sign, name) of each include."""
        for number, line in enumerate(self.lines, 1):
            found = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
            if found and self.is_cpp:
                yield number, found.group(1), found.group(2)


def long_lines(file, _):
    for number, line in enumerate(file.lines, 1):
        if file.is_code and len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; at most {MAX_COLUMNS} fit two files side by side"


def long_file(file, _):
    count = file.text.count("\n")
    if file.is_code and count > MAX_FILE_LINES:
        yield MAX_FILE_LINES + 1, f"{count} lines; more than {MAX_FILE_LINES} are two files"


def whitespace(file, _):
    for number, line in enumerate(file.lines, 1):
        if line.endswith((" ", "\t", "\r")):
            yield number, "space at the end of the line, which only shows in a diff"
        if "\t" in line:
            yield number, "a tab, whose width depends on the reader; use spaces"
    if file.text and not file.text.endswith("\n"):
        yield len(file.lines), "no newline at the end of the file"


def function_scopes(code):
    """(start, end) of each function with a body, as offsets into blanked C++."""
    # Directives and labels are no part of the function behind them.
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*|\b(?:public|private|protected)\s*:(?!:)",
                  lambda found: re.sub(r"[^\n]", " ", found.group()), code, flags=re.MULTILINE)
    scopes = []  # of the open braces: (kind, where the head starts)
    head_start = 0
    parentheses = 0
    for found in re.finditer(r"[{}();]", code):
        sign, here = found.group(), found.start()
        if sign in "()":
            parentheses += 1 if sign == "(" else -1
        elif sign == "{":
            inside = any(kind == "function" for kind, _ in scopes)
            kind = "other" if inside or parentheses > 0 else scope_kind(code[head_start:here])
            scopes.append((kind, head_start))
            head_start = here + 1
        elif sign == "}":
            kind, start = scopes.pop() if scopes else ("other", here)
            if kind == "function":
                start += len(code[start:]) - len(code[start:].lstrip())
                yield start, here
            # An initialiser in braces is part of the head that goes on behind it.
            head_start = start if kind == "other" else here + 1
        elif parentheses == 0:
            head_start = here + 1


def scope_kind(head):
    head = re.sub(r"\btemplate\s*<[^{}()]*>", " ", head).strip()
    if re.match(r"(inline\s+)?namespace\b|extern\b\s*$", head):
        return "outer"
    if re.match(r"(class|struct|union|enum)\b", head):
        return "outer"
    # `x_{1}` in a list of initialisers ends in a name, a body's head in a sign or a qualifier.
    is_body = re.search(r"(\)|\bconst|\bnoexcept|\boverride|\bfinal|[&>}]|->[\w\s:<>*&]+)$", head)
    return "function" if "(" in head and is_body else "other"


def long_functions(file, _):
    if not file.is_cpp:
        return
    for start, end in function_scopes(file.code):
        first = file.line_at(start)
        count = file.line_at(end) - first + 1
        if count > MAX_FUNCTION_LINES:
            yield first, f"a function of {count} lines; {MAX_FUNCTION_LINES} fit on a screen"


def include_order(file, _):
    parts = file.path.split("/")
    if parts[0] != "handrail" or len(parts) < 3 or matches(file.path, TESTS_AND_BENCHES):
        return
    if parts[1] not in FOLDERS:
        yield 1, f"folder {parts[1]} has no place in the order: {' '.join(FOLDERS)}"
        return
    for number, sign, name in file.includes():
        target = name.split("/")
        if sign == "<" and target[0] != "handrail":
            continue
        if target[0] != "handrail" or len(target) < 3 or target[1] not in FOLDERS:
            yield number, f'includes "{name}"; the library includes "handrail/FOLDER/…" only'
        elif FOLDERS.index(target[1]) > FOLDERS.index(parts[1]):
            yield number, (f"{parts[1]} includes {target[1]}, which comes after it; the order is "
                           f"{' '.join(FOLDERS)}")


def policies(file, tree):
    """A policy is one header and one source with its entry, and knows of no other policy."""
    name = file.path.removeprefix(POLICY)
    is_policy = (file.path.startswith(POLICY) and file.is_cpp and name not in POLICY_FRAME
                 and not matches(file.path, TESTS_AND_BENCHES))
    if not is_policy:
        return
    stem, ending = file.path.rsplit(".", 1)
    other = f"{stem}.{'h' if ending == 'cc' else 'cc'}"
    if other not in tree.paths:
        yield 1, f"without {other}; a policy is one header and one source"
    if not re.search(r"\bPolicyEntry\s+k\w+Policy\b", file.code):
        yield 1, ("no policy's entry; learners belong in oracle, pure functions in explore, and "
                  "what policies share is listed in tidy_test.py")
    for number, _, included in file.includes():
        target = included.removeprefix(POLICY)
        if target != included and target not in (*POLICY_FRAME, f"{stem}.h".removeprefix(POLICY)):
            yield number, f"includes {target}; no policy knows of another"


def own_header_first(file, tree):
    """A source that starts with its own header shows that this header compiles alone."""
    header = re.sub(r"\.cc$", ".h", file.path)
    if not file.path.startswith("handrail/") or header == file.path or header not in tree.paths:
        return
    number, _, name = next(file.includes(), (1, "", ""))
    if name != header:
        yield number, f'does not include "{header}" first, so nothing shows that it compiles alone'


def third_party(file, _):
    for number, _, name in file.includes():
        for prefix, places in THIRD_PARTY.items():
            if name.startswith(prefix) and not matches(file.path, places):
                where = " or ".join(places) or "no file"
                yield number, f"includes {name}, which is for {where}: one place for each library"


def banned(file, _):
    if not file.is_cpp:
        return
    for pattern, places, sentence in BANNED:
        if matches(file.path, places):
            continue
        for found in re.finditer(pattern, file.code, re.MULTILINE):
            yield file.line_at(found.start()), sentence


def words(file, _):
    for number, line in enumerate(file.lines, 1):
        found = UNFINISHED.search(line)
        if found:
            yield number, f"{found.group()}: finish it, or open an issue"
        if MACHINE_PATH.search(line):
            yield number, "a path of one machine, which means nothing on another"
        found = PACKAGE_HOST.search(line)
        if found:
            yield number, f"{found.group()}: where packages come from is each machine's own affair"


def built(file, tree):
    """Every source is named in CMake; so is every header of the library."""
    is_source = file.path.endswith(".cc") or (file.path.startswith("handrail/") and file.is_cpp)
    if is_source and file.path not in tree.named_in_cmake:
        yield 1, "not named in any CMakeLists.txt, so nothing builds or tests it"


def globs(file, _):
    for number, line in enumerate(file.lines, 1):
        if file.is_cmake and re.search(r"\bfile\s*\(\s*GLOB", line, re.IGNORECASE):
            yield number, "a glob in CMake does not notice new files; list them"


def types_of_the_namespace(file):
    """(line, name) of each type that the file defines in namespace handrail itself."""
    scopes = []  # of the open braces: whether each is namespace handrail
    head_start = 0
    for found in re.finditer(r"[{};]", file.code):
        if found.group() == "{":
            head = re.sub(r"\btemplate\s*<[^{}]*?>\s*(?=class|struct)", "",
                          file.code[head_start:found.start()]).strip()
            scopes.append(bool(re.search(r"\bnamespace\s+handrail$", head)))
            defined = re.match(r"(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
                               r"(?:alignas\([^()]*\)\s*)?(\w+)\s*(?:final\s*)?(?::(?!:)|$)", head)
            if defined and len(scopes) == 2 and scopes[0]:
                yield file.line_at(found.start()), defined.group(1)
        elif found.group() == "}" and scopes:
            scopes.pop()
        head_start = found.start() + 1


def one_type_a_name(file, tree):
    """Two headers that define the same name cannot be included together."""
    if not file.path.endswith(".h"):
        return
    for line, name in types_of_the_namespace(file):
        first = tree.types[name]
        if first != (file.path, line):
            yield line, f"{name} is the name of a type in {first[0]}:{first[1]} too; rename one"


RULES = (long_lines, long_file, whitespace, long_functions, include_order, policies,
         own_header_first, third_party, banned, words, built, globs, one_type_a_name)


class Tree:
    def __init__(self, texts):
        self.files = [File(path, text) for path, text in sorted(texts.items())]
        self.paths = frozenset(texts)
        self.named_in_cmake = set()
        self.types = {}  # of headers: the name of each, and where it is defined first
        for file in self.files:
            for line, name in types_of_the_namespace(file) if file.path.endswith(".h") else ():
                self.types.setdefault(name, (file.path, line))
            if file.is_cmake:
                self.named_in_cmake |= self._named(file)

    @staticmethod
    def _named(file):
        folder = pathlib.PurePosixPath(file.path).parent
        names = set()
        for name in re.findall(r"[\w./+-]+\.(?:cc|h)\b", re.sub(r"#.*", "", file.text)):
            parts = []
            for part in (folder / name).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            names.add("/".join(parts))
        return names

    def rejections(self):
        for file in self.files:
            for rule in RULES:
                for line, sentence in rule(file, self):
                    yield file.path, line, sentence


def read_tree(root):
    texts = {}
    for path in root.rglob("*"):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") and part != ".ci" for part in name.parts[:-1])
        skipped = name.parts[0] in SKIPPED_FOLDERS or name.parts[:2] == ("web", "dist") or any(
            part in SKIPPED_ANYWHERE for part in name.parts)
        if hidden or skipped:
            continue
        if name.name == ".git" or path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        if b"\0" not in content:
            texts[name.as_posix()] = content.decode("utf-8")
    return texts


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    texts = read_tree(pathlib.Path(arguments[0]))
    count = 0
    for path, line, sentence in Tree(texts).rejections():
        print(f"{path}:{line}: {sentence}")
        count += 1
    print(f"{len(texts)} files, {count} rejections")
    return 1 if count or not texts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
