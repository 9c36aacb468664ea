// SPDX-License-Identifier: GPL-3.0-or-later
// Cells whose variant quantizes: ranges from the experiment's own inputs, memory, errors.
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/measure/accuracy.h"
#include "profiler/measure/cell_code.h"
#include "profiler/measure/cell_runner.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string quantizedExperiment(const std::string& options, const std::string& fill = "normal",
                                const std::string& change = "x") {
  return fmt::format(
      R"json({{"fusebench": "experiment", "version": 2, "title": "t", "program": [
"class Net(nn.Module):", "  def __init__(self, width=32):", "    super().__init__()",
"    self.fc1 = nn.Linear(width, width)", "    self.fc2 = nn.Linear(width, 8)",
"  def forward(self, x):", "    x = {}", "    x = F.relu(self.fc1(x))", "    return self.fc2(x)"],
"inputs": [{{"name": "in", "count": 2, "tensors": [{{"name": "x", "extents": [16, "width"], "fill": "{}"}}]}}],
"variants": [{{"name": "float32", "executor": "static"}}, {{"name": "q", "executor": "static"{}}}],
"baseline": "float32", "axes": [{{"name": "width", "values": [32, 64]}}]}})json",
      change, fill, options);
}

class QuantizedCells : public testing::Test {
 protected:
  Cell measured(const std::string& text, int variant, std::int64_t width) {
    experiment_ = parseExperiment(text, "e.json");
    CpuOptions options;
    options.diskCache = false;
    const auto backend = makeCpuBackend(options);
    InputStore store(*backend, experiment_, std::uint64_t{1} << 32);
    std::atomic<bool> stop = false;
    ReferenceMemo references;
    CellRunner runner(*backend, store, references, experiment_, {variant, {width}}, stop);
    Cell cell;
    runner.prepare({1, 10}, cell);
    const CellRunner::Check check = runner.check();
    cell.relativeError = check.relativeError;
    cell.accuracy = check.accuracy;
    return cell;
  }
  std::string refusal(const std::string& text) {
    try {
      measured(text, 1, 32);
    } catch (const Unavailable& error) {
      return error.what();
    }
    return "measured";
  }
  Experiment experiment_;
};

/// The canvas shows by them which ops each launch runs.
TEST(CellCode, NamesTheOpsThatALayerHasInItsWeightAndThoseThatItsLaunchRuns) {
  const Experiment experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"class Net(nn.Module):", "  def __init__(self):", "    super().__init__()",
"    self.layer = nn.Linear(8, 6)", "    self.norm = nn.BatchNorm1d(6)",
"  def forward(self, x):", "    return F.relu(self.norm(self.layer(x)))",
"net = Net().eval()", "def program(x):", "    return net(x)"],
"inputs": [{"name": "in", "count": 1, "tensors": [{"name": "x", "extents": ["n", 8], "fill": "normal"}]}],
"variants": [{"name": "static", "executor": "static"}],
"baseline": "static", "axes": [{"name": "n", "values": [4]}]})json",
      "e.json");
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  const CellCode code(*backend, experiment, {0, {4}});
  std::vector<std::string> named;
  for (const CellCode::KernelInfo& kernel : code.kernels())
    for (const int op : kernel.ops)
      named.emplace_back(
          experiment.programOf(experiment.variants[0]).ops[static_cast<std::size_t>(op)].row->name);
  EXPECT_THAT(named, testing::ElementsAre("linear_bias", "sub", "mul", "mul", "add", "relu"));
}

TEST_F(QuantizedCells, HaveNoErrorOfTheirOwnSizeWhereTermsCancel) {
  for (const bool cancels : {true, false}) {
    const Cell cell =
        measured(fmt::format(R"json({{"fusebench": "experiment", "version": 2, "title": "t",
"program": ["def program(x):", "    return ({}).sum()"],
"inputs": [{{"name": "in", "count": 1, "tensors": [{{"name": "x", "extents": ["n"], "fill": "normal"}}]}}],
"variants": [{{"name": "eager", "executor": "eager"}}],
"baseline": "eager", "axes": [{{"name": "n", "values": [4096]}}]}})json",
                             cancels ? "x - x.mean()" : "x * x"),
                 0, 4096);
    EXPECT_LT(*cell.relativeError, 1e-5);
    EXPECT_EQ(cell.accuracy.has_value(), !cancels);
  }
}

