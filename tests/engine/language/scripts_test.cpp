// SPDX-License-Identifier: GPL-3.0-or-later
// Pasted code that is more than a function: scripts that make a model, loaders, settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::HasSubstr;

TEST(Scripts, BringAlongTheModelThatTheyMake) {
  const Program program = parseProgram(
      "model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))\n"
      "return model(x)");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "model_0_weight", "model_0_bias",
                                                      "model_2_weight", "model_2_bias"}));
  EXPECT_EQ(program.held.size(), 4u);
  EXPECT_EQ(toText(parseProgram(toText(program))), toText(program));
}

TEST(Scripts, StepAnOptimizerInALoop) {
  const Program program = parseProgram(
      "model = nn.Linear(4, 1)\n"
      "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
      "for step in range(2):\n"
      "    optimizer.zero_grad()\n"
      "    loss = F.mse_loss(model(x), y)\n"
      "    loss.backward()\n"
      "    optimizer.step()\n"
      "return loss");
  EXPECT_EQ(program.held.size(), 2u);
  EXPECT_TRUE(program.writesInto);
  EXPECT_TRUE(program.asksGradients);
}

TEST(Scripts, ThatAreFunctionsMakeTheirModelsBefore) {
  EXPECT_THAT(refusal("def f(x):\n  model = nn.Linear(4, 3)\n  return model(x)"),
              HasSubstr("create a module with weights in __init__"));
}

TEST(Scripts, NameTheirInputsInComprehensionsToo) {
  EXPECT_EQ(flat("parts = [x[i] for i in range(2)]\nreturn parts[0] + parts[1]"),
            "t1 = x.select(0, 0) | parts = x.select(0, 1) | return t1 + parts");
  EXPECT_THAT(refusal("def f(x):\n  return [y + i for i in range(2)][0]"),
              HasSubstr("there is no 'y' here"));
}

TEST(Scripts, MakeTensorsThatGradientsAreKeptOf) {
  const Program program = parseProgram(
      "w = torch.randn(3, 2, requires_grad=True)\n"
      "loss = F.mse_loss(x.mm(w.t()), y)\n"
      "loss.backward()\n"
      "return w.grad");
  EXPECT_TRUE(program.asksGradients);
  EXPECT_THAT(toText(program), HasSubstr("requires_grad"));
  EXPECT_THAT(refusal("x = x + torch.randn(2, requires_grad=1)\nreturn x"),
              HasSubstr("needs no gradient"));
}

TEST(Generators, GiveTheirItemsInOrder) {
  const std::string counting =
      "def upTo(n):\n  i = 0\n  while True:\n    if i == n: return\n    yield i\n    i += 1\n";
  EXPECT_EQ(flat(counting + "for i in upTo(2):\n  x = x + i\nreturn x"),
            "x = x + 0 | x = x + 1 | return x");
  EXPECT_EQ(flat(counting + "def both(n):\n  yield from upTo(n)\n  yield\n"
                            "items = list(both(3))\n"
                            "return x * len(items) + (1 if items[3] is None else 2)"),
            "return x * 4 + 1");
  EXPECT_EQ(flat("def none():\n  if False:\n    yield 1\nreturn x * len(list(none()))"),
            "return x * 0");
}

TEST(Generators, ThatNeverEndMeetALimit) {
  EXPECT_THAT(refusal("def f():\n  while True:\n    yield 1\nreturn x * len(list(f()))"),
              HasSubstr("more than 100000 iterations"));
}

TEST(Generators, AreNotTheProgramItself) {
  EXPECT_THAT(refusal("yield x"), HasSubstr("in the program's own function"));
  EXPECT_THAT(refusal("def f(x):\n  yield x + 1"), HasSubstr("in the program's own function"));
}

TEST(MemoryFormats, ChannelsLastIsACopySeenAsBefore) {
  const std::string last = "return x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)";
  for (const char* method : {"contiguous", "to"})
    EXPECT_EQ(flat("return x." + std::string(method) + "(memory_format=torch.channels_last)"),
              flat(last))
        << method;
  EXPECT_THAT(flat("return x.clone(memory_format=torch.channels_last)"),
              HasSubstr("torch.clone(x).permute((0, 2, 3, 1)).contiguous()"));
  EXPECT_EQ(flat("return x.contiguous(memory_format=torch.contiguous_format)"),
            flat("return x.contiguous()"));
  EXPECT_EQ(flat("return x.clone(memory_format=torch.preserve_format)"), flat("return x.clone()"));
  EXPECT_THAT(
      refusal("return x.to(memory_format=torch.channels_last)", {{"x", {{2, 3}, DType::float32}}}),
      HasSubstr("4 dimensions"));
  EXPECT_THAT(refusal("return x.clone(memory_format=torch.strided)"),
              HasSubstr("torch.channels_last, torch.contiguous_format"));
}

TEST(Torchvision, NormalizesAsAFunctionAndAsATransform) {
  const std::string function = flat(
      "import torchvision.transforms.functional as F\n"
      "return F.normalize(x, [0.5, 0.4, 0.3], [0.2, 0.2, 0.1])");
  EXPECT_THAT(function, HasSubstr("(-1, 1, 1)"));
  EXPECT_EQ(flat("from torchvision import transforms\n"
                 "t = transforms.Normalize([0.5, 0.4, 0.3], [0.2, 0.2, 0.1])\n"
                 "return t(x)"),
            function);
  EXPECT_THAT(refusal("import torchvision.transforms.functional as F\nreturn F.rotate(x, 3)"),
              HasSubstr("torchvision.transforms.functional.rotate is not supported"));
}

TEST(WhatIsNoPartOfAProgram, IsRefusedWithWhatToDo) {
  const Program tuned = parseProgram("torch.backends.cudnn.benchmark = True\nreturn x + 1");
  ASSERT_EQ(tuned.notes.size(), 1u);
  EXPECT_THAT(tuned.notes[0].text, HasSubstr("option `tune`"));
  EXPECT_EQ(flat("torch.backends.cudnn.deterministic = True\nreturn x + 1"), "return x + 1");
  EXPECT_THAT(refusal("s = x.stride()\nreturn x"), HasSubstr("give the inputs sizes"));
}

}  // namespace
}  // namespace fusebench
