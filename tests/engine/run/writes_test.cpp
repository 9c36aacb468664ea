// SPDX-License-Identifier: GPL-3.0-or-later
// Writing in place on every backend: each kind of kernel that does it.
#include "tests/engine/support/expect_written.h"

namespace fusebench {
namespace {

TEST(Writes, GoWhereTheTensorLies) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6}), fixture.random({4, 6}, 2)};
  for (const char* body :
       {"x += y\n  x.relu_()\n  x[1:, ::2] *= 3\n  return x",
        "a = x * 2\n  b = x + y\n  x.copy_(y.sin())\n  return a, b, x",
        "m = x.mean(dim=1, keepdim=True)\n  x.sub_(m)\n  x.t().mul_(2)\n  return x.sum()",
        "z = torch.zeros(4, 6)\n  z[2] = x[1]\n  z.fill_(1)\n  z[:, 3] -= y[:, 0]\n  return z"})
    expectWritten(fixture, fmt::format("def f(x, y):\n  {}", body), inputs);
}

}  // namespace
}  // namespace fusebench
