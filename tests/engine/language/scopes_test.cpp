// SPDX-License-Identifier: GPL-3.0-or-later
// Names belong to the scopes in which code is written, as in Python.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Scopes, AFunctionReadsGlobalNamesAndNotItsCallersNames) {
  EXPECT_EQ(flat("k = 3\ndef f():\n  return k\ndef program(x):\n  k = 5\n  return x * f()\n"),
            "return x * 3");
  EXPECT_EQ(flat("k = 3\nf = lambda q: q * k\ndef program(x):\n  k = 5\n  return f(x) + k\n"),
            "return x * 3 + 5");
  EXPECT_EQ(flat("k = 3\ndef f(q, by=k):\n  return q * by\ndef program(x):\n  k = 5\n"
                 "  return f(x) + k\n"),
            "return x * 3 + 5");
  EXPECT_EQ(flat("def g(q):\n  return q * 2\ndef f(q):\n  return g(q)\ndef program(x):\n"
                 "  g = lambda q: q * 7\n  return f(x) + g(x)\n"),
            "return x * 2 + x * 7");
  EXPECT_EQ(flat("def f(q, by):\n  k = by\n  return g(q)\nk = 3\ndef g(q):\n  return q * k\n"
                 "def program(x):\n  return f(x, 5)\n"),
            "return x * 3");
}

TEST(Scopes, ANameThatAFunctionAssignsIsItsOwnEvenBeforeThat) {
  for (const char* text :
       {"k = 3\ndef f(q):\n  q = q * k\n  k = 5\n  return q\ndef program(x):\n  return f(x)\n",
        "k = 3\ndef program(x):\n  x = x * k\n  k = 5\n  return x\n",
        "k = 3\ndef program(x):\n  for i in range(0):\n    k = 2\n  return x * k\n",
        "k = 3\ndef program(x):\n  x = x * sum([k for i in range(2)])\n  for k in range(2):\n"
        "    x = x + k\n  return x\n"})
    EXPECT_THAT(refusal(text), HasSubstr("Python raises UnboundLocalError")) << text;
  EXPECT_EQ(flat("k = 3\ndef program(x):\n  k = 5\n  return x * k\n"), "return x * 5");
  EXPECT_EQ(flat("k = 3\ndef program(x):\n  y = [k for k in range(3)]\n  return x * k + y[2]\n"),
            "return x * 3 + 2");
  EXPECT_EQ(flat("k = 3\ndef f(q):\n  def g():\n    k = 2\n    return k\n  return g() + q * k\n"
                 "def program(x):\n  return f(x)\n"),
            "return 2 + x * 3");
}

TEST(Scopes, AMethodReadsGlobalNamesAndNotItsCallersOrItsClassesNames) {
  EXPECT_EQ(flat("k = 3\nclass M(nn.Module):\n  k = 9\n  def forward(self, q):\n"
                 "    return q * k\nm = M()\ndef program(x):\n  k = 5\n  return m(x)\n"),
            "return x * 3");
  EXPECT_EQ(flat("k = 3\nclass M(nn.Module):\n  def scaled(self, q):\n    return q * k\n"
                 "  def forward(self, x):\n    k = 5\n    return self.scaled(x) + k\n"),
            "return x * 3 + 5");
  EXPECT_EQ(flat("k = 3\nclass A:\n  k = 4\n  fs = [lambda q: q * k]\n  both = [k, 1]\n"
                 "def program(x):\n  k = 5\n  return A.fs[0](x) + A.both[0]\n"),
            "return x * 3 + 4");
  EXPECT_EQ(flat("k = 3\nclass A:\n  k = 4\n  class B:\n    n = k\n"
                 "def program(x):\n  return x * A.B.n\n"),
            "return x * 3");
}

TEST(Scopes, AGlobalTensorIsNotACallersTensorOfThatName) {
  const std::string text = refusal(
      "w = torch.ones(3)\ndef f(q):\n  return q * w\ndef program(x):\n"
      "  w = x.exp()\n  return f(w)\n");
  EXPECT_THAT(text, HasSubstr("t1 = w\n    w = torch.exp(x)\n    return w * t1"));
}

