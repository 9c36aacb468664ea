// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/size_expression.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/language/program_sizes.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ValueId kX = 0, kY = 1;

/// The value for x of shape (4, 6, 5) and y of shape (3,).
SizeNumber evaluated(const SizeExpressions& sizes, SizeId id) {
  SizeValues values(sizes, [](ValueId value) { return value == kX ? Shape{4, 6, 5} : Shape{3}; });
  return values.at(id, {});
}

std::string written(const SizeExpressions& sizes, SizeId id) {
  return sizes.text(id, [](ValueId value) { return value == kX ? "x" : "y"; });
}

std::string errorOf(const std::function<void()>& what) {
  try {
    what();
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SizeExpressionTest, LeavesReadExtentsRanksAndElements) {
  SizeExpressions sizes;
  EXPECT_EQ(evaluated(sizes, sizes.extent(kX, 1)).number, 6);
  EXPECT_EQ(evaluated(sizes, sizes.extent(kX, -1)).number, 5);
  EXPECT_EQ(evaluated(sizes, sizes.rank(kX)).number, 3);
  EXPECT_EQ(evaluated(sizes, sizes.elements(kX)).number, 120);
}

TEST(SizeExpressionTest, ArithmeticIsPythonsOnIntsAndFloats) {
  SizeExpressions sizes;
  const SizeId n = sizes.extent(kX, 2);  // 5
  const auto check = [&](SizeKind kind, double by, bool integer, double expected, bool gives) {
    const SizeNumber number =
        evaluated(sizes, sizes.binary(kind, n, sizes.constant(by, integer), {}));
    EXPECT_EQ(number.number, expected);
    EXPECT_EQ(number.integer, gives);
  };
  check(SizeKind::trueDivide, 2, true, 2.5, false);
  check(SizeKind::floorDivide, 2, true, 2, true);
  check(SizeKind::floorDivide, -2, true, -3, true);
  check(SizeKind::remainder, -3, true, -1, true);
  check(SizeKind::power, -0.5, false, std::pow(5, -0.5), false);
  check(SizeKind::power, 2, true, 25, true);
  check(SizeKind::power, -1, true, 0.2, false);
  check(SizeKind::multiply, 2, false, 10, false);
  check(SizeKind::minimum, 3, true, 3, true);
  check(SizeKind::maximum, 3, true, 5, true);
  check(SizeKind::less, 6, true, 1, true);
  check(SizeKind::equal, 6, true, 0, true);
}

TEST(SizeExpressionTest, EqualSizesAreOneNode) {
  SizeExpressions sizes;
  const auto half = [&] {
    return sizes.binary(SizeKind::floorDivide, sizes.extent(kX, 0), sizes.constant(2, true), {});
  };
  EXPECT_EQ(half(), half());
  EXPECT_NE(sizes.constant(2, true), sizes.constant(2, false)) << "an int is no float";
}

TEST(SizeExpressionTest, ConstantsAreFolded) {
  SizeExpressions sizes;
  const SizeId six =
      sizes.binary(SizeKind::multiply, sizes.constant(2, true), sizes.constant(3, true), {});
  ASSERT_TRUE(sizes.known(six));
  EXPECT_EQ(sizes.known(six)->number, 6);
  const SizeId n = sizes.extent(kX, 0);
  EXPECT_EQ(sizes.binary(SizeKind::add, n, sizes.constant(0, true), {}), n);
  EXPECT_NE(sizes.binary(SizeKind::multiply, n, sizes.constant(1, false), {}), n)
      << "times 1.0 is a float";
}

TEST(SizeExpressionTest, ATextHasTheParenthesesThatItNeeds) {
  SizeExpressions sizes;
  const SizeId sum = sizes.binary(SizeKind::add, sizes.extent(kX, -1), sizes.rank(kY), {});
  const SizeId half = sizes.binary(SizeKind::floorDivide, sum, sizes.constant(2, true), {});
  EXPECT_EQ(written(sizes, half), "(x.shape[-1] + y.dim()) // 2");
  const SizeId root = sizes.function(findSizeFunction("sqrt"), sizes.elements(kY), {});
  EXPECT_EQ(written(sizes, sizes.unary(SizeKind::negative, root, {})), "-math.sqrt(y.numel())");
}

TEST(SizeExpressionTest, ErrorsSayWhatIsWrong) {
  SizeExpressions sizes;
  const SizeId missing = sizes.extent(kX, 3);
  EXPECT_THAT(errorOf([&] { evaluated(sizes, missing); }),
              HasSubstr("no dimension 3 in shape (4, 6, 5)"));
  const SizeId zero =
      sizes.binary(SizeKind::subtract, sizes.extent(kY, 0), sizes.constant(3, true), {});
  const SizeId quotient = sizes.binary(SizeKind::trueDivide, sizes.extent(kX, 0), zero, {});
  EXPECT_THAT(errorOf([&] { evaluated(sizes, quotient); }), HasSubstr("by zero"));
  const SizeId half =
      sizes.binary(SizeKind::trueDivide, sizes.extent(kY, 0), sizes.constant(2, true), {});
  SizeValues values(sizes, [](ValueId) { return Shape{3}; });
  EXPECT_THAT(errorOf([&] { values.integer(half, {}); }), HasSubstr("divide with //"));
}

TEST(SizeExpressionTest, HostileArithmeticMeetsALimit) {
  SizeExpressions sizes;
  SizeId n = sizes.extent(kX, 0);
  EXPECT_THAT(errorOf([&] {
                for (int i = 0; i < 5000; ++i) n = sizes.binary(SizeKind::multiply, n, n, {});
              }),
              HasSubstr("nested more than"));
  EXPECT_LT(written(sizes, n).size(), 2000u) << "what is shared is not written out";
  EXPECT_EQ(evaluated(sizes, n).number, INFINITY) << "each node is worked out once";
}

/// x * scale, where `scale` is a size of x, as one op.
Program scaledBySize() {
  Program program = parseProgram("def f(x, y): return x * 2 + y");
  const SizeId scale =
      program.sizes.function(findSizeFunction("sqrt"), program.sizes.extent(0, -1), {});
  program.ops[0].operands[1].size = scale;
  return program;
}

TEST(ProgramSizesTest, ASizeIsANumberOnceShapesAreKnown) {
  const Program program = scaledBySize();
  const std::vector<ValueType> inputs{{{2, 9}, DType::float32}, {{9}, DType::float32}};
  const Program settled = withNumbers(program, inferTypes(program, inputs));
  EXPECT_EQ(settled.ops[0].operands[1].number, 3);
  EXPECT_FALSE(settled.ops[0].operands[1].integer);
}

TEST(ProgramSizesTest, ACheckThatDoesNotHoldIsSaidWhereItStands) {
  Program program = parseProgram("def f(x, y): return x * 2 + y");
  SizeExpressions& sizes = program.sizes;
  program.checks.push_back(
      {sizes.binary(SizeKind::equal, sizes.rank(0), sizes.constant(3, true), {}),
       true,
       "x has not the 3 dimensions that it is taken apart into",
       0,
       {4, 2}});
  const std::vector<ValueType> inputs{{{2, 9}, DType::float32}, {{9}, DType::float32}};
  try {
    inferTypes(program, inputs);
    FAIL() << "the check does not hold";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), HasSubstr("not the 3 dimensions"));
    EXPECT_EQ(error.place().line, 4);
  }
}

