# SPDX-License-Identifier: GPL-3.0-or-later
"""Python values that a program keeps between calls."""
import itertools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources" / "torch"))

try:
    import torch
except ImportError:
    torch = None

if torch:
    from fusebench_programs import Source, reads_unset
    from fusebench_state import PythonState


@unittest.skipUnless(torch, "this Python has no torch")
class State(unittest.TestCase):
    def results(self, text, calls=3):
        """The results of calls that each begin with the restored state, and the result of one that does not."""
        source = Source(text)
        alone = []
        for _ in range(calls):
            source.begin([], None)
            alone.append(source.call())
        return alone, source.call()

    def assert_restores(self, text, first, second):
        alone, after = self.results(text)
        self.assertEqual(alone, [first] * 3)
        self.assertEqual(after, second)

    def test_lists_dicts_and_sets_start_again(self):
        self.assert_restores("kept = []\ndef program():\n    kept.append(1)\n    return len(kept)\n", 1, 2)
        self.assert_restores("kept = {'n': 1}\ndef program():\n    kept['n'] += 1\n    return kept['n']\n", 2, 3)
        self.assert_restores("kept = {1}\ndef program():\n    kept.add(len(kept) + 1)\n    return len(kept)\n", 2, 3)
        self.assert_restores("kept = [[]]\ndef program():\n    kept[0].append(1)\n    return len(kept[0])\n", 1, 2)

    def test_defaults_of_parameters_start_again(self):
        self.assert_restores("def program(kept=[]):\n    kept.append(1)\n    return len(kept)\n", 1, 2)

    def test_attributes_of_objects_classes_and_modules_start_again(self):
        text = "class Kept:\n    n = 0\nkept = Kept()\ndef program():\n    %s.n += 1\n    return %s.n\n"
        self.assert_restores(text % ("kept", "kept"), 1, 2)
        self.assert_restores(text % ("Kept", "Kept"), 1, 2)
        self.assert_restores("class N(torch.nn.Module):\n    def forward(self):\n        self.n = getattr(self, 'n', 0) + 1\n"
                             "        return self.n\nmodel = N()\ndef program():\n    return model()\n", 1, 2)

    def test_iterators_start_again(self):
        self.assert_restores("kept = iter([5, 6, 7])\ndef program():\n    return next(kept)\n", 5, 6)

    def test_the_objects_stay_the_same_ones(self):
        kept, state = [[1], {"a": [2]}], None
        state = PythonState([kept], "here")
        inner = kept[1]["a"]
        inner.append(3)
        kept.pop()
        self.assertTrue(state.has_changed())
        state.restore()
        self.assertFalse(state.has_changed())
        self.assertIs(kept[1]["a"], inner)
        self.assertEqual(kept, [[1], {"a": [2]}])

    def test_parameters_buffers_and_submodules_are_not_part_of_it(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
        state = PythonState([model], "here")
        with torch.no_grad():
            model[0].weight.zero_()
        state.restore()
        self.assertEqual(float(model[0].weight.detach().abs().sum()), 0.0)
        self.assertEqual(len(list(model.modules())), 3)

    def test_endless_iterators_and_cycles_end(self):
        kept = [itertools.count()]
        kept.append(kept)
        state = PythonState([kept], "here")
        state.restore()
        self.assertIs(kept[1], kept)

@unittest.skipUnless(torch, "this Python has no torch")
class Unset(unittest.TestCase):
    def test_only_programs_that_read_unset_elements_depend_on_them(self):
        for lines, depends in (("o = torch.empty(4)\n    o[:2] = x[:2]\n    return o", True),
                               ("o = torch.empty_like(x)\n    return o + x", True),
                               ("o = x.new_empty(4, dtype=torch.int64)\n    return o", True),
                               ("o = torch.empty(4)\n    o[:] = x\n    return o", False),
                               ("o = torch.empty(0)\n    return torch.cat([o, x])", False)):
            text = "def program(x):\n    %s\n" % lines
            self.assertEqual(reads_unset(text, [torch.ones(4)]), depends, lines)
        self.assertIs(torch.empty(2).dtype, torch.float32)
        self.assertNotIn("new_empty", vars(torch.Tensor))


if __name__ == "__main__":
    unittest.main()
