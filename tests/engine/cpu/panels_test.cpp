// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that are contiguous along another dimension than the result: panels give the same bits.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <array>
#include <cfenv>
#include <cmath>
#include <string>
#include <utility>

#include "engine/cpu/codegen/schedule.h"
#include "engine/plan/lowering.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

/// The tensor with its dims in another order: not contiguous.
Tensor permuted(const Tensor& tensor, std::initializer_list<int> dims) {
  Tensor result = tensor;
  int to = 0;
  for (const int from : dims) {
    result.shape[to] = tensor.shape[from];
    result.strides[to++] = tensor.strides[from];
  }
  result.contiguous = isContiguous(result.shape, result.strides);
  return result;
}

struct Setup {
  int width, interleave, threads;
};

class Panels : public testing::TestWithParam<Setup> {
 protected:
  /// Checks that these inputs give the same values as contiguous copies of them.
  void expectSame(const std::string& text, const std::vector<Tensor>& inputs) {
    std::vector<Tensor> dense;
    for (const Tensor& input : inputs) {
      const std::vector<double> values = EngineFixture::values(input);
      dense.push_back(fixture_.tensor(input.shape, {values.begin(), values.end()}));
    }
    const auto expected = fixture_.run("eager", text, dense);
    for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
      const auto got = fixture_.run(executor, text, inputs);
      for (std::size_t o = 0; o < expected.size(); ++o)
        ASSERT_EQ(EngineFixture::values(got[o]), EngineFixture::values(expected[o]))
            << executor << " " << toString(inputs.front().shape) << " " << text;
    }
  }
  EngineFixture fixture_{
      EngineFixture::withoutDisk(GetParam().width, GetParam().interleave, GetParam().threads)};
};

TEST_P(Panels, GiveTheBitsOfContiguousInputsAtEveryEdge) {
  const char* two = "def program(x, y):\n    return torch.sin(x + 2 * y)";
  for (const std::int64_t rows : {1, 16, 37})
    for (const std::int64_t columns : {7, 128, 301}) {
      const Tensor x = fixture_.random({rows, columns}, 1);
      const Tensor y = EngineFixture::transposed(fixture_.random({columns, rows}, 2));
      expectSame(two, {x, y});
      expectSame(two, {y, x});
    }
}

TEST_P(Panels, WriteResultsWhereMoreInputsLieTheOtherWay) {
  // The first operand of its last op decides the layout of a result.
  const char* one = "def program(z, x, y, w):\n    return z + torch.sin(x + 2 * y) * w";
  const char* several =
      "def program(z, x, y, w):\n    z = z + torch.exp(x) + y * w\n    return z * 2, z > x, y - z";
  for (const std::int64_t rows : {1, 16, 37, 130})
    for (const std::int64_t columns : {7, 16, 128, 301}) {
      const Tensor x = EngineFixture::transposed(fixture_.random({columns, rows}, 1));
      const Tensor y = EngineFixture::transposed(fixture_.random({columns, rows}, 2));
      const Tensor z = fixture_.random({rows, columns}, 3);
      const Tensor w = EngineFixture::transposed(fixture_.random({columns, rows}, 4));
      expectSame(one, {z, x, y, w});
      expectSame(several, {z, x, y, w});
      expectSame("def program(x, y):\n    return torch.sin(x + 2 * y), x > y", {x, y});
    }
}

TEST_P(Panels, ServeSeveralInputsBesideOthers) {
  const char* many =
      "def program(x, y, z, row, column):\n"
      "    a = x * y + torch.exp(z) * row\n"
      "    return torch.where(a > column, a, y - x)";
  const Tensor x = EngineFixture::transposed(fixture_.random({200, 33}, 1));
  const Tensor y = EngineFixture::transposed(fixture_.random({200, 33}, 2));
  const Tensor z = fixture_.random({33, 200}, 3);
  expectSame(many, {x, y, z, fixture_.random({1, 200}, 4), fixture_.random({33, 1}, 5)});
  expectSame(many, {x, y, EngineFixture::everySecond(fixture_.random({33, 400}, 3)),
                    fixture_.random({1, 200}, 4), fixture_.random({33, 1}, 5)});
}

