// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/elements.h"
#include "engine/language/parser.h"

namespace fusebench {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

ReferenceResult evaluate(const char* text, std::vector<ReferenceTensor> inputs) {
  return evaluateReference(parseProgram(text), inputs).at(0);
}

ReferenceTensor vector(std::vector<double> values) {
  return {{{static_cast<std::int64_t>(values.size())}}, values};
}

const ReferenceTensor kMatrix{{{2, 3}}, {1, 2, 3, 4, 5, 7}};

std::vector<double> values(const char* text, const ReferenceTensor& x) {
  return evaluate(text, {x}).value.values;
}

TEST(ReferenceTest, ReductionsHaveTheValuesOfTheirDefinitions) {
  EXPECT_THAT(values("return x.sum()", kMatrix), ElementsAre(22));
  EXPECT_THAT(values("return x.sum(0)", kMatrix), ElementsAre(5, 7, 10));
  EXPECT_THAT(values("return x.sum(1)", kMatrix), ElementsAre(6, 16));
  EXPECT_THAT(values("return x.mean(-1)", kMatrix), ElementsAre(2, 16.0 / 3));
  EXPECT_THAT(values("return x.prod(0)", kMatrix), ElementsAre(4, 10, 21));
  EXPECT_THAT(values("return x.amax(1)", kMatrix), ElementsAre(3, 7));
  EXPECT_THAT(values("return x.amin()", kMatrix), ElementsAre(1));
  EXPECT_THAT(values("return x.argmax()", kMatrix), ElementsAre(5));
  EXPECT_THAT(values("return x.argmax(0)", kMatrix), ElementsAre(1, 1, 1));
  EXPECT_THAT(values("return x.var(1)", kMatrix), ElementsAre(1, DoubleNear(7.0 / 3, 1e-15)));
  EXPECT_THAT(values("return x.var(1, unbiased=False)", kMatrix),
              ElementsAre(DoubleNear(2.0 / 3, 1e-15), DoubleNear(14.0 / 9, 1e-15)));
  EXPECT_THAT(values("return x.std(1)", kMatrix),
              ElementsAre(1, DoubleNear(std::sqrt(7.0 / 3), 1e-15)));
}

TEST(ReferenceTest, ReductionsOfSpecialElementsAreAsInPyTorch) {
  EXPECT_THAT(values("return x.amax()", vector({1, kNan, 3})),
              ElementsAre(::testing::NanSensitiveDoubleEq(kNan)));
  EXPECT_THAT(values("return x.argmax()", vector({1, kNan, 3, kNan})), ElementsAre(1));
  EXPECT_THAT(values("return x.argmax()", vector({2, 5, 5})), ElementsAre(1));
  EXPECT_THAT(values("return x.sum()", vector({})), ElementsAre(0));
  EXPECT_THAT(values("return x.prod()", vector({})), ElementsAre(1));
  EXPECT_TRUE(std::isnan(values("return x.mean()", vector({}))[0]));
  EXPECT_TRUE(std::isnan(values("return x.var()", vector({4}))[0])) << "0 / 0";
  EXPECT_THAT(values("return x.var(dim=0, correction=0)", vector({4})), ElementsAre(0));
}

TEST(ReferenceTest, RoundsEachOperationWhereAsked) {
  // The float next to 0.7 times 10 is 6.9999998807: float32 rounds it to 7.
  const double near = static_cast<double>(0.7f);
  const Program program =
      parseProgram("return (x * 10).floor(), x * 10, (x.double() * 10).floor()");
  const std::vector<ReferenceTensor> inputs{vector({near})};
  const auto exact = evaluateReference(program, inputs), rounded = evaluateRounded(program, inputs);
  EXPECT_EQ(exact[0].value.values[0], 6);
  EXPECT_EQ(rounded[0].value.values[0], 7);
  EXPECT_EQ(exact[1].value.values[0], near * 10);
  EXPECT_EQ(rounded[1].value.values[0], 7);
  EXPECT_EQ(rounded[2].value.values[0], 6) << "of float64 nothing is lost";
}

TEST(ReferenceTest, DrawsHowInexactResultsAreRounded) {
  const Program program = parseProgram("return x * 10, x + x, x.sum(), (x - x.sum() * 0.25).sum()");
  std::vector<double> given;
  for (int i = 0; i < 64; ++i) given.push_back(static_cast<double>(0.1f * static_cast<float>(i)));
  const std::vector<ReferenceTensor> inputs{vector(given)};
  const auto exact = evaluateReference(program, inputs);
  std::set<double> sums;
  for (const int draw : {1, 2, 3}) {
    const auto drawn = evaluateRounded(program, inputs, std::span<const Form>(), draw);
    const auto again = evaluateRounded(program, inputs, std::span<const Form>(), draw);
    for (std::size_t o = 0; o < drawn.size(); ++o) {
      EXPECT_EQ(drawn[o].value.values, again[o].value.values);
      EXPECT_LE(relativeError(exact[o], drawn[o].value.values), 0x1p-20);
    }
    EXPECT_NE(drawn[0].value.values, exact[0].value.values);
    EXPECT_EQ(drawn[1].value.values, exact[1].value.values) << "doubled numbers are exact";
    sums.insert(drawn[3].value.values[0]);
  }
  EXPECT_GT(sums.size(), 1u) << "draws differ";
}

TEST(ReferenceTest, OperandsBroadcast) {
  const ReferenceTensor column{{{2, 1}}, {10, 20}}, row{{{3}}, {1, 2, 3}};
  EXPECT_THAT(evaluate("def f(a, b):\n  return a + b", {column, row}).value.values,
              ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(evaluate("def f(a, b):\n  return b - a", {column, row}).value.values,
              ElementsAre(-9, -8, -7, -19, -18, -17));
  EXPECT_THAT(values("return x - x.mean(1, keepdim=True)", {{{2, 2}}, {1, 3, 5, 9}}),
              ElementsAre(-1, 1, -2, 2));
}

TEST(ReferenceTest, NumbersOfTheProgramAreRoundedToFloat32) {
  EXPECT_THAT(values("return x + 0.1", vector({0})), ElementsAre(static_cast<double>(0.1f)));
  EXPECT_THAT(values("return F.leaky_relu(x, 0.1)", vector({-1})),
              ElementsAre(-static_cast<double>(0.1f)));
}

TEST(ReferenceTest, NumbersThatTensorsAreMadeOfAreRoundedToTheirType) {
  // Where they cancel, what a type has of a number is all that is left.
  const double near = static_cast<double>(0.485f);
  for (const char* made : {"torch.as_tensor([0.1, 0.485], dtype=torch.float32)[1]",
                           "torch.full((1,), 0.485)", "torch.tensor([0.485])"})
    EXPECT_THAT(values((std::string("return x - ") + made).c_str(), vector({near})), ElementsAre(0))
        << made;
  const ReferenceTensor half{{{1}, DType::bfloat16}, {roundedTo(0.485, DType::bfloat16)}};
  for (const char* made :
       {"torch.as_tensor([0.485], dtype=torch.bfloat16)", "torch.full_like(x, 0.485)"})
    EXPECT_THAT(values((std::string("return x - ") + made).c_str(), half), ElementsAre(0)) << made;
}

TEST(ReferenceTest, TruthValuesAreOneAndZero) {
  EXPECT_THAT(values("return x > 1", vector({0, 1, 2})), ElementsAre(0, 0, 1));
  EXPECT_THAT(values("return x * (x > 1)", vector({0, 1, 2})), ElementsAre(0, 0, 2));
  EXPECT_THAT(values("return torch.where(x > 1, x, -1.5)", vector({0, 1, 2})),
              ElementsAre(-1.5, -1.5, 2));
  EXPECT_THAT(values("return ~(x > 1)", vector({0, 2})), ElementsAre(1, 0));
}

TEST(ReferenceTest, TheScaleOfASumIsTheSumOfItsTermsSizes) {
  EXPECT_THAT(evaluate("return x.sum()", {vector({3, -4, 1})}).scale, ElementsAre(8));
  EXPECT_THAT(evaluate("return x.mean()", {vector({3, -4, 1})}).scale, ElementsAre(8.0 / 3));
  EXPECT_THAT(evaluate("return x * 2", {vector({3, -4})}).scale, ElementsAre(6, 8));
}

TEST(ReferenceTest, TheScaleOfTermsThatCancelIsTheLargestOfThem) {
  // x * 1.5 is rounded, y is not: what is left of both may be off by a rounding of the product.
  EXPECT_THAT(evaluate("return x * 1.5 + y", {vector({2, 2}), vector({-3, 4})}).scale,
              ElementsAre(3, 7));
  EXPECT_THAT(evaluate("return 1.5 * x - y", {vector({2}), vector({2.5})}).scale, ElementsAre(3));
  // Inputs are exact, so a difference of them alone is right to its own last digit.
  EXPECT_THAT(evaluate("return x - y", {vector({2}), vector({1.75})}).scale, ElementsAre(0.25));
  // Carried along by what comes after, and through views.
  EXPECT_THAT(
      evaluate("z = (x * 1.5 + y) * 8\nreturn z.view(1, 1)[0]", {vector({2}), vector({-3})}).scale,
      ElementsAre(24));
  EXPECT_THAT(evaluate("z = x * 1.5 + y\nreturn z.sum()", {vector({2, 1}), vector({-3, 0})}).scale,
              ElementsAre(4.5));
  EXPECT_THAT(evaluate("z = x * 1.5 + y\nreturn z.amax()", {vector({2}), vector({-3})}).scale,
              ElementsAre(3));
}

TEST(ReferenceTest, TheScaleOfAFunctionFollowsItsSlope) {
  const double at = 2e5;
  EXPECT_THAT(evaluate("return torch.sin(x * 2)", {vector({1e5})}).scale,
              ElementsAre(testing::DoubleNear(at * std::fabs(std::cos(at)), 1e-6)));
  EXPECT_THAT(evaluate("return torch.sin(x)", {vector({2e5})}).scale,
              ElementsAre(testing::DoubleNear(std::fabs(std::sin(at)), 1e-12)));
  // A slope without end, and values that are none, leave the value itself.
  EXPECT_THAT(evaluate("return torch.sqrt(x * 0)", {vector({4})}).scale, ElementsAre(0));
  EXPECT_THAT(
      evaluate("return torch.where(x > 0, x * 3, y)", {vector({1, -1}), vector({7, 9})}).scale,
      ElementsAre(3, 9));
}

/// The reference's own float32 error is what the measure is for: random chains that cancel.
TEST(ReferenceTest, ResultsRoundedToFloat32AtEachOpAreWithinFewRoundingsOfTheirTerms) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 20'000; ++i) {
    const float x = normal(random), y = normal(random);
    const float product = x * 1.5f, rounded = product + y;
    const auto expected = evaluate("return x * 1.5 + y", {vector({x}), vector({y})});
    ASSERT_LE(relativeError(expected, std::vector<double>{rounded}), 0x1p-23) << x << ", " << y;
  }
}

