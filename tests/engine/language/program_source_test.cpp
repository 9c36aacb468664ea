// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch gets the source of a program, not the ops that were read from it.
#include "engine/language/program_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/edit/sketch.h"
#include "engine/language/program_autocast.h"
#include "engine/language/program_gradients.h"
#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string given(const std::string& text, const ProgramHints& hints = {}) {
  return torchText(parseProgram(text, hints));
}

std::string refused(const std::string& text) {
  try {
    return "taken: " + given(text);
  } catch (const ProgramError& error) {
    return error.what();
  }
}

TEST(ProgramSource, ImportsEveryModuleThatTheTextUses) {
  EXPECT_THAT(given("def f(x, y):\n  return operator.add(x, y)"), HasSubstr("import operator\n"));
  EXPECT_THAT(given("import operator as op\ndef f(x, y):\n  return op.add(x, y)"),
              HasSubstr("import operator as op\n"));
  const std::string renamed = given(
      "import torch as t\nfrom torch import nn as N\ndef f(x):\n"
      "  return N.functional.relu(t.exp(x))");
  EXPECT_THAT(renamed, HasSubstr("import torch as t\n"));
  EXPECT_THAT(renamed, HasSubstr("from torch import nn as N\n"));
}

TEST(ProgramSource, DeclarationsOfNamesAreKept) {
  const std::string text = given(
      "k = 3\ndef f():\n  global k\n  return k\ndef program(x):\n  n = 1\n  def up():\n"
      "    nonlocal n\n    n = n + 1\n  up()\n  return x * f() * n\n");
  EXPECT_THAT(text, HasSubstr("global k\n"));
  EXPECT_THAT(text, HasSubstr("nonlocal n\n"));
  EXPECT_THAT(text, HasSubstr("\nk = 3\n"));
}

/// A call of a PyTorch function that is several ops here.
struct SourceCall {
  const char* text;
  bool recent = false;  ///< missing in PyTorch 1.13
};
constexpr SourceCall kCalls[] = {
    {"torch.softmax(x, -1)"},
    {"F.softmax(x, dim=1)"},
    {"x.softmax(-1)"},
    {"F.log_softmax(x, dim=-1)"},
    {"torch.logsumexp(x, 1)"},
    {"F.layer_norm(x, (8,))"},
    {"F.group_norm(c, 2)"},
    {"F.instance_norm(c)"},
    {"F.batch_norm(c, None, None, training=True)"},
    {"F.rms_norm(x, (8,))", true},
    {"F.normalize(x, dim=1)"},
    {"torch.cat([x, y], dim=0)"},
    {"torch.cat((x, y, x), 1)"},
    {"torch.stack([x, y], dim=1)"},
    {"torch.hstack((x, y))"},
    {"torch.vstack((x, y))"},
    {"torch.roll(x, 1, 0)"},
    {"x.roll(2, dims=1)"},
    {"torch.topk(x, 3, dim=1)[0]"},
    {"torch.sort(x, dim=1)[0]"},
    {"torch.cdist(x, y)"},
    {"F.cross_entropy(x, t)"},
    {"F.nll_loss(x, t)"},
    {"F.mse_loss(x, y)"},
    {"F.l1_loss(x, y)"},
    {"F.smooth_l1_loss(x, y)"},
    {"F.huber_loss(x, y)"},
    {"F.kl_div(x, y, reduction='batchmean')"},
    {"F.binary_cross_entropy_with_logits(x, y)"},
    {"F.cosine_similarity(x, y, dim=1)"},
    {"F.scaled_dot_product_attention(h, h, h)", true},
    {"F.one_hot(t, 8)"},
    {"F.pad(x, (1, 2))"},
    {"F.unfold(c, 2)"},
    {"F.pixel_shuffle(c, 2)"},
    {"F.interpolate(c, scale_factor=2, mode='nearest')"},
    {"torch.tile(x, (2, 1))"},
    {"x.repeat(2, 1)"},
    {"torch.repeat_interleave(x, 2, dim=0)"},
    {"torch.cross(x[:, :3], y[:, :3], dim=1)"},
    {"torch.outer(x[0], y[0])"},
    {"torch.kron(x, y)"},
    {"torch.trace(x[:, :4])"},
    {"torch.std(x, dim=1)"},
    {"torch.median(x, dim=1)[0]"},
};

