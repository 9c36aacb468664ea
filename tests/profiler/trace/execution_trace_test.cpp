// SPDX-License-Identifier: GPL-3.0-or-later
// Execution traces of PyTorch, and programs made of their operators.
#include "profiler/trace/execution_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/files.h"
#include "profiler/measure/variant_executor.h"
#include "profiler/trace/recorded_operators.h"
#include "profiler/trace/traced_experiment.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string tracePath(const std::string& name) {
  return test::sourcePath("/tests/profiler/execution_traces/") + name;
}

std::string unpackedText(const std::string& path) {
  ByteSource source(path);
  std::string text(std::size_t{4} << 20, '\0');
  text.resize(source.read(text.data(), text.size()));
  return text;
}

ExecutionTrace executionTraceOf(const std::string& name) {
  return readExecutionTrace(tracePath("torch_2_15_" + name + ".json.gz"));
}

Experiment wholeExperiment(const ExecutionTrace& trace) {
  return tracedExperiment(trace, wholeTrace(trace), "all");
}

std::string cutRefusal(const ExecutionTrace& trace, const TraceSelection& selection) {
  try {
    tracedExperiment(trace, selection, "part");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

// ---- reading

TEST(ExecutionTrace, HasOperatorsWithTheirTensors) {
  ASSERT_TRUE(looksLikeExecutionTrace(tracePath("torch_2_15_mlp.json.gz")));
  const ExecutionTrace trace = executionTraceOf("mlp");
  EXPECT_EQ(trace.schema.substr(0, 4), "1.1.");
  EXPECT_EQ(trace.partial, "");
  const OperatorIndex linear = trace.find(3);
  ASSERT_NE(linear, kNoOperator);
  EXPECT_EQ(trace.nameOf(linear), "aten::linear");
  const TracedOperator& op = trace.operators[linear];
  ASSERT_EQ(op.inputs.size(), 3u);
  const TracedTensor& weight = trace.tensors[op.inputs[1].tensor];
  EXPECT_THAT(weight.extents, ElementsAre(32, 16));
  EXPECT_THAT(weight.strides, ElementsAre(16, 1));
  EXPECT_EQ(weight.dtype, "float32");
  EXPECT_EQ(trace.nameOf(op.children.at(0)), "aten::t");
}

TEST(ExecutionTrace, OfTheFirstSchemaIsReadToo) {
  const ExecutionTrace trace = readExecutionTrace(tracePath("torch_1_13.json.gz"));
  EXPECT_EQ(trace.schema, "1.0.1");
  const Experiment made = wholeExperiment(trace);
  EXPECT_THAT(made.programText, HasSubstr("torch.ops.aten.linear.default(input, weight, bias)"));
  EXPECT_THAT(made.programText, HasSubstr("torch.ops.aten.relu.default(linear)"));
}

TEST(ExecutionTrace, IsToldFromOtherFiles) {
  EXPECT_FALSE(looksLikeExecutionTrace(test::sourcePath("/tests/profiler/traces/kineto_cpu.json")));
  EXPECT_FALSE(looksLikeExecutionTrace(test::sourcePath("/tests/zoo/captured/lstm.json")));
  EXPECT_FALSE(looksLikeExecutionTrace(test::sourcePath("/no such file")));
}

/// A node as PyTorch writes it; members that `change` has replace its own, null removes them.
json nodeWith(std::int64_t id, std::int64_t parent, const json& change = {}) {
  json node = {
      {"id", id},
      {"name", "aten::relu"},
      {"ctrl_deps", parent},
      {"inputs",
       {{"values", {{id * 10, id * 10, 0, 6, 4, "cpu"}}},
        {"shapes", {{2, 3}}},
        {"types", {"Tensor(float)"}},
        {"strides", {{3, 1}}}}},
      {"outputs",
       {{"values", {{id * 10 + 1, id * 10 + 1, 0, 6, 4, "cpu"}}},
        {"shapes", {{2, 3}}},
        {"types", {"Tensor(float)"}},
        {"strides", {{3, 1}}}}},
      {"attrs", {{{"name", "op_schema"}, {"value", "aten::relu(Tensor self) -> Tensor"}}}}};
  if (change.is_object()) node.merge_patch(change);
  return node;
}

std::string traceText(const json& nodes) {
  return json{{"schema", "1.1.1-chakra.0.0.4"}, {"nodes", nodes}}.dump();
}

std::string readingSays(const std::string& text) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  writeFile(path, text);
  try {
    readExecutionTrace(path);
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("trace.json"));
    return error.what();
  }
  return "nothing is wrong";
}

