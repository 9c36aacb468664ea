# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps words and phrases out of our English that docs/english.md replaces.

Run as: words_test.py SOURCES            checks that no count exceeds its limit
        words_test.py SOURCES --list     prints the patterns, each with reason and cure
        words_test.py SOURCES --show ROOM [PATTERN]   prints the occurrences in a room
        words_test.py SOURCES --lower    lowers the limits in words_limits.json to the present counts

A limit may only fall. A room or pattern that words_limits.json does not name has the limit 0.
"""
import collections
import io
import json
import pathlib
import re
import sys
import tokenize
import unittest

SOURCES = pathlib.Path(sys.argv[1])
LIMITS = SOURCES / "tests" / "app" / "words_limits.json"

Pattern = collections.namedtuple("Pattern", "name expression reason cure rooms")
Text = collections.namedtuple("Text", "file line words")

READ = ("README", "docs", "help", "lessons")  # what users read, apart from messages
ALL = None


def pattern(name, expression, reason, cure, rooms=ALL):
    return Pattern(name, re.compile(expression, re.I | re.M), reason, cure, rooms)


PATTERNS = [
    # Spelling
    pattern("-ise", r"\b(?:optimi|quanti|de-?quanti|speciali|initiali|normali|synchroni|seriali|vectori|recogni|organi|"
            r"summari|minimi|maximi|parallel?i|generali|reali|utili|emphasi|saniti|tokeni|visuali|locali|categori)s(?:e[sdr]?|ers|ing|ation|ations|able)\b",
            "British spelling", "-ize: optimize, quantize, synchronize"),
    pattern("-our", r"\b(?:colour|behaviour|neighbour|favour|honour|labour)(?:s|ed|ing|al|hood|able|ite|less|ful)*\b",
            "British spelling", "-or: color, behavior, neighbor"),
    pattern("-lled", r"\b(?:model|label|cancel|travel|signal|channel|total|tunnel)l(?:ed|ing|er)\b",
            "British spelling", "one l: modeled, labeled, canceled"),
    pattern("licence", r"\b(?:licen|defen|offen)ces?\b", "British spelling", "license, defense"),
    pattern("centre", r"\b(?:centre|metre|fibre|theatre)[sd]?\b", "British spelling", "center, fiber"),
    pattern("grey", r"\bgrey(?:ed|s)?\b", "British spelling", "gray"),
    pattern("analyse", r"\banalys(?:e[sd]?|ing)\b", "British spelling", "analyze"),
    pattern("artefact", r"\b(?:artefact|judgement|programme)s?\b", "British spelling", "artifact, judgment, program"),
    pattern("speed-up", r"\bspeed-ups?\b", "the field writes one word", "speedup"),
    pattern("set-up", r"\bset-up\b", "the field writes one word", "setup"),
    # Words out of use
    pattern("anew", r"\banew\b", "literary", "again, once more"),
    pattern("likewise", r"\blikewise\b", "literary", "also, in the same way"),
    pattern("thrice", r"\bthrice\b", "out of use", "three times"),
    pattern("dearer", r"\bdear(?:er|est)\b", "out of use for costs", "more expensive, slower"),
    pattern("seldom", r"\bseldom\b", "literary", "rarely"),
    pattern("mend", r"\bmend(?:s|ed|ing)?\b", "out of use for software", "fix, repair"),
    pattern("wholly", r"\bwholly\b", "literary", "fully, entirely"),
    pattern("whoever", r"\bwho(?:m|so)?ever\b", "literary", "you, the caller, anyone who"),
    pattern("nowhere", r"\bnowhere\b(?! else)", "a literal translation", "not at any point"),
    pattern("forth", r"\bforth\b", "a literal translation of the forward pass", "forward"),
    pattern("whilst", r"\b(?:whilst|amongst|hitherto|henceforth|thereof|therein|thereto|whereof|wherein)\b", "out of use",
            "while, among, until now, of it"),
    pattern("because: for", r", for (?:it|they|there|nothing|no driver)\b", "a literary conjunction", "because"),
    # Pronouns
    pattern("he", r"\b(?:he|his|him|himself)\b", "people are not all men", "you; the user, they"),
    # Literal translations
    pattern("some N", r"\bsome \d", "a literal translation", "about N"),
    pattern("from N on", r"\bfrom where on\b|\bfrom (?:\S+ ){1,4}on(?= wins?\b| it\b|[,.;:)]|$)", "a literal translation",
            "at N or more; starting at N"),
    pattern("how many times as", r"\bhow many times as\b", "hard to read", "the speedup of B over A"),
    pattern("as long", r"\b(?:takes?|took|taking) as long\b(?! as)", "reads as an unfinished sentence",
            "takes the same time"),
    pattern("made N of M", r"\bmade \d\S* (?:\S+ )?(?:out )?of \d", "a literal translation", "rose from M to N"),
    pattern("N a call", r"\b(?:\d[\d.,]*(?: ?(?:[nuµm]?s|%|x|GB|MB|KB|GiB|MiB|KiB|(?!(?:in|of|is|for|with|by|as|to|at|on|and|or|than|are|was|has)\b)\w+))?|[nuµm]s|bytes|cycles|instructions|once|twice|times) an? "
            r"(?:launch|call|op|element|statement|second|node|look|kernel|step|parameter|row|sample|rank|thread|round|variant|weight|vector|block)\b",
            "a rate needs its preposition", "per: 3.6 us per launch"),
    pattern("is no", r"(?<!there )(?<!here )\b(?:is|are|was|were) no\b(?! (?:longer|more|less|one|better|worse|different|gain|"
            r"slower|faster|larger|smaller|narrower|wider))", "a literal translation",
            "is not a; must be a; is not"),
    pattern("be had", r"\b(?:be|is|are|was) had\b", "a literal translation", "could not start, is not available"),
    pattern("beside", r"\bbeside\b", "means next to in space only", "next to, compared with, overlapping with, in addition to"),
    pattern("spare", r"\bspar(?:e[sd]?|ing)\b", "a literal translation", "save, avoid"),
    pattern("goes by", r"\b(?:go|goes|going|went) by\b", "a literal translation", "depends on, follows"),
    pattern("goes on", r"\b(?:go|goes|going|went|gone) on\b", "a literal translation", "continues; happens"),
    pattern("let go", r"\b(?:let|lets|letting) go\b", "a literal translation", "clear, release, free"),
    pattern("brings", r"\b(?:brings?|bringing|brought)\b(?! up\b)", "a literal translation",
            "gains; copies to; moves"),
    pattern("way back", r"\bway (?:back|forth|forward|there|on)\b", "not the field's term", "forward pass, backward pass"),
    pattern("talk", r"\btalk(?:s|ed|ing)?\b", "processes do not talk", "communicate, communication"),
    pattern("nonsense", r"\bnonsense\b", "blames", "invalid"),
    pattern("was ended", r"\b(?:is|are|was|were|be|been) ended\b", "a literal translation", "terminated, stopped"),
    pattern("stands", r"\b(?:stands?|stood|standing)\b(?! (?:for|in for|out|up|alone)\b)(?!-)",
            "data does not stand", "is, is listed, is shown, holds"),
    pattern("lies", r"\b(?:lies|lie|lay|lain)\b", "data does not lie", "is in memory, is stored, is between"),
    pattern("data says", r"\b(?:tables?|charts?|files?|data|findings?|reports?|intervals?|plans?|pages?|runs?|lines?|rows?|headers?|"
            r"banners?|notes?|graphs?|curves?|traces?|environment|doctor) (?:says?|said|tells?|told)\b",
            "data does not speak", "shows, contains, states, lists"),
    pattern("is said", r"\b(?:is|are|was|were|be) (?:said|told)\b(?! to)", "a literal translation", "is shown, is reported, is stated"),
    pattern("Of ...,", r"(?:^|[.;:?!] )Of (?!course\b)\w", "an inverted sentence", "begin with the subject"),
    pattern("What ... is", r"(?:^|[.!] )What (?!if\b)[^.?!:|]*\.(?: |$)", "an inverted sentence", "name the thing"),
    pattern("at hand", r"\bat hand\b", "a literal translation", "available; the current program"),
    pattern("along", r"\btak(?:e|es|ing) (?:\w+ )?along\b", "a literal translation", "export, include"),
    pattern("at a place", r"\bat (?:some|one|every|each|which|no|this|that|the same|all) places?\b", "not the field's term",
            "at one point; at some points", READ + ("catalogue", "window")),
    pattern("a look", r"\b(?:a|each|every|one|per) look\b(?! at)", "not the field's term", "a host-device sync"),
    pattern("planes", r"\b(?:by|of) (?:planes|pixels)\b", "not the field's term", "NCHW, NHWC (channels last)"),
    pattern("lane", r"(?<!vector )\blanes?\b", "not the field's term in a timeline", "track", READ + ("catalogue", "window")),
    pattern("product", r"\b(?:matrix products?|products? of matrices)\b", "not the field's term", "matmul",
            READ + ("catalogue", "window")),
]


def prose(markdown, lesson=False):
    """Running text of Markdown: code, links' targets and what is quoted or emphasized (names of things) left out."""
    lines, fence = [], None
    for line in markdown.splitlines():
        start = re.match(r"\s*(`{3,})(\w*)", line)
        if start and fence is None:
            fence = start[1], start[2]
            lines.append("")
        elif start and fence and start[1].startswith(fence[0]) and not start[2]:
            fence = None
            lines.append("")
        elif fence:
            # The blocks of a lesson hold sentences, but for what is asked of a run.
            told = re.match(r"(?:ask|choice|why|label): (.*)", line) if lesson and fence[1] in ("predict", "ask", "queue", "grid") else None
            lines.append(re.sub(r"\|[^|]*$", "", told[1]) + "\n" if told else "")
        elif line.startswith("    ") and (not lines or not lines[-1].strip()):
            lines.append("")
        else:
            lines.append(line)
    return lines


