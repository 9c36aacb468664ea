// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

struct ReductionSetup {
  int width;
  int interleave;
  int threads;
};

class Reductions : public testing::TestWithParam<ReductionSetup> {
 protected:
  EngineFixture fixture_{
      EngineFixture::withoutDisk(GetParam().width, GetParam().interleave, GetParam().threads)};
};

TEST_P(Reductions, MatchTheReferenceOverEveryDimAndLayout) {
  const Tensor base = fixture_.random({5, 7, 67}, 4, 3);
  const std::vector<Tensor> layouts = {base,
                                       EngineFixture::transposed(base),
                                       EngineFixture::everySecond(base),
                                       fixture_.random({1}),
                                       fixture_.random({3000}, 5),
                                       fixture_.random({64, 64}, 6)};
  for (const char* op : {"sum", "mean", "amax", "amin", "var", "std", "prod", "argmax", "argmin",
                         "any", "all", "count_nonzero", "nansum", "nanmean", "norm"}) {
    for (const Tensor& input : layouts) {
      const Tensor scaled = input;
      std::vector<std::string> calls{fmt::format("x.{}()", op)};
      for (int dim = 0; dim < input.shape.rank(); ++dim) {
        calls.push_back(fmt::format("x.{}(dim={})", op, dim));
        if (op != std::string("count_nonzero"))  // it always drops what it reduces
          calls.push_back(fmt::format("x.{}(dim={}, keepdim=True)", op, dim - input.shape.rank()));
      }
      for (const std::string& call : calls) {
        const std::string text = "x = x * 1.0\nreturn " + call;
        const auto expected =
            evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
        for (const auto& name : executorsOn(fixture_.backend())) {
          const auto got = fixture_.run(std::string(name.name), text, {input});
          ASSERT_EQ(got[0].shape, expected[0].value.type.shape) << call;
          EXPECT_LT(relativeError(expected[0], EngineFixture::values(got[0])), 3e-6)
              << name.name << " " << call << " of " << toString(input.shape);
        }
      }
    }
  }
}

/// Every order of norm over several dims, together with ops that share its kernel.
TEST_P(Reductions, NormsOfEveryOrder) {
  const Tensor input = fixture_.random({4, 3, 67}, 8);
  for (const char* p : {"2", "1", "0", "3", "0.5", "-1.5", "float('inf')", "float('-inf')"})
    for (const char* dims : {"None", "(0, 1)", "2", "(0, 2)"}) {
      const std::string text = fmt::format(
          "y = torch.sin(x)\nreturn torch.norm(y, p={0}, dim={1}), y.nansum(dim={1}), y * 2", p,
          dims);
      const auto expected =
          evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
      for (const auto& name : executorsOn(fixture_.backend())) {
        const auto got = fixture_.run(std::string(name.name), text, {input});
        for (std::size_t o = 0; o < got.size(); ++o)
          EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 3e-6)
              << name.name << ' ' << text << ' ' << o;
      }
    }
}

/// PyTorch 1.13's results for NaN, zeros of both signs and no elements at all.
TEST_P(Reductions, OfSpecialElementsAreAsInPyTorch) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Case {
    std::vector<float> elements;
    double any, all, count, nansum, nanmean, norm, norm0;
  };
  const double none = nan;
  std::vector<float> most(300, nan);
  most[130] = 3;
  most[299] = -1;
  for (const Case& each :
       {Case{{nan, 1, 2}, 1, 1, 3, 3, 1.5, none, 3}, Case{{nan, nan}, 1, 1, 2, 0, none, none, 2},
        Case{{0, -0.0f, 0}, 0, 0, 0, 0, 0, 0, 0}, Case{{}, 0, 1, 0, 0, none, 0, 0},
        Case{most, 1, 1, 300, 2, 1, none, 300}, Case{{0, -4, 3}, 1, 0, 2, -1, -1.0 / 3, 5, 2}})
    for (const auto& name : executorsOn(fixture_.backend())) {
      const auto count = static_cast<std::int64_t>(each.elements.size());
      const auto got = fixture_.run(
          std::string(name.name),
          "return x.any(), x.all(), x.count_nonzero(), x.nansum(), x.nanmean(), x.norm(), "
          "x.norm(0)",
          {fixture_.tensor({count}, each.elements)});
      EXPECT_EQ(got[0].dtype, DType::boolean);
      EXPECT_EQ(got[1].dtype, DType::boolean);
      EXPECT_EQ(got[2].dtype, DType::int64);
      const double expected[] = {each.any,     each.all,  each.count, each.nansum,
                                 each.nanmean, each.norm, each.norm0};
      for (std::size_t o = 0; o < std::size(expected); ++o) {
        const double value = EngineFixture::values(got[o])[0];
        EXPECT_TRUE(std::isnan(expected[o]) ? std::isnan(value)
                                            : std::abs(value - expected[o]) < 1e-6)
            << name.name << " output " << o << " of " << count << " is " << value << ", not "
            << expected[o];
      }
    }
}