std::string saidOf(const json& change) {
  return readingSays(traceText(json::array({nodeWith(2, 1, change)})));
}

TEST(ExecutionTrace, NamesTheNodeAndTheCauseOfHostileInput) {
  EXPECT_EQ(saidOf({}), "nothing is wrong");
  EXPECT_THAT(saidOf({{"id", "2"}}), HasSubstr("\"id\" must be an integer"));
  EXPECT_THAT(saidOf({{"name", nullptr}}), HasSubstr("node 2: \"name\" must be a string"));
  EXPECT_THAT(saidOf({{"ctrl_deps", nullptr}}), HasSubstr("node 2: \"ctrl_deps\" must be"));
  EXPECT_THAT(saidOf({{"inputs", {{"types", nullptr}}}}), HasSubstr("node 2: inputs: values"));
  EXPECT_THAT(saidOf({{"inputs", {{"types", "text"}}}}), HasSubstr("must be lists"));
  EXPECT_THAT(saidOf({{"inputs", {{"shapes", json::array()}}}}),
              HasSubstr("there are 1 values, 0 shapes and 1 types"));
  EXPECT_THAT(saidOf({{"inputs", {{"values", {{1, 2, 0}}}}}}),
              HasSubstr("a tensor must be [tensor_id"));
  EXPECT_THAT(saidOf({{"inputs", {{"values", {{1, 2, -1, 6, 4, "cpu"}}}}}}),
              HasSubstr("a tensor must be [tensor_id"));
  EXPECT_THAT(saidOf({{"inputs", {{"shapes", {{2, -3}}}}}}), HasSubstr("must be from 0 to 2^50"));
  EXPECT_THAT(saidOf({{"inputs", {{"shapes", {{2, 4}}}}}}),
              HasSubstr("shape has 8 elements, and its numel is 6"));
  EXPECT_THAT(saidOf({{"inputs", {{"shapes", {{1LL << 40, 1LL << 40}}}}}}),
              HasSubstr("more than 2^50 elements"));
  EXPECT_THAT(saidOf({{"inputs", {{"strides", {{1}}}}}}), HasSubstr("2 dimensions and 1 strides"));
  EXPECT_THAT(saidOf({{"inputs", {{"types", {7}}}}}), HasSubstr("a type must be a string"));
  json deep = 0;
  for (int i = 0; i < 80; ++i) deep = json::array({deep});
  EXPECT_THAT(saidOf({{"deep", deep}}), HasSubstr("nests deeper than 64 levels"));
}

