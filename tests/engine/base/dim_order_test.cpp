// SPDX-License-Identifier: GPL-3.0-or-later
// Results are laid out in memory like their operands.
#include "engine/base/dim_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;

std::vector<int> orderOf(const Shape& shape, const std::vector<Strides>& strides) {
  const DimOrder order = resultOrder(shape, strides);
  std::vector<int> dims;
  for (int place = 0; place < order.rank(); ++place) dims.push_back(order[place]);
  return dims;
}

TEST(DimOrders, AreThoseOfTheFirstOperandThatTells) {
  const Shape shape{4, 5, 6};
  EXPECT_THAT(orderOf(shape, {{30, 6, 1}}), ElementsAre(0, 1, 2));
  EXPECT_THAT(orderOf(shape, {{1, 4, 20}}), ElementsAre(2, 1, 0));
  EXPECT_THAT(orderOf(shape, {{5, 1, 20}}), ElementsAre(2, 0, 1));
  EXPECT_THAT(orderOf(shape, {{60, 12, 2}, {1, 4, 20}}), ElementsAre(0, 1, 2));
  // An operand that is broadcast along a dimension does not order it; the next operand does.
  EXPECT_THAT(orderOf(shape, {{0, 6, 1}, {1, 4, 20}}), ElementsAre(1, 2, 0));
  EXPECT_THAT(orderOf(shape, {{0, 0, 1}, {0, 1, 0}}), ElementsAre(0, 1, 2));
  EXPECT_THAT(orderOf(shape, {}), ElementsAre(0, 1, 2));
  // Each tells a part, and the parts do not fit together: as PyTorch's search happens to go.
  EXPECT_THAT(orderOf(shape, {{0, 6, 1}, {1, 0, 4}}), ElementsAre(2, 1, 0));
  // If strides are equal, the longer dimension is the slower one.
  EXPECT_THAT(orderOf({1, 5, 6}, {{1, 6, 1}}), ElementsAre(1, 2, 0));
  EXPECT_THAT(orderOf({}, {{}}), ElementsAre());
}

TEST(DimOrders, GaplessIsWhatFillsOneStretch) {
  EXPECT_TRUE(isGapless({4, 5, 6}, {30, 6, 1}));
  EXPECT_TRUE(isGapless({4, 5, 6}, {1, 4, 20}));
  EXPECT_TRUE(isGapless({4, 1, 6}, {6, 99, 1}));
  EXPECT_TRUE(isGapless({}, {}));
  EXPECT_FALSE(isGapless({4, 5}, {10, 2}));
  EXPECT_FALSE(isGapless({4, 5}, {0, 1}));
  EXPECT_FALSE(isGapless({3, 3}, {2, 2}));
}

TEST(DimOrders, GiveStridesWithoutGaps) {
  DimOrder order(3);
  order[0] = 2, order[1] = 0, order[2] = 1;
  const auto strides = denseStrides(SizeList<std::int64_t>(Shape{4, 5, 6}), order);
  EXPECT_EQ(strides, SizeList<std::int64_t>(Strides{5, 1, 20}));
}

class ResultOrders : public ::testing::Test {
 protected:
  /// Strides of the program's results, alike in every executor; their values are those that
  /// contiguous inputs give.
  std::vector<Strides> stridesOf(const std::string& text, const std::vector<Tensor>& inputs) {
    std::vector<Tensor> dense;
    for (const Tensor& input : inputs) {
      const std::vector<double> values = EngineFixture::values(input);
      dense.push_back(fixture_.tensor(input.shape, {values.begin(), values.end()}));
    }
    const auto expected = fixture_.run("eager", text, dense);
    std::vector<Strides> first;
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      const auto executor = fixture_.executor(std::string(info.name), text);
      for (int call = 0; call < 2; ++call) {
        const auto got = executor->call(inputs);
        std::vector<Strides> strides;
        for (std::size_t o = 0; o < got.size(); ++o) {
          strides.push_back(got[o].strides);
          EXPECT_EQ(got[o].contiguous, isContiguous(got[o].shape, got[o].strides)) << info.name;
          EXPECT_EQ(EngineFixture::values(got[o]), EngineFixture::values(expected[o]))
              << info.name << ", result " << o;
        }
        if (first.empty()) first = strides;
        EXPECT_EQ(strides, first) << info.name;
      }
    }
    return first;
  }
  EngineFixture fixture_;
};

