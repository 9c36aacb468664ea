# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said to people: messages in every language, lessons, man pages, completion.

Run as: texts_test.py SOURCES FUSEBENCH_CLI
"""
import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCES = pathlib.Path(sys.argv[1])
CLI = sys.argv[2]
LANGUAGES = ["zh_CN"]  # in addition to English
LESSONS = SOURCES / "resources" / "lessons"


def run(*arguments, **more):
    environment = dict(os.environ, FUSEBENCH_RESOURCES=str(SOURCES / "resources"), **more)
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, env=environment)


TOKEN = re.compile(r'''//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\\ ]*)\(.*?\)(?P=d)"|(?P<text>"(?:\\.|[^"\\\n])*")|'(?:\\.|[^'\\])+'|(?P<word>\d[\w.']*|\w+)|(?P<mark>\S)''', re.S)


def texts_in(source, calls):
    """The literals of the first argument of these calls, adjacent ones joined; both literals of `a ? b : c`."""
    found, depth, open_calls, last_word, joined = set(), 0, [], "", None
    for token in TOKEN.finditer(source):
        if token["text"] is not None:
            if open_calls and open_calls[-1] == depth:
                joined = (joined or "") + json.loads(token["text"].replace("\\'", "'").replace("\\033", "\\u001b"))
            continue
        if joined is not None and (token["word"] or token["mark"]):
            found.add(joined)
            joined = None
        if token["word"]:
            last_word = token["word"]
        elif token["mark"]:
            if token["mark"] in "([{":
                depth += 1
                if token["mark"] == "(" and last_word in calls:
                    open_calls.append(depth)
            elif token["mark"] in ")]}":
                if open_calls and open_calls[-1] == depth:
                    open_calls.pop()
                depth -= 1
            elif token["mark"] == "," and open_calls and open_calls[-1] == depth:
                open_calls.pop()
            last_word = ""
    return found


def texts_of(folders, calls):
    found = set()
    for folder in folders:
        for file in [*(SOURCES / folder).rglob("*.cpp"), *(SOURCES / folder).rglob("*.h")]:
            found |= texts_in(file.read_text(), calls)
    return found


def places(text, pattern):
    return re.findall(pattern, text.replace("{{", "").replace("}}", ""))


class Sources(unittest.TestCase):
    def test_what_has_a_safe_way_is_done_in_no_other(self):
        # Each rule has a forbidden call, the files that may contain it, and the call to use instead.
        rules = [(r"fmt::print\(stderr|fprintf\(stderr|fputs\([^;]*stderr", {"app/ship_kernels.cpp"}, "putError, which never throws"),
                 (r"\bpopen\(|\bstd::system\(", set(), "runCaptured, which needs no shell"),
                 (r"\bdlopen\(", {"engine/base/shared_library.cpp", "engine/mpi/mpi_abi.cpp"}, "SharedLibrary, which opens no relative path"),
                 (r"QToolTip::showText\(", {"ui/views/base/plain_texts.cpp"}, "showTip, which loads nothing"),
                 (r"QDesktopServices::openUrl\(", {"ui/views/lesson/lesson_links.cpp"}, "followLessonLinks, which asks")]
        for pattern, allowed, instead in rules:
            found = [str(file.relative_to(SOURCES)) for folder in ("engine", "profiler", "ui", "app")
                     for file in (SOURCES / folder).rglob("*.cpp") if re.search(pattern, file.read_text())]
            self.assertEqual(sorted(set(found) - allowed), [], f"call {instead}")


class Catalogue(unittest.TestCase):
    def test_every_message_that_is_said_is_translated(self):
        said = texts_of(("engine", "profiler", "ui", "app"), {"said", "saying", "toBeSaid", "courseWord"})
        said.discard("")
        self.assertGreater(len(said), 800)
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            self.assertEqual([message for message in sorted(said) if message not in catalogue], [])

    def test_what_ops_do_and_what_studies_ask_is_translated(self):
        ops = json.loads(run("ops", "--json").stdout)["ops"]
        said = {word for op in ops for word in (op["doc"], op["category"])}
        for file in (SOURCES / "resources/experiments").glob("*.json"):
            experiment = json.loads(file.read_text())
            said |= {experiment["title"], experiment["question"], experiment["note"]}
            said |= {claim["text"] for claim in experiment.get("claims", [])}
        for file in LESSONS.glob("*.fblesson"):
            for block in re.findall(r"```experiment\n(.*?)```", file.read_text(), re.S):
                said |= {claim["text"] for claim in json.loads(block).get("claims", [])}
        course = json.loads((LESSONS / "modules.json").read_text())
        said.add(course["path"]["title"])
        for module in course["modules"]:
            said |= {module["title"], module["about"]} | {lesson["objective"] for lesson in module["lessons"]}
        for recording in json.loads((SOURCES / "resources/recordings/index.json").read_text()):
            said |= {recording["title"], recording["about"]}
        for file in (SOURCES / "resources/references").glob("*.json"):
            said |= {json.loads(file.read_text())[key] for key in ("title", "source", "device", "note")}
        for file in (SOURCES / "resources/devices").glob("*.json"):
            device = json.loads(file.read_text())
            said |= {device["note"], device["title"]} if device["made_up"] else {device["note"]}
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            self.assertEqual([words for words in sorted(said) if words not in catalogue], [])

    def test_words_that_stand_alone_are_translated(self):
        # Table headings, axis names and stop reasons: "launches" as a heading is not the one in "30 launches".
        sources = "".join(file.read_text() for folder in ("app", "profiler") for file in (SOURCES / folder).rglob("*.cpp"))
        said = {f"head: {word}" for word in re.findall(r'\bhead\(\s*"([^"]+)"\)', sources)}
        self.assertGreater(len(said), 40)
        stops = re.search(r"name\(Stop stop\).*?kNames = \{(.*?)\};", sources, re.S).group(1)
        said |= {f"ended: {word}" for word in re.findall(r'"(\w+)"', stops)}
        for file in (SOURCES / "resources/experiments").glob("*.json"):
            for axis in json.loads(file.read_text())["axes"]:
                said |= {f"axis: {word}" for word in (axis["name"], axis.get("unit", axis["name"]))}
        said |= {f"phase: {phase}" for phase in re.findall(r'\breport\("(\w+)"', sources)} - {"phase: done"}
        for one, many in re.findall(r'\bsay\(counts\.\w+, "([^"]+)", "([^"]+)"\)', sources):
            said |= {f"count: {one}", f"count: {many}"}
        said -= {"axis: n", "axis: KB", "axis: KiB"}  # a name and units
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            self.assertEqual([words for words in sorted(said) if words not in catalogue], [])

    def test_what_pytorchs_process_notes_of_a_check_is_translated(self):
        source = (SOURCES / "resources/torch/fusebench_layers.py").read_text()
        notes = {note.replace("%s", "{}") for note in re.findall(r'\bnote = "([^"]*)"', source)}
        self.assertGreater(len(notes), 3)
        cells = (SOURCES / "resources/torch/fusebench_cells.py").read_text()
        for name in ("TF32", "CARRIED_ON", "READS_UNSET", "KEPT_TENSORS", "KEPT_VALUES"):
            text = ast.literal_eval(re.search(rf"^{name} = (\(.*?\))$", cells, re.M | re.S).group(1))
            notes.add(re.sub("%[sd]", "{}", text))
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            self.assertEqual([note for note in sorted(notes) if note not in catalogue], [])

    def test_what_pytorchs_process_lacks_is_translated(self):
        said = set()
        for file in (SOURCES / "resources/torch").glob("*.py"):
            tree = ast.parse(file.read_text())
            constants = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign)
                         for target in node.targets if isinstance(target, ast.Name)}

            def texts(node):
                if isinstance(node, ast.Name):
                    node = constants.get(node.id)
                if isinstance(node, ast.IfExp):
                    return texts(node.body) | texts(node.orelse)
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
                    return texts(node.left)
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    return {node.value}
                return set()

            for node in ast.walk(tree):
                name = node.func if isinstance(node, ast.Call) else None
                if getattr(name, "attr", getattr(name, "id", "")) in ("Unavailable", "Unsupported"):
                    said |= texts(node.args[0])
                if isinstance(node, ast.FunctionDef) and node.name in ("why_not", "no_torch"):
                    for each in ast.walk(node):
                        if isinstance(each, (ast.Return, ast.Assign)) and each.value:
                            said |= {text for text in texts(each.value) if text != "Python %d.%d.%d (%s)"}
        said = {re.sub("%[sdg]", "{}", text) for text in said}
        self.assertGreater(len(said), 15)
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            self.assertEqual([text for text in sorted(said) if text not in catalogue], [])

    # Messages whose parts are endings, verbs or words that Chinese has not, and that it leaves out.
    LEFT_OUT = {
        " ({} of them graph {})", "; at {} more {} there are too few samples to be sure", "; {} {} before it",
        "at the {} measured point{} the median error is {:.1f}%, the largest {:.1f}%",
        "it needs {} ranks, but here {} {}", "{} recompile{}", "{} sample{} dropped: the device was {}.\n",
        "{} {} fewer than {} samples: a range is drawn there, not an interval.",
        "{} {} not measured, so a result for {} is missing. {}", "{} '{}'; there {} {}", ", of statement{} {}"}

    def test_translations_put_in_what_the_messages_do(self):
        for language in LANGUAGES:
            catalogue = json.loads((SOURCES / f"resources/languages/{language}.json").read_text())
            for message, translated in catalogue.items():
                self.assertTrue(translated.strip() or not message.strip(), message)
                parts = places(message, r"\{(\d*)(?::[^{}]*)?\}")
                put_in = places(translated, r"\{(\d*)(?::[^{}]*)?\}")
                numbered = [part for part in put_in if part]
                self.assertIn(len(numbered), (0, len(put_in)), message)
                self.assertLessEqual(len(put_in), len(parts), message)
                if message not in self.LEFT_OUT:
                    self.assertEqual(len(set(put_in) if numbered else put_in), len(parts), message)
                for part in numbered:
                    self.assertLess(int(part), len(parts), message)
                self.assertEqual(message.endswith("\n"), translated.endswith("\n"), message)


class Json(unittest.TestCase):
    """The JSON output has the same keys in every language."""

    EXPERIMENT = {
        "fusebench": "experiment", "version": 2, "title": "Keys",
        "program": ["def program(x, w):", "    w.requires_grad_()", "    return (x * w).sum()"],
        "inputs": [{"name": "all", "count": 1, "tensors": [
            {"name": "x", "extents": [8, 4]}, {"name": "w", "extents": [4], "held": True}]}],
        "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
        "baseline": "eager", "axes": [{"name": "ranks", "values": [1]}],
        "measure": {"budgetSeconds": 100, "minimumSamples": 6, "maximumSamples": 6, "sessions": 1, "compileRepeats": 1}}

    def keys(self, value, path=""):
        if isinstance(value, dict):
            return {path + "/" + key for key in value}.union(*(self.keys(value[key], path + "/" + key) for key in value))
        if isinstance(value, list):
            return set().union(*(self.keys(each, path + "/#") for each in value))
        return set()

    def test_keys_are_the_same_in_every_language(self):
        experiment = dict(self.EXPERIMENT)
        if shutil.which("mpirun"):  # ranks add entries to the description of the machine
            experiment["axes"] = [{"name": "ranks", "values": [1, 2]}]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "keys.json"
            file.write_text(json.dumps(experiment))
            for command in (["analyze", "--json", "h100_fusion_study"], ["doctor", "--json"], ["devices", "--json"],
                            ["run", "--json", "--quick", str(file)]):
                english = run("--language", "en", *command)
                self.assertEqual(english.returncode, 0, english.stderr)
                expected = self.keys(json.loads(english.stdout))
                self.assertGreater(len(expected), 5)
                for language in LANGUAGES:
                    said = run("--language", language, *command)
                    self.assertEqual(self.keys(json.loads(said.stdout)) ^ expected, set(), command)


class CommandLine(unittest.TestCase):
    """What people read of it: nothing but names is English in another language."""

    # Names of the program, its commands, executors, ops, types, variants, metrics and machines.
    NAMES = set("""
        fusebench-cli run analyze capture cut query schema fit lesson code worker torch-worker ops devices doctor check check-statistics completion mpirun
        eager static dynamic replay torch pageable pinned on the device add sin mul cos return sum float bool
        nvidia linux compute trace here split launches latency speedup memory error bandwidth throughput compile chrome shell rank ranks python
        """.split())

    def english(self, text):
        """Words of running text: options, paths, keys, words in capitals and what is quoted aside."""
        text = re.sub(r'--[\w-]+|\S*[/_=.(:@\d]\S+|"[^"]*"', " ", text)
        return [word for word in re.findall(r"[A-Za-z][a-z-]{2,}", text) if word.lower() not in self.NAMES]

    def test_nothing_that_it_prints_is_english_but_names(self):
        for command in (["--help"], ["run", "--help"], ["analyze", "h200_pinned_transfers"],
                        ["analyze", "torch_compile_2025"], ["fit", "h200_dtype_width"],
                        ["code", "fusion_study", "--plan", "--variant", "eager", "--at", "5"]):
            for language in LANGUAGES:
                said = run("--language", language, *command)
                self.assertEqual((said.returncode, said.stderr), (0, ""), command)
                self.assertEqual(self.english(said.stdout), [], command)
            # The same search does find English words in the English output.
            self.assertGreater(len(self.english(run("--language", "en", *command).stdout)), 5, command)


class Window(unittest.TestCase):
    def translations(self, language):
        found = {}
        tree = xml.etree.ElementTree.parse(SOURCES / f"resources/languages/fusebench_{language}.ts")
        for message in tree.iter("message"):
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.findall("numerusform")]
            self.assertIsNone(translation.get("type"), message.find("source").text)
            found[message.find("source").text or ""] = forms or [translation.text or ""]
        return found

    def test_every_text_of_the_window_is_translated_and_no_other(self):
        shown = texts_of(("ui", "app"), {"uiText", "uiMark"})
        self.assertGreater(len(shown), 1000)
        for language in LANGUAGES:
            translated = self.translations(language)
            self.assertEqual(sorted(shown - set(translated)), [])
            self.assertEqual(sorted(set(translated) - shown), [])

    def test_translations_put_in_what_the_texts_do(self):
        for language in LANGUAGES:
            for text, forms in self.translations(language).items():
                for form in forms:
                    self.assertTrue(form, text)
                    self.assertLessEqual(set(places(form, r"%(\d|n)")), set(places(text, r"%(\d|n)")), text)


class Help(unittest.TestCase):
    def test_every_page_is_there_in_every_language_with_the_same_sections(self):
        pages = [page for page in (SOURCES / "resources/help").glob("*.md") if page.stem.count(".") == 0]
        self.assertGreater(len(pages), 30)
        def sections(page):
            lines = page.read_text().splitlines()
            return [line.split(" ")[0] for line in lines if line.startswith("#")], sum(line.startswith("|") for line in lines)
        for page in pages:
            for language in LANGUAGES:
                self.assertEqual(sections(page), sections(page.with_suffix(f".{language}.md")), page.name)


class Lessons(unittest.TestCase):
    names = (LESSONS / "order").read_text().split()

    def test_all_of_them_can_be_read_in_every_language(self):
        for language in ["en", *LANGUAGES]:
            listed = run("--language", language, "lesson", "--json")
            self.assertEqual(listed.returncode, 0, listed.stderr)
            self.assertEqual([one["name"] for one in json.loads(listed.stdout)["lessons"]], self.names)
        self.assertGreaterEqual(len(self.names), 22)

    def test_the_list_shows_modules_what_is_done_and_what_comes_next(self):
        with tempfile.TemporaryDirectory() as folder:
            mine = {"XDG_DATA_HOME": folder, "LC_ALL": "C.UTF-8"}
            before = json.loads(run("lesson", "--json", **mine).stdout)
            self.assertEqual(before["next"], before["path"][0])
            lesson = next(one for one in before["lessons"] if one["name"] == before["next"])
            self.assertEqual((lesson["progress"], lesson["module"]), ("untouched", "Foundations"))
            answers = json.loads(run("lesson", before["next"], "--json").stdout)
            for prediction in answers["predictions"]:
                prediction["given"] = "1"
            for question in answers["questions"]:
                question["given"], question["right"] = "x", True
            kept = pathlib.Path(folder) / "fusebench" / "fusebench" / "answers"
            kept.mkdir(parents=True)
            (kept / f"{before['next']}.json").write_text(json.dumps(answers))
            after = json.loads(run("lesson", "--json", **mine).stdout)
            self.assertEqual(after["next"], before["path"][1])
            listed = run("lesson", **mine).stdout
            self.assertIn(f"If you have one hour: {', '.join(before['path'])}\n", listed)
            self.assertRegex(listed, rf"\nFoundations: [^\n]+\n(?:[^\n]+\n)*?{before['path'][0]} +✓ +1[0-9] min  ●○○  ")
            self.assertIn(f"Next: fusebench-cli lesson {before['path'][1]}\n", listed)
            self.assertIn(" (after row-fusion)\n", listed)

    def test_pages_and_columns_are_called_what_they_are_called_in_the_window(self):
        help_pages = SOURCES / "resources" / "help"
        chinese = {message.find("source").text: message.find("translation").text
                   for message in xml.etree.ElementTree.parse(
                       SOURCES / "resources/languages/fusebench_zh_CN.ts").iter("message")}
        for name in self.names:
            for ending, page in [("", r"page \*([^*]+)\*"), (".zh_CN", r"\*\*说明\*\*页里的“([^”]+)”")]:
                lesson = (LESSONS / f"{name}{ending}.fblesson").read_text()
                flat = re.sub(r"\s*\n\s*", "" if ending else " ", lesson)
                headings = {file.read_text().splitlines()[0].lstrip("# ") for file in help_pages.glob(f"*{ending}.md")}
                for called in re.findall(page, flat):
                    self.assertIn(called, headings, f"{name}{ending}: no page has this heading")
                if ending:
                    for control in ("rel. error", "latency", "speedup", "Log x", "Log y", "Shape", "Break-even map"):
                        self.assertNotIn(f"**{control}**", lesson, f"{name}: it is {chinese[control]} there")

    def test_they_ask_the_same_of_the_same_data_in_every_language(self):
        def asked(file):
            lines = file.read_text().splitlines()
            keys = ("value:", "unit:", "choice:", "experiment:", "device:", "minutes:", "```")
            of_choice = lambda line: "choice:" + line.split("|")[-1] if line.startswith("choice:") else line
            return [of_choice(line) for line in lines if line.startswith(keys)]
        for name in self.names:
            english = asked(LESSONS / f"{name}.fblesson")
            self.assertEqual(english.count("```ask"), 3, name)
            self.assertGreaterEqual(english.count("```predict"), 2, name)
            for language in LANGUAGES:
                self.assertEqual(english, asked(LESSONS / f"{name}.{language}.fblesson"), name)

    def test_the_systems_language_is_taken(self):
        self.assertIn("启动一次内核", run("lesson", LC_ALL="zh_CN.UTF-8").stdout)
        self.assertIn("What does a launch cost?", run("lesson", LC_ALL="C.UTF-8").stdout)

    def test_mistakes_have_one_line_with_a_place(self):
        self.assertIn("there is no such lesson; shipped ones: measuring, launch-cost", run("lesson", "lunch").stderr)
        wrong = run("--language", "tlh", "lesson")
        self.assertEqual((wrong.returncode, wrong.stderr.count("\n")), (2, 1))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "my.fblesson"
            head = "```lesson\nexperiment: fusion_study\n```\n# T\n"
            for block, told in [
                    ("```predict\nask: x\n", ":5: the block \"predict\" is not closed"),
                    ("```predict\nask: x\nvalue: speed of eager at 8\n```\n", "is not a known metric"),
                    ("```predict\nask: x\nvalue: latency of eger at 30\n```\n", ":6: the experiment has no variant \"eger\""),
                    ("```predict\nask: x\nvalue: latency of eager at 7\n```\n", "the axis statements has no value 7"),
                    ("```predict\nask: x\nvalue: latency of eager at 30\nunit: h\n```\n", "there is no unit \"h\""),
                    ("```ask\nask: x\nvalue: fastest at 30\n```\n", "add \"choice\" lines"),
                    ("```ask\nwhat: x\n```\n", "is not a line of a block \"ask\"")]:
                file.write_text(head + block)
                ended = run("lesson", str(file))
                self.assertEqual(ended.returncode, 2)
                self.assertIn(told, ended.stderr)

    def test_a_run_answers_a_lesson_and_answers_are_collected(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            experiment = json.dumps({
                "fusebench": "experiment", "version": 1, "title": "A test",
                "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
                "inputs": [{"name": "one", "tensors": [{"name": "x", "extents": [4, 16]}]}],
                "variants": [{"name": name, "executor": name} for name in ("eager", "static")],
                "baseline": "eager", "axes": [{"name": "statements", "values": [1, 8]}],
                "measure": {"budgetSeconds": 60, "compileRepeats": 1}})
            (folder / "my.json").write_text(experiment)
            (folder / "my.fblesson").write_text(
                f"```experiment\n{experiment}\n```\n# How many?\n"
                "```predict\nask: How many?\nvalue: launches of eager at 8\n```\n"
                "```ask\nask: One?\nvalue: launches of static at 8\nchoice: yes | .. 2\nwhy: It is fused.\nchoice: no | 2 ..\n```\n")
            run("run", str(folder / "my.json"), "--out", str(folder / "run.jsonl"), "--quick")
            ask = ["lesson", str(folder / "my.fblesson"), "--run", str(folder / "run.jsonl")]
            answers = json.loads(run(*ask, "--json").stdout)
            self.assertEqual(answers["predictions"][0]["seen"], "9")
            answers["who"] = "Ada, L."
            answers["predictions"][0]["given"] = "4,5"
            answers["questions"][0]["given"] = "yes"
            (folder / "ada.json").write_text(json.dumps(answers))
            ask += ["--answers", str(folder / "ada.json")]
            told = run(*ask).stdout
            self.assertIn("You said 4,5, and it is 9: the right order of magnitude, off by a factor of 2.", told)
            self.assertIn("Right: 1 launch.", told)
            self.assertIn("\n- [x] yes\n\n  *It is fused.*\n", told)
            (folder / "ada.json").write_text(run(*ask, "--json").stdout)
            table = run("lesson", "--collect", str(folder / "ada.json")).stdout
            self.assertEqual(table, "who,lesson,device,right,questions,predictions off by\n"
                                    "\"Ada, L.\",my,cpu,1,1,2\n")
            handed_in = folder / "class"
            handed_in.mkdir()
            shutil.copy(folder / "ada.json", handed_in)
            self.assertEqual(run("lesson", "--overview", str(handed_in)).stdout,
                             "who,my,right,predictions within 2\n\"Ada, L.\",1.00,1.00,1.00\nall,1.00,1.00,1.00\n")
            nothing = run("lesson", "--overview", str(folder / "none"))
            self.assertEqual((nothing.returncode, nothing.stderr.count("\n")), (2, 1))
            key = run("lesson", str(folder / "my.fblesson"), "--run", str(folder / "run.jsonl")).stdout
            self.assertIn("Measured: 1 launch. Right: yes.", key)
            written = run("lesson", str(folder / "my.fblesson"), "--experiment", str(folder / "its.json"))
            self.assertEqual(written.returncode, 0, written.stderr)
            self.assertEqual(json.loads((folder / "its.json").read_text())["title"], "A test")
            other = run("lesson", "checkpointing", "--run", str(folder / "run.jsonl"))
            self.assertEqual(other.returncode, 2)
            self.assertIn("not of the lesson's experiment", other.stderr)


class OfItself(unittest.TestCase):
    def test_the_man_page_has_every_command_and_option(self):
        page = run("manual").stdout
        for part in (".SH COMMAND RUN", r"\fB\-\-trace\-level\fR", "One of: split, launches.", ".SH COMMAND LESSON",
                     ".SH EXIT STATUS"):
            self.assertIn(part, page)
        self.assertNotIn("COMMAND MANUAL", page)

    def test_each_shell_takes_its_completion(self):
        for shell in ("bash", "zsh", "fish"):
            script = run("completion", shell).stdout
            self.assertIn("trace-level", script)
            if shutil.which(shell):
                checked = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True)
                self.assertEqual((checked.returncode, checked.stderr), (0, ""), shell)
        self.assertEqual(run("completion", "tcsh").returncode, 2)

    def test_bash_offers_what_fits(self):
        script = run("completion", "bash").stdout

        def offered(words):
            ask = (f"{script}\nCOMP_WORDS=(fusebench-cli {words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}}-1))\n"
                   "compopt() { :; }\n_fusebench_cli\necho \"${COMPREPLY[@]}\"\n")
            return subprocess.run(["bash"], input=ask, text=True, capture_output=True).stdout.split()
        self.assertEqual(offered("an"), ["analyze"])
        self.assertEqual(offered("run --trace-level ''"), ["split", "launches"])
        self.assertIn("--trace-level", offered("run --tr"))
        self.assertIn("fusion_study", offered("check fusion"))
        self.assertIn("fusion_study", offered("run fusion_s"))
        self.assertEqual(offered("run --device sim:sl"), ["sim:slow-launch"])
        self.assertEqual(offered("lesson turning"), ["turning-point"])
        self.assertEqual(offered("--language z"), ["zh_CN"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
