// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ui/models/canvas/canvas_frames.h"
#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/canvas/canvas_walk.h"

namespace fusebench {
namespace {

std::vector<std::optional<ValueType>> typesOf(const Sketch& s, const Shape& shape) {
  const std::vector<ValueType> inputs(s.program.inputs.size(), {shape, DType::float32});
  std::vector<SketchProblem> problems;
  return inferSketchTypes(s, inputs, problems);
}

CanvasGraph graphOf(const std::string& text, const CanvasExtent& extent = {}) {
  const Sketch s = sketch(text);
  return canvasGraph(s, typesOf(s, {8, 16}), {}, extent);
}

std::vector<QString> titles(const CanvasGraph& graph) {
  std::vector<QString> result;
  for (const CanvasNode& node : graph.nodes) result.push_back(node.title);
  return result;
}

const std::string kChain = "def f(x):\n    x = x + 0.5\n    x = torch.exp(x)\n    return x.sum()\n";

TEST(CanvasGraph, OpsAreCalledAsAPersonWritesThem) {
  const CanvasGraph graph = graphOf(
      "def f(x, y):\n    x = x * 2\n    x = 1 - x\n    x = torch.nn.functional.relu(x) + y\n"
      "    return x\n");
  EXPECT_EQ(titles(graph), (std::vector<QString>{"x", "y", "*", "-", "relu", "+", "return"}));
  EXPECT_EQ(graph.nodes[2].fields[0].shown(), "2");
  EXPECT_EQ(graph.nodes[3].fields[0].position, 0);
  EXPECT_TRUE(graph.nodes[5].fields.empty());
}

TEST(CanvasGraph, EdgesCarryShapeAndDtypeAndSayWhatIsNews) {
  const CanvasGraph graph = graphOf(kChain);
  ASSERT_EQ(graph.edges.size(), 4u);
  EXPECT_EQ(graph.edges[0].label, "(8, 16) float32");
  EXPECT_TRUE(graph.edges[0].news);
  EXPECT_FALSE(graph.edges[1].news);
  EXPECT_EQ(graph.edges[3].label, "() float32");
  EXPECT_TRUE(graph.edges[3].news);
  for (const CanvasEdge& edge : graph.edges)
    EXPECT_FALSE(edge.otherType) << edge.label.toStdString();
  const CanvasGraph cast = graphOf("def f(x):\n    y = x.double()\n    return y.sum()\n");
  EXPECT_TRUE(cast.edges[1].otherType);
  EXPECT_FALSE(cast.edges[2].otherType);
}

TEST(CanvasGraph, AChainIsDrawnAsLongAsItCyclesWithRepeatsOfTheSameOps) {
  const CanvasGraph graph = graphOf(kChain, {5, 3});
  ASSERT_EQ(graph.ops, 6);  // five of the chain, one of the return
  const auto& nodes = graph.nodes;
  EXPECT_FALSE(nodes[2].repeat);
  EXPECT_TRUE(nodes[3].repeat);
  EXPECT_EQ(nodes[3].original, 0);
  EXPECT_EQ(nodes[5].original, 0);
  EXPECT_EQ(nodes[6].original, 2);
  EXPECT_FALSE(nodes[6].repeat);
  EXPECT_FALSE(nodes[3].dim);
  EXPECT_TRUE(nodes[4].dim);
  EXPECT_TRUE(nodes[5].dim);
  EXPECT_FALSE(nodes[6].dim);
  EXPECT_EQ(graph.nodesOfOriginal(0).size(), 3u);
  EXPECT_EQ(graph.port(graph.edges[2]), (Port{2, 0}));  // past the written end: before the return
  EXPECT_EQ(graph.port(graph.edges[3]), (Port{1, 0}));  // within a repeat: where it is written
  EXPECT_EQ(graph.edges[4].label, "(8, 16) float32");
}

TEST(CanvasGraph, PartOfABranchingProgramHasAnotherReturn) {
  const std::string branches =
      "def f(x):\n    a = x + 1\n    b = torch.exp(x)\n    c = a * b\n    return c.sum()\n";
  const CanvasGraph part = graphOf(branches, {2, 2});
  ASSERT_EQ(titles(part), (std::vector<QString>{"x", "+", "exp", "*", "sum", "return"}));
  for (int node : {1, 2}) EXPECT_FALSE(part.nodes[static_cast<std::size_t>(node)].dim) << node;
  for (int node : {3, 4, 5}) EXPECT_TRUE(part.nodes[static_cast<std::size_t>(node)].dim) << node;
  for (const CanvasNode& node : graphOf(branches, {3, 3}).nodes) EXPECT_FALSE(node.dim);
}

TEST(CanvasGraph, PlacesForEditsAreThoseOfTheWrittenProgram) {
  const CanvasGraph graph = graphOf(kChain);
  EXPECT_EQ(graph.port(graph.edges[1]), (Port{1, 0}));
  EXPECT_EQ(graph.port(graph.edges[3]), (Port{-1, 0}));
  EXPECT_EQ(graph.originalValue(1), 1);
  EXPECT_EQ(graph.originalValue(4), -1);
}

TEST(CanvasGraph, ProblemsStandAtTheirOpAndTheOthersApart) {
  const Sketch s = sketch("def f(x):\n    x = torch.expp(x)\n    return x\n");
  ASSERT_FALSE(s.valid());
  const CanvasGraph graph = canvasGraph(s, {}, {});
  ASSERT_GE(graph.ops, 1);
  EXPECT_TRUE(graph.nodes[1].notUnderstood());
  ASSERT_FALSE(graph.nodes[1].problems.isEmpty());
  EXPECT_TRUE(graph.nodes[1].problems[0].contains("exp"));
  const SketchProblem nowhere{{}, "the program computes nothing", -1, -1};
  EXPECT_EQ(canvasGraph(sketch(kChain), {}, std::span(&nowhere, 1)).elsewhere.size(), 1u);
}

TEST(CanvasGraph, ADescriptionSaysWhatTheNodeShows) {
  const CanvasGraph graph = graphOf(kChain);
  EXPECT_EQ(graph.description(1),
            "add, 0.5, reads x, gives (8, 16) float32, statement 1: x = x + 0.5");
  EXPECT_TRUE(graph.description(2).contains("reads add"));
}

TEST(CanvasFields, NumbersAreCheckedAgainstTheRowsRangeInWords) {
  CanvasField field;
  field.name = "correction";
  field.kind = CanvasField::Kind::integer;
  field.low = 0;
  EXPECT_EQ(readField(field, "3").number, 3);
  EXPECT_TRUE(readField(field, "-1").error.contains("of at least 0"));
  EXPECT_TRUE(readField(field, "1.5").error.contains("whole number"));
  EXPECT_TRUE(readField(field, "abc").error.contains("not a number"));
  field.kind = CanvasField::Kind::number;
  EXPECT_EQ(readField(field, " 1e-3 ").number, 1e-3);
  EXPECT_TRUE(std::isinf(readField(field, "inf").number));
  EXPECT_FALSE(readField(field, "nan").good());
}

TEST(CanvasFields, DimsAreReadAsAPersonWritesThem) {
  CanvasField field;
  field.name = "dim";
  field.kind = CanvasField::Kind::dims;
  EXPECT_FALSE(readField(field, "all").dims);
  EXPECT_FALSE(readField(field, "").dims);
  EXPECT_EQ(*readField(field, "(0, 1)").dims, (std::vector<int>{0, 1}));
  EXPECT_EQ(*readField(field, "-1", 2).dims, (std::vector<int>{-1}));
  EXPECT_TRUE(readField(field, "2", 2).error.contains("0 to 1"));
  EXPECT_TRUE(readField(field, "1, -1", 2).error.contains("twice"));
  field.high = 1;
  EXPECT_TRUE(readField(field, "0, 1").error.contains("one dimension"));
}

TEST(CanvasKernels, EagerLaunchesEachOpAndFusedVariantsOne) {
  const Sketch s = sketch(kChain);
  const auto types = typesOf(s, {8, 16});
  const CanvasGraph graph = canvasGraph(s, types, {}, {30, 30});
  const CanvasKernels eager = canvasKernels(graph, s, types, "eager", 30);
  EXPECT_EQ(eager.launches(), 31);
  EXPECT_EQ(eager.count(), "31 launches");
  EXPECT_TRUE(kernelLinks(graph, eager).empty());
  const CanvasKernels fused = canvasKernels(graph, s, types, "static", 30);
  EXPECT_EQ(fused.count(), "1 launch");
  EXPECT_EQ(fused.kernels[0].nodes.size(), 31u);
  EXPECT_EQ(kernelLinks(graph, fused).size(), 30u);
}

TEST(CanvasKernels, OnlyWhatRunsIsInThem) {
  const Sketch s = sketch(kChain);
  const auto types = typesOf(s, {8, 16});
  const CanvasGraph graph = canvasGraph(s, types, {}, {6, 2});
  const CanvasKernels fused = canvasKernels(graph, s, types, "static", 2);
  ASSERT_EQ(fused.launches(), 1);
  EXPECT_EQ(fused.kernels[0].nodes, (std::vector<int>{1, 2, 7}));
  // The last statement that runs and the return are one kernel, though no edge joins them.
  EXPECT_EQ(kernelLinks(graph, fused).back().edge, -1);
}

TEST(CanvasKernels, AnIslandThatReducesAndGoesOnShowsItsPhases) {
  const Sketch s = sketch(
      "a = x * 2\nm = a.amax(dim=1, keepdim=True)\ne = torch.exp(a - m)\n"
      "s = e.sum(dim=1, keepdim=True)\nreturn e / s");
  const auto types = typesOf(s, {8, 16});
  const CanvasGraph graph = canvasGraph(s, types, {}, {});
  const CanvasKernels fused = canvasKernels(graph, s, types, "static", 0);
  ASSERT_EQ(fused.launches(), 1);
  const CanvasKernel& kernel = fused.kernels.front();
  EXPECT_TRUE(kernel.name.endsWith(", in 3 phases")) << kernel.name.toStdString();
  EXPECT_EQ(kernel.phaseOf, (std::vector<int>{0, 0, 1, 1, 1, 2}));
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < kernel.nodes.size(); ++i)
    if (kernel.beginsPhase(i)) begins.push_back(i);
  EXPECT_EQ(begins, (std::vector<std::size_t>{2, 5}));
  EXPECT_TRUE(canvasKernels(graph, s, types, "eager", 0).kernels[1].phaseOf.empty());
}

TEST(CanvasKernels, AttentionIsOneLaunchOnADeviceThatRunsItAsOneCall) {
  const Sketch s = sketch("s = torch.softmax(x @ x.transpose(-2, -1), dim=-1)\nreturn s @ x");
  const auto types = typesOf(s, {8, 16});
  const CanvasGraph graph = canvasGraph(s, types, {}, {});
  const CanvasKernels onProcessor = canvasKernels(graph, s, types, "static", 0, "cpu");
  ASSERT_EQ(onProcessor.launches(), 1);
  EXPECT_TRUE(onProcessor.kernels.front().name.startsWith("attention: "))
      << onProcessor.kernels.front().name.toStdString();
  EXPECT_EQ(canvasKernels(graph, s, types, "static", 0, "sim:h100").launches(), 3);
}

TEST(CanvasKernels, AProgramWithProblemsHasNoneAndSaysWhy) {
  const Sketch s = sketch("x = torch.expp(x)\nreturn x");
  EXPECT_FALSE(canvasKernels(canvasGraph(s, {}, {}), s, {}, "eager", 0).known());
}

TEST(CanvasWalk, FollowsEdgesAndFindsThePlacesToInsert) {
  const CanvasGraph graph = graphOf(kChain);
  const std::vector<QRectF> places(graph.nodes.size());
  EXPECT_EQ(walk(graph, places, -1, CanvasStep::down), 0);
  EXPECT_EQ(walk(graph, places, 0, CanvasStep::down), 1);
  EXPECT_EQ(walk(graph, places, 2, CanvasStep::up), 1);
  EXPECT_EQ(walk(graph, places, 4, CanvasStep::down), 4);
  EXPECT_EQ(graph.port(graph.edges[static_cast<std::size_t>(edgeAfter(graph, 1))]), (Port{1, 0}));
  const int moved[] = {1};
  EXPECT_EQ(graph.port(graph.edges[static_cast<std::size_t>(edgeOneOn(graph, moved, true))]),
            (Port{2, 0}));
  EXPECT_EQ(edgeOneOn(graph, moved, false), -1);
}

const std::string kRounds =
    "def norm(x):\n    m = x.mean(-1, keepdim=True)\n    return x - m\n\n"
    "def f(x):\n    y = torch.exp(x)\n    for i in range(2):\n        y = norm(y)\n"
    "    return y.sum()\n";

TEST(CanvasFrames, StandAroundCallsAndRounds) {
  const CanvasGraph graph = graphOf(kRounds);
  ASSERT_EQ(graph.frames.size(), 2u)
      << "norm is all of a round, so that it has no frame of its own";
  EXPECT_EQ(graph.frames[0].title, "i = 0");
  EXPECT_EQ(graph.frames[1].title, "i = 1");
  EXPECT_EQ(graph.frames[0].first, 2);
  EXPECT_EQ(graph.frames[0].last, 3);
  EXPECT_EQ(graph.frames[1].first, 4);
  EXPECT_EQ(graph.nodes[1].frame, -1);
  EXPECT_EQ(graph.nodes[5].frame, 1);
  EXPECT_NE(graph.frames[0].key, graph.frames[1].key);
}

TEST(CanvasFrames, OfAChoiceSayOfWhichWayTheyAre) {
  // A program is one way through its text, the one where the condition holds: one frame.
  const auto textOf = [](const std::string& condition) {
    return "def f(x):\n    y = torch.exp(x)\n    if " + condition +
           ":\n        y = y * 2\n    else:\n        y = torch.cos(y)\n    return y\n";
  };
  const auto opsIn = [](const CanvasGraph& graph) {
    QString ops;
    for (int i = graph.frames[0].first; i <= graph.frames[0].last; ++i)
      ops += graph.nodes[static_cast<std::size_t>(i)].title;
    return ops;
  };
  const CanvasGraph holds = graphOf(textOf("y.sum() > 3"));
  ASSERT_EQ(holds.frames.size(), 1u);
  EXPECT_EQ(holds.frames[0].title, "if y.sum() > 3");
  EXPECT_EQ(opsIn(holds), "*");
  // The branch under `if not` runs if the condition does not hold.
  const CanvasGraph denied = graphOf(textOf("not y.sum() > 3"));
  ASSERT_EQ(denied.frames.size(), 1u);
  EXPECT_EQ(denied.frames[0].title, "if y.sum() > 3");
  EXPECT_EQ(opsIn(denied), "cos");
}

TEST(CanvasFrames, SayWhichOpsAreWrittenOnce) {
  const CanvasGraph graph = graphOf(kRounds);
  EXPECT_EQ(graph.sharing(2), std::vector<int>{4});
  EXPECT_EQ(graph.sharing(5), std::vector<int>{3});
  EXPECT_TRUE(graph.sharing(1).empty());
  EXPECT_TRUE(graph.description(3).contains("written once and run 2 times"));
}

TEST(CanvasFrames, FoldedAreOneNodeWithOneEdgeFromEachThatIsRead) {
  CanvasGraph graph = graphOf(kRounds);
  const QString type = graph.nodes[3].type;
  foldFrames(graph, {graph.frames[0].key});
  EXPECT_EQ(graph.nodes[2].title, "i = 0 · 2 ops");
  EXPECT_EQ(graph.nodes[2].folded, 0);
  EXPECT_EQ(graph.nodes[2].type, type);
  EXPECT_EQ(graph.nodes[2].ports, 1);
  EXPECT_EQ(graph.nodes[2].inside, (std::vector<int>{1, 2}));
  EXPECT_TRUE(graph.nodes[3].hidden);
  EXPECT_EQ(graph.edges.size(), 7u);
  EXPECT_EQ(graph.edgesInto(2).size(), 1u);
  EXPECT_EQ(graph.edgesOutOf(2).size(), 2u);
  EXPECT_FALSE(graph.port(graph.edges[static_cast<std::size_t>(graph.edgesInto(2)[0])]))
      << "nothing is put into what one does not see";
  const std::vector<QRectF> places(graph.nodes.size());
  EXPECT_EQ(walk(graph, places, 2, CanvasStep::next), 4);
  EXPECT_EQ(walk(graph, places, 4, CanvasStep::previous), 2);
}

}  // namespace
}  // namespace fusebench
