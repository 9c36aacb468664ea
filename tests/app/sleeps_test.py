# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps fixed sleeps out of the tests: on a busy machine no time is long enough, and on an idle one each is too long.

Run as: sleeps_test.py SOURCES

A test waits for an event: a signal, a condition (QTest::qWaitFor), a file, a semaphore. A pause between two checks of
a condition is not a fixed sleep. Where the time itself is what the test is about, the file is in ALLOWED with the reason.
"""
import pathlib
import re
import sys
import unittest

SOURCES = pathlib.Path(sys.argv[1])
ENDINGS = (".cpp", ".h", ".c", ".py", ".sh")
SLEEPS = {
    ".py": r"\btime\.sleep\(",
    ".sh": r"^\s*sleep\b",
    "": r"\b(?:sleep_for|sleep_until|usleep|nanosleep|msleep|qWait|qSleep)\(|::sleep\(",
}
# Fixed sleeps of a file: how many, and why none of them can be a wait for an event.
ALLOWED = {
    "tests/app/late/late_rank.cpp": (1, "stands for a rank that comes late"),
    "tests/engine/cpu/split_launches_test.cpp": (1, "rests between calls, so that helpers fall asleep or do not"),
    "tests/engine/cpu/threaded_pool_test.cpp": (2, "no event tells that a helper sleeps: it says so just before; both "
                                                   "outcomes are right where the pause varies"),
    "tests/fuzz/campaign.py": (1, "kills at random moments"),
    "tests/profiler/fake_torch/torch/__init__.py": (1, "stands for a compile that takes time"),
    "tests/profiler/measure/cell_runner_test.cpp": (4, "stands for a call that takes time, which is measured"),
    "tests/profiler/measure/rank_clock_test.cpp": (1, "clocks drift apart meanwhile, which is measured"),
    "tests/ui/real_window_test.sh": (1, "no event tells that the X server has drawn"),
    "tests/ui/synthetic.cpp": (1, "stands for a round that takes time"),
    "tests/ui/window/controllers_test.cpp": (1, "nothing may come: what a study reports is gathered by a timer"),
    "tests/ui/window_driver.sh": (3, "no event tells that the X server has delivered a key"),
}


def kind(path):
    return SLEEPS.get(path.suffix, SLEEPS[""])


def indentation(line):
    return len(line) - len(line.lstrip())


def is_poll(lines, number):
    """Whether the sleep in a line is a pause between two looks at a condition."""
    loop = r"\b(?:while|until)\b"
    if re.search(loop, lines[number]):
        return True
    for above in range(number - 1, max(number - 20, -1), -1):
        line = lines[above]
        if not line.strip() or indentation(line) >= indentation(lines[number]):
            continue
        if re.search(loop, line):
            return True
        if not re.match(r"\s*for\b", line):
            return False
        # A loop that ends as soon as something holds.
        body = [text for text in lines[above + 1:number + 12] if text.strip()]
        end = next((i for i, text in enumerate(body) if indentation(text) <= indentation(line)), len(body))
        return "&&" in line or any(re.match(r"\s*(?:if \(.*\) )?(?:break|return)\b", text) for text in body[:end])
    return False


def fixed_sleeps(path):
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    found = []
    for number, line in enumerate(lines):
        comment = line.find("#" if path.suffix in (".py", ".sh") else "//")
        hit = re.search(kind(path), line)
        if hit and not 0 <= comment < hit.start() and not is_poll(lines, number):
            found.append(number + 1)
    return found


class Sleeps(unittest.TestCase):
    def test_no_test_waits_for_a_time(self):
        for path in sorted((SOURCES / "tests").rglob("*")):
            if path.suffix not in ENDINGS or path.name == "sleeps_test.py" or "corpus" in path.parts:
                continue
            name = str(path.relative_to(SOURCES))
            found, (allowed, _) = fixed_sleeps(path), ALLOWED.get(name, (0, ""))
            with self.subTest(file=name):
                self.assertEqual(len(found), allowed, f"{name}, lines {found}: wait for an event (QTest::qWaitFor, "
                                 "test::handleEvents, a semaphore, a file) instead of a time, or say in ALLOWED why "
                                 "the time is what is tested; a lower count is lowered there")

    def test_what_is_allowed_is_there(self):
        for name in ALLOWED:
            self.assertTrue((SOURCES / name).exists(), name)

    def test_a_pause_between_looks_is_told_from_a_fixed_sleep(self):
        poll = ["  while (!holds())", "    std::this_thread::sleep_for(pause);"]
        fixed = ["  start();", "  std::this_thread::sleep_for(pause);"]
        rounds = ["  for (int i = 0; i < 6; ++i) {", "    type(i);", "    QTest::qWait(20);", "  }"]
        attempts = ["  for (int i = 0; i < 6; ++i) {", "    if (holds()) break;", "    usleep(20);", "  }"]
        self.assertTrue(is_poll(poll, 1))
        self.assertFalse(is_poll(fixed, 1))
        self.assertFalse(is_poll(rounds, 2))
        self.assertTrue(is_poll(attempts, 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