TEST(ProgramSizesTest, SizesAreTracedToTheInputsExtents) {
  Program program = parseProgram("def f(x, y): return (x * y).sum(dim=1)");
  const std::vector<ValueType> inputs{{{4, 6, 5}, DType::float32}, {{5}, DType::float32}};
  const std::vector<ValueType> types = inferTypes(program, inputs);
  const ValueId product = program.result(0), sum = program.result(1);
  EXPECT_THAT(extentsBehind(program, program.sizes.extent(product, -1), types),
              ElementsAre(InputExtent{0, 2}, InputExtent{1, 0}));
  EXPECT_THAT(extentsBehind(program, program.sizes.extent(sum, 0), types),
              ElementsAre(InputExtent{0, 0}));
  EXPECT_THAT(extentsBehind(program, program.sizes.extent(sum, 1), types),
              ElementsAre(InputExtent{0, 2}, InputExtent{1, 0}));
  EXPECT_TRUE(extentsBehind(program, program.sizes.rank(0), types).empty());
}

TEST(ProgramSizesTest, AChainThatStartsOverReadsTheSizesOfTheValuesAtHand) {
  Program program = parseProgram("x = x * 2\nx = torch.exp(x)\nreturn x");
  program.ops[0].operands[1].size = program.sizes.extent(0, 0);
  const Program longer = firstStatements(program, 3);
  ASSERT_EQ(longer.ops.size(), 3u);
  const SizeNode& first = longer.sizes[longer.ops[0].operands[1].size];
  const SizeNode& third = longer.sizes[longer.ops[2].operands[1].size];
  EXPECT_EQ(first.value, 0);
  EXPECT_EQ(third.value, longer.result(1));
}

}  // namespace
}  // namespace fusebench
