// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of captured models: which op is whose, and parts that are cut out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/run/reference.h"
#include "profiler/experiment/cut_module.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/module_origins.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Experiment zooModel(const std::string& name) {
  return loadExperiment(test::sourcePath("/tests/zoo/captured/") + name + ".json");
}

std::string cutRefusal(const Experiment& whole, const std::string& path) {
  try {
    cutModule(whole, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Values by name of the program's inputs and statements: the latest of each name.
std::map<std::string, ValueId> valuesByName(const Program& program) {
  std::map<std::string, ValueId> values;
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    values[program.inputs[i]] = static_cast<ValueId>(i);
  for (const Statement& statement : program.statements)
    if (statement.value >= 0) values[statement.target] = statement.value;
  return values;
}

std::vector<std::string> namesIn(std::string text) {
  std::erase(text, ' ');
  std::vector<std::string> names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    names.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return names;
}

/// Runs the whole model and returns what these names hold there.
std::vector<ReferenceTensor> valuesInside(const Experiment& whole,
                                          const std::vector<std::string>& names) {
  const CellKey key{0, {1}};
  Program program = programAt(whole, key);
  const auto values = valuesByName(program);
  program.outputs.clear();
  for (const std::string& name : names) program.outputs.push_back(values.at(name));
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore store(*backend, whole, std::uint64_t{1} << 32);
  std::vector<ReferenceTensor> inputs;
  for (const Tensor& tensor : store.get(key)->entries[0])
    inputs.push_back({{tensor.shape, tensor.dtype}, valuesOf(*backend, tensor)});
  std::vector<ReferenceTensor> found;
  for (ReferenceResult& result : evaluateReference(program, inputs))
    found.push_back(std::move(result.value));
  return found;
}

struct CutCase {
  const char* model;
  const char* module;
};

class CutModules : public testing::TestWithParam<CutCase> {};

TEST_P(CutModules, ComputeWhatTheWholeModelDoesThere) {
  const Experiment whole = zooModel(GetParam().model);
  const Experiment part = cutModule(whole, GetParam().module);
  const std::vector<ReferenceTensor> inputs = valuesInside(whole, part.program.inputs);
  const auto shown = inputTypesAt(part, {0, {1}}, part.program, 0);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    EXPECT_EQ(shown[i].shape, inputs[i].type.shape) << part.program.inputs[i];
  const std::vector<std::string> names = namesIn(part.program.returnText);
  const std::vector<ReferenceTensor> expected = valuesInside(whole, names);
  const std::vector<ReferenceResult> results = evaluateReference(part.program, inputs);
  ASSERT_EQ(results.size(), expected.size());
  for (std::size_t r = 0; r < results.size(); ++r)
    EXPECT_EQ(results[r].value.values, expected[r].values) << names[r];
}

INSTANTIATE_TEST_SUITE_P(Zoo, CutModules,
                         testing::Values(CutCase{"torch_transformer", "layers.1"},
                                         CutCase{"torch_transformer", "layers.0.self_attn"},
                                         CutCase{"torch_transformer", "layers.0.norm1"},
                                         CutCase{"lstm", "layer"}),
                         [](const auto& each) {
                           std::string name =
                               std::string(each.param.model) + "_" + each.param.module;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(CutModule, KeepsWeightsAsTheyAreAndDrawsTheRest) {
  const Experiment whole = zooModel("torch_transformer");
  const Experiment part = cutModule(whole, "layers.1.norm1");
  ASSERT_EQ(part.program.inputs, (std::vector<std::string>{"add_2", "p_layers_1_norm1_weight",
                                                           "p_layers_1_norm1_bias"}));
  const auto& inputs = part.inputSets.front().inputs;
  EXPECT_FALSE(inputs[0].held);
  EXPECT_THAT(inputs[0].extents, ElementsAre("1", "10", "32"));
  EXPECT_TRUE(inputs[1].held);
  EXPECT_TRUE(inputs[1].parameter);
  EXPECT_EQ(part.programText.substr(part.programText.find("return")), "return layer_norm_2\n");
  EXPECT_EQ(modulesOf(*part.capture).back().path, "layers.1.norm1");
  EXPECT_TRUE(part.capture->file.empty());
}

TEST(CutModule, ComputesWhatIsNoFloatInThePart) {
  const Experiment whole = parseExperiment(R"json({"fusebench": "experiment", "version": 2,
    "title": "m", "program": ["def forward(x, w):", "    n = torch.ops.aten.arange.default(3)",
      "    m = torch.ops.aten.le.Scalar(n, 1)", "    y = torch.ops.aten.mul.Tensor(x, w)",
      "    z = torch.ops.aten.where.self(m, y, x)", "    return z"],
    "inputs": [{"name": "captured", "tensors": [{"name": "x", "extents": ["batch * 2", 3]},
      {"name": "w", "extents": [3], "held": true}]}],
    "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
    "axes": [{"name": "batch", "values": [1, 4]}],
    "capture": {"modules": ["", "a", "b"], "sources": [""],
      "nodes": [[0, 2, 0, 0], [0, 3, 0, 0], [0, 4, 1, 0], [0, 5, 2, 0]]}})json",
                                           "m.json");
  const Experiment part = cutModule(whole, "b");
  EXPECT_EQ(part.programText,
            "def forward(y, x):\n    n = torch.ops.aten.arange.default(3)\n"
            "    m = torch.ops.aten.le.Scalar(n, 1)\n"
            "    z = torch.ops.aten.where.self(m, y, x)\n    return z\n");
  // Extents follow the axis as they do in the model.
  EXPECT_THAT(part.inputSets.front().inputs[0].extents, ElementsAre("batch * 2", "3"));
  EXPECT_EQ(part.axes.front().name, "batch");
}

TEST(CutModule, RefusesWhatIsNoModuleAndNamesWhatIs) {
  const Experiment whole = zooModel("torch_transformer");
  EXPECT_THAT(cutRefusal(whole, "layer.7"), HasSubstr("no module layer.7; its modules are layers"));
  Experiment written = whole;
  written.capture.reset();
  EXPECT_THAT(cutRefusal(written, "layers.0"), HasSubstr("fusebench-cli capture"));
}

TEST(ModuleOrigins, FollowAnEditOfTheText) {
  CapturedModel model;
  model.modules = {"", "a", "b", "c"};
  model.sources = {""};
  model.nodes = {{0, 2, 1, 0}, {0, 3, 2, 0}, {0, 4, 3, 0}};
  const auto shown = [&] {
    std::string text;
    for (const CapturedModel::Node& node : model.nodes)
      text +=
          std::to_string(node.line) + model.modules[static_cast<std::size_t>(node.module)] + " ";
    return text;
  };
  followText(model, 0, "def f(x):\n1\n2\n3\n", "def f(x):\n1\nnew\n2\n3\n");
  EXPECT_EQ(shown(), "2a 4b 5c ");
  followText(model, 0, "def f(x):\n1\nnew\n2\n3\n", "def f(x):\n1\nnew\n2 * 5\n3\n");
  EXPECT_EQ(shown(), "2a 4b 5c ");
  followText(model, 0, "def f(x):\n1\nnew\n2 * 5\n3\n", "def f(x):\n3\n");
  EXPECT_EQ(shown(), "2c ");
}

TEST(ModuleOrigins, OfWrittenModulesFollowTheirCalls) {
  const Experiment written = parseExperiment(R"json({"fusebench": "experiment", "version": 2,
    "title": "m", "program": ["class Inner(nn.Module):", "    def forward(self, x):",
      "        return (x + 1).exp()", "class Net(nn.Module):", "    def __init__(self):",
      "        super().__init__()", "        self.inner = Inner()", "    def forward(self, x):",
      "        y = self.inner(x)", "        return y * 2"],
    "inputs": [{"name": "i", "tensors": [{"name": "x", "extents": [3]}]}],
    "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager"})json",
                                             "m.json");
  std::vector<std::string> modules;
  for (const ModuleOrigin& origin : originsOf(written, written.program))
    modules.push_back(origin.module);
  EXPECT_THAT(modules, ElementsAre("inner", "inner", ""));
}

}  // namespace
}  // namespace fusebench
