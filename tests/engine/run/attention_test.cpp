// SPDX-License-Identifier: GPL-3.0-or-later
// Attention on every backend: as one call where there is one, else op by op.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/plan/attention.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();
constexpr float kUndefinedScore = std::numeric_limits<float>::quiet_NaN();

class AttentionRuns : public testing::Test {
 protected:
  void expectRight(const std::string& body, const std::vector<Tensor>& inputs,
                   const std::string& more = {}) {
    const std::string text =
        fmt::format("def f(q, k, v{}):\n    {}\n", more.empty() ? "" : ", " + more, body);
    expectAsReference(fixture_, text, inputs, hintsOf(text, inputs));
  }

  /// q (batch, rows, depth), k (batch, columns, depth), v (batch, columns, values)
  std::vector<Tensor> randoms(std::int64_t batch, std::int64_t rows, std::int64_t columns,
                              std::int64_t depth, std::int64_t values) {
    return {fixture_.random({batch, rows, depth}, 1), fixture_.random({batch, columns, depth}, 2),
            fixture_.random({batch, columns, values}, 3)};
  }

  Tensor truths(const Shape& shape, unsigned every) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < elementCount(shape); ++i) values.push_back(i % every != 0);
    return fixture_.typed(DType::boolean, shape, values);
  }

  EngineFixture fixture_;
};

const char* const kPlain = "return F.scaled_dot_product_attention(q, k, v)";
const char* const kCausal = "return F.scaled_dot_product_attention(q, k, v, is_causal=True)";
const char* const kMasked = "return F.scaled_dot_product_attention(q, k, v, attn_mask=m)";

TEST_F(AttentionRuns, IsRightForSizesAroundThoseOfVectorsAndBlocks) {
  for (const std::int64_t rows : {1, 3, 63, 64, 65, 130})
    for (const std::int64_t columns : {1, 2, 15, 16, 17, 65}) {
      const std::vector<Tensor> inputs = randoms(2, rows, columns, 5, 3);
      expectRight(kPlain, inputs);
      expectRight(kCausal, inputs);
    }
}

TEST_F(AttentionRuns, IsRightOverSeveralBlocksOfColumns) {
  for (const std::int64_t columns : {511, 512, 513, 1040}) {
    const std::vector<Tensor> inputs = randoms(1, 70, columns, 8, 4);
    expectRight(kPlain, inputs);
    expectRight(kCausal, inputs);
    // The greatest score comes last, so that each block corrects those before it.
    expectRight("s = q @ k.transpose(-2, -1) + m\n    return torch.softmax(s, -1) @ v",
                {inputs[0], inputs[1], inputs[2],
                 fixture_.tensor({columns},
                                 [&] {
                                   std::vector<float> growing;
                                   for (std::int64_t c = 0; c < columns; ++c)
                                     growing.push_back(static_cast<float>(c) * 0.125f);
                                   return growing;
                                 }())},
                "m");
  }
}

TEST_F(AttentionRuns, TakesMasksThatAreBroadcastAlongAnyDimension) {
  const std::vector<Tensor> inputs = randoms(2, 5, 20, 4, 3);
  for (const Shape& shape : {Shape{20}, Shape{1, 20}, Shape{5, 20}, Shape{5, 1}, Shape{2, 1, 20},
                             Shape{2, 5, 20}, Shape{1, 5, 20}, Shape{2, 1, 1}}) {
    expectRight(kMasked, {inputs[0], inputs[1], inputs[2], fixture_.random(shape, 4)}, "m");
    expectRight(kMasked, {inputs[0], inputs[1], inputs[2], truths(shape, 3)}, "m");
    expectRight(
        "s = (q @ k.transpose(-2, -1) / 2).masked_fill(m, -1e9)\n"
        "    return torch.softmax(s, -1) @ v",
        {inputs[0], inputs[1], inputs[2], truths(shape, 2)}, "m");
  }
}

