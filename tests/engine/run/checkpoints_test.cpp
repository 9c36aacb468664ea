// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints around what writes in place: values and gradients in every executor and PyTorch.
#include <gmock/gmock.h>

#include <deque>
#include <string>

#include "tests/engine/support/expect_written.h"
#include "tests/engine/support/torch_cases.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

class Checkpoints : public testing::Test {
 protected:
  EngineFixture fixture_;
};

/// Blocks that are recomputed, including their writes to tensors that they made.
std::vector<TorchCase> checkpointCases() {
  static const std::string begin =
      "import torch.utils.checkpoint\ndef f(x, w):\n    x.requires_grad_()\n    "
      "w.requires_grad_()\n    h = x * w\n";
  static const std::string end =
      "    (y * torch.sin(y)).sum().backward()\n    return y, x.grad, w.grad\n";
  const auto block = [](const std::string& body, const std::string& call = "h") {
    static std::deque<std::string> texts;
    texts.push_back(begin + "    def b(v):\n" + body +
                    "    y = torch.utils.checkpoint.checkpoint(b, " + call +
                    ", use_reentrant=False)\n" + end);
    return TorchCase{texts.back().c_str(), {floats({3, 4}), floats({4})}};
  };
  return {
      block("        return torch.stack([v * i for i in range(5)]).sum(0)\n"),
      block("        parts = [v]\n        for i in range(4):\n            "
            "parts.append(torch.tanh(torch.cat(parts, 1).mean(1, keepdim=True)) * w[:1 + i % 3])\n"
            "        return torch.cat(parts, 1)\n"),
      block("        a = v * 2\n        a.add_(1).mul_(w)\n        a.relu_()\n        return a * "
            "a\n"),
      block("        a = v + 1\n        return F.relu(a, inplace=True).sin()\n"),
      block("        a = v * 2\n        a.sin_()\n        a *= v\n        return a.exp()\n"),
      block(
          "        a = v.clone()\n        a[:, 0] = v[:, 1] * w[0]\n        a[1] += v[2]\n        "
          "return a.sin() * v\n"),
      block("        a = torch.zeros_like(v)\n        for k in range(4):\n            a[:, k] = "
            "v[:, k] "
            "* k + (a[:, k - 1] if k > 0 else 0)\n        return a\n"),
      block("        with torch.no_grad():\n            m = v * 1\n            m.abs_()\n        "
            "return v * m\n"),
      // All writes before a block still hold when the block is recomputed.
      block("        return v.sin() * v\n", "torch.cat([h, h[:, :1], h * 2, h[:, 1:]], 1)"),
      block("        a = v * 2\n        a.relu_()\n        c = "
            "torch.utils.checkpoint.checkpoint(lambda u: torch.stack([u * i for i in "
            "range(6)]).sum(0).sin(), a, use_reentrant=False)\n        return c * a\n"),
  };
}

TEST_F(Checkpoints, MakeAnewWhatTheyWroteThemselves) {
  for (const TorchCase& each : checkpointCases()) {
    const std::vector<Tensor> inputs = tensorsOf(fixture_, each);
    ProgramHints hints{{"x", {inputs[0].shape, inputs[0].dtype}},
                       {"w", {inputs[1].shape, inputs[1].dtype}}};
    expectAsReference(fixture_, each.text, inputs, hints);
  }
}

TEST_F(Checkpoints, HavePyTorchsGradients) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EXPECT_EQ(complaintsOfTorch(fixture_, python, checkpointCases()), "");
}

TEST_F(Checkpoints, WriteToNothingThatIsKept) {
  const std::vector<Tensor> inputs{fixture_.random({3, 4})};
  const auto errorOf = [&](const std::string& body) {
    return complaintOf(fixture_, "eager",
                       "def f(x):\n    x.requires_grad_()\n    h = x * 2\n" + body +
                           "    y.sum().backward()\n    return x.grad",
                       inputs);
  };
  const std::string call = "torch.utils.checkpoint.checkpoint(";
  EXPECT_THAT(errorOf("    y = " + call + "lambda v: h.add_(v) * 2, x * 3)\n"),
              HasSubstr("may only write to tensors that it created itself"));
  EXPECT_THAT(errorOf("    y = " + call + "lambda v: v.sin() * v, h)\n    h.add_(1)\n"),
              HasSubstr("may not read what is written to later"));
  EXPECT_THAT(errorOf("    y = " + call + "lambda v: v.exp().add_(1) * 2, h)\n"),
              HasSubstr("modified by an inplace operation"));
}

}  // namespace
}  // namespace fusebench
