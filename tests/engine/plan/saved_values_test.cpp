// SPDX-License-Identifier: GPL-3.0-or-later
// What of the way there is kept for the way back: the fewest bytes, and no gradient hangs on it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/language/program_gradients.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

/// Bytes of a plan's own storages.
struct PlannedBytes {
  std::size_t saved = 0;  ///< of all that are kept for gradients
  std::size_t peak = 0;   ///< of all that are there at once
};

class SavedValues : public testing::Test {
 protected:
  PlannedBytes bytesOf(const char* executor, const Program& program,
                       std::span<const Tensor> inputs) {
    const auto made = makeExecutor(executor, fixture_.backend(), program);
    const Plan plan = made->plan(inputs);
    const std::vector<Storage> storages = storagesOf(plan, symbolsOf(plan, inputs));
    PlannedBytes bytes;
    for (const Storage& storage : storages)
      if (storage.kind == Storage::Kind::saved) bytes.saved += storage.bytes;
    for (int step = 0; step < static_cast<int>(plan.steps.size()); ++step) {
      std::size_t now = 0;
      for (const Storage& storage : storages)
        if (storage.kind != Storage::Kind::input && storage.firstStep <= step &&
            storage.lastStep >= step)
          now += storage.bytes;
      bytes.peak = std::max(bytes.peak, now);
    }
    return bytes;
  }

  std::vector<float> waves(int count, double f, float factor = 1) {
    std::vector<float> values;
    for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(std::sin(f * i)) * factor);
    return values;
  }

  /// Three blocks of a network, its examples and its parameters.
  std::vector<Tensor> network(std::int64_t batch) {
    const auto tensor = [&](const Shape& shape, double f, float factor = 1) {
      return fixture_.tensor(shape, waves(static_cast<int>(elementCount(shape)), f, factor));
    };
    return {tensor({batch, 100}, 1.0),     tensor({batch, 10}, 0.7),
            tensor({200, 100}, 1.3, 0.1F), tensor({200}, 2.1, 0.1F),
            tensor({200, 200}, 0.9, 0.1F), tensor({200}, 1.7, 0.1F),
            tensor({10, 200}, 0.7, 0.1F),  tensor({10}, 0.3, 0.1F)};
  }

  EngineFixture fixture_;
};

/// One step of training; `checkpoints`: the first two blocks are made anew.
Program networkProgram(bool checkpoints) {
  const auto block = [&](const std::string& function, const std::string& of) {
    return checkpoints ? "torch.utils.checkpoint.checkpoint(" + function + ", " + of +
                             ", use_reentrant=False)"
                       : function + "(" + of + ")";
  };
  return parseProgram(
      "def f(x, t, w1, b1, w2, b2, w3, b3):\n"
      "    def first(v):\n        return F.relu(F.linear(v, w1, b1))\n"
      "    def second(v):\n        return F.relu(F.linear(v, w2, b2))\n"
      "    h = " +
      block("first", "x") + "\n    h = " + block("second", "h") +
      "\n    loss = F.mse_loss(F.linear(h, w3, b3), t)\n"
      "    g1, g2, g3, g4, g5, g6 = torch.autograd.grad(loss, (w1, b1, w2, b2, w3, b3))\n"
      "    return loss, w1 - 0.1 * g1, b1 - 0.1 * g2, w2 - 0.1 * g3, b2 - 0.1 * g4, w3 - 0.1 * g5, "
      "b3 - 0.1 * g6");
}

TEST_F(SavedValues, AreOfTheFewestBytes) {
  const std::vector<Tensor> inputs{fixture_.random({64, 128}, 1), fixture_.random({128, 32}, 2)};
  const auto saved = [&](const char* executor, const std::string& body) {
    const Program program = parseProgram("def f(x, w):\n    " + body +
                                         "\n    return torch.autograd.grad(loss, (x, w))");
    return bytesOf(executor, program, inputs).saved;
  };
  constexpr std::size_t kProduct = 64u * 32 * 4;
  // Derivatives name what sin was given and what exp gave; of the former the latter is made.
  const char* const waves = "h = torch.exp(torch.sin(x @ w))\n    loss = (h @ h.t()).sum()";
  EXPECT_EQ(saved("eager", waves), 2 * kProduct);
  EXPECT_EQ(saved("static", waves), kProduct);
  // A narrower value is the cheaper one to keep.
  EXPECT_EQ(saved("static", "h = torch.sin((x @ w).half())\n    loss = (h.float() @ w.t()).sum()"),
            kProduct / 2);
}

