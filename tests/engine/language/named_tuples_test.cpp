// SPDX-License-Identifier: GPL-3.0-or-later
// Tuples whose items have names, Python's itertools, functools and operator, which a program reads
// as Python does.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/program_source.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench::test {
namespace {

using ::testing::HasSubstr;

const std::string kTypedTuple =
    "from typing import NamedTuple\nclass C(NamedTuple):\n  a: int\n  b: int = 2\n";
const std::string kMadeTuple =
    "from collections import namedtuple\nC = namedtuple('C', 'a, b', defaults=[2])\n";

std::string calledAfter(const std::string& before, const std::string& lines) {
  return before + "def f(x):\n" + lines;
}

TEST(NamedTuples, AreTuplesWithNames) {
  for (const std::string& before : {kTypedTuple, kMadeTuple}) {
    const auto shows = [&](const std::string& number) {
      return flat(
          calledAfter(before, "  c = C(3)\n  d = c._replace(b=5)\n  return x * (" + number + ")"));
    };
    for (const char* same : {"c.a", "c[0]", "list(c)[0]", "C(a=3).a", "C(b=1, a=3)[0]", "d.a",
                             "c._asdict()['a']", "C(*c).a", "C(**c._asdict()).a", "max(c)",
                             "C._make([3, 4]).a", "len(C._fields) + 1", "c.index(2) + 2"})
      EXPECT_EQ(shows(same), flat("return x * 3")) << same;
    EXPECT_EQ(shows("d.b"), flat("return x * 5"));
    EXPECT_EQ(shows("isinstance(c, C) * isinstance(c, tuple) * (c == (3, 2))"),
              flat("return x * 1"));
    EXPECT_EQ(flat(calledAfter(before, "  p, q = C(3)\n  return x * p + q")),
              flat("return x * 3 + 2"));
  }
}

TEST(NamedTuples, HaveTheMethodsOfTheirClass) {
  const std::string methods =
      "from collections import namedtuple\n"
      "class P(namedtuple('P', 'u v')):\n"
      "  @property\n  def total(self):\n    return self.u + self.v\n"
      "  def scaled(self, by):\n    return self._replace(u=self.u * by)\n"
      "  @classmethod\n  def both(cls, n):\n    return cls(n, n)\n";
  EXPECT_EQ(
      flat(calledAfter(methods, "  return x * P(1, 2).total * P(1, 2).scaled(4).u * P.both(5).v")),
      flat("return x * 3 * 4 * 5"));
}

TEST(NamedTuples, TakeArgumentsAsTheirClassSays) {
  for (const std::string& before : {kTypedTuple, kMadeTuple}) {
    const auto error = [&](const std::string& made) {
      return refusal(calledAfter(before, "  return x * " + made + ".a"));
    };
    EXPECT_THAT(error("C()"), HasSubstr("C(...) is missing its argument 'a'"));
    EXPECT_THAT(error("C(1, 2, 3)"), HasSubstr("C(...) takes at most 2 arguments"));
    EXPECT_THAT(error("C(1, d=3)"), HasSubstr("C(...) has no argument 'd'"));
    EXPECT_THAT(error("C(1, a=3)"), HasSubstr("C(...) got 'a' twice"));
    EXPECT_THAT(error("C(1)._replace(d=3)"), HasSubstr("C(...) has no argument 'd'"));
  }
  EXPECT_THAT(refusal("from typing import NamedTuple\nclass C(NamedTuple):\n  a: int = 1\n"
                      "  b: int\ndef f(x):\n  return x * C(1, 2).a"),
              HasSubstr("the field 'b' of C has no default but follows 'a'"));
}

TEST(NamedTuples, AreWhatPyTorchIsGiven) {
  EXPECT_THAT(torchText(parseProgram(calledAfter(kTypedTuple, "  c = C(3)\n  return x * c.a\n"))),
              HasSubstr("class C(NamedTuple):\n    a: object\n    b: object = 2\n"));
  const std::string made =
      torchText(parseProgram(calledAfter(kMadeTuple, "  c = C(3)\n  return x * c.a\n")));
  EXPECT_THAT(made, HasSubstr("from collections import namedtuple\n"));
  EXPECT_THAT(made, HasSubstr("C = namedtuple('C', 'a, b', defaults=[2])\n"));
}

TEST(Itertools, GiveTheItemsThatPythonGives) {
  const auto digits = [](const std::string& items) {
    return flat(
        "import itertools\nimport operator\nfrom functools import reduce\nn = 0\nfor t in " +
        items +
        ":\n  for k in (t if isinstance(t, (tuple, list)) else [t]):\n    n = n * 10 + k\n"
        "return x * n");
  };
  const auto gives = [](const char* number) { return flat(std::string("return x * ") + number); };
  EXPECT_EQ(digits("itertools.product([1, 2], [3, 4])"), gives("13142324"));
  EXPECT_EQ(digits("itertools.product([1, 2], repeat=2)"), gives("11122122"));
  EXPECT_EQ(digits("itertools.chain([1, 2], (3,))"), gives("123"));
  EXPECT_EQ(digits("itertools.chain.from_iterable([[1, 2], [3]])"), gives("123"));
  EXPECT_EQ(digits("itertools.islice(itertools.count(2, 2), 1, 4)"), gives("468"));
  EXPECT_EQ(digits("itertools.islice(itertools.cycle([1, 2]), 0, 5, 2)"), gives("111"));
  EXPECT_EQ(digits("itertools.accumulate([1, 2, 3])"), gives("136"));
  EXPECT_EQ(digits("itertools.accumulate([1, 2], operator.mul, initial=4)"), gives("448"));
  EXPECT_EQ(digits("itertools.combinations([1, 2, 3], 2)"), gives("121323"));
  EXPECT_EQ(digits("itertools.combinations_with_replacement([1, 2], 2)"), gives("111222"));
  EXPECT_EQ(digits("itertools.permutations([1, 2, 3], 2)"), gives("121321233132"));
  EXPECT_EQ(digits("itertools.zip_longest([1, 2], [3], fillvalue=9)"), gives("1329"));
  EXPECT_EQ(digits("itertools.pairwise([1, 2, 3])"), gives("1223"));
  EXPECT_EQ(digits("itertools.repeat(7, 3)"), gives("777"));
  EXPECT_EQ(digits("itertools.takewhile(lambda k: k < 3, [1, 2, 3, 1])"), gives("12"));
  EXPECT_EQ(digits("itertools.dropwhile(lambda k: k < 3, [1, 2, 3, 1])"), gives("31"));
  EXPECT_EQ(digits("itertools.starmap(operator.add, [(1, 2), (3, 4)])"), gives("37"));
  EXPECT_EQ(digits("[len(list(g)) for k, g in itertools.groupby([1, 1, 2])]"), gives("21"));
  EXPECT_EQ(digits("[reduce(operator.sub, [9, 3, 2]), reduce(max, [], 5)]"), gives("45"));
  EXPECT_EQ(digits("sorted([(2, 1), (1, 5)], key=operator.itemgetter(1))"), gives("2115"));
  EXPECT_THAT(refusal("from functools import reduce\nreturn x * reduce(max, [])"),
              HasSubstr("reduce() of empty iterable with no initial value"));
}

TEST(Partial, KeepsArgumentsForCallsToCome) {
  const std::string start = "from functools import partial\n";
  EXPECT_EQ(flat(start + "def g(a, b, c=3):\n  return a * 100 + b * 10 + c\n"
                         "h = partial(g, 1, c=4)\nreturn x * h(2) + h(5, c=6) + partial(h, 7)()"),
            flat("return x * 124 + 156 + 174"));
  EXPECT_EQ(flat(start + "act = partial(F.leaky_relu, negative_slope=0.2)\nreturn act(x)"),
            flat("return F.leaky_relu(x, negative_slope=0.2)"));
  EXPECT_THAT(refusal(start + "return x * partial()()"),
              HasSubstr("functools.partial needs a function"));
}

}  // namespace
}  // namespace fusebench::test