def plain(words):
    words = re.sub(r"``.*?``|`[^`]*`", "`", words)
    words = re.sub(r"\]\([^)]*\)", "]", words)
    words = re.sub(r'"[^"\n]*"|“[^”\n]*”', "`", words)
    return re.sub(r"\*\*[^*\n]+\*\*|(?<![\w*])\*[^*\s][^*\n]*\*", "`", words)


def paragraphs(file, lines):
    """Lines joined to paragraphs, since phrases run over the ends of lines."""
    joined, first = [], 0
    for number, line in enumerate([*lines, ""], 1):
        item = re.match(r"\s*(?:[-*]|\d+\.|#+) |\||.*\n$", line)
        if (not line.strip() or item) and joined:
            yield Text(file, first, plain(" ".join(joined)))
            joined = []
        if line.strip():
            if not joined:
                first = number
            joined.append(re.sub(r"^\s*(?:[-*]|\d+\.|#+) ", "", line).strip())


def markdown_texts(files, lesson=False):
    for file in files:
        if file.stem.count(".") == 0:  # others are in another language
            yield from paragraphs(file, prose(file.read_text(), lesson))


COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\\ \n]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<!\d)\'(?:\\.|[^\'\\\n])+\'', re.S)


def cpp_comments(file):
    source = file.read_text()
    found = {}
    for token in COMMENT.finditer(source):
        if token[0].startswith(("//", "/*")):
            line = source.count("\n", 0, token.start()) + 1
            for k, each in enumerate(token[0].splitlines()):
                found[line + k] = re.sub(r"^\s*(?:///?<?|/\*+|\*(?!/))|\*/$", "", each)
    return found