TEST_P(Panels, FollowWhicheverDimensionAnInputLiesAlong) {
  const char* two = "def program(x, y):\n    return x * 3 + y";
  const Tensor base = fixture_.random({19, 21, 140}, 1);
  const Tensor turned = permuted(fixture_.random({140, 21, 19}, 2), {2, 1, 0});
  const Tensor swapped = permuted(fixture_.random({19, 140, 21}, 3), {0, 2, 1});
  const Tensor rolled = permuted(fixture_.random({21, 140, 19}, 4), {2, 0, 1});
  for (const Tensor& other : {turned, swapped, rolled}) expectSame(two, {base, other});
  expectSame(two, {turned, swapped});
  expectSame(two, {rolled, turned});
}

TEST_P(Panels, ServeWhatIsReducedAlongBothDimensions) {
  const char* all =
      "def program(x, y):\n    z = x + torch.sin(y)\n"
      "    return z.sum(), z.amax(), z.argmax(), z.var(), (z * z).mean()";
  for (const std::int64_t rows : {16, 37})
    for (const std::int64_t columns : {128, 301}) {
      const Tensor x = fixture_.random({rows, columns}, 1);
      const Tensor y = EngineFixture::transposed(fixture_.random({columns, rows}, 2));
      const std::vector<double> values = EngineFixture::values(y);
      const std::vector<Tensor> dense{x, fixture_.tensor(y.shape, {values.begin(), values.end()})};
      const auto expected = fixture_.run("eager", all, dense);
      for (const char* executor : {"static", "dynamic", "instant"}) {
        const auto got = fixture_.run(executor, all, {x, y});
        for (std::size_t o = 0; o < expected.size(); ++o) {
          const double wanted = EngineFixture::values(expected[o])[0];
          EXPECT_NEAR(EngineFixture::values(got[o])[0], wanted, 2e-6 * std::abs(wanted))
              << executor << ", result " << o << ", " << rows << " rows of " << columns;
        }
      }
    }
  // Long enough that sums in float alone would show.
  const Tensor x = fixture_.random({513, 1030}, 1);
  const Tensor y = EngineFixture::transposed(fixture_.random({1030, 513}, 2));
  const char* sum = "def program(x, y):\n    return (x * 0 + y * 0 + 1.1).sum()";
  EXPECT_NEAR(EngineFixture::values(fixture_.run("static", sum, {x, y})[0])[0],
              513.0 * 1030 * static_cast<double>(1.1f), 0.1);
}

/// Leaves numbers without a root where the next calls have their stacks.
[[gnu::noinline]] void soilStack() {
  std::array<volatile float, 64 * 1024> numbers;
  for (volatile float& number : numbers) number = -1;
}

