// SPDX-License-Identifier: GPL-3.0-or-later
// The counts in a plan of a call are those of the backend and its allocator.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/device/memory_use.h"
#include "engine/language/program_gradients.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/random_graphs.h"

namespace fusebench {
namespace {

class PlanCounts : public testing::Test {
 protected:
  /// The traffic of one call, launch by launch.
  std::vector<KernelBytes> moved(Executor& executor, std::span<const Tensor> inputs) {
    Recorder recorder(Recorder::Level::split, 1, 4000, 4000);
    recorder.weigh();
    const RecorderScope scope(fixture_.backend(), &recorder);
    executor.call(inputs);
    std::vector<KernelBytes> bytes;
    for (const LaunchNote& note : recorder.notes()) bytes.push_back(note.bytes);
    return bytes;
  }

  /// A call's peak, above what was in use before, and its allocations.
  MemoryUse taken(Executor& executor, std::span<const Tensor> inputs, std::size_t before) {
    Allocator& allocator = fixture_.backend().allocator();
    const std::uint64_t allocations = allocator.statistics().allocations;
    allocator.resetPeak();
    executor.call(inputs);
    const AllocatorStatistics after = allocator.statistics();
    return {after.peakBytes - before, after.peakBlockBytes, after.allocations - allocations};
  }

  void expectAsPlanned(const std::string& text, std::span<const Tensor> inputs) {
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      SCOPED_TRACE(std::string(info.name) + " of\n" + text);
      const std::size_t before = fixture_.backend().allocator().statistics().currentBytes;
      const auto executor =
          makeExecutor(info.name, fixture_.backend(), parseProgram(text, hintsOf(text, inputs)));
      executor->call(inputs);
      const Plan plan = executor->plan(inputs);
      const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
      const std::uint64_t launches = fixture_.backend().launches();
      const MemoryUse measured = taken(*executor, inputs, before);
      EXPECT_EQ(fixture_.backend().launches() - launches, plan.steps.size());
      const MemoryUse planned = memoryUseOf(plan, symbols);
      EXPECT_EQ(measured.peakBytes, planned.peakBytes);
      EXPECT_EQ(measured.allocations, planned.allocations);
      std::vector<KernelBytes> bytes;
      for (const StepCost& cost : costsOf(plan, symbols)) bytes.push_back(cost.bytes);
      EXPECT_EQ(moved(*executor, inputs), bytes);
    }
  }

  EngineFixture fixture_;
};

TEST_F(PlanCounts, OfTheStudyThereAndBackAreAtMostTwoLaunches) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  const Program study = firstStatements(parseProgram(studyProgram()), 30);
  const Program program = withGradients(study, std::vector<ValueId>{0});
  const std::uint64_t before = fixture_.backend().launches();
  makeExecutor("eager", fixture_.backend(), program)->call(inputs);
  EXPECT_GT(fixture_.backend().launches() - before, 60u) << "one a statement, there and back";
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    if (!info.specializes) continue;
    const auto executor = makeExecutor(info.name, fixture_.backend(), program);
    executor->call(inputs);
    const std::uint64_t launches = fixture_.backend().launches();
    executor->call(inputs);
    EXPECT_LE(fixture_.backend().launches() - launches, 2u) << info.name;
  }
}

/// Each tensor is copied to its place, by one kernel where kernels are compiled for the program.
/// Memory that the parts fill is not filled before.
TEST_F(PlanCounts, OfTensorsPutTogetherAreTheCopies) {
  const std::vector<Tensor> inputs{fixture_.random({5, 8}), fixture_.random({5, 8}, 2),
                                   fixture_.random({5, 8}, 3), fixture_.random({5, 8}, 4),
                                   fixture_.random({5, 8}, 5)};
  for (const char* body : {"torch.cat([a, b, c, d, e])", "torch.cat([a, b, c, d, e], 1)",
                           "torch.stack([a, b, c, d, e], 1)"}) {
    const std::string text = fmt::format("def f(a, b, c, d, e):\n  return {}", body);
    expectAsPlanned(text, inputs);
    for (const ExecutorInfo& info : executorsOn(fixture_.backend()))
      EXPECT_EQ(
          makeExecutor(info.name, fixture_.backend(), parseProgram(text, hintsOf(text, inputs)))
              ->plan(inputs)
              .steps.size(),
          info.compilesPrograms() ? 1u : 5u)
          << info.name << " of " << body;
  }
}

TEST_F(PlanCounts, AreThoseOfTheBackendAndItsAllocator) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomProgram random(seed);
    const std::string text = random.text();
    expectAsPlanned(text, random.inputs(fixture_));
  }
}

TEST_F(PlanCounts, OfReductionsAndOfWhatNobodyReads) {
  const std::vector<Tensor> inputs{fixture_.random({40, 30}),
                                   EngineFixture::transposed(fixture_.random({30, 40}, 2))};
  for (const char* body :
       {"m = (x - y).mean(dim=1, keepdim=True)\n  return (x - m).exp() * y",
        "unread = torch.sin(x)\n  return (x * x).sum(0), y.max(), x.argmax(dim=1)",
        "a = x + 1\n  b = a * 2\n  c = b * 3\n  return a + c, x"})
    expectAsPlanned("def f(x, y):\n  " + std::string(body), inputs);
}

