// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/large_programs.h"

#include <random>
#include <vector>

namespace fusebench::test {
namespace {

class LargeWriter {
 public:
  explicit LargeWriter(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    std::string text = "def f(x, v, i):\n    y = " + filled(pick(kMade)) + "\n";
    while (below(3) == 0) text += "    y = " + filled(pick(kChanged)) + "\n";
    if (below(3) == 0) text += "    " + filled(pick(kWritten)) + "\n";
    return text + "    return " + filled(pick(kReturned)) + "\n";
  }

 private:
  using Texts = std::vector<std::string>;
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  const std::string& pick(const Texts& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

  /// Near a power at which something overflows, or one of two factors of such a power.
  std::string extent() {
    switch (below(8)) {
      case 0:
        return std::to_string(1 + below(5));
      case 1:
        return "(2**19 + 1)";
      case 2:
        return "(2**38 - 2**19 + 1)";
      default: {
        const int powers[] = {16, 20, 24, 28, 29, 31, 32, 40, 48, 53, 57, 63};
        std::string text = "2**" + std::to_string(powers[below(12)]);
        const int off = below(5) - 2;
        if (off != 0)
          text = "(" + text + (off < 0 ? " - " : " + ") + std::to_string(std::abs(off)) + ")";
        return text;
      }
    }
  }

  /// With an extent in place of each E, a small number in place of each N.
  std::string filled(const std::string& pattern) {
    std::string text;
    for (const char c : pattern)
      text += c == 'E' ? extent() : c == 'N' ? std::to_string(below(4)) : std::string(1, c);
    return text;
  }

  inline static const Texts kMade{
      "x.repeat(E, E)",
      "x.reshape(32, 1, 1).expand(32, E, E)",
      "x.reshape(32, 1, 1).expand(32, E, E) + 1",
      "torch.tile(x, (E, E))",
      "x.reshape(4, 8, 1) * torch.ones(E)",
      "x.reshape(4, 8, 1).expand(4, 8, E)",
      "torch.outer(v.repeat(E), v.repeat(E))",
      "x.reshape(32, 1).expand(32, E).t() @ x.reshape(32, 1).expand(32, E)",
      "v.reshape(8, 1).expand(8, E).t() @ v.reshape(8, 1)",
      "torch.einsum('ab,cd->acbd', x.repeat(1, E), x.repeat(E, 1))",
      "torch.einsum('a,b->', v.reshape(8, 1).expand(8, E).reshape(-1), v)",
      "torch.einsum('ab,ac,ad->', x.expand(4, 8), x, x)",
      "torch.cat([v.reshape(8, 1).expand(8, E), v.reshape(8, 1).expand(8, E)], 1)",
      "torch.where(x.reshape(32, 1).expand(32, E) > 0, v[0], v[1])",
      "torch.zeros_like(x.reshape(32, 1).expand(32, E))",
      "torch.ones(E, E)",
      "torch.zeros(N, E, E)",
      "torch.full((E,), 2.0)",
      "torch.arange(E)",
      "torch.eye(E)",
      "torch.zeros(E, E, dtype=torch.int8)",
      "x.to(torch.int8).reshape(32, 1).expand(32, E)",
      "x.to(torch.int8).repeat(E, E)",
      "v.reshape(8, 1, 1).expand(8, E, E).sum()",
      "v.reshape(8, 1, 1).expand(8, E, E).sum(0)",
      "v.reshape(8, 1).expand(8, E).amax(1)",
      "v.reshape(8, 1).expand(8, E).cumsum(1)",
      "v.reshape(8, 1).expand(8, E).mean()",
      "torch.softmax(v.reshape(8, 1).expand(8, E), 1)",
      "x.unsqueeze(0).expand(E, 4, 8).transpose(0, 2)",
      "x.unsqueeze(0).expand(E, 4, 8).reshape(E, -1)",
      "x.unsqueeze(0).expand(E, 4, 8).flatten()",
      "x.repeat_interleave(E)",
      "x.repeat_interleave(E, dim=0)",
      "torch.nn.functional.pad(x, (E, E))",
      "torch.nn.functional.pad(x, (0, E, 1, E))",
      "x.unfold(1, N, E)",
      "x.unfold(1, E, 1)",
      "torch.nn.functional.unfold(x.reshape(1, 1, 4, 8), 2, padding=E)",
      "torch.nn.functional.max_pool1d(x.reshape(1, 4, 8), 2, E)",
      "torch.nn.functional.avg_pool1d(x.reshape(1, 4, 8), 2, 1, E)",
      "torch.nn.functional.conv1d(x.reshape(1, 4, 8), x.reshape(1, 4, 8), padding=E)",
      "torch.nn.functional.conv1d(x.reshape(1, 4, 8), x.reshape(1, 4, 8), stride=E)",
      "torch.nn.functional.conv1d(x.reshape(1, 4, 8), x.reshape(1, 4, 8), dilation=E)",
      "x[:, None].expand(4, E, 8)[i]",
      "torch.gather(x.reshape(32, 1).expand(32, E), 0, i.reshape(4, 1).expand(4, E))",
      "torch.index_select(v.reshape(8, 1).expand(8, E), 0, i)",
      "torch.stack([v, v]).reshape(2, 8, 1).expand(2, 8, E)",
      "x.narrow(1, N, E)",
      "x[:, N:E]",
      "x[:, ::E]",
      "x.reshape(E, -1)",
      "x.view(E, E)",
      "torch.broadcast_to(v.reshape(8, 1), (8, E))",
      "torch.nn.functional.one_hot(i, E)",
      "torch.tril(torch.ones(E, E))",
      "x.diagonal(E)",
      "torch.movedim(x.reshape(4, 8, 1).expand(4, 8, E), 2, 0)",
      "x.reshape(32, 1).expand(32, E).sort(1)[0]",
      "torch.zeros(E, 8)",
      "torch.zeros(0, E)",
      "torch.rand(E, 4)",
      "torch.linspace(0, 1, E)"};
  inline static const Texts kChanged{"y + 1",
                                     "y * y",
                                     "y.sum(0)",
                                     "y.unsqueeze(0).expand(E, *y.shape)",
                                     "y.reshape(-1)",
                                     "y.transpose(0, -1)",
                                     "torch.exp(y.to(torch.float32))",
                                     "y.to(torch.float64)",
                                     "y.contiguous()",
                                     "y[0]",
                                     "torch.cat([y, y])"};
  inline static const Texts kWritten{"y[0] = 3.0",      "y[..., 0] = 1.0", "y[0, 0] += 1.0",
                                     "y[:, 1:3] = 2.0", "y.mul_(2)",       "x[0, N] = 5.0"};
  inline static const Texts kReturned{
      "y",     "y[0]",        "y[0, 0]",     "y[0, 0, 0:4]", "y.sum()",          "y[0:2, 0:2]",
      "y[-1]", "y[..., 0:3]", "y + x[0, 0]", "y[0] * 2, x",  "y.flatten()[0:3]", "x.sum()"};

  std::mt19937 random_;
};

}  // namespace

std::string largeProgramText(std::uint32_t seed) {
  return LargeWriter(seed).run();
}

}  // namespace fusebench::test