def python_comments(file):
    found, before = {}, tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(file.read_text()).readline):
        if token.type == tokenize.COMMENT:
            found[token.start[0]] = token.string.lstrip("#")
        elif token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.ENCODING):
            for k, line in enumerate(token.string.strip("\"'").splitlines()):
                found[token.start[0] + k] = line
        if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.DEDENT):
            before = token.type
    return found


def script_comments(file):
    return {number: line.lstrip().lstrip("#") for number, line in enumerate(file.read_text().splitlines(), 1)
            if line.lstrip().startswith("#")}


def comments(folder):
    readers = {".cpp": cpp_comments, ".h": cpp_comments, ".py": python_comments, ".sh": script_comments,
               ".cmake": script_comments, ".txt": script_comments}
    for file in sorted((SOURCES / folder).rglob("*")):
        read = readers.get(file.suffix)
        if not read or file == pathlib.Path(__file__).resolve() or file.suffix == ".txt" and file.name != "CMakeLists.txt":
            continue
        try:
            found = read(file)
        except (tokenize.TokenError, SyntaxError, UnicodeDecodeError):
            continue  # inputs of tests that are wrong on purpose
        lines = [""] * (max(found, default=0) + 1)
        for number, line in found.items():
            lines[number - 1] = "" if "SPDX" in line else line
        yield from paragraphs(file, lines)


