// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with phases on the double of a GPU: the source that a GPU gets.
#include "tests/engine/cuda/backend_fixture.h"

#include <vector>
#include "tests/engine/support/row_checks.h"

namespace fusebench::test {
namespace {

class CudaPhases : public CudaBackendTest {
 protected:
  void TearDown() override {
    fixture_.reset();  // before the double is asked what is left
    CudaBackendTest::TearDown();
  }
  std::unique_ptr<EngineFixture> fixture_ = std::make_unique<EngineFixture>();
};

TEST_F(CudaPhases, ComputeWhatTheReferenceSays) {
  expectRowCases(*fixture_, {5, 70}, {"static"});
}

TEST_F(CudaPhases, ServeLongAndShortRowsOfAnyNumber) {
  for (const RowCase& row : rowCases())
    for (const Shape& shape : {Shape{2, 1500}, Shape{9, 3}})
      expectRows(*fixture_, "dynamic", rowProgram(row, shape[1]), rowInputs(*fixture_, shape));
}

TEST_F(CudaPhases, AreOneLaunch) {
  for (const char* text : {"return torch.softmax(x, -1)", "return x.sum() / 3 + 1"}) {
    const auto executor = fixture_->executor("static", text);
    const std::vector<Tensor> inputs{fixture_->random({4, 300})};
    executor->call(inputs);
    const std::uint64_t before = fixture_->backend().launches();
    executor->call(inputs);
    EXPECT_EQ(fixture_->backend().launches() - before, 1u) << text;
  }
}

TEST_F(CudaPhases, WithArithmeticAfterASumAreDealtOutToBlocksAsSumsAre) {
  const char* text = "def f(x, w, b):\n  return x.sum() / 3 + w.sum()\n";
  const Tensor x = fixture_->random({70'000}, 2, 0.5f), w = fixture_->random({70'000}, 3);
  expectRows(*fixture_, "static", text, {x, w, w});
}

TEST_F(CudaPhases, ThatStoreWhatTheyReduceAreDealtOutToBlocksAsSumsAre) {
  const char* whole =
      "def f(x, w, b):\n  y = torch.relu(x * w)\n"
      "  return y, (y.amax() - x.amin()) / 255, y.mean() + 1\n";
  for (const Shape& shape : {Shape{70'000}, Shape{7, 10'001}, Shape{3}}) {
    const std::vector<Tensor> inputs{fixture_->random(shape, 2), fixture_->random(shape, 3),
                                     fixture_->random(shape, 4)};
    for (const char* executor : {"static", "dynamic"})
      expectRows(*fixture_, executor, whole, inputs);
  }
  // Reduces rows, and columns, for which adjacent elements have different results.
  for (const int dim : {0, 1})
    for (const Shape& shape : {Shape{3, 20'000}, Shape{20'000, 3}, Shape{40, 50}}) {
      const std::string sums =
          fmt::format("def f(x, w, b):\n  y = x * w\n  return y, y.sum({}) / 3 + 1\n", dim);
      expectRows(*fixture_, "static", sums, rowInputs(*fixture_, shape));
    }
}

TEST_F(CudaPhases, OfManyRoundsComputeWhatTheReferenceSays) {
  std::string text = "def f(x, w, b):\n  x = x * w + b\n";
  for (int round = 0; round < 6; ++round)
    text += "  x = torch.sin(x) * 0.9\n  x = x - x.mean(-1, keepdim=True)\n";
  text += "  return x\n";
  for (const Shape& shape : {Shape{3, 64}, Shape{2, 1024}, Shape{2, 1030}})
    for (const char* executor : {"static", "dynamic"})
      expectRows(*fixture_, executor, text, rowInputs(*fixture_, shape));
}

TEST_F(CudaPhases, KeepRowsInRegistersOrReadThemAgain) {
  // With 16 elements per thread a row takes some lanes of a warp, a warp, or several. Also rows
  // that do not fill their threads, and rows longer than a block can keep.
  for (const std::int64_t length : {4, 20, 64, 500, 512, 1028, 8192, 8196, 16384, 16388})
    for (const char* executor : {"static", "dynamic"})
      for (const std::int64_t rows : {1, 3, 130}) {
        if (rows == 130 && length > 600) continue;
        for (const char* body :
             {"return F.layer_norm(x, ({n},), w, b)", "return F.rms_norm(x, ({n},))",
              "return torch.softmax(x * w, -1) + x", "return x * x.argmax(-1, keepdim=True)"})
          expectRows(*fixture_, executor, rowProgram({"", body}, length),
                     rowInputs(*fixture_, {rows, length}));
      }
}

TEST_F(CudaPhases, KeepRowsOfEveryDtype) {
  const auto typed = [&](DType dtype, const Shape& shape, int seed) {
    std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>((i * 37 + static_cast<std::size_t>(seed)) % 101) / 16 - 3;
    return fixture_->typed(dtype, shape, values);
  };
  // Twos, fours, eights; lengths that these fill, that they do not, and that nobody keeps.
  for (const auto& [dtype, tolerance] :
       {std::pair(DType::float16, 0x1p-9), std::pair(DType::bfloat16, 0x1p-6),
        std::pair(DType::float64, 1e-12), std::pair(DType::int32, 0.0)})
    for (const std::int64_t length : {8, 20, 21, 514, 1028, 8200, 16400})
      for (const char* body :
           {"return F.layer_norm(x, ({n},), w, b)", "return torch.softmax(x * w, -1) + x",
            "return x - x.amax(-1, keepdim=True)", "return x * x.argmax(-1, keepdim=True)"}) {
        const bool averages = std::string_view(body).find("amax") == std::string_view::npos &&
                              std::string_view(body).find("argmax") == std::string_view::npos;
        if (averages && isInteger(classOf(dtype))) continue;
        expectRows(
            *fixture_, length % 3 == 0 ? "dynamic" : "static", rowProgram({"", body}, length),
            {typed(dtype, {3, length}, 1), typed(dtype, {length}, 2), typed(dtype, {length}, 3)},
            tolerance);
      }
}

TEST_F(CudaPhases, OfAVarianceAreExactFarFromZero) {
  // Deviations of a few roundings of the mean: as float32 has them, so that the reference sees the
  // same numbers.
  const auto near = fixture_->executor("static", "return x * 1e-6 + 10");
  const std::vector<Tensor> given{fixture_->random({6, 2052}, 3)};
  const Tensor x = near->call(given)[0];
  const char* text = "return x.var(-1, keepdim=True) + x * 0";
  expectRows(*fixture_, "static", text, {x});
  // The first element of a row is far from all others.
  const auto apart =
      fixture_->executor("static", "return torch.where(torch.arange(2052) == 0, x + 1000, x)");
  expectRows(*fixture_, "static", text, {apart->call(given)[0]});
}

TEST_F(CudaPhases, LeaveFewLongRowsToSeveralLaunches) {
  const auto launchesOf = [&](Executor& executor, const Shape& shape) {
    const std::vector<Tensor> inputs{fixture_->random(shape)};
    executor.call(inputs);
    const std::uint64_t before = fixture_->backend().launches();
    executor.call(inputs);
    return fixture_->backend().launches() - before;
  };
  const char* softmax = "return torch.softmax(x, -1)";
  EXPECT_GT(launchesOf(*fixture_->executor("static", softmax), {2, 40'000}), 1u);
  const auto dynamic = fixture_->executor("dynamic", softmax);
  EXPECT_EQ(launchesOf(*dynamic, {2, 300}), 1u);
  EXPECT_GT(launchesOf(*dynamic, {2, 40'000}), 1u);
  EXPECT_EQ(launchesOf(*dynamic, {3, 1000}), 1u);
  EXPECT_GT(launchesOf(*dynamic, {3, 50'000}), 1u);
  EXPECT_EQ(dynamic->statistics().compiles.size(), 2u);
  for (const RowCase& row : rowCases())
    for (const char* executor : {"static", "dynamic"})
      expectRows(*fixture_, executor, rowProgram(row, 40'000), rowInputs(*fixture_, {2, 40'000}));
  // The element-wise ops on either side of a reduction are one launch.
  const char* norm = "return F.layer_norm(x, (40000,))";
  EXPECT_EQ(launchesOf(*fixture_->executor("static", norm), {2, 40'000}), 2u);
  // Nothing to go back to: one launch, of however many blocks.
  const auto sum = fixture_->executor("dynamic", "return x.sum() / 3 + 1");
  EXPECT_EQ(launchesOf(*sum, {100}), 1u);
  EXPECT_EQ(launchesOf(*sum, {70'000}), 1u);
  EXPECT_EQ(sum->statistics().compiles.size(), 1u);
}

}  // namespace
}  // namespace fusebench::test
