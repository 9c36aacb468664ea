// SPDX-License-Identifier: GPL-3.0-or-later
// Iterators, which a program reads as Python does: __iter__, __next__, iter(), next(), generators.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/support/program_lines.h"

namespace fusebench::test {
namespace {

using ::testing::HasSubstr;

const std::string kLoader =
    "class Loader:\n"
    "  def __init__(self, data, size):\n"
    "    self.data, self.size, self.at = data, size, 0\n"
    "  def __iter__(self):\n"
    "    self.at = 0\n"
    "    return self\n"
    "  def __next__(self):\n"
    "    if self.at >= self.size:\n"
    "      raise StopIteration\n"
    "    self.at += 1\n"
    "    return self.data[self.at - 1]\n";

TEST(Iterators, AClassThatIsItsOwnIteratorGivesItsItems) {
  EXPECT_EQ(flat(kLoader + "y = x\nfor k in Loader([2, 3, 5], 3):\n  y = y * k\nreturn y"),
            flat("y = x\ny = y * 2\ny = y * 3\ny = y * 5\nreturn y"));
  // A second loop starts at the first item again, since __iter__ does.
  EXPECT_EQ(flat(kLoader + "l = Loader([2, 3], 2)\nn = sum(l) * sum([k for k in l])\nreturn x * n"),
            flat("return x * 25"));
  EXPECT_EQ(flat(kLoader + "a, b = Loader([7, 8], 2)\nn = a + len(list(Loader([1], 1)))\n"
                           "return x * n"),
            flat("return x * 8"));
  EXPECT_EQ(flat(kLoader + "n = (3 in Loader([2, 3], 2)) * max(Loader([4, 6], 2))\nreturn x * n"),
            flat("return x * 6"));
  EXPECT_EQ(flat(kLoader + "for i, k in enumerate(Loader([2, 3, 5], 3)):\n"
                           "  if i == 1:\n    break\nreturn x * k"),
            flat("return x * 3"));
}

/// As examples of data loading are written: the next batch is copied while this one is in use.
TEST(Iterators, AClassMayKeepTheNextTensorBetweenItsItems) {
  const std::string prefetcher =
      "class Prefetcher:\n"
      "  def __init__(self, loader):\n"
      "    self.loader = iter(loader)\n"
      "    self.preload()\n"
      "  def preload(self):\n"
      "    try:\n"
      "      self.batch = next(self.loader)\n"
      "    except StopIteration:\n"
      "      self.batch = None\n"
      "      return\n"
      "    self.batch = self.batch.cuda(non_blocking=True)\n"
      "  def __iter__(self):\n"
      "    return self\n"
      "  def __next__(self):\n"
      "    batch = self.batch\n"
      "    if batch is None:\n"
      "      raise StopIteration\n"
      "    self.preload()\n"
      "    return batch\n";
  EXPECT_EQ(flat(prefetcher + "y = 0\nfor b in Prefetcher([x + 1, x + 2]):\n  y = y + b.sum()\n"
                              "return y"),
            "t2 = x + 2 | batch = (x + 1).cuda(non_blocking=True) | "
            "t1 = t2.cuda(non_blocking=True) | y = 0 + torch.sum(batch) | batch = t1 | return y");
  EXPECT_THAT(refusal("class Keeper(nn.Module):\n"
                      "  def forward(self, x):\n    self.last = x + 1\n    return self.last\n"
                      "keeper = Keeper()\ndef f(x):\n  return keeper(x)"),
              HasSubstr("keep no state between calls"));
}

TEST(Iterators, OneThatHasNoEndIsReadAsFarAsItIsAskedFor) {
  const std::string endless =
      "class Count:\n"
      "  def __init__(self):\n    self.n = 0\n"
      "  def __iter__(self):\n    return self\n"
      "  def __next__(self):\n    self.n += 1\n    return self.n\n";
  EXPECT_EQ(
      flat(endless + "y = x\nfor k in Count():\n  if k > 3:\n    break\n  y = y * k\nreturn y"),
      flat("y = x\ny = y * 1\ny = y * 2\ny = y * 3\nreturn y"));
  EXPECT_EQ(flat(endless + "return x * sum(a * b for a, b in zip(Count(), [5, 7]))"),
            flat("return x * 19"));
  EXPECT_EQ(flat(endless + "for k in map(lambda a: a * a, Count()):\n"
                           "  if k > 20:\n    break\nreturn x * k"),
            flat("return x * 25"));
  EXPECT_EQ(flat(endless + "return x * next(filter(lambda a: a > 4, Count()))"),
            flat("return x * 5"));
  EXPECT_THAT(refusal(endless + "for k in Count():\n  pass\nreturn x"),
              HasSubstr("steps to work out"));
  EXPECT_THAT(
      refusal(endless + "return x * sum(Count())"),
      AnyOf(HasSubstr("more items than any program needs"), HasSubstr("steps to work out")));
}

TEST(Iterators, NextTakesOneItemAndItsDefault) {
  EXPECT_EQ(flat("it = iter([2, 3])\ny = x * next(it)\ny = y * next(it)\nreturn y * next(it, 9)"),
            flat("y = x * 2\ny = y * 3\nreturn y * 9"));
  EXPECT_EQ(flat("def upTo(n):\n  for i in range(n):\n    yield i + 1\n"
                 "g = upTo(3)\nfirst = next(g)\nreturn x * first + sum(g) + sum(g)"),
            flat("return x * 1 + 5 + 0"));
  EXPECT_EQ(flat(kLoader + "l = iter(Loader([4], 1))\nreturn x * next(l) * next(l, 6)"),
            flat("return x * 4 * 6"));
  EXPECT_EQ(flat("return x * next(k for k in [1, 5, 7] if k > 2)"), flat("return x * 5"));
  EXPECT_EQ(flat("it = iter({'a': 1, 'b': 2})\nreturn x * (next(it) == 'a')"),
            flat("return x * True"));
  EXPECT_EQ(flat("it = iter([1, 2, 3, 4])\nreturn x * sum(a * b for a, b in zip(it, it))"),
            flat("return x * 14"));
}

TEST(Iterators, AGeneratorPausesWhereItGivesAnItem) {
  const std::string endless = "def count():\n  n = 0\n  while True:\n    n += 1\n    yield n\n";
  EXPECT_EQ(flat(endless + "for k in count():\n  if k > 3:\n    break\n  x = x * k\nreturn x"),
            flat("x = x * 1\nx = x * 2\nx = x * 3\nreturn x"));
  EXPECT_EQ(flat(endless + "g = count()\na = next(g)\nb = next(g)\n"
                           "n = sum(i * j for i, j in zip([5, 7], g))\nreturn x * a * b * n"),
            flat("return x * 1 * 2 * 43"));
  // A generator's body runs when an item is requested.
  EXPECT_EQ(flat("def f(seen):\n  seen.append(1)\n  yield 1\n  seen.append(2)\n  yield 2\n"
                 "seen = []\ng = f(seen)\na = len(seen)\nnext(g)\nb = len(seen)\nnext(g)\n"
                 "return x * a * b * len(seen)"),
            flat("return x * 0 * 1 * 2"));
  // Ops come in the order in which a loop's rounds ask for them.
  EXPECT_EQ(flat("def rows(x):\n  for i in range(2):\n    y = x[i]\n    yield y\n"
                 "z = 0\nfor r in rows(x):\n  z = z + r\nreturn z"),
            "y = x.select(0, 0) | z = 0 + y | y = x.select(0, 1) | z = z + y | return z");
  EXPECT_EQ(flat("def walk(n):\n  if n > 0:\n    yield from walk(n - 1)\n    yield n\n"
                 "return x * sum(walk(20))"),
            flat("return x * 210"));
  // Two generators continue by turns, and one that nothing refers to any more is unwound.
  EXPECT_EQ(flat(endless + "a = count()\nb = count()\nfor i in range(3):\n  n = next(a)\n"
                           "m = next(b)\na = None\nreturn x * n * m"),
            flat("return x * 3 * 1"));
  EXPECT_EQ(flat("def f():\n  yield 1\n  return\nreturn x * sum(f()) * len(list(f()))"),
            flat("return x * 1 * 1"));
}

TEST(Iterators, AGeneratorMeetsLimits) {
  EXPECT_THAT(refusal("def f(n):\n  yield from f(n + 1)\nreturn x * sum(f(0))"),
              HasSubstr("deep here"));
  EXPECT_THAT(refusal("def f():\n  while True:\n    yield 1\nfor k in f():\n  pass\nreturn x"),
              AnyOf(HasSubstr("steps to work out"), HasSubstr("more than 100000 iterations")));
  EXPECT_THAT(refusal("def f():\n  yield 1\n  yield 2\n"
                      "a = [f() for i in range(600)]\nfor g in a:\n  next(g)\nreturn x"),
              HasSubstr("generators are unfinished"));
  EXPECT_THAT(refusal("def f(a):\n  yield next(a[0])\n"
                      "a = []\na.append(f(a))\nreturn x * next(a[0])"),
              HasSubstr("running already"));
  EXPECT_THAT(refusal("def f():\n  yield 1\n  assert False, 'here'\n"
                      "g = f()\nnext(g)\nreturn x * next(g, 2)"),
              HasSubstr("here"));
}

TEST(Iterators, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("it = iter([])\nreturn x * next(it)"), HasSubstr("StopIteration"));
  EXPECT_THAT(refusal("raise StopIteration\nreturn x"), HasSubstr("StopIteration"));
  EXPECT_THAT(refusal("return x * next([1, 2])"), HasSubstr("a list is not an iterator"));
  EXPECT_THAT(refusal("return x * len(iter([1, 2]))"), HasSubstr("an iterator has no len"));
  EXPECT_THAT(refusal("class A:\n  def __iter__(self):\n    return self\n"
                      "for k in A():\n  pass\nreturn x"),
              HasSubstr("__iter__ must return an iterator"));
  EXPECT_THAT(refusal("class A:\n  def __iter__(self):\n    return 3\n"
                      "return x * sum(A())"),
              HasSubstr("but returns a number"));
  EXPECT_THAT(refusal("class A:\n  def __init__(self):\n    self.n = 1\nfor k in A():\n  pass\n"
                      "return x"),
              HasSubstr("is not iterable"));
  EXPECT_THAT(refusal("def f():\n  yield 1\n  raise StopIteration\nreturn x * sum(f())"),
              HasSubstr("this generator raises StopIteration"));
}

}  // namespace
}  // namespace fusebench::test