TEST(ExecutionTrace, RefusesIdsThatMakeNoTree) {
  EXPECT_THAT(readingSays(traceText(json::array({nodeWith(2, 1), nodeWith(2, 1)}))),
              HasSubstr("two nodes have the id 2; ids must differ"));
  EXPECT_THAT(readingSays(traceText(json::array({nodeWith(2, 3), nodeWith(3, 2)}))),
              HasSubstr("node 2: its parent is node 3, which starts after it"));
  json chain = json::array();
  for (std::int64_t i = 1; i < 10'100; ++i)
    chain.push_back(nodeWith(i, std::max<std::int64_t>(i - 1, 1)));
  EXPECT_THAT(readingSays(traceText(chain)), HasSubstr("calls nest deeper than 10000"));
}

TEST(ExecutionTrace, RefusesFilesThatHoldNone) {
  EXPECT_THAT(readingSays(""), HasSubstr("the file is empty"));
  EXPECT_THAT(readingSays("{}"), HasSubstr("has a list \"nodes\", and this file has none"));
  EXPECT_THAT(readingSays(traceText(json::array())), HasSubstr("the trace has no operators"));
  EXPECT_THAT(readingSays(R"({"schema": "2.0", "nodes": [)" + nodeWith(2, 1).dump() + "]}"),
              HasSubstr("has schema 2.0; Fusebench reads 1.0 and 1.1"));
  EXPECT_THAT(readingSays(R"({"schema": "1.1", "nodes": [7]})"),
              HasSubstr("must be a JSON object"));
}

TEST(ExecutionTrace, ThatEndsTooEarlyGivesWhatItHolds) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("trace.json"),
                    text = traceText(json::array({nodeWith(2, 1), nodeWith(3, 1)}));
  writeFile(path, text.substr(0, text.size() - 40));
  const ExecutionTrace trace = readExecutionTrace(path);
  EXPECT_EQ(trace.operators.size(), 1u);
  EXPECT_THAT(trace.partial, HasSubstr("ends in the middle"));
}

// ---- programs

/// Runs it on the recorded values and compares its results with PyTorch's.
void expectRecordedResults(Experiment experiment, const std::string& name, double tolerance) {
  const json recorded =
      json::parse(unpackedText(tracePath("torch_2_15_" + name + ".values.json.gz")));
  auto& inputs = experiment.inputSets[0].inputs;
  ASSERT_EQ(inputs.size(), recorded["inputs"].size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    inputs[i].data = recorded["inputs"][i].get<std::vector<double>>();
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  InputStore store(*backend, experiment, std::uint64_t{1} << 32);
  for (const char* executor : {"eager", "static", "instant"}) {
    SCOPED_TRACE(executor);
    experiment.variants[0].executor = executor;
    const auto list = store.get({0, {1}});
    VariantExecutor variant(*backend, experiment.variants[0],
                            std::make_shared<const Program>(programAt(experiment, {0, {1}})));
    const auto made = variant.make(list->entries);
    std::vector<std::vector<double>> results;
    for (const Tensor& each : made->call(list->entries[0]))
      results.push_back(valuesOf(*backend, each));
    ASSERT_GE(results.size(), recorded["results"].size());
    for (const json& each : recorded["results"]) {
      const auto expected = each.get<std::vector<double>>();
      double least = INFINITY;  // PyTorch keeps gradients in another order
      for (const std::vector<double>& got : results) {
        if (got.size() != expected.size()) continue;
        double largest = 1e-3, worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
          largest = std::max(largest, std::abs(expected[i]));
          worst = std::max(worst, std::abs(got[i] - expected[i]));
        }
        least = std::min(least, worst / largest);
      }
      EXPECT_LE(least, tolerance);
    }
  }
}

struct RecordedCase {
  const char* name;
  double tolerance;
};
class TracedPrograms : public testing::TestWithParam<RecordedCase> {};

