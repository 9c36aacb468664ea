// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments of captured models: where nodes come from, and how tensors get their values.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/weights_file.h"
#include "profiler/files/files.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string capturedText(const std::string& tensor, const std::string& more = "") {
  return fmt::format(R"json({{"fusebench": "experiment", "version": 2, "title": "t",
    "program": ["def forward(x, w):", "    return (x * w).sum()"],
    "inputs": [{{"name": "captured", "tensors": [
       {{"name": "x", "extents": [2, 3]}}, {{"name": "w", "extents": [2, 3]{}}}]}}],
    "variants": [{{"name": "eager", "executor": "eager"}}], "baseline": "eager"{}}})json",
                     tensor, more);
}

constexpr const char* kCapture =
    R"(, "capture": {"file": "model.py", "sha256": "ab", "name": "make",
  "how": "torch.export", "torch": "2.15.0", "inputs": ["x=2,3"], "train": true,
  "modules": ["", "layers.0.attn"], "sources": ["", "model.py:3: return x * w"],
  "breaks": ["after part 1: print"], "nodes": [[0, 2, 1, 1]],
  "arguments": [["x", 0], ["w", "layers.0.attn.weight"]]})";

std::string refusalOf(const std::string& text) {
  try {
    parseExperiment(text, "f.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<double> drawn(const Experiment& experiment, std::size_t input,
                          std::shared_ptr<const WeightsFile> weights = nullptr) {
  const auto backend = makeCpuBackend();
  InputStore store(*backend, experiment, 1u << 30);
  store.setWeights(std::move(weights));
  return valuesOf(*backend, store.get({0, {1}})->entries.at(0).at(input));
}

TEST(CapturedExperiment, KeepsWhereEachNodeComesFrom) {
  const std::string text = toJson(parseExperiment(capturedText("", kCapture), "f.json"));
  const Experiment again = parseExperiment(text, "f.json");
  ASSERT_TRUE(again.capture.has_value());
  EXPECT_EQ(again.capture->file, "model.py");
  EXPECT_EQ(again.capture->inputs, std::vector<std::string>{"x=2,3"});
  EXPECT_TRUE(again.capture->train);
  ASSERT_EQ(again.capture->nodes.size(), 1u);
  EXPECT_EQ(again.capture->nodes[0].line, 2);
  EXPECT_EQ(again.capture->modules.at(static_cast<std::size_t>(again.capture->nodes[0].module)),
            "layers.0.attn");
  EXPECT_EQ(again.capture->sources.at(static_cast<std::size_t>(again.capture->nodes[0].source)),
            "model.py:3: return x * w");
  ASSERT_EQ(again.capture->arguments.size(), 2u);
  EXPECT_EQ(again.capture->arguments[0].leaf, 0);
  EXPECT_EQ(again.capture->arguments[1].state, "layers.0.attn.weight");
  EXPECT_EQ(again.capture->breaks, std::vector<std::string>{"after part 1: print"});
  EXPECT_EQ(toJson(again), text);
}

TEST(CapturedExperiment, WithoutTheNewKeysIsWrittenAsBefore) {
  const std::string text = toJson(parseExperiment(capturedText(""), "f.json"));
  for (const char* key : {"capture", "weights", "mean", "range", "data", "parameter"})
    EXPECT_THAT(text, testing::Not(HasSubstr(fmt::format("\"{}\"", key))));
}

TEST(CapturedExperiment, RefusesANodeOfAModuleThatIsNotListed) {
  std::string text = capturedText("", kCapture);
  text.replace(text.find("[0, 2, 1, 1]"), 12, "[0, 2, 7, 1]");
  EXPECT_THAT(refusalOf(text), testing::AllOf(HasSubstr("f.json:"), HasSubstr("capture.nodes")));
}

TEST(CapturedExperiment, ListsTheElementsOfATensor) {
  const Experiment e =
      parseExperiment(capturedText(R"(, "held": true, "data": [1, 2, 3, 4, "-inf", 6])"), "f.json");
  EXPECT_THAT(drawn(e, 1), ElementsAre(1, 2, 3, 4, -INFINITY, 6));
  EXPECT_EQ(toJson(parseExperiment(toJson(e), "f.json")), toJson(e));
}

TEST(CapturedExperiment, RefusesAListOfAnotherLength) {
  EXPECT_THAT(refusalOf(capturedText(R"(, "data": [1, 2])")),
              HasSubstr("there are 2 numbers for 6 elements; give one for each"));
}

TEST(CapturedExperiment, DrawsWholeNumbersFromTheirRangeAlone) {
  const Experiment e =
      parseExperiment(capturedText(R"(, "dtype": "int64", "range": [3, 4])"), "f.json");
  for (const double value : drawn(e, 1)) EXPECT_TRUE(value == 3 || value == 4) << value;
  EXPECT_THAT(drawn(e, 1), testing::Contains(3));
  EXPECT_THAT(drawn(e, 1), testing::Contains(4));
}

TEST(CapturedExperiment, DrawsWithTheMeanAndDeviationThatAreGiven) {
  const Experiment e = parseExperiment(
      capturedText(R"(, "mean": 5, "deviation": 0.001, "range": [5, 6])"), "f.json");
  for (const double value : drawn(e, 1)) {
    EXPECT_GE(value, 5);
    EXPECT_LT(value, 5.1);
  }
}

TEST(CapturedExperiment, GivesInputsBeyondTheSixtyFourthValuesOfTheirOwn) {
  const InputSpec spec;
  EXPECT_NE(elementOf(spec, 1, 0, 64, 0), elementOf(spec, 1, 1, 0, 0));
}

TEST(CapturedExperiment, LaysDimensionsInTheOrderThatIsNamed) {
  InputSpec spec;
  spec.layout = "order 1,2,0";
  EXPECT_EQ(*inputStrides(spec, Shape({2, 3, 4})), Strides({1, 8, 2}));
  EXPECT_THAT(refusalOf(capturedText(R"(, "layout": "order 0,0")")),
              HasSubstr("must name each of the 2 dimensions once"));
}

TEST(CapturedExperiment, DifferentiatesByItsParameters) {
  const Experiment e = parseExperiment(capturedText(R"(, "parameter": true)"), "f.json");
  EXPECT_THAT(differentiatedBy(e, e.variants[0], e.program), ElementsAre(1));
  const Experiment none = parseExperiment(capturedText(""), "f.json");
  EXPECT_THAT(differentiatedBy(none, none.variants[0], none.program), ElementsAre(0, 1));
}

/// A safetensors file of one float32 tensor of shape (2, 3), 0 to 5.
std::string safetensors(
    const std::string& header = R"({"l.w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})") {
  std::string text(8, '\0');
  text[0] = static_cast<char>(header.size());
  text += header;
  for (int i = 0; i < 6; ++i) {
    const auto value = static_cast<float>(i);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    text.append(bytes, sizeof value);
  }
  return text;
}

