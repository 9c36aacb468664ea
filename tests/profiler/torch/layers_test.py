# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's own quantized layers in a program's text.

    python3 layers_test.py                    # on the fake torch next to this folder: the messages without such layers
    ~/venv/bin/python layers_test.py --real   # on the torch 2 of that interpreter: what they compute
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REAL = "--real" in sys.argv
if REAL:
    sys.argv.remove("--real")
else:
    sys.path.insert(0, os.path.join(HERE, "..", "fake_torch"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "resources", "torch"))

import torch

import fusebench_layers as layers
import fusebench_programs as programs

LINEAR = """def program(x, w, b):
    y = F.relu(F.linear(x, w, b))
    return torch.nn.functional.linear(y, w)
"""
IMAGES = """def program(x, w, b):
    return F.relu(torch.conv2d(x, w, b, padding=1, stride=2)) + F.conv2d(x, w, b, stride=2, padding=(1, 1))
"""
NOTHING = "def program(x):\n    return torch.sin(x)\n"


def refusal(text, how, device="cpu"):
    try:
        layers.quantized(text, how, None, [], device)
    except programs.Unavailable as error:
        return str(error)
    return "taken"


class Refusals(unittest.TestCase):
    def test_a_program_without_layers_is_refused(self):
        self.assertIn("nothing here can be quantized: PyTorch supports \"bfloat16\" for linear and conv1d and conv2d",
                      refusal(NOTHING, "bfloat16"))

    def test_what_pytorch_has_not_is_named(self):
        self.assertIn("there are dynamic int8, static int8", refusal(LINEAR, "int4"))

    @unittest.skipIf(REAL, "what is missing there")
    def test_a_torch_without_bytes_says_what_would_help(self):
        self.assertIn("no torch.ao.quantization.quantize_dynamic", refusal(LINEAR, "dynamic int8"))
        self.assertIn("with prepare and convert", refusal(LINEAR, "static int8"))
        self.assertIn("install torchao", refusal(LINEAR, "weights only int8"))
        self.assertIn("--python", refusal(LINEAR, "static int8"))

    def test_its_int8_is_left_out_on_a_gpu_before_anything_runs(self):
        expected = "run on the CPU only, so \"static int8\" is left out on cuda; all other results are kept"
        self.assertIn(expected, refusal(LINEAR, "static int8", "cuda"))
        self.assertNotIn("\n", refusal(LINEAR, "static int8", "cuda"))
        self.assertEqual(refusal(LINEAR, "bfloat16", "cuda"), "taken")
        if layers.library("torch.ao.quantization", "quantize_dynamic") and not layers.library(
                "torchao.quantization", "quantize_", "Int8DynamicActivationInt8WeightConfig"):
            self.assertIn("\"dynamic int8\" is left out on cuda", refusal(LINEAR, "dynamic int8", "cuda"))

    def test_a_convolution_is_no_linear_layer(self):
        if layers.library("torch.ao.quantization", "quantize_dynamic"):
            self.assertIn("PyTorch does \"dynamic int8\" for linear", refusal(IMAGES, "dynamic int8"))


@unittest.skipUnless(REAL, "computed by a real torch alone: --real")
class Values(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def off(self, text, how, inputs, calibration=None):
        """The error in the root mean square against the text as it is, relative."""
        with torch.no_grad():
            exact = programs.make_function(text)(*inputs)
            source, note = layers.quantized(text, how, calibration, [inputs])
            self.assertTrue(note)
            got = source.call(*inputs)
        self.assertEqual(got.dtype, torch.float32)
        return float((got - exact).norm() / exact.norm())

    def test_each_way_loses_what_its_levels_lose(self):
        rows = [torch.randn(32, 64), torch.randn(64, 64), torch.randn(64)]
        for how, least, most in (("dynamic int8", 1e-3, 0.05), ("static int8", 1e-3, 0.06),
                                 ("float16", 1e-5, 2e-3), ("bfloat16", 1e-4, 0.02)):
            error = self.off(LINEAR, how, rows)
            self.assertTrue(least < error < most, "%s: %g" % (how, error))
        if layers.library("torchao.quantization", "quantize_", "Int8WeightOnlyConfig"):
            error = self.off(LINEAR, "weights only int8", rows)
            self.assertTrue(1e-3 < error < 0.03, "weights only: %g" % error)

    def test_convolutions_keep_their_strides_and_their_padding(self):
        images = [torch.randn(2, 8, 10, 10), torch.randn(16, 8, 3, 3), torch.randn(16)]
        for how, most in (("static int8", 0.06), ("bfloat16", 0.02)):
            self.assertLess(self.off(IMAGES, how, images), most)

    def test_static_ranges_are_those_of_the_examples(self):
        """A value beyond what was seen before is clipped, at twice that with the bit that is left out; a dynamic
        range holds it."""
        weight, bias = torch.eye(8), torch.zeros(8)
        seen, beyond = torch.rand(4, 8), torch.full((4, 8), 10.0)
        text = "def program(x, w, b):\n    return F.linear(x, w, b)\n"
        for how, greatest in (("static int8", 2.1), ("dynamic int8", 10.2)):
            source, _ = layers.quantized(text, how, "min-max", [[seen, weight, bias]])
            with torch.no_grad():
                self.assertLess(float(source.call(beyond, weight, bias).max()), greatest)
                if how == "dynamic int8":
                    self.assertGreater(float(source.call(beyond, weight, bias).max()), 9.8)

    def test_a_layer_is_made_once(self):
        rows = [torch.randn(4, 8), torch.randn(8, 8), torch.randn(8)]
        source, _ = layers.quantized(LINEAR, "dynamic int8", None, [])
        with torch.no_grad():
            source.call(*rows)
            made = dict(source.space["_layers"].made)
            source.call(*rows)
        self.assertEqual(made, source.space["_layers"].made)
        self.assertEqual(len(made), 2, "one weight, with a bias and without")


if __name__ == "__main__":
    unittest.main()