TEST(RelativeErrorTest, ComparesEveryKindOfValue) {
  const auto error = [](double expected, double scale, double got) {
    return relativeError({vector({expected}), {scale}}, std::vector<double>{got});
  };
  EXPECT_EQ(error(2, 2, 2), 0);
  EXPECT_DOUBLE_EQ(error(2, 2, 2.5), 0.25);
  EXPECT_DOUBLE_EQ(error(0, 8, 0.5), 0.0625);
  EXPECT_EQ(error(0, 0, 0), 0);
  EXPECT_GT(error(0, 0, 1e-3), 1e30);
  EXPECT_EQ(error(kNan, kNan, kNan), 0);
  EXPECT_EQ(error(kNan, kNan, 1), kInf);
  EXPECT_EQ(error(1, 1, kNan), kInf);
  EXPECT_EQ(error(kInf, kInf, kInf), 0);
  EXPECT_EQ(error(kInf, kInf, -kInf), kInf);
  EXPECT_EQ(error(1e300, 1e300, kInf), 0) << "float32 has no 1e300";
  EXPECT_EQ(error(1, 1, kInf), kInf);
  EXPECT_EQ(relativeError({vector({1, 2}), {1, 2}}, std::vector<double>{1}), kInf)
      << "of another length";
}

TEST(RelativeErrorTest, IsTheWorstElements) {
  EXPECT_DOUBLE_EQ(relativeError({vector({1, 10}), {1, 10}}, std::vector<double>{1.1, 10}),
                   0.1 / 1 + (1.1 - 1 - 0.1));
}

TEST(ReferenceTest, InputsThatDoNotFitAreRefused) {
  EXPECT_THROW(evaluate("return x + y", {vector({1, 2}), vector({1, 2, 3})}), ProgramError);
}

}  // namespace
}  // namespace fusebench
