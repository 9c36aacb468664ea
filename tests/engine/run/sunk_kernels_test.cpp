// SPDX-License-Identifier: GPL-3.0-or-later
// Programs in which kernels run later than they are written, or make what they would read: library
// calls, views, writes in place and masks between and around element-wise ops.
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/plan/fusion.h"
#include "engine/plan/plan.h"
#include "engine/plan/sinking.h"
#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/random_graphs.h"

namespace fusebench {
namespace {

/// Statements over square tensors. All values stay small, so that errors do.
class SunkProgram {
 public:
  explicit SunkProgram(unsigned seed, bool writes) : random_(seed), writes_(writes) {}

  std::string text() {
    std::string text = "def f(x, y):\n  a = torch.tanh(x)\n  b = y * 0.5\n";
    names_ = {"a", "b"};
    const int lines = 4 + pick(10);
    for (int i = 0; i < lines; ++i) {
      if (writes_ && pick(4) == 0) {
        text += "  " + write() + "\n";
        continue;
      }
      const std::string name = fmt::format("v{}", i);
      text += fmt::format("  {} = {}\n", name, value());
      names_.push_back(name);
    }
    return text;
  }
  std::string any() {
    const int back = std::min(pick(static_cast<int>(names_.size())), pick(5));
    return names_[names_.size() - 1 - static_cast<std::size_t>(back)];
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  template <class... Texts>
  std::string one(Texts... texts) {
    const std::vector<std::string> all{texts...};
    return all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
  }

  std::string value() {
    const std::string p = any(), q = any(), r = any();
    switch (pick(14)) {
      case 0:
        return fmt::format("torch.tanh({} @ {})", p, q);
      case 1:
      case 10:
      case 11:
        return fmt::format("torch.sin({}) * ({} @ {} * 0.1)", p, q, r);
      case 2:
        return fmt::format("{} * 0.5 + torch.tanh({} @ {}) * {}", p, q, r, any());
      case 3:
        return fmt::format("torch.where({}, {}, {})", mask(), p, q);
      case 4:
        return fmt::format("torch.softmax({} * 0.5, -1) * {}", p, q);
      case 5:
        return fmt::format("{} - {}.mean(-1, keepdim=True)", p, q);
      case 6:
        return fmt::format("torch.cat([torch.sin({})[:, :2], {}[:, 2:] * 0.5], 1)", p, q);
      case 7:
        return fmt::format("torch.stack((torch.sin({})[:, :3], {}[:, 3:]), -1).flatten(-2)", p, q);
      case 8:
        return fmt::format("{}[:, torch.tensor([5, 0, 3, 1, 4, 2])] * 0.5 + {} * 0.25", p, q);
      case 9:
        return fmt::format("{}.t() * 0.5 + {} * 0.25", p, q);
      default:
        return fmt::format("torch.{}({}) * 0.5 + {} * 0.25", one("sin", "tanh", "cos"), p, q);
    }
  }

  std::string mask() {
    const std::string line = one("torch.arange(6)", "torch.arange(6).view(6, 1)",
                                 "torch.arange(36).view(6, 6)[2:5, 1].unsqueeze(1)[:1]");
    switch (pick(7)) {
      case 0:
        return "torch.tril(torch.ones(6, 6)) > 0";
      case 1:
        return fmt::format("{} < torch.arange(6).unsqueeze({})", line, pick(2));
      case 2:
        return fmt::format("~({} >= {})", line, pick(6));
      case 3:
        return fmt::format("({} > 1) | (torch.arange(6).unsqueeze(1) == {})", line, pick(6));
      case 4:
        return "(torch.arange(6) <= torch.arange(6).unsqueeze(1)).t()";
      case 5:
        return fmt::format("(torch.arange(8) + {} <= torch.arange(6).view(6, 1))[:, :6]", pick(3));
      default:
        return "(torch.ones(6, 6, dtype=torch.bool).triu(1)).unsqueeze(0).expand(1, 6, 6)[0]";
    }
  }

  std::string write() {
    const std::string p = any(), q = any();
    switch (pick(7)) {
      case 0:
        return fmt::format("{} *= 0.5", p);
      case 1:
        return fmt::format("{}[{}] = 0.25", p, pick(6));
      case 2:
        return fmt::format("{}.t()[1:3].mul_(0.5)", p);
      case 3:
        return fmt::format("{}.copy_({} * 0.5)", p, q);
      case 4:
        return fmt::format("{}[:, 1:4].sin_()", p);
      case 5:
        return fmt::format("{}.mul_(torch.tanh({} @ y))", p, q);
      default:
        return "x.mul_(0.75)";
    }
  }

  std::mt19937 random_;
  bool writes_;
  std::vector<std::string> names_;
};

/// Whether fewer kernels are left after some have sunk.
bool sinks(const std::string& text, std::span<const Tensor> inputs) {
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const std::vector<Form> forms(inputs.begin(), inputs.end());
  const Plan plan = makePlan(program, forms, {});
  std::vector<FusionGroup> groups = fuse(*plan.program, plan.values);
  const std::size_t before = groups.size();
  sinkKernels(*plan.program, plan.values, groups);
  return groups.size() < before;
}

std::vector<Tensor> squares(EngineFixture& fixture) {
  return {fixture.random({6, 6}), fixture.random({6, 6}, 2, 0.5F)};
}

TEST(SunkKernels, LeaveWhatTheReferenceLeavesWhateverIsWrittenInPlace) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs = squares(fixture);
  int sunk = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SunkProgram random(seed, /*writes=*/true);
    std::string text = random.text();
    text += fmt::format("  return x, a, {}, {} + 1\n", random.any(), random.any());
    expectWritten(fixture, text, inputs);
    if (testing::Test::HasFatalFailure()) return;
    sunk += sinks(text, inputs) ? 1 : 0;
  }
  EXPECT_GT(sunk, 20);
}

TEST(SunkKernels, GiveTheGradientsOfTheReference) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs = squares(fixture);
  int sunk = 0;
  for (unsigned seed = 101; seed <= 130; ++seed) {
    SunkProgram random(seed, /*writes=*/false);
    std::string text = random.text();
    text += fmt::format("  loss = ({} * {} + a * b).sum()\n", random.any(), random.any());
    text += "  g = torch.autograd.grad(loss, (x, y))\n  return g[0], g[1], loss\n";
    expectAsReference(fixture, text, inputs, hintsOf(text, inputs));
    if (testing::Test::HasFatalFailure()) return;
    sunk += sinks(text, inputs) ? 1 : 0;
  }
  EXPECT_GT(sunk, 10);
}