TEST_F(AttentionRuns, GivesZerosOrNaNForRowsOfWhichAMaskLeavesNothing) {
  const std::vector<Tensor> inputs = randoms(1, 4, 20, 4, 3);
  std::vector<double> kept(4 * 20, 1);
  for (int c = 0; c < 20; ++c) kept[20 + static_cast<std::size_t>(c)] = 0;
  const Tensor mask = fixture_.typed(DType::boolean, {4, 20}, kept);
  expectRight(kMasked, {inputs[0], inputs[1], inputs[2], mask}, "m");
  const std::string spelled =
      "s = (q @ k.transpose(-2, -1)).masked_fill(~m, float('-inf'))\n"
      "    return torch.softmax(s, -1) @ v";
  expectRight(spelled, {inputs[0], inputs[1], inputs[2], mask}, "m");
  const std::string text = "def f(q, k, v, m):\n    " + std::string(kMasked) + "\n";
  const std::vector<Tensor> all{inputs[0], inputs[1], inputs[2], mask};
  const auto made =
      makeExecutor("static", fixture_.backend(), parseProgram(text, hintsOf(text, all)));
  EXPECT_EQ(EngineFixture::values(made->call(all).front())[3], 0) << "the second row's first";
}

TEST_F(AttentionRuns, LetsNaNAndInfinityThroughAsTheOpsDo) {
  for (const float value : {kUndefinedScore, kUnbounded, -kUnbounded}) {
    std::vector<float> query(2 * 4, 0.5f), key(20 * 4, 0.25f);
    query[0] = value;
    const std::vector<Tensor> rows{fixture_.tensor({2, 4}, query), fixture_.random({20, 4}, 2),
                                   fixture_.random({20, 3}, 3)};
    expectRight(kPlain, rows);
    expectRight(kMasked, {rows[0], rows[1], rows[2], truths({2, 20}, 3)}, "m");
    key[5] = value;
    const std::vector<Tensor> columns{fixture_.random({2, 4}, 1), fixture_.tensor({20, 4}, key),
                                      fixture_.random({20, 3}, 3)};
    expectRight(kPlain, columns);
  }
  // All that is left of a row is NaN.
  std::vector<float> bias(2 * 20, -kUnbounded);
  bias[7] = kUndefinedScore;
  expectRight("s = q @ k.transpose(-2, -1) + m\n    return torch.softmax(s, -1) @ v",
              {fixture_.random({2, 4}, 1), fixture_.random({20, 4}, 2), fixture_.random({20, 3}, 3),
               fixture_.tensor({2, 20}, bias)},
              "m");
}

TEST_F(AttentionRuns, ReadsHeadsThatAreSplitFromOneTensor) {
  expectAsReference(fixture_,
                    "def f(x):\n"
                    "    q, k, v = x.split(12, dim=2)\n"
                    "    q = q.view(2, 9, 3, 4).transpose(1, 2)\n"
                    "    k = k.view(2, 9, 3, 4).transpose(1, 2)\n"
                    "    v = v.view(2, 9, 3, 4).transpose(1, 2)\n"
                    "    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)\n"
                    "    return y.transpose(1, 2).reshape(2, 9, 12)\n",
                    std::vector<Tensor>{fixture_.random({2, 9, 36})},
                    {{"x", {{2, 9, 36}, DType::float32}}});
}

TEST_F(AttentionRuns, JoinsHeadsInAnyOrderOfTheirDimensions) {
  const Tensor q = fixture_.random({2, 3, 5, 4}, 1), k = fixture_.random({2, 3, 7, 4}, 2),
               v = fixture_.random({2, 3, 7, 6}, 3);
  for (const char* joined :
       {"y.transpose(1, 2).reshape(2, 5, 18)", "y.permute(2, 0, 1, 3).reshape(5, 36)",
        "y.transpose(-2, -1).reshape(6, 30)", "y.permute(3, 2, 1, 0).contiguous()",
        "y.reshape(30, 6)", "y[:, 1:].transpose(1, 2).reshape(2, 5, 12)"})
    expectRight(fmt::format("y = F.scaled_dot_product_attention(q, k, v)\n    return {}", joined),
                {q, k, v});
  const Tensor one = fixture_.random({1, 3, 5, 4}, 4);
  expectRight(
      "y = F.scaled_dot_product_attention(q, k, v)\n"
      "    return y.transpose(1, 2).reshape(1, 5, 12) + 1",
      {one, one, one});
}

