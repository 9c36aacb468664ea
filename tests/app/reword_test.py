# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/reword.py changes a text in the sources and in every catalogue together.

Run as: reword_test.py SOURCES
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv[1])
CODE = '''// say("{} of {} left")
void f(int a, int b) {
  put(saying("{} of {} "
             "left", a, b));
  put(saying("{} of {} left over", a, b));
  put(R"({} of {} left)");
  put(uiText("it's \\"%1\\" & more"));
}
'''
CATALOGUE = '''{
 "{} of {} left over": "多余 {} / {}",
 "{} of {} left": "剩 {} / {}",
 "a word": "词"
}
'''
WINDOW = '''<TS>
    <message>
        <source>it&apos;s &quot;%1&quot; &amp; more</source>
        <translation>“%1”</translation>
    </message>
</TS>
'''


class Reword(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in (("engine/f.cpp", CODE), ("resources/languages/zh_CN.json", CATALOGUE),
                           ("resources/languages/fusebench_zh_CN.ts", WINDOW), ("tests/f_test.cpp", 'EXPECT("{} of {} left")'),
                           ("profiler/g.h", ""), ("ui/g.h", ""), ("app/g.h", ""), ("docs/page.md", "")):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def reword(self, old, new):
        return subprocess.run([sys.executable, SOURCES / "packaging/reword.py", old, new, "--root", self.root],
                              capture_output=True, text=True)

    def text(self, name):
        return (self.root / name).read_text()

    def test_a_message_changes_in_code_and_catalogue_and_nothing_else_does(self):
        done = self.reword("{} of {} left", "{} remain of {}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.text("engine/f.cpp"),
                         CODE.replace('saying("{} of {} "\n             "left", a', 'saying("{} remain of {}", a'))
        self.assertEqual(self.text("resources/languages/zh_CN.json"), CATALOGUE.replace('"{} of {} left":', '"{} remain of {}":'))
        self.assertIn("quotes the old text: tests/f_test.cpp", done.stdout)

    def test_a_text_of_the_window_changes_in_code_and_catalogue(self):
        done = self.reword('it\'s "%1" & more', 'only "%1" < all')
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn('uiText("only \\"%1\\" < all")', self.text("engine/f.cpp"))
        self.assertIn("<source>only &quot;%1&quot; &lt; all</source>", self.text("resources/languages/fusebench_zh_CN.ts"))

    def test_what_cannot_be_reworded_changes_nothing_and_says_why(self):
        for old, new, why in (("{} of {} left", "{} left", "the parts differ"),
                              ("{} of {} left", "{} of {} left over", "already has the new text"),
                              ("a word", "another word", "no source has this text"),
                              ("{} of {} left", "{} of {} left", "the same")):
            done = self.reword(old, new)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn(why, done.stderr)
        self.assertEqual(self.text("engine/f.cpp"), CODE)
        self.assertEqual(self.text("resources/languages/zh_CN.json"), CATALOGUE)

    def test_a_text_of_the_real_sources_changes_in_both(self):
        message = "a library failed to initialize"
        self.assertIn(message, json.loads((SOURCES / "resources/languages/zh_CN.json").read_text()))
        for name in ("resources/languages/zh_CN.json", "engine/cuda/driver/driver_errors.cpp"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text((SOURCES / name).read_text())
        self.assertEqual(self.reword(message, "a library could not be initialized").returncode, 0)
        self.assertIn("a library could not be initialized", json.loads(self.text("resources/languages/zh_CN.json")))
        self.assertIn('toBeSaid("a library could not be initialized")', self.text("engine/cuda/driver/driver_errors.cpp"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