const ProgramHints& inputsOfCalls() {
  static const ProgramHints hints = {{"x", {{4, 8}, DType::float32}},
                                     {"y", {{4, 8}, DType::float32}},
                                     {"c", {{2, 4, 6, 6}, DType::float32}},
                                     {"h", {{2, 2, 4, 8}, DType::float32}},
                                     {"t", {{4}, DType::int64}}};
  return hints;
}

std::string callText(const SourceCall& call) {
  return std::string("def f(x, y, c, h, t):\n    return ") + call.text + "\n";
}

TEST(ProgramSource, ContextsOfTheTextsOwnAreLeftOut) {
  const std::string timer =
      "class Timer:\n  def __enter__(self):\n    return self\n"
      "  def __exit__(self, *rest):\n    print('done')\n";
  const std::string text = given(timer +
                                 "def f(x):\n  with Timer() as t, torch.no_grad():\n    y = x * 2\n"
                                 "  with Timer():\n    y = y + 1\n  return y\n");
  EXPECT_THAT(text, HasSubstr("with torch.no_grad():"));
  EXPECT_THAT(text, Not(HasSubstr("Timer()")));
}

TEST(TorchText, HasTheCallsThatTheAuthorWrote) {
  EXPECT_GE(std::size(kCalls), 30u);
  for (const SourceCall& call : kCalls)
    EXPECT_THAT(given(callText(call), inputsOfCalls()),
                HasSubstr(std::string("def f(x, y, c, h, t):\n    return ") + call.text + "\n"));
}

/// Runs texts and records the PyTorch functions that they call.
constexpr const char* kHook = R"py(
import math, re, sys, warnings
import torch
import torch.nn.functional as F
sys.path.insert(0, 'SOURCES/resources/torch')
import fusebench_programs as programs
warnings.simplefilter('ignore')
torch.manual_seed(1)
wrong = ran = 0

class Calls(torch.overrides.TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        self.names.add(function.__name__)
        return function(*arguments, **(keywords or {}))

def complain(*what):
    global wrong
    wrong += 1
    print(*what)

def check(text, line, inputs):
    global ran
    written = set(re.findall(r'\.(\w+)\(', line))
    source = programs.Source(text)
    with torch.no_grad(), Calls() as calls:
        source.call(*inputs)
    made = {name for name in calls.names if not name.startswith('__')}
    if made != written:
        complain(line, 'calls', sorted(made), 'and says', sorted(written))
    ran += 1

def inputs():
    x = torch.rand(4, 8) * 0.8 + 0.1
    return (x, torch.rand(4, 8), torch.randn(2, 4, 6, 6), torch.randn(2, 2, 4, 8), torch.tensor([0, 2, 1, 7]))
)py";

std::string hook() {
  std::string text = kHook;
  const std::string place = "SOURCES";
  return text.replace(text.find(place), place.size(), test::sourcePath(""));
}

TEST(TorchText, CallsInPyTorchWhatItSays) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::ostringstream script;
  script << hook();
  for (const SourceCall& call : kCalls)
    script << (call.recent ? "if hasattr(F, 'rms_norm'):\n " : "if True:\n ") << "check(r'''"
           << given(callText(call), inputsOfCalls()) << "''', r'''" << call.text
           << "''', inputs())\n";
  EXPECT_EQ(test::runPython(python, script.str() + "print('wrong:', wrong, ran >= 30)\n"),
            "wrong: 0 True\n");
}

TEST(TorchText, LeavesOutWhatReadingDidNotComeAcross) {
  const std::string text = given(
      "import os\nimport torch\nfrom torch import nn\n"
      "SCALE = 2.0\nOTHER = 3.0\n"
      "def unused(x):\n    os.remove('everything')\n    return x\n"
      "def helper(x: torch.Tensor, k=SCALE) -> torch.Tensor:\n"
      "    '''Says what it does.'''\n"
      "    if k > 5:\n        x = x.cumsum(0)\n    elif k > 1:\n        x = x * k\n"
      "    else:\n        x = x - k\n"
      "    return x if k > 1 else x.cos()\n"
      "def f(x):\n    return helper(x)\n"
      "if __name__ == '__main__':\n    print('__main__')\n");
  EXPECT_THAT(text, HasSubstr("SCALE = 2.0\n"));
  EXPECT_THAT(text, HasSubstr("def helper(x, k=SCALE):\n"
                              "    if k > 5:\n        _not_reached()\n"
                              "    elif k > 1:\n        x = x * k\n"
                              "    else:\n        _not_reached()\n"
                              "    return x if k > 1 else _not_reached()\n"));
  for (const char* left : {"os", "OTHER", "unused", "everything", "__main__", "Says", "Tensor"})
    EXPECT_THAT(text, Not(HasSubstr(left)));
}