TEST_F(AttentionRuns, ReadsOperandsThatLieInNoLibrarysOrder) {
  const Tensor wide = fixture_.random({2, 6, 8}, 1);
  const Tensor q = EngineFixture::everySecond(wide), k = EngineFixture::everySecond(wide),
               v = EngineFixture::everySecond(fixture_.random({2, 6, 10}, 3));
  expectRight(kPlain, {q, k, v});
  expectRight(kPlain, {EngineFixture::transposed(fixture_.random({2, 4, 6}, 4)),
                       EngineFixture::transposed(fixture_.random({2, 4, 7}, 5)),
                       EngineFixture::transposed(fixture_.random({2, 3, 7}, 6))});
  // One head of keys and values for all of the queries'.
  expectAsReference(
      fixture_, "def f(q, k, v):\n    return torch.softmax(q @ k.transpose(-2, -1), -1) @ v\n",
      std::vector<Tensor>{fixture_.random({2, 3, 5, 4}, 1), fixture_.random({2, 1, 7, 4}, 2),
                          fixture_.random({2, 1, 7, 3}, 3)},
      {{"q", {{2, 3, 5, 4}, DType::float32}},
       {"k", {{2, 1, 7, 4}, DType::float32}},
       {"v", {{2, 1, 7, 3}, DType::float32}}});
}

TEST_F(AttentionRuns, IsRightWithNegativeAndLargeScales) {
  const std::vector<Tensor> inputs = randoms(2, 9, 33, 4, 3);
  for (const char* scale : {"-0.5", "30", "1e-3"})
    expectRight(fmt::format("s = q @ k.transpose(-2, -1) * {}\n"
                            "    return torch.softmax(s, -1) @ v",
                            scale),
                inputs);
}

TEST_F(AttentionRuns, IsRightWhereItsGradientsAreAsked) {
  expectAsReference(fixture_,
                    "def f(q, k, v):\n"
                    "    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).sum()\n"
                    "    return torch.autograd.grad(y, (q, k, v))\n",
                    randoms(2, 5, 7, 4, 3),
                    {{"q", {{2, 5, 4}, DType::float32}},
                     {"k", {{2, 7, 4}, DType::float32}},
                     {"v", {{2, 7, 3}, DType::float32}}});
}

/// A text whose S is the product of q and the transposed k, and whose lines are those of a
/// function.
std::string withScores(const std::string& text) {
  std::string made;
  for (const char each : text)
    if (each == '$')
      made += "(q @ k.transpose(-2, -1))";
    else if (each == '\n')
      made += "\n    ";
    else
      made += each;
  return made;
}

TEST_F(AttentionRuns, IsRightWhereAnOperandIsMadeByAnAttention) {
  const std::vector<Tensor> inputs = randoms(2, 12, 12, 8, 8);
  for (const char* text :
       {"p = torch.softmax($, -1)\nreturn p @ p", "s = $\nreturn torch.softmax(s, -1) @ s",
        "s = $\nreturn torch.softmax(s + s, -1) @ v",
        "c = torch.softmax($, -1) @ v\nreturn torch.softmax(c, -1) @ v.transpose(-2, -1)",
        "c = torch.softmax($, -1) @ v\nreturn torch.softmax(c @ k.transpose(-2, -1), -1) @ c"})
    expectRight(withScores(text), inputs);
}

TEST_F(AttentionRuns, IsRightWithMasksAndNumbersThatAreWrittenInPlace) {
  const std::vector<Tensor> inputs = randoms(2, 12, 12, 8, 4);
  for (const char* text :
       {"m = torch.ones(12, 12).tril()\nm[0] = 1\n"
        "return torch.softmax($.masked_fill(m == 0, float('-inf')), -1) @ v",
        "m = torch.ones(12, 12).tril()\nm.add_(1)\n"
        "return torch.softmax($.masked_fill(m == 0, float('-inf')), -1) @ v",
        "m = torch.ones(12, 12, dtype=torch.bool).tril()\nm.logical_not_()\n"
        "return torch.softmax($.masked_fill(m, float('-inf')), -1) @ v",
        "j = torch.arange(12)\nj.add_(3)\n"
        "return torch.softmax(torch.where(j <= torch.arange(12)[:, None] + 3, $, -1e9), -1) @ v",
        "c = torch.full((), 0.25)\nc.add_(1)\nreturn torch.softmax($ * c, -1) @ v"})
    expectRight(withScores(text), inputs);
}

