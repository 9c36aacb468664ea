// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/fusion.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"
#include "tests/engine/support/random_graphs.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

PlanValues valuesFor(const Program& program, std::span<const Tensor> inputs,
                     Specialize specialize) {
  Guards guards(inputs, specialize);
  return planValues(program, inputs, guards);
}

class Fusion : public testing::Test {
 protected:
  /// The last step that reads a step; -1: there is none.
  static int lastReader(const OpList& list, int step) {
    int last = -1;
    for (std::size_t s = 0; s < list.ops.size(); ++s)
      for (const ListedOperand& operand : list.ops[s].given())
        if (operand.from == ListedOperand::From::op && operand.index == step)
          last = static_cast<int>(s);
    return last;
  }

  EngineFixture fixture_;
};

TEST_F(Fusion, OfTheOpsThatLeadIsThatOfPlacingThemOneByOne) {
  int led = 0, followed = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    RandomProgram random(seed);
    std::string text = random.text();
    if (seed % 2 == 0) {  // reductions, of which the second only sometimes shares a kernel
      const std::size_t results = text.rfind("return ") + 7, comma = text.rfind(", ");
      const std::string first = text.substr(results, comma - results);
      const std::string second = text.substr(comma + 2, text.size() - comma - 3);
      text = fmt::format("{}({}).sum(), {}.mean(-1)\n", text.substr(0, results), first, second);
    }
    const Program program = parseProgram(text);
    const std::vector<Tensor> inputs = random.inputs(fixture_);
    PlanValues planned = valuesFor(program, inputs, Specialize::symbolic);
    led += planned.leading > 1 ? 1 : 0;
    followed +=
        planned.leading > 1 && planned.leading < static_cast<int>(program.ops.size()) ? 1 : 0;
    const auto quickly = fuse(program, planned);
    planned.leading = 0;
    const auto oneByOne = fuse(program, planned);
    ASSERT_EQ(quickly.size(), oneByOne.size()) << text;
    for (std::size_t g = 0; g < quickly.size(); ++g) {
      EXPECT_EQ(quickly[g].ops, oneByOne[g].ops) << text;
      EXPECT_EQ(quickly[g].space, oneByOne[g].space) << text;
      EXPECT_EQ(quickly[g].reduces, oneByOne[g].reduces) << text;
      EXPECT_EQ(quickly[g].reducedMask, oneByOne[g].reducedMask) << text;
      EXPECT_EQ(quickly[g].inputs, oneByOne[g].inputs) << text;
      EXPECT_EQ(quickly[g].outputs, oneByOne[g].outputs) << text;
    }
  }
  EXPECT_GT(led, 50);
  EXPECT_GT(followed, 50);
}

TEST_F(Fusion, AKernelReadsNoMoreTensorsThanItsThreadsHaveRoomFor) {
  std::string header = "def f(x0", sum = "  return x0";
  std::vector<Tensor> inputs{fixture_.random({4, 8}, 1)};
  for (unsigned i = 1; i < 70; ++i) {
    header += fmt::format(", x{}", i);
    sum += fmt::format(" + x{}", i);
    inputs.push_back(fixture_.random({4, 8}, i + 1));
  }
  const Program program = parseProgram(header + "):\n" + sum + "\n");
  const PlanValues planned = valuesFor(program, inputs, Specialize::symbolic);
  const auto groups = fuse(program, planned);
  ASSERT_EQ(groups.size(), 3u);
  for (const FusionGroup& group : groups) EXPECT_LE(group.inputs.size(), 24u);
  const std::string text = header + "):\n" + sum + "\n";
  EXPECT_EQ(EngineFixture::values(fixture_.run("static", text, inputs)[0]),
            EngineFixture::values(fixture_.run("eager", text, inputs)[0]));
}

