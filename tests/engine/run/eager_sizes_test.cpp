// SPDX-License-Identifier: GPL-3.0-or-later
// An executor keeps nothing of a call that depends on the number of its elements.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

class EagerSizes : public testing::Test {
 protected:
  /// One executor called with tensors of each of these sizes in turn, against the reference.
  void expectAsReferenceInTurn(const std::string& text, const std::vector<Shape>& shapes,
                               DType dtype = DType::float32) {
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name) + " of\n" + text);
      std::unique_ptr<Executor> executor;
      for (const Shape& shape : shapes) {
        std::vector<double> numbers;
        for (std::int64_t i = 0; i < elementCount(shape); ++i)
          numbers.push_back(static_cast<double>(i + 1));
        const std::vector<Tensor> inputs{fixture_.typed(dtype, shape, numbers)};
        const Program program = parseProgram(text, hintsOf(text, inputs));
        if (!executor) executor = makeExecutor(info.name, fixture_.backend(), program);
        const std::vector<ReferenceTensor> plain{EngineFixture::reference(inputs[0])};
        const auto expected = evaluateReference(program, plain);
        const auto results = executor->call(inputs);
        for (std::size_t o = 0; o < results.size(); ++o) {
          EXPECT_EQ(results[o].shape, expected[o].value.type.shape);
          const std::vector<double> values = EngineFixture::values(results[o]);
          ASSERT_EQ(values.size(), expected[o].value.values.size());
          for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(values[i], expected[o].value.values[i], 1e-5) << toString(shape);
        }
      }
    }
  }
  EngineFixture fixture_;
};

const std::vector<Shape> kSizes{{1}, {2}, {3}, {1}, {7}, {1}, {40}};
const std::vector<Shape> kMatrices{{1, 1}, {2, 3}, {1, 4}, {4, 1}, {1, 1}, {5, 6}};

TEST_F(EagerSizes, AReductionOfOneElementIsFollowedByOneOfSeveral) {
  for (const char* op : {"sum", "mean", "amax", "prod"})
    for (const char* of : {"x", "(x * 2)", "x.double()"}) {
      const std::string text = std::string("def f(x):\n    return ") + of + "." + op + "() * 1\n";
      const auto sizes = std::string(op) == "prod" ? std::vector<Shape>{{1}, {2}, {5}} : kSizes;
      expectAsReferenceInTurn(text, sizes);
      if (std::string(op) != "prod") expectAsReferenceInTurn(text, kMatrices);
    }
}

TEST_F(EagerSizes, AReductionAlongOneElementIsFollowedByOneAlongSeveral) {
  for (const char* call : {"x.sum(0)", "x.sum(-1, keepdim=True)", "x.softmax(-1)", "x.cumsum(-1)"})
    expectAsReferenceInTurn(std::string("def f(x):\n    return ") + call + "\n", kMatrices);
}

TEST_F(EagerSizes, AnElementWiseOpOfOneElementIsFollowedByOneOfSeveral) {
  for (const char* call : {"torch.sin(x)", "x + 1", "x * x", "x.double() * 2", "x > 1.5",
                           "x.clone().mul_(3)", "x.t() if x.dim() > 1 else x.flip(0)"}) {
    const std::string text = std::string("def f(x):\n    return ") + call + "\n";
    expectAsReferenceInTurn(text, kSizes);
    if (std::string(call).find("dim") == std::string::npos)
      expectAsReferenceInTurn(text, kMatrices);
  }
}

TEST_F(EagerSizes, ATensorWithoutElementsIsReversed) {
  for (const std::vector<Shape>& shapes :
       {std::vector<Shape>{{0, 2}, {3, 2}}, {{0, 1}, {4, 3}}, {{1, 0}, {1, 3}}, {{6, 0}, {2, 2}}})
    for (const char* call : {"x.flip(1) + 1", "torch.stack([x.flip(1), x])", "x.flip(0) * x"})
      expectAsReferenceInTurn(std::string("def f(x):\n    return ") + call + "\n", shapes);
  for (const std::vector<Shape>& shapes :
       {std::vector<Shape>{{1, 0, 4}, {2, 3, 4}}, {{6, 0, 7}, {6, 1, 7}}, {{2, 3, 0}, {2, 3, 5}}})
    for (const char* call : {"x.flip(2) + 1", "torch.stack([x.flip(2), x])", "x.flip(0, 2) * 2"})
      expectAsReferenceInTurn(std::string("def f(x):\n    return ") + call + "\n", shapes);
}

TEST_F(EagerSizes, IntegersTakeTheWholePartOfANumberThatFillsThem) {
  for (const char* lines : {"y[1:] = 1.75", "y.fill_(-2.5)", "y[0] = -0.5"})
    expectAsReferenceInTurn(
        std::string("def f(x):\n    y = x.clone()\n    ") + lines + "\n    return y\n", {{2}, {5}},
        DType::int64);
}

}  // namespace
}  // namespace fusebench