TEST_F(SavedValues, AreNeverMoreThanDerivativesName) {
  const std::vector<Tensor> inputs{fixture_.random({16, 24}, 1), fixture_.random({24, 16}, 2)};
  for (const char* body : {
           "loss = (torch.softmax(torch.sin(x), dim=1) * w.t()).sum()",
           "h = torch.tanh(x @ w)\n    loss = (torch.exp(h) @ torch.sigmoid(h)).sum()",
           "h = F.layer_norm(x, (24,))\n    loss = F.gelu(h @ w).std()",
           "h = torch.relu(x @ w)\n    h = torch.relu(h @ h)\n    loss = (h * h.mean()).sum()",
           "h = x @ w\n    loss = (h / h.norm(dim=1, keepdim=True)).exp().prod()",
           "a, b = (x @ w).chunk(2, dim=1)\n    loss = (a * torch.sigmoid(b)).square().mean()",
       }) {
    SCOPED_TRACE(body);
    const ProgramHints hints{{"x", {inputs[0].shape, DType::float32}},
                             {"w", {inputs[1].shape, DType::float32}}};
    const Program program = parseProgram(
        "def f(x, w):\n    " + std::string(body) +
            "\n    first, second = torch.autograd.grad(loss, (x, w))\n    return first, second",
        hints);
    EXPECT_LE(bytesOf("static", program, inputs).saved, bytesOf("eager", program, inputs).saved);
    const auto eager = makeExecutor("eager", fixture_.backend(), program);
    const auto fused = makeExecutor("static", fixture_.backend(), program);
    const auto named = eager->call(inputs), fewest = fused->call(inputs);
    for (std::size_t i = 0; i < named.size(); ++i) {
      const std::vector<double> a = EngineFixture::values(named[i]),
                                b = EngineFixture::values(fewest[i]);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t e = 0; e < a.size(); ++e)
        EXPECT_NEAR(a[e], b[e], 1e-5 * (1 + std::fabs(a[e])));
    }
  }
}

// What PyTorch 2.15 has allocated at most beside the inputs in one such step on the CPU, counted
// from its profiler's memory events: 1666924 bytes, with checkpoints 1682092. Its relu keeps what
// it gives, which is what the next block is given: there is nothing for these checkpoints to save.
TEST_F(SavedValues, OfANetworkTakeNoMoreMemoryThanPyTorchs) {
  const std::vector<Tensor> inputs = network(512);
  for (const char* executor : {"eager", "static"}) {
    SCOPED_TRACE(executor);
    const std::string text =
        "def f(x, t, w1, b1, w2, b2, w3, b3):\n%s    loss = F.mse_loss(F.linear(h, w3, b3), t)\n"
        "    return torch.autograd.grad(loss, (w1, b1, w2, b2, w3, b3))";
    const auto with = [&](const std::string& blocks) {
      std::string whole = text;
      return parseProgram(whole.replace(whole.find("%s"), 2, blocks));
    };
    const Program plain =
        with("    h = F.relu(F.linear(x, w1, b1))\n    h = F.relu(F.linear(h, w2, b2))\n");
    const Program checkpointed = with(
        "    h = torch.utils.checkpoint.checkpoint(lambda v: F.relu(F.linear(v, w1, b1)), x)\n"
        "    h = torch.utils.checkpoint.checkpoint(lambda v: F.relu(F.linear(v, w2, b2)), h)\n");
    EXPECT_LE(bytesOf(executor, plain, inputs).peak, 1666924u);
    EXPECT_LE(bytesOf(executor, checkpointed, inputs).peak, 1682092u);
  }
}

// PyTorch 2.15's losses in float64, with checkpoints and without. A sum of 200 products in float32,
// the longest here, may be off by 200 units of 2^-24 of its terms, and by another amount in each
// order of adding up; each step goes on from what the steps before were off by. PyTorch's own
// losses in float32 are off by up to 3.5e-5 of step 99, and by other amounts with other numbers of
// threads.
TEST_F(SavedValues, OfACheckpointedNetworkGivePyTorchsLosses) {
  const std::map<int, double> recorded{{0, 0.5277169524419982},
                                       {1, 0.5079291190520656},
                                       {10, 0.1943252215198183},
                                       {50, 0.01780061779117051},
                                       {99, 0.004528585031248043}};
  constexpr double kBound = 200 * 0x1p-24;
  for (const char* name : {"eager", "static"})
    for (const bool checkpoints : {true, false}) {
      SCOPED_TRACE(std::string(name) + (checkpoints ? ", checkpoints" : ""));
      const Program program = networkProgram(checkpoints);
      const auto executor = makeExecutor(name, fixture_.backend(), program);
      std::vector<Tensor> inputs = network(4);
      for (int step = 0; step < 100; ++step) {
        const auto results = executor->call(inputs);
        if (const auto found = recorded.find(step); found != recorded.end()) {
          EXPECT_NEAR(EngineFixture::values(results[0])[0], found->second,
                      kBound * (1 + found->second))
              << step;
        }
        for (std::size_t i = 2; i < inputs.size(); ++i) {
          const std::vector<double> updated = EngineFixture::values(results[i - 1]);
          inputs[i] = fixture_.tensor(inputs[i].shape, {updated.begin(), updated.end()});
        }
      }
    }
}

}  // namespace
}  // namespace fusebench
