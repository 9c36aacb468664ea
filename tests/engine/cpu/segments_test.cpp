// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <string>

#include "engine/cpu/codegen/segments.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::cpu {
namespace {

Kernel kernelOf(const std::string& text, const std::vector<Shape>& shapes) {
  EngineFixture fixture;
  std::vector<Tensor> inputs;
  for (const Shape& shape : shapes) inputs.push_back(fixture.random(shape));
  const auto kernels = fixture.executor("static", text)->kernels(inputs);
  EXPECT_EQ(kernels.size(), 1u);
  return kernels.front();
}

std::vector<bool> skipConstants(const Kernel& kernel) {
  std::vector<bool> skip;
  for (const ExprNode& node : kernel.body.nodes())
    skip.push_back(node.primitive == Primitive::constant);
  return skip;
}

TEST(Segments, AShortChainIsOneSegmentWithNothingToKeep) {
  const Kernel kernel = kernelOf("return x * 2 + 1", {{8}});
  const auto segments = cutSegments(kernel, skipConstants(kernel), 26);
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].nodes.size(), 2u);
  EXPECT_TRUE(segments[0].loads.empty());
  EXPECT_TRUE(segments[0].stores.empty());
  EXPECT_EQ(segments[0].outputs, std::vector<int>{0});
}

TEST(Segments, EveryLoadWasStoredByAnEarlierSegment) {
  const Kernel kernel = kernelOf(
      "a = torch.sin(x)\nb = torch.cos(y)\nc = torch.exp(a * b)\nd = torch.tanh(c + x)\n"
      "return d * a + torch.log1p(b * b), d.sum()",
      {{8, 16}, {8, 16}});
  const auto segments = cutSegments(kernel, skipConstants(kernel), 26);
  EXPECT_GT(segments.size(), 3u);
  std::set<ExprId> stored, computed;
  std::multiset<int> outputs;
  for (const Segment& segment : segments) {
    for (ExprId load : segment.loads) EXPECT_TRUE(stored.count(load));
    for (ExprId node : segment.nodes) EXPECT_TRUE(computed.insert(node).second) << "computed twice";
    for (ExprId store : segment.stores) {
      EXPECT_TRUE(computed.count(store));
      stored.insert(store);
    }
    outputs.insert(segment.outputs.begin(), segment.outputs.end());
  }
  EXPECT_EQ(outputs, (std::multiset<int>{0, 1}));
}

TEST(Segments, RespectTheLimit) {
  const Kernel kernel = kernelOf(studyProgram(), {{8, 16}});
  for (double limit : {10.0, 26.0, 60.0}) {
    for (const Segment& segment : cutSegments(kernel, skipConstants(kernel), limit)) {
      double cost = 0;
      for (ExprId node : segment.nodes) cost += instructionCount(kernel.body[node].primitive);
      EXPECT_TRUE(cost <= limit || segment.nodes.size() == 1) << cost;
    }
  }
}

TEST(Segments, AReturnedInputIsReadWhereItIsStored) {
  const Kernel kernel = kernelOf("return (x * 1.0).sum(), x.sum()", {{8}});
  const auto segments = cutSegments(kernel, skipConstants(kernel), 26);
  EXPECT_EQ(segments.back().inputs.size(), 1u);
}

}  // namespace
}  // namespace fusebench::cpu
