# SPDX-License-Identifier: GPL-3.0-or-later
"""Code that lessons offer for the reader's own PyTorch.

Run as: own_code_test.py SOURCES                    # every block is compiled, none is run
        ~/venv/bin/python own_code_test.py SOURCES --real   # blocks are run with the torch of that interpreter

A block that uses a GPU is only compiled where there is none. Running all of them takes minutes.
"""
import ast
import contextlib
import io
import pathlib
import re
import sys
import unittest

REAL = "--real" in sys.argv
SOURCES = pathlib.Path([argument for argument in sys.argv[1:] if argument != "--real"][0])
LESSONS = SOURCES / "resources" / "lessons"
LANGUAGES = ["zh_CN"]  # in addition to English
HEADINGS = {"": "In your own PyTorch code", ".zh_CN": "用在你自己的 PyTorch 代码里"}


def blocks(file):
    return re.findall(r"^```pytorch\n(.*?)^```", file.read_text(), re.S | re.M)


def lessons():
    return (LESSONS / "order").read_text().split()


class OwnCode(unittest.TestCase):
    def test_every_lesson_ends_with_code_that_compiles(self):
        for name in lessons():
            for ending, heading in HEADINGS.items():
                file = LESSONS / f"{name}{ending}.fblesson"
                text = file.read_text()
                self.assertEqual(text.count(f"\n## {heading}\n"), 1, file.name)
                self.assertIn("```pytorch", text.split(f"\n## {heading}\n")[1], file.name)
                for code in blocks(file):
                    compile(code, file.name, "exec")
                    longest = max(map(len, code.splitlines()))
                    self.assertLessEqual(longest, 110, f"{file.name}: a line is too long to read")

    def test_the_code_is_the_same_in_every_language(self):
        # Comments may be translated: only what runs is compared.
        for name in lessons():
            english = [ast.dump(ast.parse(code)) for code in blocks(LESSONS / f"{name}.fblesson")]
            for language in LANGUAGES:
                other = [ast.dump(ast.parse(code)) for code in blocks(LESSONS / f"{name}.{language}.fblesson")]
                self.assertEqual(english, other, name)

    def test_text_says_where_a_gpu_is_needed(self):
        for name in lessons():
            for ending, told in [("", "This needs a GPU."), (".zh_CN", "这需要 GPU。")]:
                file = LESSONS / f"{name}{ending}.fblesson"
                section = file.read_text().split(f"\n## {HEADINGS[ending]}\n")[1].split("\n## ")[0]
                self.assertEqual("cuda" in "".join(blocks(file)), told in section, file.name)

    def test_the_code_runs(self):
        if not REAL:
            self.skipTest("needs a torch of 2.3 or later: run this file with its Python and --real")
        import torch
        for name in lessons():
            for code in blocks(LESSONS / f"{name}.fblesson"):
                if "cuda" in code and not torch.cuda.is_available():
                    continue
                torch._dynamo.reset()
                with self.subTest(name), contextlib.redirect_stdout(io.StringIO()) as said:
                    exec(compile(code, name, "exec"), {"__name__": "__main__"})
                    self.assertNotEqual(said.getvalue(), "", "the code shows nothing")
                print(f"{name}:\n{said.getvalue()}", file=sys.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
