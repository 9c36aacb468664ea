// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about where a tensor is in memory, which are answered while a program is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/input_shapes.h"
#include "engine/language/parser.h"
#include "engine/language/program_source.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::refusal;
using ::testing::HasSubstr;
using ::testing::Not;

ProgramHints matrix() {
  return {{"x", {{4, 8}, DType::float32}}};
}

/// The number that a program of `x` multiplies it by: what `question` was answered.
std::string answered(const std::string& question, const ProgramHints& hints = matrix()) {
  const Program program =
      parseProgram("def f(x):\n  n = " + question + "\n  return x * n\n", hints);
  const Op& op = program.ops.back();
  return std::to_string(static_cast<std::int64_t>(op.operands.back().number));
}

TEST(MemoryQuestions, AreAnsweredFromExtentsAndStrides) {
  EXPECT_EQ(answered("x.stride(0)"), "8");
  EXPECT_EQ(answered("x.stride()[-1]"), "1");
  EXPECT_EQ(answered("x.t().stride(1)"), "8");
  EXPECT_EQ(answered("x.t().stride(-1)"), "8");
  EXPECT_EQ(answered("x[:, ::2].stride(1)"), "2");
  EXPECT_EQ(answered("x[1:].storage_offset()"), "8");
  EXPECT_EQ(answered("x.element_size() * 32"), "128");
  EXPECT_EQ(answered("x.nbytes + x.itemsize"), "132");
  EXPECT_EQ(answered("torch.float16.itemsize"), "2");
  EXPECT_EQ(answered("(x.t() + 1).stride(1)"), "8");  // as PyTorch lays out its result
}

TEST(MemoryQuestions, AreAnsweredOfWhatIsExpanded) {
  const ProgramHints row{{"x", {{8}, DType::float32}}};
  EXPECT_EQ(answered("x.expand(4, 8).stride(0)", row), "0");
  EXPECT_EQ(answered("x.expand(4, 8).storage().size()", row), "8");
  EXPECT_EQ(answered("x.expand(4, 8).untyped_storage().nbytes()", row), "32");
  EXPECT_EQ(answered("x.expand(4, 8).nbytes", row), "128");
}

TEST(MemoryQuestions, DecideBranches) {
  const std::string text =
      "def f(x):\n"
      "  y = x.t()\n"
      "  if not y.is_contiguous():\n    y = y.contiguous()\n"
      "  if y.data_ptr() != x.data_ptr():\n    y = y * 2\n"
      "  if x.view(-1).data_ptr() == x.data_ptr():\n    y = y + 3\n"
      "  if x[1:].data_ptr() == x.data_ptr():\n    y = y + 5\n"
      "  if x[1:].storage().data_ptr() == x.storage().data_ptr():\n    y = y + 7\n"
      "  return y\n";
  const std::string flat = toText(parseProgram(text, matrix()));
  EXPECT_THAT(flat, HasSubstr("contiguous()"));
  EXPECT_THAT(flat, HasSubstr("* 2"));
  EXPECT_THAT(flat, HasSubstr("+ 3"));
  EXPECT_THAT(flat, Not(HasSubstr("+ 5")));
  EXPECT_THAT(flat, HasSubstr("+ 7"));
}

TEST(MemoryQuestions, TakeTheStridesOfInputsThatAreNotRowMajor) {
  ProgramHints hints{{"x", {{2, 3, 4, 5}, DType::float32}}};
  EXPECT_EQ(answered("x.stride(1)", hints), "20");
  EXPECT_EQ(answered("int(x.is_contiguous(memory_format=torch.channels_last))", hints), "0");
  hints.strides["x"] = {60, 1, 15, 3};
  EXPECT_EQ(answered("x.stride(1)", hints), "1");
  EXPECT_EQ(answered("int(x.is_contiguous(memory_format=torch.channels_last))", hints), "1");
  EXPECT_EQ(answered("int(x.is_contiguous())", hints), "0");
}

TEST(MemoryQuestions, NeedTheInputsSizes) {
  EXPECT_THAT(refusal("def f(x):\n  return x * x.stride(0)"),
              HasSubstr(".stride depends on this tensor's layout in memory"));
  const PastedProgram pasted = readPasted(
      "import torch\n"
      "def f(x):\n"
      "  print(x.stride(), x.data_ptr(), x.storage().size())\n"
      "  assert x.is_contiguous(), 'row-major'\n"
      "  return x.view(-1, x.stride(0)) + 1\n"
      "y = f(torch.randn(4, 8))\n"
      "print(y.stride(), y.untyped_storage().nbytes())\n");
  EXPECT_EQ(pasted.inputs.at(0).shown(), "x set to (4, 8)");
}

TEST(MemoryQuestions, MakeSizesOfTensorsOfShapes) {
  const std::string text =
      toText(parseProgram("def f(x):\n"
                          "  n = int(torch.prod(torch.tensor(x.shape[1:])))\n"
                          "  return x.reshape(-1, n) / torch.tensor(x.shape).prod().item()\n",
                          {{"x", {{4, 8, 2}, DType::float32}}}));
  EXPECT_THAT(text, HasSubstr("reshape((-1, (x.shape[1] * x.shape[2])))"));
}

}  // namespace
}  // namespace fusebench
