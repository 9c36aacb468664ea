# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures of models by PyTorch's exporter.

    python3 capture_test.py                    # what needs no torch 2
    ~/venv/bin/python capture_test.py --real   # captures, with the torch 2 of that interpreter
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

REAL = "--real" in sys.argv
if REAL:
    sys.argv.remove("--real")
SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "resources" / "torch"
SCRIPT = SCRIPTS / "fusebench_capture.py"

MODEL = '''
import dataclasses
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu_()

class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.table = nn.Embedding(7, 4)
        self.block = Block()
        self.register_buffer("mask", torch.tensor([1.0, float("-inf")]))

    def forward(self, ids, scale=None):
        y = self.block(self.table(ids))
        return {"y": y, "z": (y.sum(), self.mask * 1)}

class Choice(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return x + 1

class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x).square().mean()

def make():
    print("a line of the user's")
    return Net(), (torch.randint(0, 3, (2, 5)),)

def choice():
    return Choice(), (torch.ones(3),)

def counting():
    return Counting(), (torch.randn(8, 4),)

def transposed():
    return nn.ReLU(), (torch.randn(3, 4, 5).permute(2, 0, 1),)

class Layer:
    def __init__(self, keys, values):
        self.values, self.keys, self.used = values, keys, True

class Cache:
    def __init__(self, layers):
        self.layers = layers
        self.again = layers[0]

@dataclasses.dataclass
class Output:
    logits: torch.Tensor
    loss: torch.Tensor = None
    cache: object = None

class Caching(nn.Module):
    def forward(self, x):
        return Output(x + 1, cache=Cache([Layer(x * 2, x * 3), Layer(x * 4, x * 5)]))

def caching():
    return Caching(), (torch.randn(2, 3),)

class Growing(nn.Module):
    def forward(self, x):
        before = torch.tensor([])
        return torch.cat([before, x.reshape(1, 2, 3), torch.cat([before, x.reshape(1, 2, 3)], -2)], -2)

def growing():
    return Growing(), (torch.randn(2, 3),)

class Empty(nn.Module):
    def forward(self, x):
        return Cache([3])

class Zeroing(nn.Module):
    def forward(self, x):
        y = x * 2
        y[0] = 1
        y[1].zero_()
        return y + x

def zeroing():
    return Zeroing(), (torch.randn(2, 3),)

def empty():
    return Empty(), (torch.randn(2, 3),)

class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 8, 8))

    def forward(self, x):
        return torch.ops.transformers.grouped_mm_fallback(x, self.weight, torch.tensor([2, 2, 4]))

def experts():
    @torch.library.custom_op("transformers::grouped_mm_fallback", mutates_args=())
    def grouped(input: torch.Tensor, weight: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
        rows = offs.diff(prepend=offs.new_zeros(1)).tolist()
        return torch.cat([part @ each for part, each in zip(input.split(rows), weight)])
    grouped.register_fake(lambda input, weight, offs: input.new_empty(input.shape[0], weight.shape[2]))
    return Experts(), (torch.randn(4, 8),)

def wrong():
    return nn.Linear(3, 2), (torch.randn(2, 4),)

def dying():
    import os
    os.kill(os.getpid(), 9)

def broken():
    raise ValueError("not today")
'''


