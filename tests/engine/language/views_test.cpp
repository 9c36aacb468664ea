// SPDX-License-Identifier: GPL-3.0-or-later
// Indexing and views as they are written, against what their rules say.
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/language/program.h"

namespace fusebench {
namespace {

Shape shapeOf(const std::string& expression, const Shape& x) {
  const Program program =
      parseProgram("def f(x): return " + expression, {{"x", {x, DType::float32}}});
  const std::vector<ValueType> inputs{{x, DType::float32}};
  return inferTypes(program, inputs)[static_cast<std::size_t>(program.outputs[0])].shape;
}

TEST(WrittenViews, HaveTheShapesThatPyTorchGives) {
  const Shape x{4, 6, 5};
  const std::pair<const char*, Shape> cases[] = {
      {"x[0]", {6, 5}},
      {"x[-1, 2]", {5}},
      {"x[1:3]", {2, 6, 5}},
      {"x[:, ::2]", {4, 3, 5}},
      {"x[..., 1:]", {4, 6, 4}},
      {"x[..., : x.shape[-1] // 2]", {4, 6, 2}},
      {"x[:, None]", {4, 1, 6, 5}},
      {"x[..., None]", {4, 6, 5, 1}},
      {"x[None, ..., 0]", {1, 4, 6}},
      {"x[2:100, -3:-1, 0]", {2, 2}},
      {"x[3:1]", {0, 6, 5}},
      {"x.T", {5, 6, 4}},
      {"x.mT", {4, 5, 6}},
      {"x.view(x.shape[0], -1)", {4, 30}},
      {"x.view(x.size(0) * 2, 3, 5)", {8, 3, 5}},
      {"x.reshape((2, -1))", {2, 60}},
      {"x.permute(0, 2, 1)", {4, 5, 6}},
      {"x.permute((2, 0, 1))", {5, 4, 6}},
      {"torch.transpose(x, 0, 1)", {6, 4, 5}},
      {"x.unsqueeze(-1).squeeze(-1).flatten(1)", {4, 30}},
      {"x[:1].expand(3, -1, -1)", {3, 6, 5}},
      {"x.movedim(0, -1)", {6, 5, 4}},
      {"x.unflatten(1, (2, 3))", {4, 2, 3, 5}},
      {"x.narrow(1, 2, 3)", {4, 3, 5}},
      {"x.diagonal(1, 1, 2)", {4, 4}},
  };
  for (const auto& [expression, shape] : cases)
    EXPECT_EQ(shapeOf(expression, x), shape) << expression;
}

TEST(WrittenViews, KeepTheirMeaningAsText) {
  for (const char* expression :
       {"x[1:3]", "x[:, ::2]", "x[..., 1:]", "x[:, None, 0]", "x.T", "x.view(x.shape[0], -1)"}) {
    const Shape x{4, 6, 5};
    const ProgramHints hints{{"x", {x, DType::float32}}};
    const Program program = parseProgram("def f(x): return " + std::string(expression), hints);
    const std::string text = toText(program);
    const Program again = parseProgram(text, hints);
    ASSERT_EQ(again.ops.size(), program.ops.size()) << text;
    for (std::size_t i = 0; i < again.ops.size(); ++i) {
      EXPECT_EQ(again.ops[i].row, program.ops[i].row) << text;
      EXPECT_EQ(again.ops[i].dims, program.ops[i].dims) << text;
      EXPECT_EQ(again.ops[i].sizeNumbers, program.ops[i].sizeNumbers) << text;
    }
  }
}

}  // namespace
}  // namespace fusebench
