// SPDX-License-Identifier: GPL-3.0-or-later
// Python's collections while a program is read: defaultdict, Counter and deque.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/support/program_lines.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::HasSubstr;

std::string readWith(const std::string& lines) {
  return flat("from collections import Counter, defaultdict, deque\ndef f(x):\n" + lines);
}

TEST(Collections, ADefaultDictMakesTheValueOfAMissingKey) {
  EXPECT_EQ(readWith("  d = defaultdict(list)\n  d['a'].append(2)\n  d['a'].append(3)\n"
                     "  d['b']\n  return x * len(d) + sum(d['a'])"),
            "return x * 2 + 5");
  EXPECT_EQ(readWith("  d = defaultdict(int, {'k': 4})\n  d['k'] += 1\n  d['n'] += 7\n"
                     "  return x * d['k'] + d['n'] + d.get('z', 9) + len(d.copy())"),
            "return x * 5 + 7 + 9 + 2");
  EXPECT_EQ(readWith("  d = defaultdict(lambda: x)\n  return d['a'] + 1"), "return x + 1");
  EXPECT_THAT(refusal("from collections import defaultdict\ndef f(x):\n  d = defaultdict()\n"
                      "  return x * d['a']"),
              HasSubstr("there is no 'a' in this dict"));
}

TEST(Collections, ACounterCountsItems) {
  EXPECT_EQ(readWith("  c = Counter(['a', 'b', 'a'])\n  c.update({'b': 3})\n"
                     "  return x * c['a'] + c['b'] + c['never'] + len(c) + c.total()"),
            "return x * 2 + 4 + 0 + 2 + 6");
  EXPECT_EQ(readWith("  c = Counter('abcab')\n  c.subtract('c')\n"
                     "  (first, count), = c.most_common(1)\n"
                     "  return x * count + len(list(c.elements())) + (3 if first == 'a' else 0)"),
            "return x * 2 + 4 + 3");
}

TEST(Collections, ADequeKeepsItsLastItems) {
  EXPECT_EQ(readWith("  d = deque([1, 2, 3], maxlen=3)\n  d.append(4)\n  d.appendleft(9)\n"
                     "  return x * d[0] + d[1] + d[-1] + len(d)"),
            "return x * 9 + 2 + 3 + 3");
  EXPECT_EQ(readWith("  d = deque()\n  d.extend([1, 2, 3])\n  d.rotate(1)\n  a = d.popleft()\n"
                     "  d.extendleft([7, 8])\n  return x * a + d[0] + d.pop()"),
            "return x * 3 + 8 + 2");
  EXPECT_EQ(readWith("  d = deque(maxlen=2)\n  for i in range(4):\n    d.append(x * i)\n"
                     "  return d[0] + d[1]"),
            "t1 = x * 0 | t2 = x * 1 | t3 = x * 2 | t4 = x * 3 | return t3 + t4");
}

}  // namespace
}  // namespace fusebench
