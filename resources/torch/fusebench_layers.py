# SPDX-License-Identifier: GPL-3.0-or-later
"""A program's linear layers and convolutions as PyTorch itself makes them of bytes or of 16-bit floats.

Weights are constant inputs, so each layer is made once, from the weight and the bias of its first call. Its result is
float32 again: the program's text consists of functions, and the operations between its layers are the program's own.
"""
import importlib
import re

import torch
import torch.nn.functional

from fusebench_programs import Source, Unavailable

HOW = ("dynamic int8", "static int8", "weights only int8", "float16", "bfloat16")
LAYERS = {"linear": r"\b(?:(?:torch\.)?nn\.functional|F)\.linear\(",
          "conv1d": r"\b(?:(?:torch\.)?nn\.functional|F|torch)\.conv1d\(",
          "conv2d": r"\b(?:(?:torch\.)?nn\.functional|F|torch)\.conv2d\("}
MODULES = {"linear": "Linear", "conv1d": "Conv1d", "conv2d": "Conv2d"}
ANOTHER = "name an interpreter that has it: --python, FUSEBENCH_PYTHON, or in the window Menu, Python for PyTorch"
# It is known before anything runs: else the layers would be made, and end with a line on dispatch keys.
ONLY_CPU = ("PyTorch's int8 layers (torch.ao.quantization) run on the CPU only, so \"%s\" is left out on %s; all "
            "other results are kept")


def library(name, *needed):
    """The module if it is installed and has all that is needed; else None."""
    try:
        module = importlib.import_module(name)
    except (ImportError, AttributeError, OSError, RuntimeError):  # torchao may raise any of these with an unknown torch
        return None
    return module if all(hasattr(module, each) for each in needed) else None


def layer_of(kind, weight, bias, options):
    """A module that computes what the functional of this kind does, with the same weight."""
    with_bias = bias is not None
    with torch.device("meta"):
        if kind == "linear":
            module = torch.nn.Linear(weight.shape[1], weight.shape[0], with_bias)
        else:
            made = torch.nn.Conv1d if kind == "conv1d" else torch.nn.Conv2d
            module = made(weight.shape[1] * options.get("groups", 1), weight.shape[0], tuple(weight.shape[2:]),
                          bias=with_bias, **options)
    module.weight = torch.nn.Parameter(weight.detach().clone(), False)
    if with_bias:
        module.bias = torch.nn.Parameter(bias.detach().clone(), False)
    return torch.nn.Sequential(module).eval()


class Narrow:
    """A layer that computes in a 16-bit type between two casts."""

    def __init__(self, layer, dtype):
        self.layer, self.dtype = layer.to(dtype), dtype

    def __call__(self, x):
        return self.layer(x.to(self.dtype)).float()


class Dynamic:
    """Weights int8 by channel, packed; what a call is given becomes bytes of the range it has."""
    kinds = ("linear",)

    def __init__(self, calibration, device):
        ao = library("torch.ao.quantization", "quantize_dynamic")
        self.ao = ao if device == "cpu" else None
        self.torchao = None if self.ao else library("torchao.quantization", "quantize_",
                                                    "Int8DynamicActivationInt8WeightConfig")
        if ao and not self.ao and not self.torchao:
            raise Unavailable(ONLY_CPU % ("dynamic int8", device))
        if not self.ao and not self.torchao:
            raise Unavailable("torch %s has no torch.ao.quantization.quantize_dynamic, and torchao is not installed; "
                              "%s" % (torch.__version__, ANOTHER))
        self.note = "layers by torch.ao.quantization.quantize_dynamic"
        if self.torchao:
            self.note = "layers by torchao's Int8DynamicActivationInt8WeightConfig"

    def make(self, layer):
        if self.ao:
            return self.ao.quantize_dynamic(layer, {torch.nn.Linear}, dtype=torch.qint8)
        self.torchao.quantize_(layer, self.torchao.Int8DynamicActivationInt8WeightConfig())
        return layer


