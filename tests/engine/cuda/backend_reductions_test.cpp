// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions where they are hard, on the double of a GPU: the source that a GPU gets.
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/cuda/backend_fixture.h"

namespace fusebench::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// One row in a single block, in parts that one block merges, and as rows and columns of many.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {{40}, {1001}, {70'000}, {3, 300}, {3, 20'000}};
  return all;
}

class CudaHardReductions : public CudaBackendTest {
 protected:
  void TearDown() override {
    fixture_.reset();  // before the double is asked what is left
    CudaBackendTest::TearDown();
  }
  /// Over the last dimension, and with rows and columns exchanged in memory.
  std::vector<std::vector<double>> both(const std::string& call, const Shape& shape,
                                        const std::vector<float>& values) {
    const Tensor plain = fixture_->tensor(shape, values);
    std::vector<std::vector<double>> results = {reduced(call, plain)};
    if (shape.rank() < 2) return results;
    std::vector<float> exchanged(values.size());
    const auto rows = static_cast<std::size_t>(shape[0]), columns = values.size() / rows;
    for (std::size_t i = 0; i < values.size(); ++i)
      exchanged[i % columns * rows + i / columns] = values[i];
    results.push_back(reduced(
        call, EngineFixture::transposed(fixture_->tensor({shape[1], shape[0]}, exchanged))));
    return results;
  }
  std::vector<double> reduced(const std::string& call, const Tensor& input) {
    return EngineFixture::values(
        fixture_->run("eager", fmt::format("return x.{}", call), {input})[0]);
  }

  std::unique_ptr<EngineFixture> fixture_ = std::make_unique<EngineFixture>();
};

TEST_F(CudaHardReductions, TheFirstOfEqualsIsTheGreatest) {
  for (const Shape& shape : shapes()) {
    const auto count = static_cast<std::size_t>(elementCount(shape));
    const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
    for (const std::size_t first : {std::size_t{0}, std::size_t{5}, length / 2}) {
      std::vector<float> values(count, 1.0f);
      for (std::size_t i = 0; i < count; ++i)
        if (i % length >= first && i % length % 3 == first % 3) values[i] = 2.0f;
      for (const auto& got : both("argmax(-1)", shape, values))
        for (const double place : got)
          ASSERT_EQ(place, static_cast<double>(first)) << toString(shape);
    }
    // All of them -infinity: the first one still.
    for (const auto& got : both("argmax(-1)", shape, std::vector<float>(count, -kInfinity)))
      for (const double place : got) ASSERT_EQ(place, 0) << toString(shape);
  }
}

TEST_F(CudaHardReductions, NanWinsWhereverItStands) {
  for (const Shape& shape : shapes()) {
    const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
    for (const std::size_t at : {std::size_t{0}, length / 3, length - 1}) {
      std::vector<float> values(static_cast<std::size_t>(elementCount(shape)), kInfinity);
      for (std::size_t i = at; i < values.size(); i += length) values[i] = kNan;
      for (const char* call : {"amax(-1)", "amin(-1)", "sum(-1)", "var(-1)", "prod(-1)"})
        for (const auto& got : both(call, shape, values))
          for (const double value : got)
            ASSERT_TRUE(std::isnan(value)) << call << " of " << toString(shape);
      for (const auto& got : both("argmax(-1)", shape, values))
        for (const double place : got) ASSERT_EQ(place, static_cast<double>(at));
    }
  }
}

TEST_F(CudaHardReductions, SumsKeepTheirBound) {
  for (const Shape& shape : shapes()) {
    const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    // Terms of both signs and very different sizes, which nearly cancel.
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (i % 2 ? -1.0f : 1.0f) * (1.0f + 1e-3f * static_cast<float>(i % 97)) *
                  (i % 11 == 0 ? 1e4f : 1.0f);
    for (const auto& got : both("sum(-1)", shape, values))
      for (std::size_t row = 0; row < got.size(); ++row) {
        double exact = 0, magnitude = 0;
        for (std::size_t i = 0; i < length; ++i) {
          exact += static_cast<double>(values[row * length + i]);
          magnitude += std::abs(static_cast<double>(values[row * length + i]));
        }
        EXPECT_LE(std::abs(got[row] - exact),
                  4 * 0x1p-24 * std::log2(static_cast<double>(length)) * magnitude)
            << toString(shape);
      }
  }
}

TEST_F(CudaHardReductions, VarianceSurvivesAFarOffsetAndAnOutlierThatComesFirst) {
  for (const Shape& shape : shapes())
    for (const float outlier : {1e6f, 1e8f}) {
      const auto length = static_cast<std::size_t>(shape[shape.rank() - 1]);
      std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 1e6f + static_cast<float>(i * 7 % 13);
        if (i % length == 0) values[i] = outlier;
      }
      for (const auto& got : both("var(-1)", shape, values))
        for (std::size_t row = 0; row < got.size(); ++row) {
          const auto at = [&](std::size_t i) {
            return static_cast<double>(values[row * length + i]);
          };
          double mean = 0, squares = 0;
          for (std::size_t i = 0; i < length; ++i) mean += at(i) / static_cast<double>(length);
          for (std::size_t i = 0; i < length; ++i) squares += (at(i) - mean) * (at(i) - mean);
          const double exact = squares / static_cast<double>(length - 1);
          EXPECT_NEAR(got[row], exact, 2e-7 * exact) << toString(shape) << " " << outlier;
        }
    }
}

TEST_F(CudaHardReductions, TheSameCallGivesTheSameBits) {
  const Tensor x = fixture_->random({100'003}, 9);
  for (const char* call : {"sum()", "var()"}) EXPECT_EQ(reduced(call, x), reduced(call, x)) << call;
}

}  // namespace
}  // namespace fusebench::test
