// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/operator_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/operator_groups.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// A module Net with two calls of a module Linear, in each aten::linear, in it aten::addmm, which
/// launches a kernel of 100 ns, then 300 ns, on streams 7 and 9. Net itself adds, 50 ns. A backward
/// operator on another thread launches 500 ns.
std::shared_ptr<const Trace> modelTrace() {
  TraceBuilder builder("model");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId backward = builder.lane({Lane::Kind::host, 1, 2, "python", "autograd"});
  const LaneId streams[] = {builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"}),
                            builder.lane({Lane::Kind::device, 0, 9, "GPU 0", "stream 9"})};
  const auto launch = [&](const char* name, Nanoseconds call, Nanoseconds duration, LaneId stream,
                          LaneId thread) {
    builder.addLaunch({.name = name,
                       .hostBegin = call,
                       .hostEnd = call + 100,
                       .start = call + 5'000,
                       .end = call + 5'000 + duration,
                       .hostLane = thread,
                       .deviceLane = stream});
  };
  const auto call = [&](SpanKind kind, const char* name, Nanoseconds from, Nanoseconds to,
                        const RecordedArguments& arguments = {}, LaneId lane = 0) {
    builder.addSpan({lane, kind, name, from, to, 0, &arguments});
  };
  call(SpanKind::other, "nn.Module: Net_0", 0, 4'000);
  for (int i = 0; i < 2; ++i) {
    const Nanoseconds at = 500 + 1'500 * i;
    const RecordedArguments arguments{.shapes = i == 0 ? "[[8,16],[16,4]]" : "[[2,16],[16,4]]",
                                      .types = R"(["float","float"])",
                                      .sequence = 10 + i};
    call(SpanKind::other, i == 0 ? "nn.Module: Linear_0" : "nn.Module: Linear_1", at, at + 1'000);
    call(SpanKind::op, "aten::linear", at + 100, at + 900);
    call(SpanKind::op, "aten::addmm", at + 200, at + 800, arguments);
    launch("gemm", at + 300, i == 0 ? 100 : 300, streams[i], host);
  }
  call(SpanKind::op, "aten::add", 3'200, 3'800);
  launch("elementwise", 3'300, 50, streams[0], host);
  const RecordedArguments ofSecond{.sequence = 11, .forwardThread = 1};
  call(SpanKind::op, "AddmmBackward0", 4'500, 5'500, ofSecond, backward);
  launch("gemm_back", 4'600, 500, streams[0], backward);
  return builder.finish();
}

std::vector<OperatorGroup> groupsOf(const Trace& trace, std::vector<OperatorKey> keys) {
  return operatorGroups(trace, operatorFrames(trace, recordedOf(trace)), keys);
}

/// "name calls/kernels host self device self" of each.
std::vector<std::string> lines(const std::vector<OperatorGroup>& groups) {
  std::vector<std::string> made;
  for (const OperatorGroup& one : groups)
    made.push_back(titleOf(one) + " " + std::to_string(one.calls) + "/" +
                   std::to_string(one.kernels) + " " + std::to_string(one.hostTotal) + " " +
                   std::to_string(one.hostSelf) + " " + std::to_string(one.deviceTotal) + " " +
                   std::to_string(one.deviceSelf));
  return made;
}

TEST(Operators, HaveTheTimeOfTheirKernelsAndOfWhatTheyCall) {
  const auto trace = modelTrace();
  EXPECT_THAT(
      lines(groupsOf(*trace, {OperatorKey::op})),
      ElementsAre("AddmmBackward0 1/1 1000 1000 500 500", "aten::addmm 2/2 1200 1200 400 400",
                  "aten::add 1/1 600 600 50 50", "aten::linear 2/0 1600 400 400 0"));
  EXPECT_DOUBLE_EQ(groupsOf(*trace, {OperatorKey::op})[0].share, 500.0 / 950.0);
}

TEST(Operators, ABackwardOperatorBelongsToTheModuleOfItsForward) {
  const auto trace = modelTrace();
  EXPECT_THAT(lines(groupsOf(*trace, {OperatorKey::module})),
              ElementsAre("Net_0/Linear_1 1/2 2000 2000 800 800",
                          "Net_0/Linear_0 1/1 1000 1000 100 100", "Net_0 1/1 4000 2000 450 50"));
}

TEST(Operators, AreGroupedByShapeAndStreamTogether) {
  const auto groups = groupsOf(*modelTrace(), {OperatorKey::shape, OperatorKey::stream});
  EXPECT_THAT(lines(groups),
              Contains("stream 9 · aten::addmm · (2, 16) (16, 4) · float32 1/1 600 600 300 300"));
  EXPECT_THAT(lines(groups),
              Contains("stream 7 · aten::addmm · (8, 16) (16, 4) · float32 1/1 600 600 100 100"));
}

TEST(Operators, ACallInsideOfOneOfTheSameGroupCountsOnce) {
  TraceBuilder builder("nested");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  builder.addSpan({host, SpanKind::op, "aten::to", 0, 1'000});
  builder.addSpan({host, SpanKind::op, "aten::copy", 100, 900});
  builder.addSpan({host, SpanKind::op, "aten::to", 200, 800});
  EXPECT_THAT(lines(groupsOf(*builder.finish(), {OperatorKey::op})),
              ElementsAre("aten::to 2/0 1000 800 0 0", "aten::copy 1/0 800 200 0 0"));
}

TEST(Operators, WorkWithoutAnOperatorIsAGroup) {
  TraceBuilder builder("bare");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch({.name = "k", .start = 10, .end = 30, .deviceLane = stream});
  builder.addLaunch({.name = "s", .op = "sin", .start = 40, .end = 45, .deviceLane = stream});
  EXPECT_THAT(lines(groupsOf(*builder.finish(), {OperatorKey::op})),
              ElementsAre("no operator recorded 1/1 0 0 20 20", "sin 1/1 0 0 5 5"));
}

TEST(Operators, TheTreeLeadsFromModulesToKernelsAndBack) {
  const auto trace = modelTrace();
  const OperatorTree tree = operatorTree(*trace, operatorFrames(*trace, recordedOf(*trace)));
  const auto path = [&](const OperatorTree& of, std::uint32_t node) {
    std::string text;
    for (; node != 0; node = of.nodes[node].parent)
      text = std::string(nodeName(*trace, of.nodes[node])) + (text.empty() ? "" : "/") + text;
    return text;
  };
  std::vector<std::string> kernels;
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
    if (tree.nodes[node].kind == OperatorNode::Kind::kernel)
      kernels.push_back(path(tree, node) + " " + std::to_string(tree.timeOf(node)));
  EXPECT_THAT(kernels, testing::UnorderedElementsAre(
                           "Net_0/Linear_0/aten::linear/aten::addmm/gemm 100",
                           "Net_0/Linear_1/aten::linear/aten::addmm/gemm 300",
                           "Net_0/aten::add/elementwise 50", "AddmmBackward0/gemm_back 500"));
  EXPECT_EQ(tree.timeOf(0), 950);
  EXPECT_EQ(nodeName(*trace, tree.nodes[tree.nodes[0].children[0]]), "AddmmBackward0");

  // From the timeline to the tree: a kernel, a call, and a call that launched something.
  for (EventId e = 0; e < trace->size(); ++e) {
    const std::uint32_t node = nodeOf(*trace, tree, e);
    ASSERT_NE(node, 0) << trace->name(e);
    if (trace->kind(e) == SpanKind::launch) continue;
    EXPECT_EQ(tree.nodes[node].name, trace->nameId(e));
  }

  const OperatorTree callers = callersTree(tree);
  EXPECT_EQ(callers.timeOf(0), 950);
  std::vector<std::string> tops;
  for (const std::uint32_t top : callers.nodes[0].children)
    tops.push_back(path(callers, top) + " " + std::to_string(callers.timeOf(top)));
  EXPECT_THAT(tops, ElementsAre("gemm_back 500", "gemm 400", "elementwise 50"));
}

TEST(Operators, OfATrainingStepOfPyTorchAreThoseOfItsModules) {
  const auto trace =
      importTrace(test::sourcePath("/tests/profiler/traces/torch_2_15_modules.json.gz"));
  const auto modules = lines(groupsOf(*trace, {OperatorKey::module, OperatorKey::op}));
  EXPECT_THAT(modules, Contains(HasSubstr("Net_0/Conv2d_0 · aten::conv2d 1/0")));
  EXPECT_THAT(modules, Contains(HasSubstr("Net_0/Sequential_0/Linear_1 · aten::addmm 1/0")));
  EXPECT_THAT(modules, Contains(HasSubstr("Net_0/Sequential_0/Linear_1 · AddmmBackward0 1/0")));
  EXPECT_THAT(modules, Contains(HasSubstr("Net_0/Conv2d_0 · ConvolutionBackward0 1/0")));
  bool found = false;
  for (const OperatorGroup& one : groupsOf(*trace, {OperatorKey::shape}))
    found |= one.op == "aten::conv2d" && one.shapes == "(4, 3, 16, 16) (8, 3, 3, 3) (8)" &&
             one.dtypes == "float32";
  EXPECT_TRUE(found);
}

TEST(Operators, TheirArgumentsSurviveAFileAndAJoin) {
  const test::TemporaryFolder folder;
  const auto trace =
      importTrace(test::sourcePath("/tests/profiler/traces/torch_2_15_modules.json.gz"));
  ASSERT_TRUE(trace->hasOperatorArguments());
  exportTrace(*trace, folder.path("t.json"));
  EXPECT_EQ(differenceOf(*trace, *importTrace(folder.path("t.json"))), "");
  const std::shared_ptr<const Trace> both[] = {trace, modelTrace()};
  const auto part = partsOf(joinedTrace(both, "both"))[0];
  EXPECT_EQ(lines(groupsOf(*part, {OperatorKey::shape, OperatorKey::module})),
            lines(groupsOf(*trace, {OperatorKey::shape, OperatorKey::module})));
}

TEST(Operators, ShapesThatMakeNoSenseAreNotKept) {
  const test::TemporaryFolder folder;
  const auto traceOf = [&](const std::string& dims) {
    writeFile(folder.path("t.json"),
              R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"o","pid":1,"tid":1,"ts":0,)"
              R"("dur":1,"args":{"Input Dims":)" +
                  dims + R"(,"Input type":["float"]}}]})");
    return importTrace(folder.path("t.json"));
  };
  EXPECT_TRUE(traceOf("[[8, 16]]")->operatorArguments(0));
  for (const char* strange : {"\"[[8]]\"", "{\"a\":1}", "7", "null"})
    EXPECT_FALSE(traceOf(strange)->operatorArguments(0)) << strange;
  // JSON that is broken costs the event, or its arguments.
  for (const char* broken : {"[,]", "[[8],]", "[[8 8]]", "[nul]"}) try {
      EXPECT_FALSE(traceOf(broken)->operatorArguments(0)) << broken;
    } catch (const InputError& wrong) {
      EXPECT_THAT(wrong.what(), HasSubstr("1 malformed")) << broken;
    }
}

TEST(RecordedTensors, AreThoseOfListsTooAndNoNumbers) {
  const auto tensors = recordedTensors("[[8,16],[],[[2],[3,4]],[]]",
                                       R"(["c10::BFloat16","Scalar","float","double"])");
  EXPECT_EQ(shapesText(tensors), "(8, 16) (2) (3, 4) ()");
  EXPECT_EQ(dtypesText(tensors), "bfloat16 float32 float64");
  EXPECT_EQ(elementsOf({{1L << 40, 1L << 40}, "float32", 0}), -1);
  EXPECT_TRUE(recordedTensors("nonsense", "").empty());
  EXPECT_TRUE(recordedTensors("[[-1]]", "[\"float\"]").empty());
}

TEST(OperatorKeys, ThatDoNotExistAreNamed) {
  EXPECT_THAT(operatorKeysNamed("module,operator"),
              ElementsAre(OperatorKey::module, OperatorKey::op));
  try {
    operatorKeysNamed("module,kernels");
    FAIL() << "taken";
  } catch (const InputError& wrong) {
    EXPECT_THAT(wrong.what(), HasSubstr("\"kernels\" is not a grouping; use operator, module"));
  }
}

TEST(OperatorTables, SayWhichGroupACallBelongsTo) {
  const auto trace = modelTrace();
  const OperatorFrames frames = operatorFrames(*trace, recordedOf(*trace));
  const OperatorKey keys[] = {OperatorKey::op};
  std::vector<std::uint32_t> groupOfFrame;
  const auto groups = operatorGroups(*trace, frames, keys, &groupOfFrame);
  EXPECT_EQ(groups, operatorGroups(*trace, frames, keys));
  ASSERT_EQ(groupOfFrame.size(), frames.frames.size());
  std::size_t operators = 0;
  for (std::size_t id = 0; id < groupOfFrame.size(); ++id) {
    const OperatorFrame& frame = frames.frames[id];
    if (frame.kind != OperatorFrame::Kind::op) {
      EXPECT_EQ(groupOfFrame[id], kNoGroup);
      continue;
    }
    ++operators;
    ASSERT_LT(groupOfFrame[id], groups.size());
    EXPECT_EQ(groups[groupOfFrame[id]].op, trace->nameText(frame.name));
  }
  EXPECT_EQ(operators, 6u);
}

TEST(OperatorTables, CountOnlyThePartOfACallThatIsInTheRange) {
  const auto trace = modelTrace();
  const OperatorKey keys[] = {OperatorKey::op};
  const auto in = [&](TimeRange range) {
    return operatorGroups(*trace, operatorFrames(*trace, range), keys);
  };
  // Inside the first aten::addmm, which takes 600 ns; its kernel runs later.
  const auto inside = in({1'000, 1'200});
  ASSERT_EQ(inside.size(), 2u);
  EXPECT_EQ(inside[0].op, "aten::addmm");
  EXPECT_EQ(inside[0].hostTotal, 200);
  EXPECT_EQ(inside[0].hostSelf, 200);
  EXPECT_EQ(inside[0].deviceSelf, 0);
  EXPECT_EQ(inside[0].kernels, 0u);
  EXPECT_EQ(inside[1].op, "aten::linear");
  EXPECT_EQ(inside[1].hostTotal, 200);
  EXPECT_EQ(inside[1].hostSelf, 0);
}

TEST(OperatorTables, CountThePartOfAKernelInTheRangeThoughItsCallIsBeforeIt) {
  const auto trace = modelTrace();
  // The second half of the first kernel of aten::addmm, and 100 ns of the second one.
  const OperatorFrames frames = operatorFrames(*trace, {5'850, 7'400});
  const OperatorKey keys[] = {OperatorKey::op};
  const auto groups = operatorGroups(*trace, frames, keys);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].op, "aten::addmm");
  EXPECT_EQ(groups[0].deviceSelf, 50 + 100);
  EXPECT_EQ(groups[0].hostTotal, 0);
  EXPECT_EQ(groups[0].kernels, 2u);
  EXPECT_EQ(groups[0].share, 1);
  EXPECT_EQ(groups[1].op, "aten::linear");
  EXPECT_EQ(groups[1].deviceTotal, 150);
  // The modules around the calls are known, and the tree has the same times.
  EXPECT_THAT(frames.modules, Contains("Net_0/Linear_1"));
  const OperatorTree tree = operatorTree(*trace, frames);
  EXPECT_EQ(tree.nodes[0].deviceTotal, 150);
  for (const OperatorFrames::Execution& one : frames.executions)
    EXPECT_LT(one.frame, frames.frames.size());
}

TEST(OperatorTables, HaveAColumnForEachKey) {
  const auto trace = modelTrace();
  const OperatorFrames frames = operatorFrames(*trace, recordedOf(*trace));
  const OperatorKey keys[] = {OperatorKey::op};
  const OperatorReport reports[] = {{"a, b", true, operatorGroups(*trace, frames, keys)}};
  EXPECT_THAT(operatorsCsv(reports),
              HasSubstr("\"a, b\",aten::addmm,,,,,,2,2,1200,1200,400,400,0.421053\n"));
  const auto object = operatorsJson(reports, keys);
  EXPECT_EQ(object["traces"][0]["groups"][1]["operator"], "aten::addmm");
  EXPECT_TRUE(object["traces"][0]["groups"][1]["module"].is_null());
  EXPECT_EQ(object["traces"][0]["groups"][1]["device_self_ns"], 400);
}

}  // namespace
}  // namespace fusebench
