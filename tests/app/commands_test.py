# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command in README, docs, help and lessons is one that the program accepts.

Run as: commands_test.py SOURCES FUSEBENCH_CLI           parses each command
        commands_test.py SOURCES FUSEBENCH_CLI --run     runs those that need nothing but this machine
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv[1])
CLI = sys.argv[2]
PAGES = [SOURCES / "README.md", SOURCES / "CONTRIBUTING.md",
         *sorted(file for folder in ("docs", "resources/help") for file in (SOURCES / folder).glob("*.md")),
         *sorted((SOURCES / "resources/lessons").glob("*.fblesson"))]
SHIPPED = {file.stem for folder in ("experiments", "references", "recordings")
           for file in (SOURCES / "resources" / folder).iterdir()}
ENVIRONMENT = dict(os.environ, FUSEBENCH_RESOURCES=str(SOURCES / "resources"))
ELSEWHERE = re.compile(r"cuda|ssh:|slurm|--python|_torch\b|bench_it|capture")  # a GPU, another machine, or a torch 2


def commands_in(text):
    """The arguments of fusebench-cli in code spans and blocks, as a shell would split them."""
    pieces, inside = [], False
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside:
            pieces.append(line)
        else:
            pieces += re.findall(r"`([^`]+)`", line)
    for piece in pieces:
        if "--cli " in piece:
            continue  # an option of another program
        for found in re.finditer(r"(?:^|[\s/;&|(])fusebench-cli (?P<rest>[^|;&>\n]*)", " " + piece):
            try:
                words = shlex.split(found["rest"], comments=True)
            except ValueError:
                continue  # a sentence in a block, with an apostrophe
            if words:
                yield words


def all_commands():
    found = {}
    for page in PAGES:
        for words in commands_in(page.read_text()):
            found.setdefault(tuple(words), page.relative_to(SOURCES))
    return found


def run(arguments, folder=None, seconds=60):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, env=ENVIRONMENT, cwd=folder, timeout=seconds)


class Commands(unittest.TestCase):
    def test_each_is_accepted(self):
        commands = all_commands()
        self.assertGreater(len(commands), 80)
        for words, page in commands.items():
            if any("bench_it" in word for word in words):
                continue  # Python runs the file, with options of its own
            with self.subTest(page=str(page), command=" ".join(words)):
                # A command that is only named may lack arguments.
                ended = run([words[0], "--help"] if len(words) == 1 else ["--parse-only", *words])
                self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_shipped_names_are_those_that_ship(self):
        for words, page in all_commands().items():
            if words[0] in ("run", "analyze", "code") and len(words) > 1 and re.fullmatch(r"[a-z0-9_]+", words[1]):
                with self.subTest(page=str(page), command=" ".join(words)):
                    self.assertIn(words[1], SHIPPED)

    def test_a_wrong_one_is_not_accepted(self):
        self.assertEqual(run(["--parse-only", "run", "fusion_study", "--qick"]).returncode, 2)
        self.assertEqual(run(["--parse-only", "runs"]).returncode, 2)
        self.assertEqual(list(commands_in("Use `fusebench-cli run x --quick` or:\n\n```\n$ fusebench-cli ops  # all\n```\n")),
                         [["run", "x", "--quick"], ["ops"]])

    @unittest.skipUnless("--run" in sys.argv, "takes an hour")
    def test_each_that_needs_only_this_machine_runs(self):
        ran = 0
        for words, page in all_commands().items():
            named = len(words) > 1 and words[0] in ("run", "analyze", "code") and words[1] in SHIPPED
            listed = words[0] in ("ops", "devices", "schema") or words[:2] == ("lesson", "queue")
            if ELSEWHERE.search(" ".join(words)) or not (named or listed):
                continue
            quick = ["--quick"] if words[0] == "run" and "--quick" not in words else []
            with self.subTest(page=str(page), command=" ".join(words)), tempfile.TemporaryDirectory() as folder:
                ended = run([*words, *quick], folder, 1200)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.assertNotEqual(ended.stdout, "")
            ran += 1
        self.assertGreater(ran, 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
