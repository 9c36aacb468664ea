#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewords a text in the sources and in every catalogue together.

    packaging/reword.py OLD NEW [--root FOLDER]

OLD and NEW are whole English texts, as a catalogue has them: "{} of {}" for messages, "%1 of %2" for texts of the window.
Both have the same parts, so translations stay as they are; look at them afterward. Run clang-format on the sources that
this names. Tests and pages that quote the old text are listed, not changed. Exit code 2: nothing was changed.
"""
import argparse
import ast
import json
import os
import pathlib
import re
import sys
import xml.sax.saxutils

CODE = ("engine", "profiler", "ui", "app")
LITERAL = r'"(?:\\.|[^"\\\n])*"'
# Comments, raw strings and characters are skipped; adjacent literals are one text.
TOKEN = re.compile(rf'''//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\\ ]*)\(.*?\)(?P=d)"|(?P<text>{LITERAL}(?:\s+{LITERAL})*)|'(?:\\.|[^'\\])+\'''', re.S)
PART = re.compile(r"\{(\d*)(?::[^{}]*)?\}|%(\d|n)")


class Refused(Exception):
    pass


def parts(text):
    return sorted(a or b for a, b in PART.findall(text.replace("{{", "").replace("}}", "")))


def written(text):
    """The text as a literal of C++ on one line, which clang-format breaks."""
    return json.dumps(text, ensure_ascii=False).replace("\\u001b", "\\033")


def reworded_code(source, old, new):
    def put(match):
        if match["text"] is None or ast.literal_eval(f"({match['text']})") != old:
            return match[0]
        return written(new)
    return TOKEN.sub(put, source)


def reworded_json(catalogue, old, new):
    """Replaces the key alone, whose line stays where it is."""
    key = json.dumps(old, ensure_ascii=False) + ":"
    lines = catalogue.split("\n")
    return "\n".join(line.replace(key, json.dumps(new, ensure_ascii=False) + ":", 1) if line.strip().startswith(key) else line
                     for line in lines)


def reworded_ts(catalogue, old, new):
    escape = lambda text: xml.sax.saxutils.escape(text, {'"': "&quot;", "'": "&apos;"})
    plain = xml.sax.saxutils.escape
    for form in (escape, plain):
        catalogue = catalogue.replace(f"<source>{form(old)}</source>", f"<source>{form(new)}</source>")
    return catalogue


def quoting(root, old):
    """Files that quote the text and are not changed."""
    literal = written(old)[1:-1]
    for folder in ("tests", "docs", "resources", *CODE):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".cpp", ".h", ".py", ".md", ".fblesson", ".txt") and file.is_file():
                text = file.read_text(errors="replace")
                if old in text or literal in re.sub(r'"\s+"', "", text):
                    yield file


def reword(root, old, new):
    if old == new:
        raise Refused("both texts are the same")
    if parts(old) != parts(new):
        raise Refused(f"the parts differ: {parts(old)} and {parts(new)}; write the same ones into both texts")
    changed, translated = {}, False
    for folder in CODE:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".cpp", ".h"):
                source = file.read_text()
                if (now := reworded_code(source, old, new)) != source:
                    changed[file] = now
    if not changed:
        raise Refused("no source has this text; give the whole text of one message, as its catalogue has it")
    for file in sorted((root / "resources" / "languages").iterdir()):
        catalogue = file.read_text()
        change = {".json": reworded_json, ".ts": reworded_ts}.get(file.suffix)
        now = change(catalogue, old, new) if change else catalogue
        if file.suffix == ".json" and now != catalogue and new in json.loads(catalogue):
            raise Refused(f"{file.name} already has the new text; delete one of the two entries first")
        if now != catalogue:
            changed[file], translated = now, True
    if not translated:
        raise Refused("no catalogue has this text; add it there first")
    for file, text in changed.items():
        unfinished = file.with_name(file.name + ".part")
        unfinished.write_text(text)
        unfinished.chmod(file.stat().st_mode)
        os.replace(unfinished, file)
    return list(changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    try:
        changed = reword(options.root, options.old, options.new)
    except Refused as why:
        print(f"reword.py: {options.old!r}: {why}", file=sys.stderr)
        return 2
    for file in changed:
        print(f"reworded {file.relative_to(options.root)}")
    for file in quoting(options.root, options.old):
        print(f"quotes the old text: {file.relative_to(options.root)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