TEST(TorchText, CallsNothingThatReadingLeftOut) {
  for (const char* text :
       {"def f(x, a=open('a', 'w').write('a')):\n    return x * 2",
        "def f(x, *, a=open('a', 'w')):\n    return x * 2",
        "def h(x, a):\n    return x * 2\ndef f(x):\n    return h(x, open('a', 'w'))",
        "def h(x, a=None):\n    return x * 2\ndef f(x):\n    return h(x, a=open('a', 'w').read())",
        "def f(x):\n    y = (x * 2, open('a', 'w'))\n    return y[0]",
        "def f(x):\n    y = [x * 2] + [open(a) for a in ('a', 'b')]\n    return y[0]",
        "def f(x):\n    g = lambda y, a=open('a', 'w'): y * 2\n    return g(x)",
        "def f(x):\n    print(x, file=open('a', 'w'))\n    return x * 2",
        "import torch.nn as nn\nclass M(nn.Module):\n    def __init__(self, a=open('a', 'w')):\n"
        "        super().__init__()\n    def forward(self, x):\n        return x * 2\nm = M()\n"
        "m(torch.zeros(3))"}) {
    const std::string made = refused(text);
    EXPECT_THAT(made, Not(HasSubstr("open("))) << text;
    EXPECT_THAT(made, testing::StartsWith("taken: ")) << text;
  }
}

TEST(TorchText, HasEveryWayOfAChoiceByValues) {
  const std::string text = given(
      "def f(x):\n    if x.sum() > 0:\n        y = x.sin()\n    else:\n        y = x.cos()\n"
      "    return y");
  EXPECT_THAT(text, HasSubstr("    if x.sum() > 0:\n        y = x.sin()\n"
                              "    else:\n        y = x.cos()\n    return y\n"));
}

TEST(TorchText, NamesTheTensorsThatAModuleHolds) {
  const std::string text = given(
      "class Block(nn.Module):\n    def __init__(self, width, depth):\n        super().__init__()\n"
      "        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])\n"
      "        self.table = nn.ModuleDict({'out': nn.Linear(width, 2, bias=False)})\n"
      "        self.register_buffer('shift', torch.zeros(width))\n"
      "        self.unused = nn.Parameter(torch.zeros(3))\n"
      "    def never(self, x):\n        return x\n"
      "    def forward(self, x):\n        for layer in self.layers:\n"
      "            x = F.relu(layer(x + self.shift))\n        return self.table['out'](x)\n"
      "block = Block(4, depth=2)\n",
      {{"x", {{3, 4}, DType::float32}}});
  EXPECT_THAT(text, HasSubstr("_module = Block(4, depth=2)\nprogram = _module\n"
                              "_held = {1: \"_module.shift\", 2: \"_module.layers[0].weight\", "
                              "3: \"_module.layers[0].bias\", 4: \"_module.layers[1].weight\", "
                              "5: \"_module.layers[1].bias\", "
                              "6: \"_module.table['out'].weight\"}\n"));
  EXPECT_THAT(text, Not(HasSubstr("never")));
}

TEST(TorchText, MakesNoCodeOfNamesThatAreTexts) {
  const std::string text = given(
      "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
      "        setattr(self, 'a if print(1) else b', nn.Linear(4, 4))\n"
      "        self.table = nn.ModuleDict({\"k'] or print(2)['\": nn.Linear(4, 4)})\n"
      "    def forward(self, x):\n        for layer in self.children():\n"
      "            if isinstance(layer, nn.Linear): x = layer(x)\n"
      "        return list(self.table.values())[0](x)\n",
      {{"x", {{3, 4}, DType::float32}}});
  const std::string held = text.substr(text.find("_held = "));
  EXPECT_THAT(held, Not(HasSubstr("print")));
  EXPECT_THAT(held, HasSubstr("None"));
}

