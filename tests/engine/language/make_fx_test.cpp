// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that make_fx prints, with weights and buffers that they read from their module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/language/exported_text.h"
#include "engine/language/input_shapes.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/program_lines.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// make_fx.txt: a graph, its inputs and its results.
struct RecordedGraph {
  std::string name, text;
  struct Elements {
    DType dtype = DType::float32;
    Shape shape;
    std::vector<double> values;
  };
  std::vector<Elements> inputs, results;
};

RecordedGraph::Elements elementsOf(std::istream& words) {
  RecordedGraph::Elements made;
  std::string extents, colon;
  words >> extents >> colon;
  std::vector<std::int64_t> shape;
  std::istringstream list(extents == "-" ? "" : extents);
  for (std::string extent; std::getline(list, extent, ',');) shape.push_back(std::stoll(extent));
  made.shape = Shape::filled(static_cast<int>(shape.size()), 0);
  for (std::size_t d = 0; d < shape.size(); ++d) made.shape[static_cast<int>(d)] = shape[d];
  for (double value = 0; words >> value;) made.values.push_back(value);
  return made;
}

std::vector<RecordedGraph> recordedGraphs() {
  std::ifstream file(test::sourcePath("/tests/engine/values/make_fx.txt"));
  std::vector<RecordedGraph> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, dtype;
    words >> first;
    if (first == "graph") {
      words >> all.emplace_back().name;
    } else if (first == "|") {
      all.back().text += line.substr(std::min<std::size_t>(2, line.size())) + "\n";
    } else if (first == "in") {
      words >> dtype;
      all.back().inputs.push_back(elementsOf(words));
      all.back().inputs.back().dtype = *findDType(dtype);
    } else if (first == "out") {
      all.back().results.push_back(elementsOf(words));
    }
  }
  return all;
}

TEST(MakeFx, GraphsHaveTheRecordedResultsInEveryExecutor) {
  EngineFixture fixture;
  const std::vector<RecordedGraph> graphs = recordedGraphs();
  ASSERT_EQ(graphs.size(), 14u);
  for (const RecordedGraph& graph : graphs) {
    SCOPED_TRACE(graph.name);
    std::vector<std::string> names;
    for (const ChosenInput& each : readPasted(graph.text).inputs) names.push_back(each.name);
    ASSERT_EQ(names.size(), graph.inputs.size());
    ProgramHints hints;
    for (std::size_t i = 0; i < names.size(); ++i)
      hints[names[i]] = {graph.inputs[i].shape, graph.inputs[i].dtype};
    const Program program = parseProgram(graph.text, hints);
    for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
      SCOPED_TRACE(executor);
      std::vector<Tensor> inputs;
      for (const RecordedGraph::Elements& each : graph.inputs)
        inputs.push_back(fixture.typed(each.dtype, each.shape, each.values));
      const auto made = makeExecutor(executor, fixture.backend(), program);
      const auto results = made->call(inputs);
      ASSERT_EQ(results.size(), graph.results.size());
      for (std::size_t r = 0; r < results.size(); ++r) {
        const std::vector<double> got = EngineFixture::values(results[r]);
        ASSERT_EQ(got.size(), graph.results[r].values.size());
        for (std::size_t e = 0; e < got.size(); ++e)
          EXPECT_NEAR(got[e], graph.results[r].values[e], 1e-5) << "result " << r << ", " << e;
      }
    }
  }
}

TEST(MakeFx, StatesAreInputsAndLinesStay) {
  EXPECT_EQ(withStatesAsInputs("\n\n\ndef forward(self, x_1):\n"
                               "    _param_constant0 = self._param_constant0\n"
                               "    t = torch.ops.aten.t.default(_param_constant0);  "
                               "_param_constant0 = None\n"
                               "    _param_constant0_1 = self._param_constant0\n"
                               "    fc_bias = self.fc.bias;  x = None\n"
                               "    _0_weight = getattr(self, \"0\").weight\n"
                               "    return (t, _param_constant0_1, fc_bias, _0_weight)\n"),
            "\n\n\ndef forward(self, x_1, param_constant0, state_fc_bias, state_0_weight):\n"
            "    _param_constant0 = param_constant0\n"
            "    t = torch.ops.aten.t.default(_param_constant0);  _param_constant0 = None\n"
            "    _param_constant0_1 = param_constant0\n"
            "    fc_bias = state_fc_bias;  x = None\n"
            "    _0_weight = state_0_weight\n"
            "    return (t, _param_constant0_1, fc_bias, _0_weight)\n");
  for (const char* text :
       {"def forward(self, x):\n    y = self.scale\n    return x * y\n",
        "class Net(nn.Module):\n  def __init__(self):\n    self.w = torch.ones(3)\n"
        "  def forward(self, x):\n    w = self.w\n    return torch.ops.aten.mul.Tensor(x, w)\n",
        "def forward(self, x):\n    y = self.fc(x)\n    return torch.ops.aten.neg.default(y)\n",
        "def forward(self, x):\n    return torch.ops.aten.neg.default(x)\n"})
    EXPECT_EQ(withStatesAsInputs(text), std::nullopt) << text;
}

TEST(MakeFx, TypeCommentsGiveTheShapesOfStates) {
  const PastedProgram pasted = readPasted(
      "class <lambda>(torch.nn.Module):\n"
      "    def forward(self, arg0_1: \"f32[4, 8]\"):\n"
      "        # No stacktrace found for following nodes\n"
      "        _param_constant0: \"f32[6, 8]\" = self._param_constant0\n"
      "        _tensor_constant0: \"i64[6]\" = self._tensor_constant0\n"
      "        linear: \"f32[4, 6]\" = torch.ops.aten.linear.default(arg0_1, _param_constant0);  "
      "arg0_1 = _param_constant0 = None\n"
      "        add: \"f32[4, 6]\" = torch.ops.aten.add.Tensor(linear, _tensor_constant0)\n"
      "        return add\n");
  std::vector<std::string> shown;
  for (const ChosenInput& each : pasted.inputs) shown.push_back(each.shown());
  EXPECT_THAT(shown, ElementsAre("arg0_1 set to (4, 8)", "param_constant0 set to (6, 8)",
                                 "tensor_constant0 set to (6,) int64"));
}

TEST(MakeFx, ErrorsNameTheLineOfTheText) {
  try {
    parseProgram(
        "def forward(self, x_1):\n    c = self.c\n    y = torch.ops.aten.nope.default(x_1, c)\n"
        "    return y\n");
    FAIL();
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.place().line, 3);
    EXPECT_THAT(error.what(), HasSubstr("torch.ops.aten.nope"));
  }
}

}  // namespace
}  // namespace fusebench