TEST_F(QuantizedCells, TakeLessMemoryAndSayWhatTheyLose) {
  for (const char* how : {"dynamic int8", "static int8"}) {
    const std::string text = quantizedExperiment(fmt::format(R"(, "quantise": "{}")", how));
    const Cell plain = measured(text, 0, 64), bytes = measured(text, 1, 64);
    EXPECT_LT(*bytes.peakBytes, *plain.peakBytes - 64 * 64 * 2);
    ASSERT_TRUE(plain.accuracy && bytes.accuracy);
    EXPECT_FALSE(plain.accuracy->fromFloat32);
    EXPECT_LT(plain.accuracy->relative, 1e-6);
    EXPECT_GT(bytes.accuracy->relative, 1e-4);
    EXPECT_LT(bytes.accuracy->relative, 0.05);
    EXPECT_NEAR(*bytes.accuracy->fromFloat32, bytes.accuracy->relative, 1e-4);
    ASSERT_TRUE(bytes.accuracy->sameClass) << "it ends in a layer's rows";
    EXPECT_GT(*bytes.accuracy->sameClass, 0.8);
    EXPECT_GT(bytes.firstCompiles.front().preparation, 0);
  }
}

TEST_F(QuantizedCells, HaveTheWidthsThatAxesSweep) {
  const std::string text = quantizedExperiment(R"(, "quantise": "dynamic int8")");
  EXPECT_LT(*measured(text, 0, 32).peakBytes, *measured(text, 0, 64).peakBytes);
}

TEST_F(QuantizedCells, SayWhatCannotBeCalibrated) {
  const std::string how = R"(, "quantise": "static int8", "calibration": "histogram")";
  EXPECT_THAT(refusal(quantizedExperiment(how, "normal", "torch.log(x)")),
              HasSubstr("contains NaN or infinities on input 0"));
  EXPECT_THAT(refusal(quantizedExperiment(how, "ones", "1 / (x - 1)")),
              HasSubstr("contains NaN or infinities"));
  EXPECT_THAT(refusal(quantizedExperiment(how, "zeros")),
              HasSubstr("is 0 on all inputs, so its scale would be 0"));
  EXPECT_EQ(refusal(quantizedExperiment(how, "ones")), "measured") << "constant, but not 0";
}

TEST_F(QuantizedCells, SayWhatTheirOptionsMayBe) {
  const auto problem = [](const std::string& options) {
    try {
      parseExperiment(quantizedExperiment(options), "e.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(problem(R"(, "quantise": "int4")"), HasSubstr("is not one of \"dynamic int8\""));
  EXPECT_THAT(problem(R"(, "quantise": "dynamic int8", "gradients": true)"),
              HasSubstr("quantized layers have no gradients"));
  EXPECT_THAT(problem(R"(, "quantise": "dynamic int8", "autocast": "bfloat16")"),
              HasSubstr("autocast also chooses the dtype of layers"));
  EXPECT_THAT(problem(R"(, "quantise": "dynamic int8", "dtype": "float16")"),
              HasSubstr("only float32 layers can be quantized"));
  EXPECT_THAT(problem(R"(, "calibration": "min-max")"), HasSubstr("static int8"));
  const Experiment read = parseExperiment(
      quantizedExperiment(R"(, "quantise": "static int8", "calibration": "histogram")"), "e.json");
  EXPECT_EQ(toJson(parseExperiment(toJson(read), "again.json")), toJson(read));
}

TEST(Calibration, AHistogramGivesUpOutliersForSmallerSteps) {
  std::mt19937 engine(3);
  std::normal_distribution<float> normal;
  std::vector<float> values(400'000);
  for (float& value : values) value = normal(engine);
  values[7] = 60;
  const LayerRange whole{-4, 60}, kept = leastErrorRange(values, whole);
  EXPECT_LT(kept.high, 50);
  EXPECT_GT(kept.high, 2);
  const LayerRange same{-1, 1};
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& value : values) value = uniform(engine);
  EXPECT_NEAR(leastErrorRange(values, same).high, 1, 0.05)
      << "of what is spread evenly all is kept";
}

TEST(AccuracySums, AreRelativeAndCountRows) {
  AccuracySums sums;
  const std::vector<double> exact{3, 4, 0, 0}, got{3, 4, 0.5, 0};
  sums.add(exact, got);
  EXPECT_DOUBLE_EQ(sums.relative(), 0.1);
  EXPECT_DOUBLE_EQ(decibelsOf(0.1), 20);
  sums.addRows(exact, std::vector<double>{3, 5, 0.1, 0.2}, 2);
  EXPECT_DOUBLE_EQ(sums.sameRows(), 0.5);
  AccuracySums lost;
  lost.add(exact, std::vector<double>{3, std::numeric_limits<double>::quiet_NaN(), 0, 0});
  EXPECT_TRUE(std::isinf(lost.relative()));
}

}  // namespace
}  // namespace fusebench