TEST(TorchText, LeavesCompilingToTheExecutor) {
  const std::string text = given(
      "@torch.compile(dynamic=True)\n@torch.no_grad()\ndef g(x):\n    return x + 1\n"
      "fast = torch.compile(g, mode='max-autotune')\n"
      "def f(x):\n    return torch.jit.script(fast)(x)\n");
  EXPECT_THAT(text, Not(HasSubstr("compile")));
  EXPECT_THAT(text, HasSubstr("@torch.no_grad()\ndef g(x):\n    return x + 1\n"));
  EXPECT_THAT(text, HasSubstr("fast = (g)\n"));
  EXPECT_THAT(text, HasSubstr("    return (fast)(x)\n"));
}

TEST(TorchText, OfAScriptMakesItsModelOnce) {
  const std::string text = given(
      "width = 4\nmodel = nn.Linear(width, 1)\n"
      "opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n"
      "opt.zero_grad()\nloss = F.mse_loss(model(x), y)\nloss.backward()\nopt.step()\n"
      "return loss\n");
  EXPECT_THAT(text, HasSubstr("width = 4\nmodel = nn.Linear(width, 1)\n"
                              "opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n"));
  EXPECT_THAT(text, HasSubstr("def program(x, y):\n    opt.zero_grad()\n"
                              "    loss = F.mse_loss(model(x), y)\n    loss.backward()\n"
                              "    opt.step()\n    return loss\n"));
  EXPECT_THAT(text, HasSubstr("\"model.weight\""));
  // The optimizer's state has no expression.
  EXPECT_THAT(text, HasSubstr(": None"));
}

TEST(TorchText, OfAChainHasAsManyLinesAsAreAskedFor) {
  const Program chain =
      parseProgram("def f(x):\n    x = F.gelu(x)\n    x = x * 2\n    return x.sum()");
  const std::string five = torchText(firstStatements(chain, 5));
  EXPECT_THAT(five, HasSubstr("def f(x):\n    x = F.gelu(x)\n    x = x * 2\n    x = F.gelu(x)\n"
                              "    x = x * 2\n    x = F.gelu(x)\n    return x.sum()\n"));
  const Program other = parseProgram(
      "def f(x, y):\n    a = torch.cat([x, y])\n    b = F.softmax(a, 0)\n    c = b + 1\n    return "
      "c",
      {{"x", {{3}, DType::float32}}, {"y", {{3}, DType::float32}}});
  EXPECT_THAT(torchText(firstStatements(other, 2)),
              HasSubstr("    a = torch.cat([x, y])\n    b = F.softmax(a, 0)\n    return b\n"));
  const Program split =
      parseProgram("def f(x):\n    a, b = x[0], x[1]\n    c = a + b\n    return c");
  EXPECT_THROW(torchText(firstStatements(split, 1)), ProgramError);
}

TEST(TorchText, OnTheCanvasHasTheCallsThatItShows) {
  const Sketch chain = sketch("x = torch.softmax(x, dim=-1)\nx = F.gelu(x + y)\nreturn x");
  ASSERT_TRUE(chain.valid());
  EXPECT_THAT(torchText(chain.program),
              HasSubstr("def program(x, y):\n    x = torch.softmax(x, dim=-1)\n"
                        "    x = F.gelu(x + y)\n    return x\n"));
}

TEST(TorchText, HasSwitchesAroundTheSource) {
  Program program = parseProgram(
      "def f(x, up, down):\n    h = F.layer_norm(x, (4,))\n    x = x + torch.tanh(h @ up) @ down\n"
      "    x = x * 2\n    return x.sum()");
  setSegments(program, 1);
  const std::string segmented = torchText(program);
  EXPECT_THAT(segmented, HasSubstr("    def segment_1(x):\n        h = F.layer_norm(x, (4,))\n"
                                   "        return h\n"
                                   "    h = torch.utils.checkpoint.checkpoint(segment_1, x, "
                                   "use_reentrant=False)\n"
                                   "    def segment_2(x, h, up, down):\n"
                                   "        x = x + torch.tanh(h @ up) @ down\n"));
  setSegments(program, 0);
  setAutocast(program, DType::bfloat16, AutocastMode::List::cpu);
  EXPECT_THAT(torchText(program),
              HasSubstr("def program(x, up, down):\n"
                        "    with torch.autocast('cpu', dtype=torch.bfloat16):\n"
                        "        return f(x, up, down)\n"));
}

