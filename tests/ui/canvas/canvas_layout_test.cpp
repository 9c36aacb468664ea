// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace fusebench {
namespace {

LayoutInput chain(int ops) {
  LayoutInput input;
  for (int i = 0; i < ops; ++i) input.nodes.push_back({{140, 26}, i == 0});
  for (int i = 1; i < ops; ++i) input.edges.push_back({i - 1, i, 0, 0});
  return input;
}

LayoutInput randomGraph(unsigned seed) {
  std::mt19937 random(seed);
  LayoutInput input;
  const int count = 3 + static_cast<int>(random() % 25);
  for (int i = 0; i < count; ++i)
    input.nodes.push_back({{80.0 + double(random() % 120), 26.0 + double(random() % 30)}, i < 2});
  for (int i = 2; i < count; ++i)
    for (int k = 0; k < 1 + static_cast<int>(random() % 3); ++k)
      input.edges.push_back(
          {static_cast<int>(random() % static_cast<unsigned>(i)), i, 0, k == 0 ? -20.0 : 20.0});
  return input;
}

void expectDown(const LayoutResult& layout) {
  for (const auto& points : layout.edges) {
    ASSERT_GE(points.size(), 2u);
    EXPECT_LT(points.front().y(), points.back().y());
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LE(points[i - 1].y(), points[i].y());
  }
}

void expectApart(const LayoutResult& layout) {
  for (std::size_t i = 0; i < layout.nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(layout.nodes[i].intersects(layout.nodes[j])) << i << " on " << j;
}

TEST(CanvasLayout, AChainIsAStraightCompactColumn) {
  const LayoutResult layout = layoutGraph(chain(36));
  for (const QRectF& node : layout.nodes)
    EXPECT_EQ(node.center().x(), layout.nodes[0].center().x());
  for (const auto& points : layout.edges)
    for (const QPointF& point : points) EXPECT_EQ(point.x(), points.front().x());
  EXPECT_LE(layout.bounds.height(), 36 * 46);
  EXPECT_EQ(layout.crossings, 0);
  expectDown(layout);
  expectApart(layout);
}

TEST(CanvasLayout, NoEdgeGoesUpAndNoNodesOverlapInAnyGraph) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const LayoutResult layout = layoutGraph(randomGraph(seed));
    expectDown(layout);
    expectApart(layout);
    if (HasFailure()) break;
  }
}

TEST(CanvasLayout, BranchesStandSideBySideWithoutCrossings) {
  // x -> a -> b -> join, x -> c -> d -> join
  LayoutInput input;
  for (int i = 0; i < 6; ++i) input.nodes.push_back({{100, 26}, i == 0});
  input.edges = {{0, 1, 0, 0}, {1, 2, 0, 0},   {0, 3, 0, 0},
                 {3, 4, 0, 0}, {2, 5, 0, -20}, {4, 5, 0, 20}};
  const LayoutResult layout = layoutGraph(input);
  EXPECT_EQ(layout.crossings, 0);
  EXPECT_EQ(layout.nodes[1].top(), layout.nodes[3].top());
  EXPECT_LT(layout.nodes[2].right(), layout.nodes[4].left());
  // The join is placed between its branches.
  EXPECT_GT(layout.nodes[5].center().x(), layout.nodes[2].center().x());
  EXPECT_LT(layout.nodes[5].center().x(), layout.nodes[4].center().x());
}

TEST(CanvasLayout, CrossedBranchesAreUntangled) {
  // Two sources, each read by the sink that comes in the other order.
  LayoutInput input;
  for (int i = 0; i < 4; ++i) input.nodes.push_back({{100, 26}, false});
  input.edges = {{0, 3, 0, 0}, {1, 2, 0, 0}};
  EXPECT_EQ(layoutGraph(input).crossings, 0);
}

TEST(CanvasLayout, AnInputStandsJustAboveItsFirstReader) {
  LayoutInput input = chain(6);
  input.nodes.push_back({{60, 26}, true});
  input.edges.push_back({6, 5, 0, 20});
  const LayoutResult layout = layoutGraph(input);
  EXPECT_EQ(layout.layers[6], layout.layers[5] - 1);
}

TEST(CanvasLayout, ALongEdgePassesBesideTheNodesItSkips) {
  LayoutInput input = chain(6);
  input.edges.push_back({0, 5, 0, 30});
  const LayoutResult layout = layoutGraph(input);
  for (int i = 1; i < 5; ++i)
    for (const QPointF& point : layout.edges.back())
      EXPECT_FALSE(layout.nodes[static_cast<std::size_t>(i)].contains(point));
  expectDown(layout);
}

TEST(CanvasLayout, ASmallEditLeavesTheRestWhereItWas) {
  LayoutInput before = chain(10);
  LayoutInput after = chain(11);
  const LayoutResult a = layoutGraph(before), b = layoutGraph(after);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(a.nodes[i], b.nodes[i]);
  // A second reader at the end moves nothing above it up or down.
  after.nodes.push_back({{140, 26}, false});
  after.edges.push_back({9, 11, 0, 0});
  const LayoutResult c = layoutGraph(after);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(c.nodes[i].top(), a.nodes[i].top());
}

TEST(CanvasLayout, TheSameGraphIsAlwaysDrawnTheSame) {
  EXPECT_EQ(layoutGraph(randomGraph(7)).nodes, layoutGraph(randomGraph(7)).nodes);
}

TEST(CanvasLayout, NothingIsLaidOutAsNothing) {
  EXPECT_TRUE(layoutGraph({}).nodes.empty());
}

}  // namespace
}  // namespace fusebench