/// Truth values that were reduced are operands like others; a count is exact beyond float32.
TEST_P(Reductions, MakeTruthValuesThatAreUsedAndCountsThatAreExact) {
  const std::int64_t count = (1 << 24) + 3;
  const Tensor ones =
      fixture_.tensor({count}, std::vector<float>(static_cast<std::size_t>(count), 1));
  const std::string counts = "return x.count_nonzero(), (x > 0).count_nonzero()";
  for (const char* name : {"eager", "static", "instant"}) {
    const auto got = fixture_.run(name, counts, {ones});
    EXPECT_EQ(EngineFixture::values(got[0])[0], static_cast<double>(count)) << name;
    EXPECT_EQ(EngineFixture::values(got[1])[0], static_cast<double>(count)) << name;
  }
  const std::string text =
      "return torch.where((x > 1).any(dim=1, keepdim=True), x, -x), ~(x > 1).all(dim=0)";
  const Tensor input = fixture_.random({37, 70}, 5);
  const auto expected = evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
  for (const auto& name : executorsOn(fixture_.backend())) {
    const auto got = fixture_.run(std::string(name.name), text, {input});
    for (std::size_t o = 0; o < 2; ++o)
      EXPECT_EQ(relativeError(expected[o], EngineFixture::values(got[o])), 0) << name.name << o;
  }
}

TEST_P(Reductions, OverSeveralDims) {
  const Tensor input = fixture_.random({4, 3, 5, 9}, 8);
  for (const char* dims : {"(0, 1)", "(1, 3)", "(0, 2)", "(-1, -3)", "(0, 1, 2, 3)"}) {
    const std::string text = fmt::format("return torch.exp(x).sum({})", dims);
    const auto expected =
        evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
    for (const auto& name : executorsOn(fixture_.backend()))
      EXPECT_LT(relativeError(expected[0], EngineFixture::values(fixture_.run(
                                               std::string(name.name), text, {input})[0])),
                2e-6)
          << name.name << dims;
  }
}

/// The bound of a sum: 4 eps log2(n) sum|x|, on data made to lose digits.
TEST_P(Reductions, SumsStayWithinTheLogarithmicBound) {
  for (std::int64_t n : {2, 3, 16, 100, 1000, 4097, 100000, 1 << 20}) {
    std::vector<float> values(static_cast<std::size_t>(n));
    double exact = 0, magnitude = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 1.0f + static_cast<float>(i % 97) * 1e-3f;  // all rounding errors one way
      exact += values[i];
      magnitude += std::abs(values[i]);
    }
    const double bound = 4 * 0x1p-24 * std::log2(static_cast<double>(n)) * magnitude;
    for (const char* executor : {"static", "instant"}) {
      const double got = EngineFixture::values(
          fixture_.run(executor, "return x.sum()", {fixture_.tensor({n}, values)})[0])[0];
      EXPECT_LE(std::abs(got - exact), std::max(bound, 0x1p-24 * magnitude))
          << executor << " " << n;
    }
  }
}

TEST_P(Reductions, ExtremesPropagateNanAndArgmaxFindsTheFirst) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> values(200, 1.0f);
  values[77] = 5;
  values[140] = 5;
  const auto get = [&](const std::string& call) {
    return EngineFixture::values(
        fixture_.run("static", "return " + call, {fixture_.tensor({200}, values)})[0])[0];
  };
  EXPECT_EQ(get("x.argmax()"), 77);
  EXPECT_EQ(get("x.amax()"), 5);
  values[150] = nan;
  values[60] = nan;
  EXPECT_EQ(get("x.argmax()"), 60);
  EXPECT_TRUE(std::isnan(get("x.amax()")));
  EXPECT_TRUE(std::isnan(get("x.amin()")));
  std::fill(values.begin(), values.end(), -inf);
  EXPECT_EQ(get("x.argmax()"), 0);
  EXPECT_EQ(get("x.amax()"), -inf);
}

TEST_P(Reductions, VarianceSurvivesALargeMean) {
  std::vector<float> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 16777216.0f + static_cast<float>(i % 2) * 2;  // deviations of 1 at a mean of 2^24
  const double got = EngineFixture::values(fixture_.run("static", "return x.var(correction=0)",
                                                        {fixture_.tensor({5000}, values)})[0])[0];
  EXPECT_NEAR(got, 1.0, 1e-6);
}

TEST_P(Reductions, VarianceOfElementsThatAreAlikeIsNothing) {
  for (const std::int64_t count : {1, 2, 3, 7, 24, 64, 100, 1000, 2048, 5000})
    for (const float value : {0.1f, -1e-30f, 16777217.0f, 3e38f}) {
      const Tensor input = fixture_.tensor(
          {2, count}, std::vector<float>(static_cast<std::size_t>(2 * count), value));
      for (const char* text : {"return x.var(-1, correction=0)", "return x.var(correction=0)",
                               "m = x.var(-1, correction=0, keepdim=True)\nreturn x * 0 + m"})
        for (const double got : EngineFixture::values(fixture_.run("static", text, {input})[0]))
          ASSERT_EQ(got, 0) << text << " of " << count << " times " << value;
    }
}

