// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/overwritten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/language/parser.h"

namespace fusebench {
namespace {

/// Whether the first torch.empty of a program only takes memory.
bool firstIsOverwritten(const std::string& body) {
  const Program program = parseProgram("def f(x, y):\n  " + body);
  const auto empty = std::ranges::find_if(
      program.ops, [](const Op& op) { return op.row->name == std::string_view("empty"); });
  EXPECT_NE(empty, program.ops.end()) << body;
  return isOverwritten(program, static_cast<int>(empty - program.ops.begin()));
}

TEST(Overwritten, IsATensorWhosePartsAreAllWritten) {
  for (const char* body : {
           "e = torch.empty(4, 6)\n  e.copy_(x)\n  return e",
           "e = torch.empty(4, 6)\n  e[:2] = x[:2]\n  e[2:] = y[2:]\n  return e",
           "e = torch.empty(4, 6)\n  e[:, 4:] = x[:, 4:]\n  e[:, :5] = y[:, :5]\n  return e + x",
           "e = torch.empty(4, 6)\n  for i in range(4):\n    e[i] = x[i]\n  e.mul_(2)\n  return e",
           "e = torch.empty(2, 1, 3)\n  e[:, 0, 0] = 1\n  e[:, :, 1:].fill_(2)\n  return e",
       })
    EXPECT_TRUE(firstIsOverwritten(body)) << body;
}

TEST(Overwritten, IsNoTensorOfWhichSomethingIsReadOrReturnedAsItWasMade) {
  for (const char* body : {
           "e = torch.empty(4, 6)\n  return e + x",
           "e = torch.empty(4, 6)\n  e[:3] = x[:3]\n  return e",
           "e = torch.empty(4, 6)\n  e[::2] = x[::2]\n  e[1::2] = y[1::2]\n  return e",
           "e = torch.empty(4, 6)\n  e.add_(x)\n  return e",
           "e = torch.empty(4, 6)\n  e[:2] = x[:2]\n  a = e.sum()\n  e[2:] = y[2:]\n  return a, e",
           "e = torch.empty(4, 6)\n  e[:2, :3] = x[:2, :3]\n  e[2:, 3:] = y[2:, 3:]\n  return e",
       })
    EXPECT_FALSE(firstIsOverwritten(body)) << body;
}

}  // namespace
}  // namespace fusebench