TEST_F(PlanCounts, OfViewsAndTheCopiesThatTheyNeed) {
  const std::vector<Tensor> inputs{fixture_.random({40, 30}), fixture_.random({30, 40}, 2)};
  for (const char* body :
       {"return x.t().reshape(-1) + y.reshape(-1), x.select(0, 3)",
        "a = torch.exp(x)\n  b = a.t() * y\n  return b.narrow(0, 2, 5), a.t().contiguous()",
        "a = (x + 1).unsqueeze(0).expand(3, -1, -1)\n  return a.sum(0), a.flatten(1)"})
    expectAsPlanned("def f(x, y):\n  " + std::string(body), inputs);
}

TEST_F(PlanCounts, OfGradientsAndWhatIsSavedForThem) {
  const std::vector<Tensor> inputs{fixture_.random({40, 30}), fixture_.random({30}, 2)};
  for (const char* body :
       {"x.requires_grad_()\n  z = torch.exp(torch.sin(x) * y)\n  z.sum().backward()\n  return "
        "x.grad",
        "loss = ((x - y) * torch.sigmoid(x)).mean()\n"
        "  return loss, torch.autograd.grad(loss, (x, y))[1]",
        "a = torch.softmax(x * y, dim=1)\n  loss = (a * a).sum()\n"
        "  return torch.autograd.grad(loss, [x, y])[0] + 1",
        "h = torch.utils.checkpoint.checkpoint(lambda v: torch.exp(torch.sin(v)) * v, x)\n"
        "  loss = torch.cos(h).sum()\n  return torch.autograd.grad(loss, x)[0]"})
    expectAsPlanned("def f(x, y):\n  " + std::string(body), inputs);
}

TEST_F(PlanCounts, OfProductsWithWhatGoesOverTheirResults) {
  const std::vector<Tensor> inputs{fixture_.random({40, 30}), fixture_.random({20, 30}, 2),
                                   fixture_.random({40, 20}, 3)};
  for (const char* body :
       {"return F.relu(F.linear(x, y))", "return F.relu(F.linear(x, y) + z)",
        "return F.gelu(F.linear(x, y)) * 2", "return F.relu(F.linear(x, y) + z[:, :1])",
        "a = F.linear(x, y)\n  return F.silu(F.linear(x, y) + a) @ (z + 1).t()",
        "return F.linear(x, y) + F.linear(x, y), F.relu(F.linear(x, y))"})
    expectAsPlanned("def f(x, y, z):\n  " + std::string(body), inputs);
}

TEST_F(PlanCounts, EachLaunchSaysItsStep) {
  const std::vector<Tensor> inputs{fixture_.random({40, 30})};
  const std::string text =
      "m = x.mean(dim=1, keepdim=True)\ny = (x - m).exp()\nreturn y / y.sum(0)";
  for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
    const auto executor = makeExecutor(info.name, fixture_.backend(), parseProgram(text));
    executor->call(inputs);
    Recorder recorder(Recorder::Level::split, 1, 400, 400);
    recorder.weigh();
    const RecorderScope scope(fixture_.backend(), &recorder);
    executor->call(inputs);
    std::vector<std::int32_t> noted, marked, steps;
    for (const LaunchNote& note : recorder.notes()) noted.push_back(note.step);
    for (const Mark& mark : recorder.marks(0))
      if (mark.part == CallPart::kernel) marked.push_back(mark.step);
    for (std::size_t s = 0; s < executor->plan(inputs).steps.size(); ++s)
      steps.push_back(static_cast<std::int32_t>(s));
    EXPECT_EQ(noted, steps) << info.name;
    EXPECT_EQ(marked, steps) << info.name;
  }
}

TEST_F(PlanCounts, OfACallPastTheRecompileLimitAreEagers) {
  ExecutorOptions options;
  options.recompileLimit = 1;
  const auto executor =
      makeExecutor("static", fixture_.backend(), parseProgram("return torch.sin(x) + 1"), options);
  const std::vector<Tensor> first{fixture_.random({8})}, second{fixture_.random({9})};
  EXPECT_EQ(executor->plan(second).steps.size(), 1u);
  executor->call(first);
  EXPECT_EQ(executor->plan(first).steps.size(), 1u);
  EXPECT_EQ(executor->plan(second).steps.size(), 2u);
  EXPECT_EQ(moved(*executor, second).size(), 2u);
}

TEST_F(PlanCounts, FloatingPointOperationsAreThoseOfTheExpressions) {
  const auto flops = [this](const std::string& text, const char* executor) {
    const std::vector<Tensor> inputs{fixture_.random({8, 16})};
    const auto made = makeExecutor(executor, fixture_.backend(), parseProgram(text));
    const Plan plan = made->plan(inputs);
    std::int64_t sum = 0;
    for (const StepCost& cost : costsOf(plan, symbolsOf(plan, inputs))) sum += cost.flops;
    return sum;
  };
  for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
    EXPECT_EQ(flops("return x * 2 + 1", executor), 2 * 128) << executor;
    EXPECT_EQ(flops("return x.sum()", executor), 128) << executor;
    EXPECT_EQ(flops("return x > 0", executor), 0) << executor;
  }
}

}  // namespace
}  // namespace fusebench