TEST_P(TracedPrograms, ComputeWhatPyTorchDid) {
  expectRecordedResults(wholeExperiment(executionTraceOf(GetParam().name)), GetParam().name,
                        GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(Recorded, TracedPrograms,
                         testing::Values(RecordedCase{"mlp", 1e-6}, RecordedCase{"block", 1e-5},
                                         RecordedCase{"block_training", 1e-4},
                                         RecordedCase{"convolutions", 1e-5},
                                         RecordedCase{"convolutions_training", 1e-4}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(TracedProgram, TakesTheOutermostOperators) {
  const ExecutionTrace trace = executionTraceOf("mlp");
  const TracedProgram made = tracedProgram(trace, wholeTrace(trace));
  EXPECT_EQ(made.text,
            "def forward(input, weight, bias, weight_1, bias_1):\n"
            "    linear = torch.ops.aten.linear.default(input, weight, bias)\n"
            "    gelu = torch.ops.aten.gelu.default(linear)\n"
            "    linear_1 = torch.ops.aten.linear.default(gelu, weight_1, bias_1)\n"
            "    softmax = torch.ops.aten.softmax.int(linear_1, -1)\n"
            "    return softmax\n");
  ASSERT_EQ(made.lines.size(), 4u);
  EXPECT_EQ(made.lines[1].line, 3);
  EXPECT_EQ(trace.nameOf(made.lines[1].op), "aten::gelu");
}

TEST(TracedProgram, OfAPartHasInputsForWhatOthersMakeAndReturnsWhatOthersRead) {
  const ExecutionTrace trace = executionTraceOf("mlp");
  const TracedProgram all = tracedProgram(trace, wholeTrace(trace));
  const std::int64_t gelu = trace.operators[all.lines[1].op].id;
  const TracedProgram made =
      tracedProgram(trace, selectionIn(trace, std::to_string(gelu) + ".." + std::to_string(gelu)));
  EXPECT_EQ(made.text,
            "def forward(x):\n    gelu = torch.ops.aten.gelu.default(x)\n    return gelu\n");
}

TEST(TracedProgram, OpensAnOperatorWhoseInnerResultsOthersRead) {
  const ExecutionTrace trace = executionTraceOf("block_training");
  const std::string forward = tracedProgram(trace, rangeNamed(trace, "forward")).text;
  EXPECT_THAT(forward, HasSubstr("aten.layer_norm.default"));
  const std::string all = tracedProgram(trace, wholeTrace(trace)).text;
  EXPECT_THAT(all, Not(HasSubstr("aten.layer_norm.default")));
  EXPECT_THAT(all, HasSubstr("native_layer_norm_backward.default(reshape_4, add, [16], getitem_6, "
                             "getitem_7, weight_1, bias_1, [True, True, True])"));
}

TEST(TracedProgram, TakesItemsOfAResultBeforeItsArgumentsAreWrittenTo) {
  const std::string text = tracedProgram(executionTraceOf("convolutions_training"),
                                         wholeTrace(executionTraceOf("convolutions_training")))
                               .text;
  const std::size_t item = text.find("= convolution_backward[1]"),
                    write = text.find("aten.add_.Tensor(max_pool2d_with_indices_backward");
  ASSERT_NE(item, std::string::npos);
  ASSERT_NE(write, std::string::npos);
  EXPECT_LT(item, write);
}

TEST(TracedProgram, KeepsLayoutsOfInputs) {
  const Experiment made = wholeExperiment(executionTraceOf("convolutions"));
  EXPECT_EQ(made.inputSets[0].inputs[0].name, "input");
  EXPECT_EQ(made.inputSets[0].inputs[0].layout, "channels_last");
}

TEST(TracedProgram, KnowsTheRangesOfItsLines) {
  const ExecutionTrace trace = executionTraceOf("block");
  const Experiment made = tracedExperiment(trace, rangeNamed(trace, "mlp"), "mlp");
  ASSERT_TRUE(made.capture);
  EXPECT_THAT(made.capture->modules, ElementsAre("", "mlp"));
  EXPECT_EQ(made.capture->nodes.size(), 5u);
  EXPECT_THAT(made.capture->sources[1], HasSubstr("aten::layer_norm"));
}

TEST(TracedProgram, NamesOperatorsThatItDoesNotHaveAndThePartsWithoutThem) {
  const ExecutionTrace trace = executionTraceOf("unsupported");
  const std::string said = cutRefusal(trace, wholeTrace(trace));
  EXPECT_THAT(said, HasSubstr("(aten::_linalg_svd): Fusebench does not have this operator"));
  const std::size_t begin = said.find("--operators ");
  ASSERT_NE(begin, std::string::npos) << said;
  const std::string range = said.substr(begin + 12, said.find(' ', begin + 12) - begin - 12);
  EXPECT_EQ(cutRefusal(trace, selectionIn(trace, range)), "nothing is wrong") << range;
}

TEST(TracedProgram, SelectionsThatAreWrongSayWhatThereIs) {
  const ExecutionTrace trace = executionTraceOf("block_training");
  const auto said = [&](const auto& choose) {
    try {
      choose();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing is wrong");
  };
  EXPECT_THAT(said([&] { selectionIn(trace, "7..3"); }), HasSubstr("must not be larger"));
  EXPECT_THAT(said([&] { selectionIn(trace, "a..b"); }), HasSubstr("as in 12..80"));
  EXPECT_THAT(said([&] { selectionIn(trace, "900000..900001"); }), HasSubstr("has operators 1.."));
  EXPECT_THAT(said([&] { selectionIn(trace, "900000"); }), HasSubstr("has no operator 900000"));
  EXPECT_THAT(said([&] { rangeNamed(trace, "encoder"); }),
              HasSubstr("has no range encoder; its ranges are forward, attention, mlp, backward"));
}

// ---- traces of shapes, without identities

ExecutionTrace shapesTrace() {
  return readRecordedOperators(tracePath("torch_2_15_shapes.json.gz"));
}

std::string shapesRefusal(const std::string& range) {
  const ExecutionTrace trace = shapesTrace();
  try {
    recordedExperiment(trace, rangeNamed(trace, range), range);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(RecordedOperators, OfAChainComputeWhatPyTorchDid) {
  const ExecutionTrace trace = shapesTrace();
  const Experiment made = recordedExperiment(trace, rangeNamed(trace, "mlp"), "mlp");
  EXPECT_THAT(made.programText, HasSubstr("gelu = torch.ops.aten.gelu.default(linear)"));
  EXPECT_THAT(made.programText, HasSubstr("torch.ops.aten.linear.default(gelu, weight_1, bias_1)"));
  expectRecordedResults(made, "mlp", 1e-6);
}

TEST(RecordedOperators, ByThemselvesKeepShapesNumbersAndLayouts) {
  const ExecutionTrace trace = shapesTrace();
  const Experiment made =
      recordedExperiment(trace, selectionIn(trace, "aten::conv2d"), "aten::conv2d");
  EXPECT_THAT(made.programText,
              HasSubstr("torch.ops.aten.conv2d.default(input, weight, None, [1, 1], [1, 1])"));
  EXPECT_EQ(made.inputSets[0].inputs[0].layout, "channels_last");
  EXPECT_EQ(made.inputSets[0].inputs[1].extents, (std::vector<std::string>{"4", "3", "3", "3"}));
}

TEST(RecordedOperators, SayThatTheFlowIsNotRecordedWhereShapesAllowSeveral) {
  EXPECT_THAT(shapesRefusal("residual"),
              HasSubstr("does not have the data flow, and the shapes of these 2 operators allow "
                        "several ways; measure one with --operator, or record the run with "
                        "torch.profiler.ExecutionTraceObserver()"));
}

TEST(RecordedOperators, ThatFusebenchDoesNotHaveAreNamed) {
  const ExecutionTrace trace = shapesTrace();
  EXPECT_THAT(cutRefusal(trace, selectionIn(trace, "aten::linalg_svdvals")),
              HasSubstr("(aten::linalg_svdvals): Fusebench does not have this operator"));
}

TEST(RecordedOperators, NeedShapes) {
  try {
    readRecordedOperators(
        test::sourcePath("/tests/profiler/traces/torch_2_11_h100_replay.json.gz"));
    FAIL() << "it has no shapes";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("record it with profile(record_shapes=True)"));
  }
}

}  // namespace
}  // namespace fusebench
