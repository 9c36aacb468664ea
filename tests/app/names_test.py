# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in unnamed namespaces are unique within a room, because several files of a room compile as one.

Run as: names_test.py SOURCES

Which files compile together changes whenever a file is added, so a build shows only some of the names that meet.
"""
import collections
import pathlib
import re
import sys
import unittest

SOURCES = pathlib.Path(sys.argv[1])
TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (\w+)")
ALIAS = re.compile(r"using (\w+) = (.*)")
QUALIFIERS = r"(?:\[\[\w+\]\] )*(?:(?:inline|static|constexpr|const) )*"
FUNCTION = re.compile(QUALIFIERS + r"[\w:]+(?:<[^()]*>)?[\w:<>,*& ]*?[ *&](\w+)\((.*?)\)(?: noexcept)?(?: ->.*)? ?(?:\{|$)")
CONSTANT = re.compile(r"(?:(?:inline|static|constexpr|const) )+[\w:]+(?:<.*?>)?[ *&]+(\w+)(?:\[.*?\])?(?: =|\{|$)")


def without_texts(source):
    source = re.sub(r"//[^\n]*", "", source)
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    source = re.sub(r'R"(\w*)\((.*?)\)\1"', '""', source, flags=re.S)
    source = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', source)
    return re.sub(r"'(?:[^'\\\n]|\\.)'", "' '", source)


def unnamed_namespaces(source):
    """The declarations in each, without what is in their braces."""
    for begin in re.finditer(r"\bnamespace\s*\{", source):
        depth, kept = 1, []
        for letter in source[begin.end():]:
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if depth == 0:
                break
            if depth == 1 or (depth == 2 and letter == "{"):
                kept.append(letter)
        yield "".join(kept)


def names(source):
    """(name, what distinguishes it from others of this name) of all that is declared."""
    for text in unnamed_namespaces(without_texts(source)):
        text = re.sub(r"\btemplate\s*<[^;{]*?>\s*(?=\n|[a-z])", "", text)
        for statement in re.split(r"[;}]", text):
            line = " ".join(statement.split())
            if found := TYPE.match(line):
                yield found[1], ""
            elif found := ALIAS.match(line):
                yield found[1], "= " + found[2]  # the same alias may be written twice
            elif (found := FUNCTION.match(line)) and not line.startswith(("return ", "if ", "for ")):
                types = [re.sub(r"\b\w+( ?= ?.*)?$", "", each.strip()).strip() for each in found[2].split(",")]
                yield found[1], "(%s)" % ",".join(types)
            elif found := CONSTANT.match(line):
                yield found[1], ""


PROGRAMS_OF_THEIR_OWN = ("tests/engine/accuracy", "tests/engine/cuda", "tests/engine/sweeps")


def room(path):
    """A folder, except that a library of the window and a program of tests have many folders."""
    parts = path.relative_to(SOURCES).parts
    folder = "/".join(parts[:-1])
    if parts[0] == "ui" or (parts[0] == "tests" and not folder.startswith(PROGRAMS_OF_THEIR_OWN)):
        return "/".join(parts[:2])
    return folder


class Names(unittest.TestCase):
    maxDiff = None

    def test_none_is_declared_twice_in_a_room(self):
        files = collections.defaultdict(set)
        for top in ("engine", "profiler", "ui", "app", "tests/app", "tests/engine", "tests/profiler", "tests/ui"):
            for path in (SOURCES / top).rglob("*.cpp"):
                for name, kind in names(path.read_text()):
                    files[room(path), name, kind].add(str(path.relative_to(SOURCES)))
        self.assertGreater(len(files), 3000)
        twice = {name + kind: sorted(where) for (_, name, kind), where in files.items()
                 if len(where) > 1 and not kind.startswith("=")}
        self.assertEqual(twice, {}, "give one of each a name of its own")

    def test_what_meets_is_seen(self):
        source = 'namespace a {\nnamespace {\n/// Of b.\nconstexpr int kB = 3;\nstruct C {\n  int kD = 1;\n};\n' \
                 'int e(const C& c, int f = 2) {\n  const int kG = 1;\n  return f;\n}\n}  // namespace\nint kH = 1;\n}\n'
        self.assertEqual(list(names(source)), [("kB", ""), ("C", ""), ("e", "(const C&,int)")])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