/// Lanes past the end of a row compute, too: on zeros, which are never slow nor an error.
TEST_P(Panels, ComputeNothingOnWhatLiesBesideARow) {
  const std::string text = "def program(x, y):\n    return torch.sqrt(torch.abs(x) + y)";
  for (const char* executor : {"static", "dynamic"})  // those that read this in panels
    for (const std::int64_t columns : {7, 100}) {
      const Tensor x = fixture_.random({37, columns}, 1);
      const Tensor y = EngineFixture::transposed(
          fixture_.run("eager", "def program(x):\n    return torch.abs(x)",
                       {fixture_.random({columns, 37}, 2)})[0]);
      const std::vector<Tensor> inputs{x, y};
      const auto running = fixture_.executor(executor, text);
      running->call(inputs);
      soilStack();
      std::feclearexcept(FE_ALL_EXCEPT);
      running->call(inputs);
      EXPECT_EQ(std::fetestexcept(FE_INVALID), 0) << executor << ", rows of " << columns;
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, Panels,
                         testing::Values(Setup{4, 2, 1}, Setup{8, 4, 1}, Setup{16, 8, 1},
                                         Setup{8, 8, 2}),
                         [](const auto& parameter) {
                           return fmt::format("Lanes{}Interleave{}Threads{}", parameter.param.width,
                                              parameter.param.interleave, parameter.param.threads);
                         });

/// Beyond what caches hold panels go down several rows of them first, and results past the caches:
/// where the last ones are full, and where neither rows nor columns are.
TEST(LargePanels, CopyEveryElementOnce) {
  for (const int threads : {1, 2}) {
    EngineFixture fixture(EngineFixture::withoutDisk(0, 0, threads));
    for (const auto& [rows, columns] : {std::pair{4096, 2048}, std::pair{3001, 2803}}) {
      const Tensor x = fixture.random({rows, columns});
      const std::vector<Tensor> inputs{x, fixture.random({columns, rows}, 2)};
      const char* text = "def program(x, y):\n    return x.t() * 2 + y";
      const auto kernels = fixture.executor("static", text)->kernels(inputs);
      const cpu::Schedule s = cpu::schedule(kernels.at(0), cpu::hostTarget(), 0);
      EXPECT_GT(s.panelsDown, 1);
      EXPECT_EQ(s.streamed.empty(), rows % 2 != 0);
      const Tensor made = fixture.run("static", text, inputs)[0];
      const auto* const to = static_cast<const float*>(made.data());
      const auto *const from = static_cast<const float*>(x.data()), *const added =
                                                                        static_cast<const float*>(
                                                                            inputs[1].data());
      std::int64_t wrong = 0;
      for (std::int64_t c = 0; c < columns; ++c)
        for (std::int64_t r = 0; r < rows; ++r)
          wrong += to[c * made.strides[0] + r * made.strides[1]] !=
                   from[r * columns + c] * 2 + added[c * rows + r];
      EXPECT_EQ(wrong, 0) << rows << ", " << columns;
    }
  }
}

/// Else the tests above would test nothing new.
TEST(PanelSchedules, AreChosenForTransposedInputsWhereTheOrderIsFree) {
  EngineFixture fixture(EngineFixture::withoutDisk(8, 0, 1));
  const auto panels = [&](const char* text, const std::vector<Tensor>& inputs) {
    const auto kernels = fixture.executor("static", text)->kernels(inputs);
    const cpu::Schedule s = cpu::schedule(kernels.at(0), cpu::hostTarget(8), 0);
    EXPECT_EQ(s.panelsDown, 1) << "caches hold it";
    return s.panelInputs;
  };
  const Tensor x = fixture.random({32, 200}, 1);
  const Tensor y = EngineFixture::transposed(fixture.random({200, 32}, 2));
  const char* two = "def program(x, y):\n    return x + y";
  EXPECT_EQ(panels(two, {x, y}), (std::vector<int>{1}));
  EXPECT_EQ(panels(two, {x, x}), (std::vector<int>{}));
  EXPECT_EQ(panels("def program(x, y):\n    return (x + y).sum()", {x, y}), (std::vector<int>{1}));
  EXPECT_EQ(panels("def program(x, y):\n    return (x + y).sum(1)", {x, y}), (std::vector<int>{}));
  const auto written = [&](const char* text, const std::vector<Tensor>& inputs) {
    const auto kernels = fixture.executor("static", text)->kernels(inputs);
    return cpu::schedule(kernels.at(0), cpu::hostTarget(8), 0).panelOutputs;
  };
  const Tensor other = EngineFixture::transposed(fixture.random({200, 32}, 3));
  EXPECT_EQ(panels(two, {y, y}), (std::vector<int>{}));
  EXPECT_EQ(written(two, {y, other}), (std::vector<int>{}));  // the result has their layout
  const char* four = "def program(x, y, z, w):\n    return x + (y + z + w)";
  EXPECT_EQ(written(four, {x, y, other, other}), (std::vector<int>{0}));
  EXPECT_EQ(written(two, {x, y}), (std::vector<int>{}));
  // A dimension shorter than a vector is not vectorized, even if most inputs are contiguous there.
  for (const Shape& shape : {Shape{3, 2048}, Shape{2048, 3}}) {
    const Tensor a = EngineFixture::transposed(fixture.random({shape[1], shape[0]}, 1));
    const Tensor b = EngineFixture::transposed(fixture.random({shape[1], shape[0]}, 2));
    const auto kernels =
        fixture.executor("static", four)->kernels(std::vector{fixture.random(shape, 3), a, b, b});
    const cpu::Schedule s = cpu::schedule(kernels.at(0), cpu::hostTarget(8), 0);
    EXPECT_EQ(kernels.at(0).extents[s.vectorDim], 2048) << toString(shape);
    EXPECT_FALSE(s.hasPanels()) << toString(shape);
  }
  const Tensor narrow = EngineFixture::transposed(fixture.random({200, 3}, 2));
  EXPECT_EQ(panels(two, {fixture.random({3, 200}, 1), narrow}), (std::vector<int>{}));
}

}  // namespace
}  // namespace fusebench
