// SPDX-License-Identifier: GPL-3.0-or-later
// A program that asks for sizes is compiled once by `dynamic` for all shapes that its sizes allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/engine/support/corpus.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

class DynamicSizes : public testing::Test {
 protected:
  using Shapes = std::vector<Shape>;

  std::vector<Tensor> tensors(const Shapes& shapes) {
    std::vector<Tensor> made;
    for (const Shape& shape : shapes) {
      std::vector<double> values;
      for (std::int64_t i = 0; i < elementCount(shape); ++i)
        values.push_back(static_cast<double>((i * 37 + 11) % 61 - 30) / 16);
      made.push_back(fixture_.typed(DType::float32, shape, values));
    }
    return made;
  }

  /// Calls one executor with all of these shapes; each result is that of the reference. Returns how
  /// often it compiled, and shows why.
  std::size_t compiles(const std::string& text, const std::vector<Shapes>& calls,
                       const char* name = "dynamic") {
    const Program program = parseProgram(text, hintsOf(text, tensors(calls.front())));
    const auto executor = makeExecutor(name, fixture_.backend(), program);
    for (const Shapes& shapes : calls) {
      const std::vector<Tensor> inputs = tensors(shapes);
      std::vector<ReferenceTensor> plain;
      for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
      const auto expected = evaluateReference(program, plain);
      const auto results = executor->call(inputs);
      for (std::size_t o = 0; o < results.size(); ++o) {
        EXPECT_EQ(results[o].shape, expected[o].value.type.shape) << toString(shapes[0]);
        const std::vector<double> values = EngineFixture::values(results[o]);
        for (std::size_t i = 0; i < values.size() && !HasFailure(); ++i)
          EXPECT_NEAR(values[i], expected[o].value.values[i],
                      2e-5 * (1 + std::abs(expected[o].value.values[i])))
              << toString(shapes[0]) << " at " << i << " of\n"
              << text;
      }
    }
    for (const CompileEvent& each : executor->statistics().compiles)
      RecordProperty("compiled", each.reason);
    return executor->statistics().compiles.size();
  }

  EngineFixture fixture_;
};

TEST_F(DynamicSizes, UnequalPartsAreJoinedWhateverTheirCommonDivisor) {
  const std::string text = "def f(x, y):\n    return torch.cat([x, y * 2]) + 1\n";
  EXPECT_EQ(compiles(text, {{{8, 4}, {5, 4}},
                            {{10, 4}, {5, 4}},
                            {{5, 4}, {5, 4}},
                            {{9, 4}, {6, 4}},
                            {{3, 4}, {7, 4}}}),
            1u);
}

TEST_F(DynamicSizes, HeadsAreSplitAndJoinedForEveryBatchAndLength) {
  const std::string text =
      "def f(x, w):\n"
      "    b, t, c = x.shape\n"
      "    q = (x @ w).view(b, t, 4, c // 4).transpose(1, 2)\n"
      "    y = torch.softmax(q @ q.transpose(-2, -1), -1) @ q\n"
      "    return y.transpose(1, 2).reshape(b, t, c)\n";
  EXPECT_EQ(compiles(text, {{{2, 6, 16}, {16, 16}},
                            {{3, 9, 16}, {16, 16}},
                            {{5, 2, 16}, {16, 16}},
                            {{2, 6, 32}, {32, 32}}}),
            1u);
}

TEST_F(DynamicSizes, MadeTensorsFollowTheShapes) {
  EXPECT_EQ(compiles("def f(x):\n"
                     "    n = x.shape[0]\n"
                     "    return x + torch.arange(n).unsqueeze(1) + torch.zeros(n, x.size(1))\n",
                     {{{4, 7}}, {{6, 3}}, {{9, 12}}}),
            1u);
}

TEST_F(DynamicSizes, SlicesFollowTheShapes) {
  EXPECT_EQ(compiles("def f(x):\n"
                     "    h = x.shape[1] // 2\n"
                     "    return torch.sin(x[:, :h]) * x[:, x.size(1) - h:]\n",
                     {{{4, 8}}, {{3, 12}}, {{3, 15}}}),
            1u);
}