TEST(TorchText, OfAFunctionWithNumbersBetweenItsInputsNamesTheseInTheCall) {
  EXPECT_THAT(given("def f(x, k=3, w=None):\n    return x * k if w is None else x * w",
                    {{"x", {{3}, DType::float32}}, {"w", {{3}, DType::float32}}}),
              HasSubstr("def program(x, w):\n    return f(x, w=w)\n"));
}

TEST(TorchText, IsRefusedWhereAPackageIsMissing) {
  EXPECT_THAT(refused("import mystery\ndef f(x):\n    return x.to(mystery.kind)"),
              ::testing::AnyOf(HasSubstr("imports only PyTorch, numpy and Python's own packages"),
                               Not(HasSubstr("taken"))));
}

/// A module of PyTorch and the arguments of its call.
struct LibraryModule {
  const char* made;
  const char* call;
};
constexpr LibraryModule kModules[] = {
    {"nn.Linear(8, 4)", "x"},
    {"nn.Bilinear(8, 8, 3)", "x, x"},
    {"nn.LayerNorm(8)", "x"},
    {"nn.GroupNorm(2, 4)", "c"},
    {"nn.BatchNorm1d(8)", "x"},
    {"nn.BatchNorm2d(4)", "c"},
    {"nn.InstanceNorm2d(4, affine=True)", "c"},
    {"nn.Conv1d(4, 6, 3)", "s"},
    {"nn.Conv2d(4, 6, 3)", "c"},
    {"nn.Embedding(9, 8)", "t"},
    {"nn.PReLU(4)", "c"},
    {"nn.LSTM(8, 5, num_layers=2, bidirectional=True, batch_first=True)", "r"},
    {"nn.GRU(8, 5)", "r"},
    {"nn.RNN(8, 5)", "r"},
    {"nn.LSTMCell(8, 5)", "x"},
    {"nn.GRUCell(8, 5)", "x"},
    {"nn.MultiheadAttention(8, 2, batch_first=True)", "r, r, r"},
    {"nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)", "r"},
    {"nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)", "r, r"},
    {"nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2)))", "x"},
};

TEST(TorchText, NamesTensorsAsPyTorchsModulesDo) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::ostringstream script;
  script << hook() << R"py(
def shapes(text, wanted, count):
    source = programs.Source(text)
    parameters = sum(1 for each in source.modules() for _ in each.parameters(recurse=False))
    if sorted(source.tensors) != sorted(wanted) or parameters > len(wanted):
        complain(text, wanted)
    for i, shape in wanted.items():
        if source.tensors[i].numel() != math.prod(shape):  # shapes of batch norm's differ
            complain(source.held[i], tuple(source.tensors[i].shape), shape)
)py";
  const ProgramHints hints = {{"x", {{4, 8}, DType::float32}},
                              {"c", {{2, 4, 6, 6}, DType::float32}},
                              {"s", {{2, 4, 9}, DType::float32}},
                              {"r", {{2, 3, 8}, DType::float32}},
                              {"t", {{4}, DType::int64}}};
  for (const LibraryModule& each : kModules) {
    const std::string text = std::string("class Net(nn.Module):\n    def __init__(self):\n") +
                             "        super().__init__()\n        self.inner = " + each.made +
                             "\n    def forward(self, x, c, s, r, t):\n        y = self.inner(" +
                             each.call + ")\n        return y[0] if isinstance(y, tuple) else y\n";
    const Program program = parseProgram(text, hints);
    script << "shapes(r'''" << torchText(program) << "''', {";
    for (const HeldInput& held : program.held)
      script << held.input << ": " << toString(held.initial.extents) << ", ";
    script << "}, " << program.held.size() << ")\n";
  }
  EXPECT_EQ(test::runPython(python, script.str() + "print('wrong:', wrong)\n"), "wrong: 0\n");
}

}  // namespace
}  // namespace fusebench