TEST_F(Fusion, CountsTheOpsThatLead) {
  const Tensor x = fixture_.random({4, 6}), row = fixture_.random({6});
  const auto leading = [](const std::string& text, const std::vector<Tensor>& inputs) {
    return valuesFor(parseProgram(text), inputs, Specialize::symbolic).leading;
  };
  EXPECT_EQ(leading("return x", {x}), 0);
  EXPECT_EQ(leading("x = torch.sin(x)\nreturn x * 2", {x}), 2);
  EXPECT_EQ(leading("x = torch.sin(x)\nreturn x.sum()", {x}), 1);
  EXPECT_EQ(leading("return x.sum()", {x}), 0);
  EXPECT_EQ(leading("x = x * 2\nx = x + y\nreturn x * 3", {x, row}), 1);
  EXPECT_EQ(leading("z = torch.sin(x)\nw = torch.sin(y)\nreturn z + w", {x, row}), 1);
}

TEST_F(Fusion, AnOpThatDoesNotLeadReadsNothingForThoseThatDo) {
  // Its first operand goes over what the leading op goes over, its second does not.
  const Program program = parseProgram("z = torch.sin(x)\nreturn z, y + w");
  const std::vector<Tensor> inputs{fixture_.random({6}), fixture_.random({4, 6}),
                                   fixture_.random({6})};
  ASSERT_EQ(program.inputs, (std::vector<std::string>{"x", "y", "w"}));
  for (const bool swapped : {false, true}) {
    std::vector<Tensor> given = inputs;
    if (swapped) std::swap(given[1], given[2]);
    const auto groups = fuse(program, valuesFor(program, given, Specialize::symbolic));
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_THAT(groups[0].inputs, ElementsAre(0));
    EXPECT_THAT(groups[1].inputs, ElementsAre(1, 2));
  }
}

TEST_F(Fusion, ReadsOfAnInputByWhatFollowsAreNotThoseOfTheOpsThatLead) {
  // y is read by the second op alone, which goes over other elements than the one that leads.
  const Program program = parseProgram("z = torch.sin(x)\nreturn z, torch.cos(y)");
  const std::vector<Tensor> inputs{fixture_.random({6}), fixture_.random({4, 6})};
  const auto groups = fuse(program, valuesFor(program, inputs, Specialize::symbolic));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].inputs, ElementsAre(0));
  EXPECT_THAT(groups[1].inputs, ElementsAre(1));
}

TEST_F(Fusion, LeavesOutWhatNothingDependsOn) {
  const Program program =
      parseProgram("a = torch.sin(x)\nb = torch.exp(a)\nc = b * 2\nreturn a + 1");
  const std::vector<Tensor> inputs{fixture_.random({8})};
  const auto groups = fuse(program, valuesFor(program, inputs, Specialize::symbolic));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].ops, ElementsAre(0, 3));
}

TEST_F(Fusion, ReadsInputsAndHasOutputsInTheirOrder) {
  const Program program =
      parseProgram("def program(x, y, w):\n    a = w * x\n    b = a + y\n    return b, a\n");
  const Tensor tensor = fixture_.random({8});
  const std::vector<Tensor> inputs{tensor, tensor, tensor};
  const auto groups = fuse(program, valuesFor(program, inputs, Specialize::symbolic));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].inputs, ElementsAre(0, 1, 2));
  EXPECT_THAT(groups[0].outputs, ElementsAre(3, 4));
}