class Captures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "model.py")
        self.out = os.path.join(self.folder.name, "m.json")
        pathlib.Path(self.file).write_text(MODEL)

    def run_script(self, *arguments, file=None):
        """(last line of the output, the experiment if it is there)."""
        command = [sys.executable, "-B", str(SCRIPT), file or self.file, *arguments, "--out", self.out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        experiment = json.loads(pathlib.Path(self.out).read_text()) if os.path.exists(self.out) else None
        return (lines[-1] if lines else {}), experiment

    def refusal(self, *arguments):
        told, experiment = self.run_script(*arguments)
        self.assertIsNone(experiment)
        self.assertNotIn("\n", told["error"]["message"])
        return told["error"]["message"]


@unittest.skipIf(REAL, "there is a torch 2")
class WithoutTorch(Captures):
    def test_a_python_without_torch_2_says_so_in_one_line(self):
        message = self.refusal()
        self.assertIn("capturing needs PyTorch 2", message)
        self.assertIn(sys.executable, message)


@unittest.skipUnless(REAL, "needs torch 2: --real")
class WithTorch(Captures):
    def test_an_object_that_a_model_returns_is_taken_apart(self):
        told, experiment = self.run_script("caching")
        self.assertEqual(told["done"]["difference"], 0)
        self.assertEqual(told["done"]["how"], "torch.export")
        returned = experiment["program"][-1 if experiment["program"][-1] else -2]
        self.assertEqual(returned.count(","), 5, returned)
        self.assertIn("The model returns an object of type Output; the program returns its tensors: logits, cache.layers.0.keys, "
                      "cache.layers.0.values, cache.layers.1.keys, cache.layers.1.values", experiment["note"])

    def test_empty_tensors_are_left_out_of_concatenations(self):
        told, experiment = self.run_script("growing")
        self.assertEqual(told["done"]["difference"], 0)
        self.assertEqual([each["name"] for each in experiment["inputs"][0]["tensors"]], ["x"], experiment["program"])
        self.assertIn("cat.default([view, cat], -2)", "\n".join(experiment["program"]))

    def test_zeroing_in_place_is_written_as_new_zeros(self):
        told, experiment = self.run_script("zeroing")
        self.assertEqual(told["done"]["difference"], 0)
        text = "\n".join(experiment["program"])
        self.assertIn("aten.zeros_like.default(", text)
        self.assertNotIn("aten.zero.", text)

    def test_products_of_groups_of_rows_are_written_as_aten_has_them(self):
        told, experiment = self.run_script("experts")
        self.assertLess(told["done"]["difference"], 1e-6)
        self.assertIn("torch.ops.aten._grouped_mm.default(", "\n".join(experiment["program"]))

    def test_an_object_without_tensors_is_refused(self):
        self.assertIn("an object of type Cache without tensors", self.refusal("empty"))

    def test_a_call_of_the_module_returns_these_tensors(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import torch, fusebench_module, fusebench_programs\n"
                "made = fusebench_module.load(sys.argv[2], 'caching')\n"
                "x = torch.ones(1)\n"
                "print([each.item() for each in fusebench_programs.as_tuple(made.model(x))])")
        done = subprocess.run([sys.executable, "-B", "-c", code, str(SCRIPTS), self.file], capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertEqual(done.stdout.strip().split("\n")[-1], "[2.0, 2.0, 3.0, 4.0, 5.0]", done.stderr)

    def test_a_model_becomes_a_program_that_computes_the_same(self):
        told, experiment = self.run_script()
        self.assertEqual(told["done"]["difference"], 0)
        self.assertEqual(told["done"]["parts"], 1)
        text = "\n".join(experiment["program"])
        self.assertIn("torch.ops.aten.embedding.default", text)
        self.assertNotIn("relu_", text)  # in place in the model, not in its graph
        tensors = {each["name"]: each for each in experiment["inputs"][0]["tensors"]}
        self.assertEqual(tensors["ids"]["range"], [0, 6])
        self.assertEqual(tensors["b_mask"]["data"], [1.0, "-inf"])
        self.assertTrue(tensors["p_block_linear_weight"]["held"])
        self.assertIn("deviation", tensors["p_block_linear_weight"])

    def test_each_node_names_its_module_and_the_users_line(self):
        _, experiment = self.run_script()
        captured = experiment["capture"]
        of_line = {line: (captured["modules"][module], captured["sources"][source])
                   for _, line, module, source in captured["nodes"]}
        at = 1 + next(i for i, line in enumerate(experiment["program"]) if "aten.linear" in line)
        self.assertEqual(of_line[at][0], "block.linear")
        self.assertRegex(of_line[at][1], r"^model\.py:\d+: return self\.linear\(x\)\.relu_\(\)$")

    def test_weights_are_kept_in_a_file_next_to_it(self):
        told, experiment = self.run_script("--weights")
        self.assertEqual(told["done"]["weights"], "m.safetensors")
        self.assertEqual(experiment["weights"], "m.safetensors")
        data = (pathlib.Path(self.folder.name) / "m.safetensors").read_bytes()
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8:8 + size])
        self.assertEqual(header["block.linear.weight"]["shape"], [4, 4])
        self.assertEqual(len(data) - 8 - size, max(each["data_offsets"][1] for each in header.values()))

    def test_a_dynamic_size_is_an_axis(self):
        _, experiment = self.run_script("Choice", "--input", "x=1,4", "--dynamic", "n=1")
        self.assertIsNone(experiment)  # decides by values
        _, experiment = self.run_script("Block", "--input", "x=1,4", "--dynamic", "batch=0")
        self.assertEqual([each["name"] for each in experiment["axes"]], ["batch"])
        self.assertEqual(experiment["inputs"][0]["tensors"][0]["extents"], ["batch", 4])

    def test_graph_breaks_make_several_programs_with_their_reasons(self):
        told, experiment = self.run_script("choice")
        self.assertEqual(told["done"]["parts"], 2)
        self.assertEqual(list(experiment["programs"]), ["part 1", "part 2"])
        for variant in experiment["variants"]:
            self.assertEqual(variant["against"], variant["program"] + ", eager")
        self.assertRegex(experiment["note"], r"after part 1: it decides by the values of a tensor \(model\.py:\d+\)")

    def test_training_writes_the_running_statistics(self):
        _, experiment = self.run_script("counting", "--train")
        text = "\n".join(experiment["program"])
        self.assertIn("b_norm_num_batches_tracked.copy_(", text)
        self.assertTrue(experiment["variants"][0]["gradients"])
        # As the module does it: the operation writes the statistics, and gradients go through it.
        import torch
        space = {"torch": torch}
        exec(text, space)
        norm, x = torch.nn.BatchNorm1d(4), torch.rand(8, 4)
        with torch.no_grad():
            norm.weight.copy_(torch.rand(4))
        given = [each.detach().clone() for each in norm.state_dict().values()]
        for each in given[:2]:
            each.requires_grad_()
        space["forward"](x, *given).backward()
        norm(x).square().mean().backward()
        self.assertTrue(torch.allclose(given[0].grad, norm.weight.grad))
        for mine, its in zip(given, norm.state_dict().values()):
            self.assertTrue(torch.allclose(mine, its))

    def test_strides_have_a_layout(self):
        _, experiment = self.run_script("transposed")
        self.assertEqual(experiment["inputs"][0]["tensors"][0]["layout"], "order 1,2,0")

    def test_a_saved_export_opens_as_well(self):
        import torch
        file = os.path.join(self.folder.name, "saved.pt2")
        torch.export.save(torch.export.export(torch.nn.Linear(3, 2), (torch.randn(4, 3),)), file)
        told, experiment = self.run_script(file=file)
        self.assertEqual(told["done"]["difference"], 0)
        self.assertEqual(experiment["capture"]["how"], "a saved export")

    def test_errors_name_the_users_line_first_and_a_remedy(self):
        self.assertRegex(self.refusal("broken"), r"model\.py:\d+: raise ValueError\(.*\): ValueError: not today; ")
        self.assertRegex(self.refusal("wrong"), r"; check the shapes and dtypes of the inputs$")
        self.assertIn("nothing is called nobody", self.refusal("nobody"))
        self.assertIn("add --input", self.refusal("Block"))
        self.assertIn("it takes x", self.refusal("Block", "--input", "y=2,4"))
        self.assertIn("must be NAME=SIZES", self.refusal("Block", "--input", "x"))

    def test_errors_of_a_model_in_memory_name_its_line_as_well(self):
        code = ("import sys; sys.path[:0] = sys.argv[1:3]; import torch, model, fusebench_capture, fusebench_module\n"
                "try:\n    fusebench_capture.capture(model.Choice(), (torch.ones(3),), sys.argv[3], dynamic=['n=0'])\n"
                "except fusebench_module.Refused as error:\n    print(error)")
        done = subprocess.run([sys.executable, "-B", "-c", code, str(SCRIPTS), self.folder.name, self.out],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertRegex(done.stdout.strip(), r"model\.py:\d+: if x\.sum\(\) > 0: \w+: .*; the model decides by the values of a "
                                              r"tensor: use torch\.where or torch\.cond")

    def test_the_module_runs_in_place_of_the_text(self):
        sys.path.insert(0, str(SCRIPTS))
        import fusebench_module
        import torch
        _, experiment = self.run_script()
        captured = experiment["capture"]
        arguments = dict(captured["arguments"])
        names = [each["name"] for each in experiment["inputs"][0]["tensors"]]
        request = {"file": self.file, "sha256": captured["sha256"], "name": captured["name"],
                   "states": [arguments[each] if isinstance(arguments[each], str) else None for each in names],
                   "leaves": [None if isinstance(arguments[each], str) else arguments[each] for each in names]}
        source = fusebench_module.ModuleSource(request)
        inputs = [torch.ones(2, 5, dtype=torch.int64)] + [torch.ones_like(source.tensors[i]) for i in range(1, len(names))]
        source.bind(inputs)
        with torch.no_grad():
            result = source.call(*source.free(inputs))
        self.assertEqual(result["y"].unique().tolist(), [5.0])  # 4 x 1 x 1 + 1
        pathlib.Path(self.file).write_text(MODEL + "\n")
        with self.assertRaisesRegex(fusebench_module.Refused, "changed since it was captured"):
            fusebench_module.ModuleSource(request)


if __name__ == "__main__":
    unittest.main()
