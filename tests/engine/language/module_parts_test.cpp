// SPDX-License-Identifier: GPL-3.0-or-later
// Modules as people extend them: subclasses of PyTorch's, containers, parametrizations, hooks.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/input_shapes.h"
#include "engine/language/parser.h"
#include "engine/language/program_source.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr const char* kStart = "import torch\nimport torch.nn as nn\n";

/// A module `M` with these lines in __init__ and forward, called with an (8, 8) tensor.
std::string moduleOf(const std::string& made, const std::string& result,
                     const std::string& before = {}) {
  return kStart + before +
         "class M(nn.Module):\n"
         "  def __init__(self):\n"
         "    super().__init__()\n" +
         made +
         "  def forward(self, x):\n"
         "    return " +
         result + "\nM()(torch.randn(8, 8))\n";
}

std::vector<std::string> heldNames(const Program& program) {
  std::vector<std::string> names;
  for (const HeldInput& each : program.held)
    names.push_back(program.inputs[static_cast<std::size_t>(each.input)]);
  return names;
}

TEST(ModuleParts, SubclassesOfPyTorchsModulesUseWhatThoseHave) {
  const Program program = parseProgram(
      moduleOf("    self.norm = Norm(8)\n    self.fc = LoRA(8, 4)\n    self.conv = WS(8, 8, 3, "
               "padding=1)\n",
               "self.fc(self.conv(self.norm(x)[:, :, None]).flatten(1))",
               "class Norm(nn.GroupNorm):\n"
               "  def __init__(self, dim):\n    super().__init__(4, dim)\n"
               "  def forward(self, x):\n    return super().forward(x.float()).type(x.dtype)\n"
               "class LoRA(nn.Linear):\n"
               "  def __init__(self, i, o, r=2):\n"
               "    nn.Linear.__init__(self, i, o, bias=False)\n"
               "    self.a = nn.Parameter(torch.zeros(r, self.in_features))\n"
               "    self.b = nn.Parameter(torch.zeros(self.out_features, r))\n"
               "  def reset_parameters(self):\n"
               "    nn.init.ones_(self.weight)\n"
               "  def forward(self, x):\n"
               "    return nn.functional.linear(x, self.weight + self.b @ self.a)\n"
               "class WS(nn.Conv1d):\n"
               "  def forward(self, x):\n"
               "    assert self.padding == (1,) and self.kernel_size == (3,)\n"
               "    w = self.weight - self.weight.mean((1, 2), keepdim=True)\n"
               "    return self._conv_forward(x, w, self.bias)\n"),
      {{"x", {{8, 8}, DType::float32}}});
  EXPECT_THAT(heldNames(program), ElementsAre("norm_weight", "norm_bias", "conv_weight",
                                              "conv_bias", "fc_a", "fc_b", "fc_weight"));
  EXPECT_EQ(program.held[6].initial.numbers, std::vector<double>{1});  // its own reset_parameters
}

TEST(ModuleParts, ContainersHoldParametersAndModules) {
  const Program program = parseProgram(
      moduleOf("    self.list = nn.ParameterList([nn.Parameter(torch.ones(8)) for _ in range(2)])\n"
               "    self.table = nn.ParameterDict({'a': nn.Parameter(torch.ones(8))})\n"
               "    self.table['b'] = nn.Parameter(torch.zeros(8))\n"
               "    self.nets = nn.ModuleDict()\n"
               "    self.nets['fc'] = nn.Linear(8, 8)\n"
               "    assert 'fc' in self.nets and 'b' in self.table and 'c' not in self.table\n"
               "    self.register_parameter('scale', nn.Parameter(torch.ones(8)))\n"
               "    self.register_parameter('none', None)\n",
               "self.nets['fc'](x * self.list[0] + self.list[1]) * self.scale + self.table['a'] + "
               "self.table.b"));
  EXPECT_THAT(heldNames(program), ElementsAre("list_0", "list_1", "nets_fc_weight", "nets_fc_bias",
                                              "scale", "table_a", "table_b"));
  EXPECT_EQ(refusal(moduleOf("    self.list = nn.ParameterList()\n", "x + self.list[0]")),
            "there is no item 0 in 0");
}

TEST(ModuleParts, WeightsOfNormalizedLayersAreComputedWhereTheyAreRead) {
  const std::string text = moduleOf(
      "    self.c = new_norm(nn.Linear(8, 8))\n    self.d = weight_norm(nn.Linear(8, 8))\n",
      "self.d(self.c(x))",
      "from torch.nn.utils.parametrizations import weight_norm as new_norm\n"
      "from torch.nn.utils import weight_norm\n");
  const Program program = parseProgram(text);
  EXPECT_THAT(heldNames(program), ElementsAre("c_parametrizations_weight_original1",
                                              "c_parametrizations_weight_original0", "c_bias",
                                              "d_weight_v", "d_weight_g", "d_bias"));
  const std::string source = torchText(program);
  EXPECT_THAT(source, HasSubstr("_module.c.parametrizations['weight'].original1"));
  EXPECT_THAT(source, HasSubstr("_module.d.weight_g"));
}