TEST(Scopes, NamesThatOnlyTheCallerHasAreUndefined) {
  EXPECT_THAT(refusal("def f(q):\n  return q * k\ndef program(x):\n  k = 5\n  return f(x)\n"),
              HasSubstr("there is no 'k' here"));
  EXPECT_THAT(refusal("f = lambda q: q * k\ndef program(x, k):\n  return f(x)\n"),
              HasSubstr("there is no 'k' here"));
  EXPECT_THAT(refusal("fs = [lambda q: q * n for k in range(2)]\ndef program(x):\n  n = 5\n"
                      "  return fs[0](x)\n"),
              HasSubstr("there is no 'n' here"));
  EXPECT_THAT(refusal("def program(x, y=k):\n  return x * y\n"), HasSubstr("there is no 'k' here"));
  EXPECT_THAT(refusal("class M(nn.Module):\n  k = 4\n  def forward(self, x):\n    return x * k\n"),
              HasSubstr("there is no 'k' here"));
  EXPECT_THAT(refusal("k = 1\ndef f(q):\n  k += 1\n  return q * k\ndef program(x):\n"
                      "  return f(x)\n"),
              HasSubstr("there is no 'k' to change here"));
}

TEST(Scopes, NestedFunctionsReadTheFunctionsAroundTheirDefinition) {
  EXPECT_EQ(flat("k = 3\ndef make(k):\n  def f(q):\n    return q * k\n  return f\n"
                 "f = make(4)\ndef program(x):\n  k = 5\n  return f(x) + k\n"),
            "return x * 4 + 5");
  EXPECT_EQ(flat("def program(x):\n  k = 5\n  f = lambda q: q * k\n  k = 6\n  return f(x)\n"),
            "return x * 6");
  EXPECT_EQ(flat("def program(x):\n  fs = [lambda q: q * n for n in range(3)]\n  n = 7\n"
                 "  return fs[0](x) + n\n"),
            "return x * 2 + 7");
  EXPECT_EQ(flat("def program(x):\n  n = 7\n  a = [n for n in range(n) if n > 5]\n"
                 "  return x * a[0] + n\n"),
            "return x * 6 + 7");
  EXPECT_EQ(flat("def program(x):\n  b = [(last := n) for n in range(3)]\n"
                 "  return x * last\n"),
            "return x * 2");
}

TEST(Scopes, NonlocalChangesTheFunctionAroundAndGlobalOnlyReads) {
  EXPECT_EQ(flat("def program(x):\n  k = 1\n  def up():\n    nonlocal k\n    k += 2\n"
                 "    k = k * 2\n  up()\n  return x * k\n"),
            "return x * 6");
  EXPECT_EQ(flat("k = 3\ndef program(x):\n  k = 5\n  def f():\n    global k\n    return k\n"
                 "  return x * f() + k\n"),
            "return x * 3 + 5");
  EXPECT_THAT(refusal("k = 3\ndef program(x):\n  def f():\n    global k\n    k = 4\n  f()\n"
                      "  return x * k\n"),
              HasSubstr("'k' is a global name, which a program cannot change"));
  EXPECT_THAT(refusal("k = 3\ndef program(x):\n  def f():\n    nonlocal k\n    k = 4\n  f()\n"
                      "  return x * k\n"),
              HasSubstr("no function around this one has the name 'k'"));
  EXPECT_THAT(refusal("k = 3\ndef program(x):\n  def f():\n    k = 4\n    global k\n  f()\n"
                      "  return x * k\n"),
              HasSubstr("has a value before this line declares it to be global"));
}

TEST(Scopes, AScriptsFunctionsReadTheLinesOfTheScript) {
  EXPECT_THAT(refusal("k = 3\ndef f(q):\n  return q * k\nk = 4\ny = f(x)\nreturn y\n"),
              StartsWith("accepted"));
  EXPECT_EQ(flat("k = 3\ndef f(q):\n  return q * k\nk = 4\ny = f(x)\nreturn y + 1\n"),
            flat("y = x * 4\nreturn y + 1\n"));
}

}  // namespace
}  // namespace fusebench