/// The steps of a fused program of tensors x of 8 by 6.
std::size_t partSteps(const std::string& body, Specialize specialize = Specialize::exact) {
  const Program program = parseProgram("def f(x):\n  " + body, {{"x", {{8, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 6})};
  return makePlan(program, forms, {.specialize = specialize}).steps.size();
}

TEST_F(Fusion, PartsOfOneTensorThatShareNoElementAreWrittenByOneKernel) {
  EXPECT_EQ(partSteps("return torch.cat([x * 2, x + 1, x, x.sin(), x.cos()], 1)"), 1u);
  EXPECT_EQ(partSteps("return torch.stack([x * 2, x + 1, x, x.sin(), x.cos()], -1)"), 1u);
  EXPECT_EQ(partSteps("x[:, ::2] = 1\n  x[:, 1::2] = 2\n  return x"), 1u);
  EXPECT_EQ(partSteps("x[:4] = 1\n  x[3:7] = 2\n  return x"), 2u) << "row 3 is in both";
  EXPECT_EQ(partSteps("x[:3] = 1\n  x[3:6] = 2\n  x[:3] *= 3\n  return x"), 2u);
  EXPECT_EQ(partSteps("x[:4] = 1\n  a = x[4:] * 2\n  x[4:] = 3\n  return x, a"), 3u);
}

TEST_F(Fusion, BlocksOfUnknownSizeThatBeginAtLeastTheirSizeApartAreWrittenByOneKernel) {
  const auto steps = [](const std::string& body) { return partSteps(body, Specialize::symbolic); };
  const std::string made = "y = torch.zeros(5, *x.shape)\n  ";
  EXPECT_EQ(steps(made + "y[1] = x * 2\n  y[3] = x + 1\n  return y"), 2u) << "and the zeros";
  EXPECT_EQ(steps(made + "y[3] = x * 2\n  y[0] = x + 1\n  y[2] = x\n  return y"), 2u);
  EXPECT_EQ(steps(made + "y[3] = x * 2\n  y[3] = x + 1\n  return y"), 3u) << "one after the other";
  EXPECT_EQ(steps("x[1:4] = 1\n  x[4:7] = 2\n  return x"), 1u);
  EXPECT_EQ(steps("x[1:5] = 1\n  x[4:8] = 2\n  return x"), 2u) << "row 4 is in both";
}

TEST_F(Fusion, AKernelWritesABoundedNumberOfParts) {
  EXPECT_EQ(partSteps("return torch.stack([x * i for i in range(8)])"), 1u);
  EXPECT_EQ(partSteps("return torch.stack([x * i for i in range(9)])"), 2u);
}

/// The loops of a group, found by merging dimensions one by one. For row-major values.
IndexSpace<SymbolicSize> merged(const PlanValues& planned, const FusionGroup& group,
                                const Kernel& kernel) {
  const SizeList<SymbolicSize>& space = planned.extents(group.space);
  IndexSpace<SymbolicSize> layout{space, group.reducedMask, {}};
  const auto add = [&](ValueId value) {
    layout.strides.push_back(
        broadcastStrides(planned.extents(planned.space(value)), planned.strides(value), space));
  };
  for (const ValueId value : group.inputs) add(value);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (kernel.outputs[o].reduces)
      layout.strides.push_back(outputStrides(space, group.reducedMask));
    else
      add(group.outputs[o]);
  collapse(layout, group.reduces);
  return layout;
}

/// That the loops of a kernel, and what its launches are given for them, are these.
void expectLoops(const LoweredKernel& lowered, const IndexSpace<SymbolicSize>& wanted) {
  const Kernel& kernel = lowered.kernel;
  EXPECT_EQ(kernel.reducedMask, wanted.reducedMask);
  std::size_t next = 0;
  const auto expectSizes = [&](const Dims& found, const SizeList<SymbolicSize>& sizes) {
    ASSERT_EQ(static_cast<std::size_t>(found.rank()), sizes.size());
    for (int d = 0; d < found.rank(); ++d) {
      const SymbolicSize& size = sizes[static_cast<std::size_t>(d)];
      ASSERT_EQ(found[d] != kAtLaunch, size.isConstant());
      if (size.isConstant()) {
        EXPECT_EQ(found[d], size.constant());
      } else {
        ASSERT_LT(next, lowered.integers.size());
        EXPECT_EQ(lowered.integers[next++], size);
      }
    }
  };
  expectSizes(kernel.extents, wanted.extents);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    expectSizes(kernel.inputs[i].strides, wanted.strides[i]);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    expectSizes(kernel.outputs[o].tensor.strides, wanted.strides[kernel.inputs.size() + o]);
  EXPECT_EQ(next, lowered.integers.size());
}

TEST_F(Fusion, OneLoopOverAllElementsIsWhatMergingLeaves) {
  int one = 0, several = 0;
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{7}, Shape{1, 1}, Shape{8, 16}, Shape{1, 5}, Shape{5, 1},
        Shape{0, 4}, Shape{4, 0}, Shape{2, 3, 4}, Shape{2, 1, 4}, Shape{3, 0, 4}})
    for (int repeated = 0; repeated <= shape.rank() + 1; ++repeated) {
      // The other operand: the same shape, or a tensor of fewer dimensions, or of one 1 more.
      Shape other = shape;
      if (repeated > 0) other = {};
      for (int d = repeated; repeated > 0 && d < shape.rank(); ++d) other.push(shape[d]);
      if (repeated > shape.rank() && shape.rank() > 0) {
        other = shape;
        other[shape.rank() - 1] = 1;
      }
      for (const char* result :
           {"y", "y.sum()", "y.mean(-1)", "y.sum(0)", "y + z", "y, y.sum()", "y, y.sum(0)",
            "y * x.sum(-1, keepdim=True)", "y.argmax()", "x > b, y"})
        for (const Specialize specialize : {Specialize::exact, Specialize::symbolic}) {
          const std::string text = std::string("y = torch.sin(x) * b\nz = x + 1\nreturn ") + result;
          SCOPED_TRACE(text + " of " + toString(shape) + " and " + toString(other));
          const Program program = parseProgram(text);
          PlanValues planned;
          try {
            planned = valuesFor(
                program, std::vector{fixture_.random(shape), fixture_.random(other)}, specialize);
          } catch (const ProgramError&) {  // nothing to choose from, or no such dimension
            continue;
          }
          for (const FusionGroup& group : fuse(program, planned)) {
            const LoweredKernel lowered = lower(program, planned, group, Numbers::bakedIn);
            const IndexSpace<SymbolicSize> wanted = merged(planned, group, lowered.kernel);
            ++(wanted.rank() == 1 ? one : several);
            expectLoops(lowered, wanted);
          }
        }
    }
  EXPECT_GT(one, 100);
  EXPECT_GT(several, 100);
}

