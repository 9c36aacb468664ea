// SPDX-License-Identifier: GPL-3.0-or-later
// A hundred steps of training, of a linear layer and of a network with checkpoints, have PyTorch's
// losses in every executor: recorded ones, and where it is installed those that it computes now.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

constexpr std::size_t kTrainingSteps = 100;
/// A sum of 200 products in float32, the longest here, can have an error of 200 units of 2^-24 of
/// its terms, which depends on the order of adding up; each step inherits the errors of earlier
/// ones. All losses are compared with float64, because PyTorch's own in float32 have errors of up
/// to 2.2e-5, which depend on the number of threads.
constexpr double kLossBound = 200 * 0x1p-24;
/// A GPU's library adds up in an order of its own, as PyTorch does: twice what that was seen to be
/// off by. On an H200 it was 2.6e-5.
constexpr double kDeviceLossBound = 2 * 2.2e-5;

/// A tensor of training.txt, of which element i from 1 is sin(frequency i) factor.
struct WaveTensor {
  std::string name;
  double frequency = 0, factor = 0;
  Shape extents;
};

struct RecordedTraining {
  std::string name{}, text{};
  std::vector<WaveTensor> tensors{};
  std::vector<double> losses{};
};

std::vector<RecordedTraining> trainingsOf(std::istream& file) {
  std::vector<RecordedTraining> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("= ")) all.push_back({.name = line.substr(2)});
    if (all.empty()) continue;
    RecordedTraining& training = all.back();
    if (line.starts_with("|")) training.text += (line.size() > 2 ? line.substr(2) : "") + "\n";
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "tensor") {
      WaveTensor& tensor = training.tensors.emplace_back();
      words >> tensor.name >> tensor.frequency >> tensor.factor;
      std::vector<std::int64_t> extents;
      for (std::int64_t extent = 0; words >> extent;) extents.push_back(extent);
      tensor.extents = Shape(extents);
    }
    if (word == "losses")
      for (double loss = 0; words >> loss;) training.losses.push_back(loss);
  }
  return all;
}

std::vector<RecordedTraining> recordedTrainings() {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/training.txt"));
  return trainingsOf(file);
}

/// The name that the program gives a parameter of its model.
std::string heldName(std::string parameter) {
  std::ranges::replace(parameter, '.', '_');
  return "model_" + parameter;
}

std::vector<double> trainedLosses(EngineFixture& fixture, std::string_view executor,
                                  const RecordedTraining& training) {
  ProgramHints hints;
  for (const WaveTensor& tensor : training.tensors)
    if (tensor.name == "x" || tensor.name == "target")
      hints[tensor.name] = {tensor.extents, DType::float32};
  const Program program = parseProgram(training.text, hints);
  std::vector<Tensor> inputs;
  for (const std::string& input : program.inputs) {
    const auto found = std::ranges::find_if(training.tensors, [&](const WaveTensor& tensor) {
      return tensor.name == input || heldName(tensor.name) == input;
    });
    if (found == training.tensors.end()) throw std::runtime_error("no values of " + input);
    std::vector<float> values;
    for (std::int64_t i = 1; i <= elementCount(found->extents); ++i)
      values.push_back(
          static_cast<float>(std::sin(found->frequency * static_cast<double>(i)) * found->factor));
    inputs.push_back(fixture.tensor(found->extents, values));
  }
  const auto made = makeExecutor(executor, fixture.backend(), program);
  std::vector<double> losses;
  for (std::size_t step = 0; step < kTrainingSteps; ++step)
    losses.push_back(EngineFixture::values(made->call(inputs)[0])[0]);
  return losses;
}

/// `off`: how far each may be from the other, relatively to one and the loss.
void expectLosses(const std::vector<double>& found, const std::vector<double>& wanted, double off) {
  ASSERT_EQ(wanted.size(), kTrainingSteps);
  ASSERT_EQ(found.size(), kTrainingSteps);
  for (std::size_t step = 0; step < kTrainingSteps; ++step)
    ASSERT_NEAR(found[step], wanted[step], off * (1 + wanted[step])) << "step " << step;
}

double boundOn(EngineFixture& fixture) {
  return fixture.backend().name() == "cpu" ? kLossBound : kDeviceLossBound;
}

TEST(Training, OfAHundredStepsHasPyTorchsLossesInEveryExecutor) {
  EngineFixture fixture;
  const std::vector<RecordedTraining> all = recordedTrainings();
  ASSERT_EQ(all.size(), 3u);
  for (const RecordedTraining& training : all) {
    ASSERT_EQ(training.losses.size(), kTrainingSteps);
    EXPECT_LT(training.losses.back(), 0.1 * training.losses.front()) << "it learns";
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      SCOPED_TRACE(training.name + " by " + std::string(info.name));
      expectLosses(trainedLosses(fixture, info.name, training), training.losses, boundOn(fixture));
    }
  }
}

TEST(Training, OfAHundredStepsHasTheLossesThatPyTorchHasHere) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EngineFixture fixture;
  std::istringstream printed(test::runPython(
      python, "import runpy\nrunpy.run_path('" +
                  fusebench::test::sourcePath(
                      "/tests/engine/values/training_by_torch.py', run_name='__main__')\n")));
  const std::vector<RecordedTraining> theirs = trainingsOf(printed);
  ASSERT_EQ(theirs.size(), 3u) << printed.str();
  for (const RecordedTraining& training : theirs) {
    SCOPED_TRACE(training.name);
    for (const char* executor : {"static", "eager"})
      expectLosses(trainedLosses(fixture, executor, training), training.losses, boundOn(fixture));
  }
}

}  // namespace
}  // namespace fusebench
