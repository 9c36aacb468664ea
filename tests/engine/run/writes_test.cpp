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
        "e = torch.empty(4, 6)\n  e[:2] = x[:2]\n  e[2:] = y[2:] * 2\n  return e + 1, e",
        "e = torch.empty(4, 6)\n  e[1:] = x[1:]\n  return e, torch.cat([x, y, x, y, e], 1)",
        "m = x.mean(1, keepdim=True)\n  s = x.std(1, keepdim=True)\n  return x.sub_(m).div_(s)",
        "m = x.amax(1, keepdim=True)\n  x.sub_(m)\n  return x, y.sub_(y.sum(1)[:, None]).exp_()",
        "m = x.mean(1, keepdim=True)\n  x.sub_(m)\n  x.div_(x.std(1, keepdim=True))\n  return x",
        "m = x.mean(1, keepdim=True)\n  d = ((x - m) ** 2).sum(1)\n  x.sub_(m)\n  return x, d",
        "m = x.mean(1, keepdim=True)\n  z = x * m\n  x.sub_(m)\n  return z",
        "z = torch.zeros(4, 6)\n  z[2] = x[1]\n  z.fill_(1)\n  z[:, 3] -= y[:, 0]\n  return z"})
    expectWritten(fixture, fmt::format("def f(x, y):\n  {}", body), inputs);
}

}  // namespace
}  // namespace fusebench
