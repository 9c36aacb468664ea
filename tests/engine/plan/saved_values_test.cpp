// SPDX-License-Identifier: GPL-3.0-or-later
// The values that are saved for the backward pass: the fewest bytes, with unchanged gradients.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/language/program_gradients.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

/// Bytes of a plan's own storages.
struct PlannedBytes {
  std::size_t saved = 0;  ///< total of what is kept for gradients
  std::size_t peak = 0;   ///< the most that is allocated at once
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

TEST_F(SavedValues, AreOfTheFewestBytes) {
  const std::vector<Tensor> inputs{fixture_.random({64, 128}, 1), fixture_.random({128, 32}, 2)};
  const auto saved = [&](const char* executor, const std::string& body) {
    const Program program = parseProgram("def f(x, w):\n    " + body +
                                         "\n    return torch.autograd.grad(loss, (x, w))");
    return bytesOf(executor, program, inputs).saved;
  };
  constexpr std::size_t kProduct = 64u * 32 * 4;
  // The derivatives need sin's argument and exp's result, which is computed from the former.
  const char* const waves = "h = torch.exp(torch.sin(x @ w))\n    loss = (h @ h.t()).sum()";
  EXPECT_EQ(saved("eager", waves), 2 * kProduct);
  EXPECT_EQ(saved("static", waves), kProduct);
  // Each factor of a gradient is computed from a value that is saved anyway, so no other is saved.
  const char* const saturating = "h = torch.tanh(x @ w)\n    loss = (h @ h.t()).sum()";
  EXPECT_EQ(saved("static", saturating), kProduct);
  EXPECT_EQ(saved("eager", saturating), kProduct);
  // A narrower value is the cheaper one to keep.
  EXPECT_EQ(saved("static", "h = torch.sin((x @ w).half())\n    loss = (h.float() @ w.t()).sum()"),
            kProduct / 2);
}

TEST_F(SavedValues, OfSeveralOpsOfADerivativeOneIsThereAtATime) {
  const std::vector<Tensor> inputs{fixture_.random({64, 128}, 1)};
  constexpr std::size_t kTensor = 64u * 128 * 4;
  const Program program = parseProgram(
      "def f(x):\n    loss = torch.sigmoid(x).sum()\n    return torch.autograd.grad(loss, x)");
  // Sigmoid's result, and the gradient that is computed from it.
  EXPECT_LE(bytesOf("eager", program, inputs).peak, 2 * kTensor + 64);
  const auto eager = makeExecutor("eager", fixture_.backend(), program);
  const std::vector<double> x = EngineFixture::values(inputs[0]),
                            gradient = EngineFixture::values(eager->call(inputs)[0]);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double given = 1 / (1 + std::exp(-x[i]));
    EXPECT_NEAR(gradient[i], given * (1 - given), 1e-6);
  }
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

// The peak of PyTorch 2.15 in one such step on the CPU, without the inputs, counted from its
// profiler's memory events: 1666924 bytes, with checkpoints 1682092. Its relu saves its result,
// which is also the input of the next block, so these checkpoints save nothing.
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

}  // namespace
}  // namespace fusebench