TEST(ModuleParts, SpectralNormsIterateInTrainingAlone) {
  const std::string layers =
      "    self.c = new_norm(nn.Linear(8, 8))\n    self.d = spectral_norm(nn.Linear(8, 8))\n";
  const std::string names =
      "from torch.nn.utils.parametrizations import spectral_norm as new_norm\n"
      "from torch.nn.utils import spectral_norm\n";
  const Program training = parseProgram(moduleOf(layers, "self.d(self.c(x))", names));
  EXPECT_THAT(
      heldNames(training),
      UnorderedElementsAre("c_parametrizations_weight_original", "c_bias",
                           "c_parametrizations_weight_0__u", "c_parametrizations_weight_0__v",
                           "d_weight_orig", "d_weight_u", "d_weight_v", "d_bias"));
  const auto written = [](const Program& program) {
    return std::ranges::count_if(program.ops, &Op::writesInto);
  };
  EXPECT_EQ(written(training), 4);
  EXPECT_EQ(
      written(parseProgram(moduleOf(layers + "    self.eval()\n", "self.d(self.c(x))", names))), 0);
  EXPECT_THAT(refusal(moduleOf("    self.c = new_norm(nn.Linear(8, 8), n_power_iterations=0)\n",
                               "self.c(x)", names)),
              HasSubstr("n_power_iterations of spectral_norm is at least 1"));
}

TEST(ModuleParts, ParametrizationsAreApplied) {
  EXPECT_THAT(
      flat(moduleOf("    self.fc = nn.Linear(8, 8, bias=False)\n"
                    "    parametrize.register_parametrization(self.fc, 'weight', Twice())\n",
                    "self.fc(x)",
                    "import torch.nn.utils.parametrize as parametrize\n"
                    "class Twice(nn.Module):\n  def forward(self, w):\n    return w * 2\n")),
      HasSubstr("fc_parametrizations_weight_original * 2"));
}

TEST(ModuleParts, ForwardHooksAreApplied) {
  const std::string text =
      std::string(kStart) +
      "m = nn.Sequential(nn.ReLU(), nn.Tanh())\n"
      "seen = []\n"
      "def keep(module, args, output):\n  seen.append(output)\n"
      "def double(module, args):\n  return (args[0] * 2,)\n"
      "h = m[0].register_forward_hook(keep)\n"
      "m[1].register_forward_pre_hook(double)\n"
      "m[1].register_forward_hook(lambda module, args, output: output + 1)\n"
      "gone = m[1].register_forward_hook(lambda module, args, output: output + 100)\n"
      "gone.remove()\n"
      "def f(x):\n  y = m(x)\n  return y, seen[-1]\n"
      "f(torch.randn(8, 8))\n";
  const Program program = parseProgram(text);
  EXPECT_EQ(program.ops.size(), 4u);
  EXPECT_THAT(toText(program), Not(HasSubstr("100")));
  EXPECT_THAT(torchText(program), HasSubstr("register_forward_hook(keep)"));
}

TEST(ModuleParts, HooksOfStateDictsAreLeftOutAndHooksOfGradientsRefused) {
  const Program program =
      parseProgram(moduleOf("    self._register_load_state_dict_pre_hook(print)\n", "x + 1"));
  EXPECT_THAT(program.notes.front().text, HasSubstr("_register_load_state_dict_pre_hook is left"));
  EXPECT_THAT(torchText(program), Not(HasSubstr("_not_reached")));
  EXPECT_THAT(refusal(moduleOf("    self.fc = nn.Linear(8, 8)\n"
                               "    self.fc.register_full_backward_hook(print)\n",
                               "self.fc(x)")),
              HasSubstr("programs have no hooks of gradients"));
}