TEST(SunkKernels, ChangeNoBits) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({5, 70}), fixture.random({5, 70}, 2)};
  for (const char* body : {
           "return torch.sin(x) * torch.where(torch.arange(70) > torch.arange(5).view(5, 1), y, x)",
           "a = torch.exp(x) - 1\n  s = torch.rsqrt(y[:, 0].abs() + 1)\n  return a * "
           "s.unsqueeze(1)",
           "return torch.where(torch.tril(torch.ones(5, 70), 3) > 0, torch.sin(x), y)",
           "return x[4 - torch.arange(5)] * y",
           "z = x * 2\n  z[:3] = y[:3]\n  z[2:] = torch.sin(x[:3])\n  return z",
           "z = x * 2\n  z[:2] = y[:2]\n  z[3:] = x[:2] * 3\n  z[:2] += z[3:]\n  return z",
           "return torch.stack((x * 2 - y, torch.sin(x) + y), -1).flatten(-2)",
           "return torch.stack((x * 2, y + 1, torch.sin(x)), 0), torch.stack((x - y, x + y), 1)",
           "return torch.stack((x > y, x < y, x == y, x != y), -1).float()",
           "a, b = x.half() * 2, y.half() + 1\n  return torch.stack((a, b), 1).float(), a.float()",
           "a = x * 2\n  b = y + 1\n  a[0] = 5\n  return torch.stack((a, b))",
           "a = x * 2\n  s = torch.stack((a, y + 1), -1)\n  a += s[..., 1]\n  return s, a",
           "return torch.cat([x * 2, torch.sin(y)], 1), torch.cat([x[:, :3] * y[:, :3], y], 1)",
       }) {
    const std::string text = std::string("def f(x, y):\n  ") + body;
    const Program program = parseProgram(text, hintsOf(text, inputs));
    const auto results = [&](const char* name) {
      const auto executor = makeExecutor(name, fixture.backend(), program);
      const auto made = executor->call(inputs);
      return std::vector<Tensor>(made.begin(), made.end());
    };
    const std::vector<Tensor> eager = results("eager");
    for (const char* name : {"static", "dynamic", "instant"}) {
      const std::vector<Tensor> fused = results(name);
      ASSERT_EQ(fused.size(), eager.size());
      for (std::size_t o = 0; o < fused.size(); ++o) expectSameBits(fused[o], eager[o], text);
    }
  }
}

}  // namespace
}  // namespace fusebench
