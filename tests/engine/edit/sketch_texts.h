// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of programs to edit, as they should be and as they are while somebody types.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/engine/support/random_programs.h"

namespace fusebench::test {

inline constexpr const char* kChain =
    "x = x + 0.1\nx = torch.sin(x)  # wave\nx = torch.exp(x * 0.5)\n\n# end\nx = x / w\n"
    "return x.sum()\n";
inline constexpr const char* kBranching =
    "import torch\n\ndef f(x, w, k=0.5):\n    a = torch.sin(x) * k\n    b = F.relu(w - a)\n"
    "    with torch.no_grad():\n        c = (a +\n             b)  # both\n    c += a\n"
    "    return torch.maximum(c, b).mean(dim=1), a\n";
/// Lines that make several ops together, ops that read nothing, writes in place.
inline constexpr const char* kCompound =
    "import torch\nfrom torch import nn\n\ndef scaled(x, by=2.0):\n    return x * by + 1\n\n"
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.fc = nn.Linear(8, 8)\n\n    def forward(self, x, mask):\n"
    "        z = torch.zeros(8)\n        for i in range(3):\n            x = torch.relu(x) + i\n"
    "        x = self.fc(x)\n        y, w = x.chunk(2, dim=-1)\n        y = y.clone()\n"
    "        y[:, 0] = 1\n        y.add_(w)\n        x = torch.where(x > 0, x, z)\n"
    "        return scaled(x), y\n";

/// A training step: gradients, an optimizer, casts.
inline constexpr const char* kTraining =
    "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n"
    "model = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 4))\n"
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n\n"
    "def step(x, target):\n    optimizer.zero_grad()\n"
    "    with torch.autocast('cpu', dtype=torch.bfloat16):\n        y = "
    "model(x.flip(0).contiguous())\n"
    "    loss = F.mse_loss(y.float().view(x.shape[0], -1), target)\n    loss.backward()\n"
    "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    optimizer.step()\n"
    "    return loss\n";

inline int below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

inline std::string startingText(std::uint32_t seed) {
  if (seed % 4 == 0) return kChain;
  if (seed % 4 == 1) return kBranching;
  return randomProgramText(seed);
}

/// `text` with up to `most` places typed wrong, perhaps cut off.
inline std::string mistyped(std::string text, std::mt19937& random, int most) {
  static const std::vector<std::string> pieces = {"(",         ")",
                                                  "[",         "]",
                                                  "\n",        "    ",
                                                  "\"\"\"",    "'",
                                                  "\\\n",      "$",
                                                  "\xC3\x97",  "\xFF",
                                                  "if x:",     "for i in y:\n        x = i\n",
                                                  "return",    "def g(",
                                                  "class A:",  "with torch.foo():",
                                                  "import ",   "from torch import *",
                                                  "x.add_(1)", "x[0] = 1",
                                                  "a, b = x",  ";",
                                                  ":",         "= =",
                                                  "+=",        "self.f(x)",
                                                  "lambda",    "@",
                                                  "else:\n",   "\t",
                                                  "#",         "...",
                                                  "1e999",     "return x\n",
                                                  "\r\n"};
  if (random() % 3 == 0) text.resize(random() % (text.size() + 1));
  for (int change = below(random, most); change > 0; --change) {
    const std::size_t at = random() % (text.size() + 1);
    if (random() % 3 == 0)
      text.erase(at, random() % 6);
    else
      text.insert(at, pieces[random() % pieces.size()]);
  }
  return text;
}

inline std::string mistypedText(std::mt19937& random) {
  const auto seed = static_cast<std::uint32_t>(random() % 500);
  return mistyped(startingText(seed), random, 4);
}

}  // namespace fusebench::test