TEST_P(Reductions, VarianceOfElementsThatHardlyDifferKeepsItsDigits) {
  for (const std::int64_t count : {16, 40, 1000, 2048, 5000}) {
    std::vector<float> values(static_cast<std::size_t>(count), 1.1f);
    values[values.size() / 2] = std::nextafter(1.1f, 2.0f);
    const double step = static_cast<double>(values[values.size() / 2]) - 1.1f;
    const double share = 1.0 / static_cast<double>(count);
    const double expected = step * step * share * (1 - share);
    for (const char* text : {"return x.var(correction=0)",
                             "m = x.var(-1, correction=0, keepdim=True)\nreturn x * 0 + m"}) {
      const double got = EngineFixture::values(
          fixture_.run("static", text, {fixture_.tensor({1, count}, values)})[0])[0];
      EXPECT_NEAR(got, expected, 1e-6 * expected) << text << " of " << count;
    }
  }
}

/// The type cannot represent the squares, but it can represent their root.
TEST_P(Reductions, StandardDeviationsOfElementsWithoutASquareInTheirType) {
  for (const std::int64_t count : {2, 7, 24, 64, 1000, 2048, 5000})
    for (const float scale : {1e-44f, 1e-30f, 1e-22f, 1e-15f, 1e19f, 1e25f, 1.1e38f})
      for (const float middle : {0.0f, 1.0f}) {
        std::vector<float> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = (middle + static_cast<float>(i % 3) - 1) * scale;
        const Tensor input = fixture_.tensor({1, count}, values);
        for (const char* text :
             {"return x.std(-1)", "return x.std()", "return x * 0 + x.std(-1, keepdim=True)"}) {
          const auto expected =
              evaluateReference(parseProgram(text), {{EngineFixture::reference(input)}});
          const double got = EngineFixture::values(fixture_.run("static", text, {input})[0])[0];
          EXPECT_NEAR(got, expected[0].value.values[0],
                      1e-6 * expected[0].value.values[0] + 0x1p-149)
              << text << " of " << count << " about " << middle << " times " << scale;
        }
      }
}

TEST_P(Reductions, ExtremesFindANanWhereverItIs) {
  for (const std::int64_t count : {1, 5, 8, 24, 70, 131})
    for (std::int64_t at = 0; at < count; ++at) {
      std::vector<float> values(static_cast<std::size_t>(2 * count), 1.0f);
      values[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
      const Tensor input = fixture_.tensor({2, count}, values);
      for (const char* text :
           {"return x.amax(-1)", "return x.amin(-1)", "return x.amax(-1, keepdim=True) + x * 0"}) {
        const auto got = EngineFixture::values(fixture_.run("static", text, {input})[0]);
        ASSERT_TRUE(std::isnan(got.front())) << text << ": " << at << " of " << count;
        ASSERT_EQ(got.back(), 1) << text << ": " << at << " of " << count;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, Reductions,
                         testing::Values(ReductionSetup{4, 2, 1}, ReductionSetup{8, 4, 1},
                                         ReductionSetup{16, 1, 1}, ReductionSetup{8, 8, 2}),
                         [](const auto& parameter) {
                           return fmt::format("Lanes{}Interleave{}Threads{}", parameter.param.width,
                                              parameter.param.interleave, parameter.param.threads);
                         });

TEST(Threads, SplitLaunchesGiveTheResultsOfOneThread) {
  EngineFixture one(EngineFixture::withoutDisk(0, 0, 1));
  EngineFixture three(EngineFixture::withoutDisk(0, 0, 3));
  const std::string text =
      "y = torch.exp(x * 0.1)\nreturn y, y.sum(), y.amax(), y.var(), y.argmax(), y.sum(0), "
      "y.sum(1)";
  const Shape shape{700, 1001};
  const auto a = one.run("static", text, {one.random(shape)});
  const auto b = three.run("static", text, {three.random(shape)});
  EXPECT_EQ(EngineFixture::values(a[0]), EngineFixture::values(b[0]));
  for (std::size_t o : {1u, 3u})
    EXPECT_NEAR(EngineFixture::values(a[o])[0], EngineFixture::values(b[o])[0],
                1e-6 * EngineFixture::values(a[o])[0]);
  EXPECT_EQ(EngineFixture::values(a[2]), EngineFixture::values(b[2]));
  EXPECT_EQ(EngineFixture::values(a[4]), EngineFixture::values(b[4]));
  EXPECT_EQ(EngineFixture::values(a[5]), EngineFixture::values(b[5]));
  EXPECT_EQ(EngineFixture::values(a[6]), EngineFixture::values(b[6]));
}

}  // namespace
}  // namespace fusebench