def messages():
    file = SOURCES / "resources/languages/zh_CN.json"
    for number, line in enumerate(file.read_text().splitlines(), 1):
        message = re.match(r'\s*"((?:\\.|[^"\\])*)": ', line)
        if message:
            yield Text(file, number, re.sub(r'\\"[^"]*\\"|`[^`]*`', "`", message[1]))


def window_texts():
    file = SOURCES / "resources/languages/fusebench_zh_CN.ts"
    for number, line in enumerate(file.read_text().splitlines(), 1):
        source = re.search(r"<source>(.*?)(?:</source>|$)", line)
        if source:
            yield Text(file, number, source[1])


def rooms():
    """The texts of each room, by name."""
    found = {
        "README": markdown_texts([SOURCES / "README.md", SOURCES / "CONTRIBUTING.md"]),
        "docs": markdown_texts(sorted((SOURCES / "docs").glob("*.md"))),
        "help": markdown_texts(sorted((SOURCES / "resources/help").glob("*.md"))),
        "lessons": markdown_texts(sorted((SOURCES / "resources/lessons").glob("*.fblesson")), lesson=True),
        "catalogue": messages(),
        "window": window_texts(),
        "room pages": markdown_texts(sorted(file for room in ("engine", "profiler", "ui", "tests", "python")
                                            for file in (SOURCES / room).rglob("README.md"))),
    }
    for folder in ("engine", "profiler", "ui", "app", "tests", "resources", "packaging", "cmake", "python"):
        found[f"comments in {folder}"] = comments(folder)
    return found


def occurrences(texts, room):
    found = collections.defaultdict(list)
    for text in texts:
        for each in PATTERNS:
            if each.rooms is None or room in each.rooms:
                for match in each.expression.finditer(text.words):
                    found[each.name].append((text, match))
    return found


def shown(text, match):
    start, end = max(0, match.start() - 50), match.end() + 40
    return f"{text.file.relative_to(SOURCES)}:{text.line}: ...{text.words[start:end]}..."