TEST(ModuleParts, InitializersFill) {
  const Program program = parseProgram(
      moduleOf("    self.w = nn.Parameter(torch.Tensor(2, 2))\n    nn.init.eye_(self.w)\n"
               "    self.k = nn.Parameter(torch.FloatTensor(1, 1, 3))\n    nn.init.dirac_(self.k)\n"
               "    fan_in, fan_out = nn.init._calculate_fan_in_and_fan_out(self.k)\n"
               "    self.c = nn.Parameter(torch.empty(1))\n    nn.init.constant_(self.c, fan_in)\n",
               "x * self.w[0, 1] + self.k.sum() * self.c"));
  EXPECT_EQ(program.held[0].initial.numbers, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(program.held[1].initial.numbers, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(program.held[2].initial.numbers, std::vector<double>{3});
}

TEST(ModuleParts, QuestionsAboutWeightsLeaveThemTheirNames) {
  const Program program = parseProgram(
      std::string(kStart) +
      "class M(nn.Module):\n"
      "  def __init__(self):\n    super().__init__()\n    self.fc = nn.Linear(8, 4)\n"
      "    self.register_buffer('q', torch.randint(-8, 8, (4,), dtype=torch.int8))\n"
      "  def forward(self, x):\n    return self.fc(x) * self.q\n"
      "m = M()\n"
      "print(sum(p.numel() for p in m.parameters() if p.requires_grad))\n"
      "print(m.q.nelement() * m.q.element_size(), m.fc.weight.dtype, m.fc.weight.device)\n"
      "m(torch.randn(2, 8))\n");
  EXPECT_THAT(heldNames(program), ElementsAre("fc_weight", "fc_bias", "q"));
}

TEST(ModuleParts, ArgumentsThatLinesComputeAreInputs) {
  const PastedProgram pasted = readPasted(
      "import numpy as np\nimport torch\n"
      "def f(p, labels, mask, image):\n"
      "  return p.gather(1, labels[:, None]) * mask + image.sum()\n"
      "p = torch.randn(6, 5).softmax(-1)\n"
      "labels = torch.randint(0, 5, (6,))\n"
      "mask = (torch.rand(6, 1) > 0.5).float()\n"
      "image = torch.from_numpy(np.random.rand(3, 4).astype(np.float32))\n"
      "f(p, labels, mask, image)\n");
  std::string inputs;
  for (const ChosenInput& each : pasted.inputs) inputs += each.shown() + "; ";
  EXPECT_EQ(inputs,
            "p set to (6, 5); labels set to (6,) int64 from 0 to 4; mask set to (6, 1); image set "
            "to (3, 4); ");
  EXPECT_EQ(parseProgram(pasted.text).ops.size(), 6u);  // nothing of how they were made
}

TEST(ModuleParts, ResultsWithinResultsAreReturnedInOrder) {
  const Program program =
      parseProgram("def f(x):\n  return x + 1, (x + 2, [x + 3]), {'a': x + 4, 'b': None}\n");
  EXPECT_EQ(program.outputs.size(), 4u);
}

TEST(ModuleParts, LinesBeforeTheFunctionMayCompute) {
  const Program program = parseProgram(
      "import torch\n"
      "angles = torch.cos(torch.linspace(0, 1, 8))\n"
      "scales = angles[1:] / angles[:-1]\n"
      "def f(x):\n  return x * torch.cumprod(scales, 0)\n"
      "f(torch.randn(4, 7))\n");
  EXPECT_EQ(program.outputs.size(), 1u);
  EXPECT_GE(program.ops.size(), 5u);
}

TEST(ModuleParts, HooksOfTheProgramsOwnModuleAreNotForgotten) {
  const std::string module = std::string(kStart) +
                             "class M(nn.Module):\n"
                             "  def forward(self, x):\n    return x + 1\n"
                             "m = M()\n";
  const std::string hook = "h = m.register_forward_hook(lambda m, args, out: out * 3)\n";
  const std::string call = "m(torch.randn(8, 8))\n";
  EXPECT_THAT(refusal(module + hook + call), HasSubstr("the module that is the program itself"));
  EXPECT_THAT(refusal(std::string(kStart) +
                      "class M(nn.Module):\n"
                      "  def __init__(self):\n    super().__init__()\n"
                      "    self.register_forward_pre_hook(lambda m, args: (args[0] * 2,))\n"
                      "  def forward(self, x):\n    return x + 1\n"),
              HasSubstr("the module that is the program itself"));
  EXPECT_EQ(flat(module + hook + "h.remove()\n" + call), "return x + 1");
  // As the message says: what the function calls has its hooks.
  EXPECT_EQ(flat(module + hook + "def program(x):\n  return m(x)\n"), "return (x + 1) * 3");
}

TEST(ModuleParts, AreNamedByAnOrderedDict) {
  const Program program = parseProgram(
      "from collections import OrderedDict\n"
      "class Layer(nn.Sequential):\n"
      "    def __init__(self, n):\n"
      "        super().__init__(OrderedDict([('norm', nn.LayerNorm(n)), ('fc', nn.Linear(n, "
      "n))]))\n"
      "    def forward(self, x):\n"
      "        return x + super().forward(x)\n"
      "layer = Layer(4).eval()\n");
  EXPECT_THAT(program.inputs, testing::Contains("fc_weight"));
  EXPECT_THAT(program.inputs, testing::Contains("norm_bias"));
}

}  // namespace
}  // namespace fusebench