class Static:
    """Bytes of ranges that were measured before, of what goes into a layer and of what comes out."""
    kinds = ("linear", "conv1d", "conv2d")

    def __init__(self, calibration, device):
        self.ao = library("torch.ao.quantization", "prepare", "convert", "QuantStub", "MinMaxObserver")
        if device != "cpu":
            raise Unavailable(ONLY_CPU % ("static int8", device))
        if not self.ao:
            raise Unavailable("torch %s has no torch.ao.quantization with prepare and convert; %s" %
                              (torch.__version__, ANOTHER))
        self.calibration = calibration or "min-max"
        self.note = "layers by torch.ao.quantization, prepare and convert, each with quantized inputs and results of its own (%s)" % (
            self.calibration)

    def make(self, layer):
        ao = self.ao
        module = torch.nn.Sequential(ao.QuantStub(), *layer, ao.DeQuantStub()).eval()
        observer = ao.HistogramObserver if self.calibration == "histogram" else ao.MinMaxObserver
        # One bit fewer, as PyTorch's own default has it: sums of two products of bytes then never saturate.
        module.qconfig = ao.QConfig(activation=observer.with_args(reduce_range=True),
                                    weight=ao.default_per_channel_weight_observer)
        return ao.prepare(module)

    def measured(self, module):
        return self.ao.convert(module)


class WeightsOnly:
    """Weights int8 by channel; each call makes floats of them."""
    kinds = ("linear",)
    note = "layers by torchao's Int8WeightOnlyConfig"

    def __init__(self, calibration, device):
        self.torchao = library("torchao.quantization", "quantize_", "Int8WeightOnlyConfig")
        if not self.torchao:
            raise Unavailable("int8 weights need torchao, which is not installed next to torch %s; install torchao "
                              "there, or %s" % (torch.__version__, ANOTHER))

    def make(self, layer):
        self.torchao.quantize_(layer, self.torchao.Int8WeightOnlyConfig())
        return layer


class Half:
    kinds = ("linear", "conv1d", "conv2d")

    def __init__(self, dtype):
        self.dtype = dtype
        self.note = "layers in %s, each between two casts" % dtype

    def make(self, layer):
        return Narrow(layer, getattr(torch, self.dtype))


def maker(how, calibration, device):
    if how in ("float16", "bfloat16"):
        return Half(how)
    made = {"dynamic int8": Dynamic, "static int8": Static, "weights only int8": WeightsOnly}.get(how)
    if not made:
        raise Unavailable("PyTorch's variants have no layers \"%s\"; there are %s" % (how, ", ".join(HOW)))
    return made(calibration, device)


class Layers:
    """The layers of one program: what its text calls in place of torch.nn.functional's."""

    def __init__(self, how, calibration, device):
        self.maker = maker(how, calibration, device)
        self.made = {}

    def layer(self, kind, x, weight, bias, **options):
        key = (kind, weight.data_ptr(), tuple(weight.shape), None if bias is None else bias.data_ptr(),
               str(options))
        if key not in self.made:
            self.made[key] = self.maker.make(layer_of(kind, weight, bias, options))
        return self.made[key](x)

    def linear(self, x, weight, bias=None):
        return self.layer("linear", x, weight, bias)

    def conv1d(self, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        return self.layer("conv1d", x, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups)

    def conv2d(self, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        return self.layer("conv2d", x, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups)

    def take_over(self, source):
        """Makes modules of these kinds compute by the layers of this object. Returns how many there are."""
        found = 0
        for module in source.modules():
            for kind in self.maker.kinds:
                # A class derived from a module may use its weight in another way.
                if type(module) is getattr(torch.nn, MODULES[kind]) and getattr(module, "padding_mode", "zeros") == "zeros":
                    module.forward = self.forward_of(kind, module)
                    found += 1
        return found

    def forward_of(self, kind, module):
        options = {} if kind == "linear" else {"stride": module.stride, "padding": module.padding,
                                               "dilation": module.dilation, "groups": module.groups}
        return lambda x: self.layer(kind, x, module.weight, module.bias, **options)

    def calibrate(self, function, examples):
        """Ranges from these inputs, each called once; nothing to do where none are measured before."""
        if not hasattr(self.maker, "measured"):
            return
        with torch.no_grad():
            for inputs in examples:
                function(*inputs)
        self.made = {key: self.maker.measured(module) for key, module in self.made.items()}


def quantized(text, how, calibration, examples, device="cpu"):
    """The program with quantized layers, and a note that names the library. `examples`: lists of inputs; the first one also
    has the weights, and static ranges are measured on all. `device`: the kind of device. Raises Unavailable."""
    layers = Layers(how, calibration, device)
    replaced = text
    for kind in layers.maker.kinds:
        replaced = re.sub(LAYERS[kind], "_layers.%s(" % kind, replaced)
    source = Source(replaced)
    if layers.take_over(source) == 0 and replaced == text:
        raise Unavailable("nothing here can be quantized: PyTorch supports \"%s\" for %s" %
                          (how, " and ".join(layers.maker.kinds)))
    source.space["_layers"] = layers
    source.move(torch.device(device))
    if examples:
        source.bind(examples[0])
    layers.calibrate(source.call, [source.free(each) for each in examples])
    return source, layers.maker.note