TEST_F(DynamicSizes, PiecesOfAConcatenationAreWrittenWhereTheyBelong) {
  EXPECT_EQ(compiles("def f(x, y):\n    return torch.cat([torch.sin(x), y * 2], 1) + 1\n",
                     {{{4, 8}, {4, 8}}, {{5, 9}, {5, 9}}, {{2, 20}, {2, 20}}}),
            1u);
}

TEST_F(DynamicSizes, ACacheThatGrowsIsWrittenByItsTwoParts) {
  EXPECT_EQ(compiles("def f(cache, x):\n"
                     "    n = cache.shape[1]\n"
                     "    whole = torch.empty(cache.shape[0], n + x.shape[1], 4)\n"
                     "    whole[:, :n] = cache\n"
                     "    whole[:, n:] = torch.sin(x)\n"
                     "    return whole * 2\n",
                     {{{2, 5, 4}, {2, 1, 4}}, {{3, 6, 4}, {3, 1, 4}}, {{3, 7, 4}, {3, 1, 4}}}),
            1u);
}

TEST_F(DynamicSizes, ASizeThatIsANumberOfTheComputationIsHeld) {
  const std::string text = "def f(x):\n    return x * x.shape[0]\n";
  EXPECT_EQ(compiles(text, {{{4, 8}}, {{4, 9}}, {{4, 30}}}), 1u);
  EXPECT_EQ(compiles(text, {{{4, 8}}, {{5, 8}}, {{6, 8}}}), 3u);
}

TEST_F(DynamicSizes, AFloatOfASizeIsHeld) {
  const std::string text = "def f(x):\n    return x * x.shape[-1] ** -0.5\n";
  EXPECT_EQ(compiles(text, {{{4, 8}}, {{6, 8}}, {{9, 8}}}), 1u);
  EXPECT_EQ(compiles(text, {{{4, 8}}, {{4, 9}}}), 2u);
}

TEST_F(DynamicSizes, AnExtentThatIsComputedThroughAFloatIsHeld) {
  const std::string text = "def f(x):\n    return x[:, :int(x.shape[1] * 0.5)] + 1\n";
  EXPECT_EQ(compiles(text, {{{4, 8}}, {{6, 8}}, {{6, 10}}, {{5, 12}}}), 3u);
}

TEST_F(DynamicSizes, AQuotientIsHeldNotWhatItIsAQuotientOf) {
  EXPECT_EQ(compiles("def f(x):\n    return x * (x.shape[0] // 8)\n",
                     {{{16, 4}}, {{17, 4}}, {{23, 5}}, {{24, 4}}}),
            2u);
}

TEST_F(DynamicSizes, TheSmallerOfTwoSizesIsTheSameOne) {
  EXPECT_EQ(compiles("def f(x):\n    k = min(x.shape[0], x.shape[1])\n    return x[:k, :k] * 2\n",
                     {{{4, 8}}, {{5, 9}}, {{9, 5}}, {{7, 3}}}),
            2u);
}

TEST_F(DynamicSizes, ARemainderFollowsTheShapes) {
  EXPECT_EQ(compiles("def f(x):\n    return F.pad(x, (0, 8 - x.shape[1] % 8)) + 1\n",
                     {{{4, 9}}, {{4, 10}}, {{3, 21}}}),
            1u);
}

TEST_F(DynamicSizes, AttentionOfEveryLengthIsOneCompile) {
  EXPECT_EQ(compiles("def f(q, k, v):\n"
                     "    return F.scaled_dot_product_attention(q, k, v, is_causal=True)\n",
                     {{{2, 3, 6, 8}, {2, 3, 6, 8}, {2, 3, 6, 8}},
                      {{2, 4, 9, 8}, {2, 4, 9, 8}, {2, 4, 9, 8}},
                      {{5, 3, 70, 8}, {5, 3, 70, 8}, {5, 3, 70, 8}}}),
            1u);
}