TEST(CapturedWeights, GiveTensorsTheirValues) {
  const Experiment e = parseExperiment(
      capturedText(R"(, "values": "l.w", "mean": 7)", R"(, "weights": "m.safetensors")"), "f.json");
  EXPECT_THAT(drawn(e, 1, std::make_shared<WeightsFile>(safetensors(), "m.safetensors")),
              ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(e.weights, "m.safetensors");
}

TEST(CapturedWeights, OfAnotherShapeAreRefused) {
  const WeightsFile file(safetensors(), "m.safetensors");
  EXPECT_THROW(
      {
        try {
          file.tensor("l.w", Shape({3, 2}));
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), HasSubstr("has shape (2, 3) instead of (3, 2)"));
          throw;
        }
      },
      InputError);
  EXPECT_THROW(file.tensor("l.b", Shape({2, 3})), InputError);
}

TEST(CapturedWeights, ThatDoNotFitTheirFileAreRefused) {
  for (const char* header : {R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,28]}})",
                             R"({"w":{"dtype":"F32","shape":[2,9],"data_offsets":[0,24]}})",
                             R"({"w":{"dtype":"F32","shape":[-2,3],"data_offsets":[0,24]}})",
                             R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[24,0]}})",
                             R"({"w":{"dtype":"F32","data_offsets":[0,24]}})", R"([1])", "{"})
    EXPECT_THROW(WeightsFile(safetensors(header), "m.safetensors"), InputError) << header;
  EXPECT_THROW(WeightsFile("short", "m.safetensors"), InputError);
  EXPECT_THROW(WeightsFile(safetensors().substr(0, 20), "m.safetensors"), InputError);
}

TEST(CapturedWeights, AreInTheExperimentsOwnFolder) {
  EXPECT_EQ(refusalOf(capturedText("", R"(, "weights": "m.safetensors")")), "accepted");
  for (const char* name : {"../m.safetensors", "/etc/passwd", "m.bin", ".safetensors"})
    EXPECT_THAT(refusalOf(capturedText("", fmt::format(R"(, "weights": "{}")", name))),
                HasSubstr("must be the name of a .safetensors file in the experiment's own folder"))
        << name;
}

}  // namespace
}  // namespace fusebench