TEST_F(Fusion, OpListsSayTheLastStepThatReadsAStep) {
  int far = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    RandomProgram random(seed);
    const std::string text = random.text();
    const Program program = parseProgram(text);
    const PlanValues planned = valuesFor(program, random.inputs(fixture_), Specialize::symbolic);
    for (const FusionGroup& group : fuse(program, planned)) {
      const OpList list = lowerOpList(program, planned, group).list;
      bool truths = false;
      for (std::size_t s = 0; s < list.ops.size(); ++s) {
        const int last = lastReader(list, static_cast<int>(s));
        EXPECT_EQ(list.ops[s].lastUse, last) << "op " << s << " of\n" << text;
        far += last > static_cast<int>(s) + 1 ? 1 : 0;
        truths |= list.ops[s].dtype == DType::boolean;
      }
      EXPECT_EQ(list.truths, truths) << text;
    }
  }
  EXPECT_GT(far, 100);
}

TEST_F(Fusion, OpListsSayWhetherThereAreTruthValues) {
  const Tensor x = fixture_.random({8});
  const Tensor truths = makeTensor(fixture_.backend().allocator(), DType::boolean, {8});
  const auto hasTruths = [](const std::string& text, const std::vector<Tensor>& inputs) {
    const Program program = parseProgram(text);
    const PlanValues planned = valuesFor(program, inputs, Specialize::symbolic);
    return lowerOpList(program, planned, fuse(program, planned).at(0)).list.truths;
  };
  EXPECT_FALSE(hasTruths("return torch.sin(x) * 2", {x}));
  EXPECT_TRUE(hasTruths("return x > 0", {x}));
  EXPECT_TRUE(hasTruths("return torch.where(m, x, 0.5)", {truths, x}));
  EXPECT_TRUE(hasTruths("return m * 2.5", {truths}));
}

}  // namespace
}  // namespace fusebench