/// Other shapes for an entry's inputs: some of the distinct extents get other values, everywhere.
class OtherShapes {
 public:
  OtherShapes(const CorpusEntry& entry, unsigned seed) : random_(seed) {
    for (const auto& [name, type] : entry.inputs)
      for (const std::int64_t extent : type.shape) now_.try_emplace(extent, extent);
    std::uniform_int_distribution<int> choice(0, 3);
    for (auto& [extent, other] : now_) switch (choice(random_)) {
        case 0:
          other = extent + 1;
          break;
        case 1:
          other = extent * 2;
          break;
        default:
          break;
      }
  }
  Shape of(const Shape& shape) const {
    Shape other;
    for (const std::int64_t extent : shape) other.push(now_.at(extent));
    return other;
  }

 private:
  std::mt19937 random_;
  std::map<std::int64_t, std::int64_t> now_;
};

/// The results of a call, or the message of its error.
struct Outcome {
  std::string error;
  std::vector<Shape> shapes;
  std::vector<std::vector<double>> values;
};

class CorpusSizes : public DynamicSizes {
 protected:
  Outcome call(Executor& executor, const std::vector<ReferenceTensor>& given) {
    std::vector<Tensor> inputs;
    for (const ReferenceTensor& each : given)
      inputs.push_back(fixture_.typed(each.type.dtype, each.type.shape, each.values));
    Outcome outcome;
    try {
      for (const Tensor& result : executor.call(inputs)) {
        outcome.shapes.push_back(result.shape);
        outcome.values.push_back(EngineFixture::values(result));
      }
    } catch (const ProgramError& error) {
      outcome.error = error.what();
    }
    return outcome;
  }
};

bool isNear(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  double largest = 0;
  for (const double each : a)
    if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    if (!same && !(std::abs(a[i] - b[i]) <= 1e-5 + 2e-4 * largest)) return false;
  }
  return true;
}

TEST_F(CorpusSizes, OneExecutorGivesWhatANewOneGivesForEveryShape) {
  int compared = 0, refused = 0;
  for (const CorpusEntry& entry : corpus()) {
    if (!entry.waitsFor.empty() || entry.inputs.empty()) continue;
    const Program program = parseProgram(entry.text, entry.hints());
    if (!program.held.empty()) continue;
    ExecutorOptions options;
    options.recompileLimit = 100;
    const auto dynamic = makeExecutor("dynamic", fixture_.backend(), program, options);
    const auto instant = makeExecutor("instant", fixture_.backend(), program, options);
    for (unsigned seed = 0; seed < 6; ++seed) {
      const OtherShapes shapes(entry, seed);
      std::mt19937 random(seed);
      std::uniform_int_distribution<int> eighths(-20, 20), hundredths(1, 99);
      std::vector<ReferenceTensor> given;
      for (const std::string& name : program.inputs) {
        const auto found =
            std::ranges::find(entry.inputs, name, &std::pair<std::string, ValueType>::first);
        ASSERT_NE(found, entry.inputs.end()) << entry.name;
        ReferenceTensor made;
        made.type = {seed == 0 ? found->second.shape : shapes.of(found->second.shape),
                     found->second.dtype};
        for (std::int64_t e = 0; e < elementCount(made.type.shape); ++e)
          made.values.push_back(entry.uniform ? hundredths(random) / 100.0
                                              : eighths(random) / 8.0 + 1.0 / 16);
        given.push_back(std::move(made));
      }
      const Outcome wanted = call(*makeExecutor("eager", fixture_.backend(), program), given);
      for (Executor* const executor : {dynamic.get(), instant.get()}) {
        const std::string by = (executor == dynamic.get() ? "dynamic: " : "instant: ") +
                               entry.name + ", shapes " + std::to_string(seed);
        const Outcome got = call(*executor, given);
        EXPECT_EQ(got.error.empty(), wanted.error.empty()) << by << got.error << wanted.error;
        if (!wanted.error.empty() || !got.error.empty()) {
          ++refused;
          continue;
        }
        ++compared;
        ASSERT_EQ(got.shapes, wanted.shapes) << by;
        for (std::size_t o = 0; o < got.values.size(); ++o)
          EXPECT_TRUE(isNear(got.values[o], wanted.values[o])) << by << ", output " << o;
      }
    }
  }
  EXPECT_GT(compared, 800);
  RecordProperty("compared", compared);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace fusebench