TEST_F(AttentionRuns, IsRightWhereALaterMaskBringsScoresBack) {
  std::vector<Tensor> inputs = randoms(1, 100, 100, 8, 4);
  inputs.push_back(fixture_.random({100, 100}, 5));
  for (const char* text :
       {"m = torch.ones(100, 100, dtype=torch.bool).tril()\n"
        "s = $.masked_fill(~m, float('-inf'))\n"
        "s = s.masked_fill(b > 0, 0.0)\nreturn torch.softmax(s, -1) @ v",
        "m = torch.ones(100, 100, dtype=torch.bool).tril()\n"
        "s = $.masked_fill(~m, float('-inf')).masked_fill(m.transpose(0, 1), 0.5) + b\n"
        "return torch.softmax(s, -1) @ v"})
    expectRight(withScores(text), inputs, "b");
}

TEST_F(AttentionRuns, IsRightWithNumbersAndMasksOfOtherDtypes) {
  const std::vector<Tensor> inputs = randoms(2, 12, 12, 8, 4);
  for (const char* text :
       {"c = torch.full((), 2.7, dtype=torch.bool)\nreturn torch.softmax($ * c, -1) @ v",
        "c = torch.full((), 0.1, dtype=torch.bfloat16)\nreturn torch.softmax($ * c, -1) @ v",
        "m = ~torch.ones(12, 12, dtype=torch.int64).tril()\n"
        "return torch.softmax($.masked_fill(m.bool(), -1e9), -1) @ v"})
    expectRight(withScores(text), inputs);
}

TEST_F(AttentionRuns, BroadcastsBatchesOfWhicheverOp) {
  const Tensor q = fixture_.random({1, 3, 12, 8}, 1), k = fixture_.random({1, 3, 14, 8}, 2);
  expectRight("return torch.softmax(torch.einsum('bhid,bhjd->bhij', q, k), -1) @ v",
              {q, k, fixture_.random({2, 3, 14, 5}, 3)});
  // Two calls that differ in nothing else.
  const Tensor each = fixture_.random({2, 3, 12, 8}, 4);
  expectRight(withScores("a = torch.softmax(torch.einsum('bhid,bhjd->bhij', q, k), -1)\n"
                         "a = torch.einsum('bhij,bhjd->bhid', a, v)\n"
                         "return a + torch.softmax(q @ u.transpose(-2, -1), -1) @ v"),
              {each, each, each, fixture_.random({1, 3, 12, 8}, 5)}, "u");
}

TEST_F(AttentionRuns, MakesNoCallWhoseResultIsWrittenOverUnread) {
  const std::vector<Tensor> inputs = randoms(2, 12, 12, 8, 8);
  for (const char* text : {"y = torch.softmax($, -1) @ v\ny.copy_(q)\nreturn y * 2",
                           "y = q @ v.transpose(-2, -1) @ k\ny.copy_(q)\nreturn y * 2"})
    expectRight(withScores(text), inputs);
}

TEST_F(AttentionRuns, ServesAnySizesByOnePlan) {
  const std::string text =
      "def f(q, k, v):\n    return torch.softmax(q @ k.transpose(-2, -1) * 0.25, -1) @ v\n";
  const Program program = parseProgram(text);
  const auto made = makeExecutor("dynamic", fixture_.backend(), program);
  for (const std::int64_t size : {5, 17, 80, 600}) {
    const std::vector<Tensor> inputs = randoms(2, size, size + 1, 8, 4);
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const auto expected = evaluateReference(program, plain);
    const std::uint64_t launches = fixture_.backend().launches();
    const std::vector<double> values = EngineFixture::values(made->call(inputs).front());
    EXPECT_EQ(fixture_.backend().launches() - launches, 1u) << size;
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], expected.front().value.values[i], 2e-6) << size << ": " << i;
  }
  EXPECT_EQ(made->statistics().compiles.size(), 1u) << "one plan serves them all";
}

TEST_F(AttentionRuns, HoldsNoTensorOfAllScores) {
  const std::vector<Tensor> inputs = randoms(1, 1500, 1500, 8, 4);
  const auto made =
      fixture_.executor("static", "def f(q, k, v):\n    " + std::string(kCausal) + "\n");
  made->call(inputs);
  Allocator& allocator = fixture_.backend().allocator();
  const std::size_t before = allocator.statistics().currentBytes;
  allocator.resetPeak();
  const std::uint64_t launches = fixture_.backend().launches();
  made->call(inputs);
  EXPECT_EQ(fixture_.backend().launches() - launches, 1u);
  EXPECT_LE(allocator.statistics().peakBytes - before, 1500u * 4 * 4 + 1024) << "the result alone";
}

}  // namespace
}  // namespace fusebench