class Words(unittest.TestCase):
    limits = json.loads(LIMITS.read_text()) if LIMITS.exists() else {}

    def test_no_text_gains_a_phrase_that_another_replaces(self):
        for room, texts in rooms().items():
            found = occurrences(texts, room)
            for each in PATTERNS:
                with self.subTest(room=room, pattern=each.name):
                    limit = self.limits.get(room, {}).get(each.name, 0)
                    newest = sorted(found[each.name], key=lambda one: -one[0].file.stat().st_mtime)[:8]
                    places = "\n".join(shown(*one) for one in newest)
                    self.assertLessEqual(len(found[each.name]), limit,
                                         f'"{each.name}" in {room}: {each.reason}; write: {each.cure}. '
                                         f"The limit is {limit}. In the newest files:\n{places}")

    def test_the_limits_name_rooms_and_patterns_that_there_are(self):
        names = {each.name for each in PATTERNS}
        self.assertEqual(len(names), len(PATTERNS))
        self.assertLessEqual(set(self.limits), set(rooms()))
        for room in self.limits.values():
            self.assertLessEqual(set(room), names)

    def test_each_room_has_texts(self):
        for room, texts in rooms().items():
            if room != "comments in python":
                self.assertGreater(sum(1 for _ in texts), 3, room)

    def test_names_and_code_are_left_out_and_phrases_over_lines_are_found(self):
        page = "The *Set-up* page and `beside`, \"let go\".\n\n```\nanew\n```\n\nA tensor that is made\nanew. It stands for x.\n"
        found = occurrences(list(paragraphs(pathlib.Path("x"), prose(page))), "docs")
        self.assertEqual({name: len(places) for name, places in found.items() if places}, {"anew": 1})
        lesson = "```ask\nask: What does fusing spare?\nvalue: speed-up of beside at 1\nchoice: yes | .. 1\nwhy: it goes on\n```\n"
        found = occurrences(list(paragraphs(pathlib.Path("x"), prose(lesson, lesson=True))), "lessons")
        self.assertEqual({name for name, places in found.items() if places}, {"spare", "goes on"})
        joined = occurrences(list(paragraphs(pathlib.Path("x"), ["It takes 5 us a", "launch. Of these, some 5 stay."])), "docs")
        self.assertEqual({name for name, places in joined.items() if places}, {"N a call", "Of ...,", "some N"})


class Pages(unittest.TestCase):
    pages = [SOURCES / "README.md", SOURCES / "CONTRIBUTING.md", *sorted((SOURCES / "docs").glob("*.md"))]

    def test_a_stranger_reads_the_readme_in_a_minute(self):
        readme = self.pages[0].read_text()
        self.assertTrue(700 <= len(readme.split()) <= 900, f"README.md has {len(readme.split())} words")
        for command in ("packaging/bootstrap.sh run", "packaging/bootstrap.sh test"):
            self.assertIn(command, readme)
        lessons = (SOURCES / "resources/lessons/order").read_text().split()
        self.assertIn(f"{len(lessons)} ten-minute lessons", readme)

    def test_links_lead_to_pages_headings_and_pictures_that_there_are(self):
        def anchors(page):
            heads = [line.lstrip("#").strip().lower() for line in page.read_text().splitlines() if line.startswith("#")]
            return {re.sub(r"[^\w\- ]", "", head).replace(" ", "-") for head in heads}
        followed = 0
        for page in self.pages:
            for link in re.findall(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"', page.read_text()):
                path, _, anchor = "".join(link).partition("#")
                if path.startswith("http"):
                    continue
                target = page.parent / path if path else page
                self.assertTrue(target.exists(), f"{page.name} links to {path}")
                if anchor:
                    self.assertIn(anchor, anchors(target), f"{page.name} links to {path}#{anchor}")
                followed += 1
        self.assertGreater(followed, 40)

    def test_the_index_lists_every_page(self):
        index = (SOURCES / "docs/README.md").read_text()
        self.assertEqual([page.name for page in self.pages[2:] if page.name != "README.md" and f"]({page.name})" not in index], [])


def lower():
    """Writes the present counts; a count above its limit leaves the limit as it is."""
    limits = Words.limits
    lowered = {}
    for room, texts in rooms().items():
        found = occurrences(texts, room)
        old = limits.get(room, {})
        counts = {each.name: min(len(found[each.name]), old.get(each.name, 0) if limits else len(found[each.name])) for each in PATTERNS}
        lowered[room] = {name: count for name, count in counts.items() if count}
    LIMITS.write_text(json.dumps({room: counts for room, counts in lowered.items() if counts}, indent=1) + "\n")


def main():
    arguments = sys.argv[2:]
    if arguments[:1] == ["--list"]:
        for each in PATTERNS:
            print(f"{each.name}: {each.reason}; write: {each.cure}")
    elif arguments[:1] == ["--show"]:
        found = occurrences(rooms()[arguments[1]], arguments[1])
        for name, places in found.items():
            if arguments[2:] in ([], [name]):
                for place in places:
                    print(f"[{name}] {shown(*place)}")
    elif arguments[:1] == ["--lower"]:
        lower()
    else:
        unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