TEST_F(ResultOrders, FollowTransposedInputsThroughAProgram) {
  const Tensor x = EngineFixture::transposed(fixture_.random({40, 7}, 1));
  EXPECT_THAT(stridesOf("y = torch.sin(x) * 2\nreturn y, y > 0", {x}),
              ElementsAre(Strides{1, 7}, Strides{1, 7}));
  const Tensor plain = fixture_.random({7, 40}, 2);
  const char* two = "def program(x, y):\n    return x + y, y + x, y * 2";
  EXPECT_THAT(stridesOf(two, {x, plain}),
              ElementsAre(Strides{1, 7}, Strides{40, 1}, Strides{40, 1}));
  // With gaps, or broadcast, a result has none.
  EXPECT_THAT(stridesOf("return x + 1", {EngineFixture::everySecond(plain)}),
              ElementsAre(Strides{20, 1}));
  EXPECT_THAT(stridesOf(two, {x, fixture_.random({7, 1}, 3)}),
              ElementsAre(Strides{1, 7}, Strides{1, 7}, Strides{1, 1}));
}

TEST_F(ResultOrders, OfReductionsAreRowMajorAndOfWhatIsComputedFromThemAsTheirOperands) {
  const Tensor x = EngineFixture::transposed(fixture_.random({30, 20}, 1));
  const Tensor small = EngineFixture::transposed(fixture_.random({5, 3}, 1));
  EXPECT_THAT(stridesOf("y = x * 2\nm = y.amax(0)\nreturn m, y - m, y.argmax()", {small}),
              ElementsAre(Strides{1}, Strides{1, 3}, Strides{}));
  EXPECT_THAT(stridesOf("m = x.amax(1, keepdim=True)\nreturn x - m, m", {x}),
              ElementsAre(Strides{1, 20}, Strides{1, 1}));
}

TEST_F(ResultOrders, HoldBesideReductionsOverTheMiddleAndBesidePlaces) {
  Tensor x = fixture_.random({3, 4, 5}, 1);
  std::swap(x.shape[0], x.shape[2]);
  std::swap(x.strides[0], x.strides[2]);
  x.contiguous = false;
  const char* text = "y = x * 2\nreturn y, y.amax(1), y.amin(2), y.argmax(), y.argmax(1)";
  EXPECT_EQ(stridesOf(text, {x})[0], (Strides{1, 5, 20}));
}

TEST_F(ResultOrders, OfNothingAreRowMajorAndServeNoOneElse) {
  // One executor, so that what it keeps of the first call must not serve the second.
  for (const char* name : {"eager", "static", "dynamic", "instant"}) {
    const auto executor = fixture_.executor(name, "def program(x, y):\n    return x + y");
    Tensor none = fixture_.tensor({0, 5, 6}, {});
    none.strides = Strides{30, 1, 5};
    const Tensor row = fixture_.random({6}, 1);
    EXPECT_EQ(executor->call(std::vector{none, row})[0].shape, (Shape{0, 5, 6}));
    const Tensor a = fixture_.random({7, 6, 5}, 2), b = fixture_.random({6, 1}, 3);
    EXPECT_EQ(EngineFixture::values(executor->call(std::vector{a, b})[0]),
              EngineFixture::values(
                  fixture_.run("static", "def program(x, y):\n    return x + y", {a, b})[0]))
        << name;
  }
}

TEST_F(ResultOrders, OfThreeDimsAreKeptWhateverTheirNumber) {
  Tensor x = fixture_.random({3, 4, 5}, 1);
  std::swap(x.shape[0], x.shape[2]);
  std::swap(x.strides[0], x.strides[2]);
  x.contiguous = false;
  EXPECT_THAT(stridesOf("return torch.exp(x)", {x}), ElementsAre(Strides{1, 5, 20}));
  // Kernels of loops that were merged serve other sizes, too.
  const auto dynamic = fixture_.executor("dynamic", "return torch.exp(x)");
  dynamic->call(std::vector{x});
  Tensor other = fixture_.random({6, 2, 9}, 2);
  std::swap(other.shape[0], other.shape[2]);
  std::swap(other.strides[0], other.strides[2]);
  other.contiguous = false;
  const Tensor got = dynamic->call(std::vector{other})[0];
  EXPECT_EQ(got.strides, (Strides{1, 9, 18}));
  EXPECT_EQ(EngineFixture::values(got),
            EngineFixture::values(fixture_.run("eager", "return torch.exp(x)", {other})[0]));
}

TEST_F(ResultOrders, MakeOneLoopOfWhatIsTransposedThroughout) {
  const Tensor x = EngineFixture::transposed(fixture_.random({40, 70}, 1));
  const char* text = "def program(x, y):\n    return torch.sin(x) + y";
  for (const char* name : {"eager", "static"})
    for (const Kernel& kernel : fixture_.executor(name, text)->kernels(std::vector{x, x}))
      EXPECT_EQ(kernel.rank(), 1) << name;
}

}  // namespace
}  // namespace fusebench
