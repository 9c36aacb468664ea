// SPDX-License-Identifier: GPL-3.0-or-later
// The Python that is evaluated while a program is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>

#include "engine/language/parser.h"
#include "engine/language/program_builder.h"
#include "tests/engine/support/program_lines.h"
#include "tests/engine/support/torch_python.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using test::flat;
using test::refusal;
using ::testing::HasSubstr;

ProgramHints hintsOf(const Shape& shape) {
  return {{"x", {shape, DType::float32}}};
}

TEST(Casts, TypeAsTakesTheDtypeOfItsTensor) {
  ProgramHints hints{{"x", {{3}, DType::float32}}, {"y", {{2, 2}, DType::float16}}};
  EXPECT_EQ(flat("return x.type_as(y)", hints), flat("return x.half()"));
  EXPECT_EQ(flat("return x.to(y.dtype)", hints), flat("return x.half()"));
  EXPECT_EQ(flat("return x.type_as(y.sum())", hints).find("half") != std::string::npos, true);
  EXPECT_EQ(flat("return x.type_as(x > 0)"), flat("return x.type_as(x > 0)", hints));
  EXPECT_THAT(refusal("return x.type_as(y)"),
              testing::HasSubstr("type_as: the dtype of its tensor"));
  EXPECT_THAT(refusal("return x.type_as(2)", hints), testing::HasSubstr("takes one tensor"));
}

TEST(Casts, WhatIsReducedIsCastBefore) {
  EXPECT_EQ(flat("return x.sum(1, dtype=torch.float64)"), flat("return x.double().sum(1)"));
  EXPECT_EQ(flat("return torch.mean(x, dtype=torch.float32)"), flat("return x.float().mean()"));
  EXPECT_EQ(flat("return x.cumsum(0, dtype=torch.long)"), flat("return x.long().cumsum(0)"));
}

TEST(Casts, SoftmaxHasTheDtypeThatItIsAskedFor) {
  const ProgramHints hints{{"x", {{3, 4}, DType::float16}}};
  EXPECT_EQ(flat("return F.softmax(x, -1, dtype=torch.float32)", hints),
            flat("return F.softmax(x.float(), -1)", hints));
  // Without a dimension it is the second of two.
  EXPECT_THAT(flat("return F.softmax(x)", hints), HasSubstr("torch.amax(x, dim=1, keepdim=True)"));
  EXPECT_THAT(flat("return F.log_softmax(x)", {{"x", {{2, 3, 4}, DType::float32}}}),
              HasSubstr("torch.amax(x, dim=0, keepdim=True)"));
}

TEST(Casts, ADtypeThatIsNotKnownIsNoted) {
  EXPECT_TRUE(parseProgram("return (x * 2).to(x.dtype)").asksDtypes);
  EXPECT_FALSE(parseProgram("return (x * 2).to(x.dtype)", hintsOf({3})).asksDtypes);
  EXPECT_FALSE(parseProgram("return x.float() * torch.ones(3, dtype=x.long().dtype)").asksDtypes);
}

TEST(Devices, WhatIsComputedIsWhereProgramsCompute) {
  EXPECT_EQ(flat("y = torch.arange(3).to(x.device)\nreturn x * y"),
            flat("y = torch.arange(3)\nreturn x * y"));
  EXPECT_THAT(flat("return x.to(y.device) * y"), HasSubstr("cuda"));
}

TEST(Modules, AreOfTheDtypeThatTheyAreCastTo) {
  const auto dtypesOf = [](const std::string& made) {
    std::string names;
    for (const HeldInput& held : parseProgram("m = " + made + "\ndef f(x):\n  return m(x)\n").held)
      names += std::string(info(held.initial.dtype).name) + " ";
    return names;
  };
  EXPECT_EQ(dtypesOf("nn.Linear(2, 3)"), "float32 float32 ");
  EXPECT_EQ(dtypesOf("nn.Linear(2, 3).half()"), "float16 float16 ");
  EXPECT_EQ(dtypesOf("nn.Linear(2, 3).to(torch.bfloat16)"), "bfloat16 bfloat16 ");
  EXPECT_EQ(dtypesOf("nn.Linear(2, 3, dtype=torch.float64)"), "float64 float64 ");
}

TEST(Modules, FreezeTheParametersThatSayTheyNeedNoGradient) {
  const auto trained = [](const std::string& line) {
    const Program program =
        parseProgram("m = nn.Linear(2, 3)\n" + line + "\ndef f(x):\n  return m(x)\n");
    std::string names;
    for (const HeldInput& held : program.held)
      if (held.parameter) names += program.inputs[static_cast<std::size_t>(held.input)] + " ";
    return names;
  };
  EXPECT_EQ(trained("k = 1"), "m_weight m_bias ");
  EXPECT_EQ(trained("for p in m.parameters():\n  p.requires_grad = False"), "");
  EXPECT_EQ(trained("m.bias.requires_grad_(False)"), "m_weight ");
  EXPECT_EQ(trained("m.requires_grad_(False)"), "");
}

TEST(LanguageTest, TensorsAreGoneThroughRowByRowWhereTheirSizeIsKnown) {
  EXPECT_EQ(
      flat("y = 0\nfor row in x:\n  y = y + row\nreturn y", hintsOf({2, 3})),
      "assert (x.shape[0] == 2) | t1 = x.select(0, 1) | y = 0 + x.select(0, 0) | y = y + t1 | "
      "return y");
}

TEST(LanguageTest, AssignmentsTakeTuplesAndChains) {
  EXPECT_EQ(flat("a, (b, *c) = x, (x + 1, 2, 3)\nreturn a * b * c[1]"),
            "t1 = x + 1 | a = x | b = t1 | return a * b * 3");
  EXPECT_EQ(flat("a = b = torch.exp(x)\nreturn a + b"), "a = torch.exp(x) | b = a | return b + b");
  EXPECT_EQ(flat("x, y = y, x\nreturn x - y"), "t1 = x | x = y | y = t1 | return x - y");
}

TEST(LanguageTest, LoopsAreWrittenOut) {
  EXPECT_EQ(flat("for i in range(1, 4):\n  if i == 2: continue\n  x = x * i\nreturn x"),
            "x = x * 1 | x = x * 3 | return x");
  EXPECT_EQ(flat("for k, v in zip('ab', [1.5, 2.5]):\n  x = x + v\nelse:\n  x = -x\nreturn x"),
            "x = x + 1.5 | x = x + 2.5 | x = -x | return x");
  EXPECT_EQ(flat("n = 5\nwhile n > 1:\n  n //= 2\n  x = x + n\n  if n == 1: break\nreturn x"),
            "x = x + 2 | x = x + 1 | return x");
}

TEST(LanguageTest, ChoicesByKnownValuesAreMade) {
  EXPECT_EQ(flat("def f(x, bias=None, mode='a', k=3):\n"
                 "  if mode in ('a', 'b') and not k < 2:\n    x = x * k\n"
                 "  elif k is None:\n    x = x - 1\n"
                 "  return x if bias is None else x + bias"),
            "x = x * 3 | return x + bias");
}

TEST(LanguageTest, AReturnWithinABlockEndsTheProgram) {
  EXPECT_EQ(flat("def f(x, fast=True):\n  if fast:\n    return torch.exp(x)\n  return x + 1"),
            "return torch.exp(x)");
}

TEST(LanguageTest, FunctionsTakeArgumentsAsPythonDoes) {
  EXPECT_EQ(flat("def g(a, *rest, scale=2, **more):\n"
                 "  for r in rest: a = a + r\n  return a * scale + more.get('shift', 0)\n"
                 "def f(x):\n  return g(x, 1, 2, scale=3, shift=4)"),
            "a = x + 1 | a = a + 2 | return a * 3 + 4");
  EXPECT_EQ(flat("def outer(k):\n  def inner(t): return t * k\n  return inner\n"
                 "def f(x):\n  double = outer(2)\n  return double(double(x))"),
            "return x * 2 * 2");
  EXPECT_EQ(flat("f = lambda t, n=2: t ** n\nreturn f(x, 3)"), "return x ** 3");
}

TEST(LanguageTest, ListsAreSharedAsPythonsAre) {
  EXPECT_EQ(flat("a = b = []\nb.append(x)\na.extend([x + 1])\nreturn sum(t for t in b)"),
            "t1 = x + 1 | return 0 + x + t1");
  EXPECT_THAT(refusal("a = (1,)\na.append(2)\nreturn x"), HasSubstr("tuple cannot be changed"));
}

TEST(LanguageTest, SizesAreNumbersThatDependOnShapes) {
  EXPECT_EQ(flat("def f(x):\n  b, n = x.shape\n  return x / (n * 2 - 1) + b"),
            "assert (x.dim() == 2) | return x / (x.shape[1] * 2 - 1) + x.shape[0]");
  EXPECT_EQ(flat("return x.sum() / x.numel() ** 0.5"), "return torch.sum(x) / (x.numel() ** 0.5)");
  EXPECT_EQ(flat("y = torch.exp(x)\nreturn y * y.size(-1)"),
            "y = torch.exp(x) | return y * y.shape[-1]");
}

TEST(LanguageTest, AnAssertOnSizesIsKept) {
  const Program program =
      parseProgram("def f(x):\n  assert x.shape[0] % 2 == 0, 'odd'\n  return -x");
  const std::vector<ValueType> even{{{4, 3}, DType::float32}}, odd{{{3, 3}, DType::float32}};
  EXPECT_NO_THROW(inferTypes(program, even));
  try {
    inferTypes(program, odd);
    FAIL() << "3 rows are odd";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), HasSubstr("odd"));
    EXPECT_EQ(error.place().line, 2);
  }
}

TEST(LanguageTest, ChoicesBySizesAreMadeForTheSizesGivenAndChecked) {
  const std::string text = "def f(x):\n  for i in range(x.shape[0]):\n    x = x + i\n  return x";
  EXPECT_THAT(refusal(text), HasSubstr("not known before the inputs' sizes are"));
  const Program program = parseProgram(text, hintsOf({3, 2}));
  EXPECT_EQ(program.ops.size(), 3u);
  const std::vector<ValueType> same{{{3, 5}, DType::float32}}, other{{{4, 2}, DType::float32}};
  EXPECT_NO_THROW(inferTypes(program, same));
  EXPECT_THROW(inferTypes(program, other), ProgramError);
}

TEST(LanguageTest, ModulesBringTheirWeightsAlong) {
  const Program program = parseProgram(
      "class Net(nn.Module):\n"
      "  def __init__(self, n=3):\n"
      "    super().__init__()\n"
      "    self.scale = nn.Parameter(torch.randn(n) * 0.5)\n"
      "    self.norm = nn.LayerNorm(n)\n"
      "    self.unused = torch.zeros(100)\n"
      "  def forward(self, x):\n"
      "    return self.norm(x * self.scale)\n");
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"x", "scale", "norm_weight", "norm_bias"}));
  ASSERT_EQ(program.held.size(), 3u);
  EXPECT_EQ(program.held[0].initial.kind, InitialValues::Kind::normal);
  EXPECT_EQ(program.held[0].initial.high, 0.5);
  EXPECT_EQ(program.held[0].initial.extents, (Shape{3}));
  EXPECT_EQ(program.held[1].initial.numbers, std::vector<double>{1});
}

TEST(LanguageTest, OpsKnowTheCallsAndRoundsThatMadeThem) {
  const Program program = parseProgram(
      "def act(t):\n  return torch.sin(t)\n"
      "def f(x):\n  for i in range(2):\n    x = act(x)\n  return x + 1");
  ASSERT_EQ(program.ops.size(), 3u);
  const Frame& call = program.frames.at(static_cast<std::size_t>(program.ops[1].frame));
  EXPECT_EQ(call.kind, Frame::Kind::function);
  EXPECT_EQ(call.name, "act");
  const Frame& round = program.frames.at(static_cast<std::size_t>(call.parent));
  EXPECT_EQ(round.name, "i = 1");
  EXPECT_EQ(round.parent, -1);
  EXPECT_EQ(program.ops[1].place.line, 2);
  EXPECT_EQ(program.ops[2].frame, -1);
}

TEST(LanguageTest, LibraryFunctionsAreOneStatementOfRows) {
  const Program program = parseProgram("y = F.softmax(x, dim=-1)\nreturn y");
  EXPECT_EQ(program.statements.size(), 1u);
  EXPECT_EQ(program.statements[0].opCount, 5);
  EXPECT_EQ(program.ops[3].place.line, 1);
  EXPECT_THAT(refusal("return F.softmax(x, axis=-1)"), HasSubstr("has no argument 'axis'"));
}

TEST(LanguageTest, TheProgramIsTheFunctionThatNoOtherNames) {
  EXPECT_EQ(flat("def f(x):\n  return g(x) + 1\ndef g(x):\n  return -x"), "return -x + 1");
  EXPECT_EQ(flat("def g(x):\n  return -x\ny = g(x)\nreturn y * 2"), "y = -x | return y * 2");
}

TEST(LanguageTest, TextsAndFormatsAreRead) {
  EXPECT_THAT(refusal("k = 3\nassert k > 4, f'k is {k:>3} of {[1, 2]}'\nreturn x"),
              HasSubstr("k is   3 of [1, 2]"));
  EXPECT_EQ(flat("names = {'a': 2, **{'b': 3}}\nreturn x * names['b'] * len('abc'[1:])"),
            "return x * 3 * 2");
}

/// Whether a condition holds, or why not.
std::string kept(const std::string& condition) {
  return refusal("a = 7\nassert " + condition + "\nreturn x + a");
}

/// Each holds in Python.
constexpr const char* kFormats[] = {
    // Formats within formats, conversions, names.
    "f'{a:0{2 + 1}d}' == '007' and f'{2.5:{a}.{2}f}' == '   2.50'",
    "'{:>{}}|{:{w}}'.format('a', 3, 1, w=2) == '  a| 1'",
    "f\"{'a'!r:>5}{'b'!s}\" == \"  'a'b\" and '{!r}'.format('a') == \"'a'\"",
    "f'{a=}' == 'a=7' and f'{a + 1 = :03d}' == 'a + 1 = 008' and f'{a == 7}' == 'True'",
    // Floats as they are.
    "f'{2.0:.3}' == '2.0' and f'{20.0:.2}' == '2e+01' and f'{123.0:.3}' == '1.23e+02'",
    "f'{123.4:.4}' == '123.4' and f'{0.0:.1}' == '0e+00' and f'{0.00001234:.2}' == '1.2e-05'",
    "str(100000.0) == '100000.0' and str(0.0001) == '0.0001' and str(1e-05) == '1e-05'",
    "str(1e16) == '1e+16' and str(1e15) == '1000000000000000.0' and str(-0.5) == '-0.5'",
    "f'{-0.0:.1f}' == '-0.0' and f'{-0.04:.1f}' == '-0.0' and str(-0.0) == '-0.0'",
    "f'{0 * -1:d}' == '0' and f'{-3:+d}' == '-3' and f'{3: d}' == ' 3'",
    "str(float('nan')) == 'nan' and str(-float('inf')) == '-inf'",
    "f\"{float('inf'):6}\" == '   inf' and f\"{float('inf'):06.2f}\" == '000inf'",
    "f\"{-float('inf'):F}\" == '-INF' and f\"{float('nan'):8e}\" == '     nan'",
    "f'{1e22:.0f}' == '10000000000000000000000' and f'{1e300:.3e}' == '1.000e+300'",
    "f'{0.5:.0f}{1.5:.0f}{2.5:.0f}' == '022' and f'{0.15:.1f} {0.25:.1f}' == '0.1 0.2'",
    "f'{1234.5:E}' == '1.234500E+03' and f'{1e-7:G}' == '1E-07' and f'{100000:g}' == '100000'",
    "f'{1000000.0:g}' == '1e+06' and f'{0.1:.0g}' == '0.1' and f'{0.125:.1%}' == '12.5%'",
    // Ints of other bases, groups, zeros.
    "f'{10:b} {255:X} {255:x} {8:o}' == '1010 FF ff 10' and f'{255:#06x}' == '0x00ff'",
    "f'{1234567:_} {1234567:_b}' == '1_234_567 1_0010_1101_0110_1000_0111'",
    "f'{1234:010,}' == '00,001,234' and f'{123:04,}' == '0,123' and f'{12:,}' == '12'",
    "f'{1234.5:012,.2f}' == '0,001,234.50' and f'{-1234:,d}' == '-1,234'",
    "f'{5:<05}' == '50000' and f'{5:*^5}' == '**5**' and f'{5:=+4}' == '+  5' and f'{7:n}' == '7'",
    // Truth values are ints; texts are not numbers.
    "f'{True:5}' == '    1' and f'{True}' == 'True' and '%5s' % True == ' True'",
    "f\"{'a':05}\" == 'a0000' and f\"{'abc':.2}\" == 'ab' and f\"{'ab':>4s}\" == '  ab'",
    "'%r' % 'a' == \"'a'\" and '%s %r' % ('a', ['b']) == \"a ['b']\" and '%.2s|' % 'abc' == 'ab|'",
    "'%5s|%-5s|%05d|%+d|% d' % ('a', 'b', -7, 7, 7) == '    a|b    |-0007|+7| 7'",
    "'%d %i %x %X %o %#x' % (2.9, -2.9, 255, 255, 8, 255) == '2 -2 ff FF 10 0xff'",
    "'%.3d %*d %.*f' % (5, 4, 7, 1, 2.25) == '005    7 2.2' and '%d' % -0.5 == '0'",
    "'%e %G %g %5.1f' % (12.5, 1e-7, 1e6, -0.04) == '1.250000e+01 1E-07 1e+06  -0.0'",
    "repr('a') == \"'a'\" and repr(\"it's\") == '\"it\\'s\"' and str({'a': [1]}) == \"{'a': [1]}\"",
    "repr('a\\n') == \"'a\\\\n'\" and str(('a',)) == \"('a',)\"",
    // Letters are counted, not bytes.
    "'a\u00e4b'.find('b') == 2 and '\u00e4b'.index('b') == 1 and 'a\u00e4'[1] == '\u00e4'",
    "f\"{'\u00e4':3}|\" == '\u00e4  |' and '%3s' % '\u00e4' == '  \u00e4'",
    "f\"{'\u00e4\u00f6':.1}\" == '\u00e4' and f\"{5:\u00e4>3}\" == '\u00e4\u00e45'",
    "[c for c in 'a\u00e4'] == ['a', '\u00e4'] and '\u00e4bc'[::-1] == 'cb\u00e4'",
    "''.join(reversed('a\u00e4')) == '\u00e4a' and '\u00e4xx\u00e4'.strip('\u00e4') == 'xx'",
    // Parts of texts.
    "'a  b c'.split() == ['a', 'b', 'c'] and 'a.b.c'.split('.', 1) == ['a', 'b.c']",
    "' a  b '.split(None, 1) == ['a', 'b '] and 'a.b'.split('.', maxsplit=0) == ['a.b']",
    "','.join(['', 'a']) == ',a' and 'xxaxx'.strip('x') == 'a' and 'abc'.count('') == 4",
    "min('b', 'a', key=None) == 'a' and max(3, 2, key=None) == 3"};

TEST(LanguageTest, TextsHoldWhatPythonPutsInThem) {
  for (const char* const holds :
       {"'w%d_%s' % (a, 'b') == 'w7_b'", "'%02d|%5.2f|%-4d|' % (a, 2.5, a) == '07| 2.50|7   |'",
        "'{}-{}'.format(a, 2) == '7-2'", "'{1}{0}{n:03d}'.format(1, 2, n=a) == '21007'",
        "f'{a:>4}{a:<3}{a:^3}|{2.0:.3f}|{12345:,}|{0.5:.0%}' == '   77   7 |2.000|12,345|50%'",
        "'{{{}}}'.format(a) == '{7}'", "f'{a:+d}' == '+7'", "'50%%' % () == '50%'",
        "'a.b'.replace('.', '_') == 'a_b'", "'x7'[1:].isdigit() and not 'x7'.isdigit()",
        "sorted([3, 1, 2], reverse=True) == [3, 2, 1]",
        "sorted(['bb', 'a'], key=len) == ['a', 'bb']", "sorted([(2, 'a'), (1, 'b')])[0][1] == 'b'",
        "len(set([1, 2, 1])) == 2", "max([3, -5], key=abs) == -5", "min([], default=4) == 4",
        "{'a': 1}.setdefault('b', 2) == 2"})
    EXPECT_THAT(kept(holds), testing::StartsWith("accepted")) << holds;
  for (const char* const holds : kFormats)
    EXPECT_THAT(kept(holds), testing::StartsWith("accepted")) << holds;
  for (const char* const wrong :
       {"f'{7:.2}' == ''", "f'{7.5:d}' == ''", "f'{7.5:x}' == ''", "f'{True:s}' == ''",
        "f\"{'a':+}\" == ''", "f\"{'a':d}\" == ''", "f\"{'a':=5}\" == ''", "f'{255:,x}' == ''",
        "f'{7:5.}' == ''", "f'{7:q}' == ''"})
    EXPECT_THAT(kept(wrong), HasSubstr("is not a format of")) << wrong;
  EXPECT_THAT(kept("f'{[1]:5}' == ''"), HasSubstr("a list, which has none"));
  EXPECT_THAT(kept("f'{1:999}' == ''"), HasSubstr("at most 200 characters wide"));
  EXPECT_THAT(kept("f'{1:{2:{3}}}' == ''"), HasSubstr("may have braces, but none within these"));
  EXPECT_THAT(kept("f'{1!a}' == ''"), HasSubstr("use !r or !s"));
  EXPECT_THAT(kept("'%d' % 1e30 == ''"), HasSubstr("does not stand for this number"));
  EXPECT_THAT(kept("'%x' % 2.5 == ''"), HasSubstr("does not stand for this number"));
  EXPECT_THAT(kept("'%d' % 'a' == ''"), HasSubstr("'%d' does not stand for 'a'"));
  EXPECT_THAT(kept("'%d' % (1, 2)"), HasSubstr("fewer '%' than there are values"));
  EXPECT_THAT(kept("'{}{}'.format(1)"), HasSubstr("no value for '{}'"));
  EXPECT_THAT(refusal("return sorted([x, x + 1])[0]"), HasSubstr("use torch.sort"));
}

TEST(LanguageTest, KnownValuesAreWhatPythonMakesOfThem) {
  for (const char* const holds :
       {"round(3.14159, 2) == 3.14 and round(1234, -2) == 1200 and round(2.5) == 2",
        "5 & 3 == 1 and 5 | 2 == 7 and 5 ^ 1 == 4 and 1 << 4 == 16 and 9 >> 2 == 2 and ~5 == -6",
        "math.gcd(12, 8) == 4 and math.factorial(5) == 120 and math.comb(5, 2) == 10",
        "math.isclose(0.1 + 0.2, 0.3) and not math.isnan(1.0) and math.radians(180) == math.pi",
        "list(filter(lambda a: a > 1, [1, 2])) == [2]", "type(1.5) == float and type('a') == str",
        "len({1, 2, 2}) == 2 and len({len(t) for t in ['a', 'b']}) == 1",
        "{'a': [1]} == {'a': [1]} and {'a': 1} != {'a': 2}",
        "not hasattr(1, 'foo') and hasattr(x, 'shape') and not hasattr(x, 'foo')",
        "str((1,)) == '(1,)' and str(['a']) == \"['a']\"",
        "'abcb'.find('c') == 2 and 'abcb'.count('b') == 2 and 'ab'.find('z') == -1",
        "max('ab', 'b') == 'b' and min(3, 2, key=lambda a: -a) == 3", "len('\u00e4\u00f6') == 2"})
    EXPECT_THAT(refusal("import math\nassert " + std::string(holds) + "\nreturn x * 2"),
                testing::StartsWith("accepted"))
        << holds;
}

TEST(LanguageTest, FormatsAreThoseOfPythonItself) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::string script = "a = 7\n";
  int number = 0;
  for (const char* const holds : kFormats)
    script += "if not (" + std::string(holds) + "): print(" + std::to_string(number++) + ")\n";
  EXPECT_EQ(test::runPython(python, script), "") << "of kFormats";
}

TEST(LanguageTest, TextsContainTheNumbersThatSizesHave) {
  const ProgramHints hints = hintsOf({4, 3});
  const auto held = [&](const std::string& condition) {
    return refusal("def f(x):\n  n = x.shape[0]\n  assert " + condition + "\n  return x * 2",
                   hints);
  };
  for (const char* const holds :
       {"str(x.shape[0]) == '4'", "f'{x.shape[0]}' == '4' and f'{n:03d}' == '004'",
        "{'4': 2}.get(str(n), 9) == 2", "{f'{n}': 2}['4'] == 2", "f'{n}' in ['4', 'b']",
        "'{}-{}'.format(*x.shape) == '4-3'", "len(str(x.shape)) == len('torch.Size([4, 3])')",
        "str(x.shape) == 'torch.Size([4, 3])' and str(tuple(x.shape)) == '(4, 3)'",
        "'%d' % x.shape[0] == '4' and '%03d|%s' % (n, n) == '004|4'", "repr(n + 1) == '5'",
        "str([n, 1]) == '[4, 1]' and str({n: 1}) == '{4: 1}'", "f'{n / 8}' == '0.5'",
        "f'{x.size(1)=}' == 'x.size(1)=3' and str(x.numel()) == '12'"})
    EXPECT_THAT(held(holds), testing::StartsWith("accepted")) << holds;
  EXPECT_THAT(refusal("def f(x):\n  return x * len(str(x.shape[0]))"),
              HasSubstr("this text depends on x.shape[0]"));
  // A message shows the size, which it does not have to be read for.
  EXPECT_THAT(refusal("def f(x):\n  assert x.shape[0] > 1, f'{x.shape[0]} rows'\n  return x * 2"),
              testing::StartsWith("accepted"));
}

TEST(LanguageTest, AnOrderByTensorsIsRefused) {
  for (const char* const choice :
       {"max([x, y], key=lambda t: t.sum())", "min(x.sum(), x.mean(), key=lambda t: t)",
        "max([(x, 1), (y, 2)], key=lambda t: t[0])[0]", "min([x, y], key=lambda t: (0, t))"})
    EXPECT_THAT(refusal("def f(x, y):\n  return x * " + std::string(choice)),
                HasSubstr("this order depends on a tensor's values"))
        << choice;
  EXPECT_THAT(refusal("def f(x, y):\n  return sorted([(x, 1), (y, 2)])[0][0]"),
              HasSubstr("write torch.maximum(a, b), torch.minimum(a, b) or torch.sort"));
  EXPECT_THAT(refusal("return x * sorted([1, 'a'])[0]"), HasSubstr("cannot be ordered"));
  EXPECT_EQ(flat("def f(x, y):\n  return max([x, y], key=lambda t: 1) + 1"), "return x + 1");
}

TEST(LanguageTest, AnIntIsReadInItsBase) {
  for (const char* const holds :
       {"int('101', 2) == 5 and int('0b101', 2) == 5 and int('-0B1_01', 0) == -5",
        "int('0x10', 16) == 16 and int('ff', base=16) == 255 and int('0o17', 0) == 15",
        "int(' 12\\n') == 12 and int('+1_000') == 1000 and int('z', 36) == 35",
        "int('00', 0) == 0 and int('012') == 12 and int('0b1', 16) == 177"})
    EXPECT_THAT(kept(holds), testing::StartsWith("accepted")) << holds;
  for (const char* const wrong : {"int('12', 2)", "int('1.5')", "int('1__0')", "int('012', 0)",
                                  "int('0x', 16)", "int('_1')", "int('1_')", "int('-')"})
    EXPECT_THAT(kept(wrong + std::string(" == 0")), HasSubstr("is not an int of this base"))
        << wrong;
  EXPECT_THAT(kept("int('') == 0"), HasSubstr("contains no digits"));
  EXPECT_THAT(kept("int('1', 1) == 0"), HasSubstr("the base must be 0 or from 2 to 36"));
  EXPECT_THAT(kept("int('9007199254740993') == 0"), HasSubstr("is 2 ** 53 or more"));
}

TEST(LanguageTest, NumbersOfTensorsSayWhatToWriteInstead) {
  const auto used = [](const std::string& value) { return refusal("return x * " + value); };
  EXPECT_THAT(used("float(x.sum())"),
              HasSubstr("float(...) depends on a tensor's values; write .item() for its number, or "
                        ".float() for another dtype"));
  EXPECT_THAT(used("int(x[0])"), HasSubstr("write .item() for its number, or .to(torch.int64)"));
  EXPECT_THAT(used("bool(x.any())"), HasSubstr("write torch.where(condition, a, b)"));
  EXPECT_THAT(used("complex(x.sum(), 1)"), HasSubstr("write torch.complex(real, imag)"));
}

TEST(LanguageTest, WhereIsAMethodToo) {
  EXPECT_EQ(flat("return x.where(x > 0, 0)"), flat("return torch.where(x > 0, x, 0)"));
  EXPECT_EQ(flat("return x.where(condition=y > 0, other=y)"),
            flat("return torch.where(y > 0, x, y)"));
}

/// With commas in numbers, as a German has them; puts back what was there.
class CommaLocale {
 public:
  CommaLocale() {
    const std::string path = folder_.string() + "/de_DE.UTF-8";
    if (std::system(("localedef -i de_DE -f UTF-8 '" + path + "' >/dev/null 2>&1").c_str()) == 0 &&
        ::setenv("LOCPATH", folder_.string().c_str(), 1) == 0)
      there_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
  }
  bool isThere() const {
    std::string text(8, '\0');
    std::snprintf(text.data(), text.size(), "%.1f", 2.5);
    return there_ && text.starts_with("2,5");
  }

 private:
  test::TemporaryFolder folder_;
  bool there_ = false;
};

TEST(LanguageTest, NumbersHaveAPointWhereverThePersonIs) {
  const CommaLocale locale;
  if (!locale.isThere()) GTEST_SKIP() << "no localedef here that makes a locale with commas";
  for (const char* const holds :
       {"f'{2.5:.2f}|{2.5:e}|{2.5:.3g}|{0.125:.1%}' == '2.50|2.500000e+00|2.5|12.5%'",
        "'%.1f %g' % (2.5, 2.5) == '2.5 2.5' and '{:.1f}'.format(2.5) == '2.5'",
        "str(2.5) == '2.5' and round(2.675, 2) == 2.67 and round(1.25, 1) == 1.2",
        "float('2.5') == 2.5 and 2.5e0 == 5 / 2"})
    EXPECT_THAT(kept(holds), testing::StartsWith("accepted")) << holds;
  EXPECT_EQ(flat("return x * 0.5 + round(2.345678, 3)"), "return x * 0.5 + 2.346");
  EXPECT_THAT(refusal("return torch.zeros(3, 2.5) + x"), testing::Not(HasSubstr("2,5")));
}

TEST(LanguageTest, ValuesHaveTheAttributesThatPythonGivesThem) {
  const std::string text =
      "def g(): pass\nclass Config:\n  n = 3\nclass Net(nn.Module):\n  def __init__(self):\n    "
      "super().__init__()\n    self.fc = nn.Linear(3, 3)\n    self.cfg = Config()\n  def "
      "forward(self, x):\n    assert ";
  for (const char* const holds :
       {"hasattr([1], 'append') and hasattr([1], '__len__') and not hasattr([1], 'keys')",
        "hasattr((1,), 'count') and not hasattr((1,), 'append')",
        "hasattr({}, 'keys') and hasattr({}, '__iter__') and not hasattr({}, 'append')",
        "hasattr('a', 'split') and hasattr('a', 'zfill') and not hasattr('a', 'append')",
        "hasattr(g, '__name__') and hasattr(g, '__call__') and not hasattr(g, 'name')",
        "hasattr(1, 'real') and hasattr(1.5, 'is_integer') and not hasattr(1, 'item')",
        "hasattr(1, 'bit_length') and not hasattr(1.5, 'bit_length')",
        "not hasattr(1, '__len__') and not hasattr(None, 'x') and hasattr(None, '__class__')",
        "hasattr(Config, 'n') and hasattr(Config, '__name__') and not hasattr(Config, 'm')",
        "hasattr(self, 'fc') and hasattr(self, 'parameters') and hasattr(self, 'training')",
        "hasattr(self.cfg, 'n') and not hasattr(self.cfg, 'parameters')",
        "hasattr(x, 'T') and hasattr(x, 'add_') and hasattr(x, '__len__') and hasattr(x, 'numel')",
        "hasattr(x.shape, 'numel') and hasattr(F, 'relu') and not hasattr(x, 'keys')",
        "getattr([1, 2], 'count')(1) == 1 and getattr('ab', 'upper')() == 'AB'",
        "getattr(x, 'dim')() == 2 and getattr(x, 'foo', 4) == 4 and getattr({}, 'foo', 5) == 5",
        "getattr(g, '__name__') == 'g' and getattr(self, 'cfg').n == 3",
        "isinstance(self, nn.Module) and not isinstance(self.cfg, nn.Module)"})
    EXPECT_THAT(refusal(text + holds + "\n    return self.fc(x)", hintsOf({4, 3})),
                testing::StartsWith("accepted"))
        << holds;
  EXPECT_EQ(flat("return getattr(x, 'exp')()"), flat("return x.exp()"));
}

TEST(LanguageTest, CompilingAFunctionOrAModuleIsTheVariantsToChoose) {
  const std::string plain = flat("def g(x): return x * 2\ndef f(x): return g(x) + 1");
  EXPECT_EQ(flat("def g(x): return x * 2\ng = torch.compile(g)\ndef f(x): return g(x) + 1\nf = "
                 "torch.compile(f, mode='max-autotune')"),
            plain);
  EXPECT_EQ(flat("@torch.compile\ndef f(x): return x * 2 + 1\nfast = torch.compile(f)"),
            flat("def f(x): return x * 2 + 1"));
  const std::string module =
      "class M(nn.Module):\n  def __init__(self, n):\n    super().__init__()\n    self.fc = "
      "nn.Linear(n, 2)\n  def forward(self, x):\n    return self.fc(x)\n";
  EXPECT_EQ(flat(module + "m = torch.compile(M(3))"), flat(module + "m = M(3)"));
}

TEST(LanguageTest, WhatIsLeftOutIsNoneWhereTheInputsAreKnown) {
  const std::string text =
      "def f(x, scale=None, bias=None):\n  y = x * (scale or 2.0)\n  return y if bias is None else "
      "y + bias";
  EXPECT_EQ(parseProgram(text, hintsOf({3})).inputs, std::vector<std::string>{"x"});
  ProgramHints hints = hintsOf({3});
  hints["bias"] = {{3}, DType::float32};
  EXPECT_EQ(parseProgram(text, hints).inputs, (std::vector<std::string>{"x", "bias"}));
}

TEST(LanguageTest, NewTensorsOfNoSizesAreScalars) {
  const auto dims = [](const std::string& made) {
    const Program program = parseProgram("y = " + made + "\nreturn y, x", hintsOf({4, 3}));
    const std::vector<ValueType> inputs{{{4, 3}, DType::float32}};
    return inferTypes(program, inputs)[static_cast<std::size_t>(program.outputs[0])].shape.rank();
  };
  for (const char* const made : {"x.new_zeros(())", "x.new_full((), 2.0)", "x.new_ones(size=())",
                                 "x.new_empty(x.sum().shape)"})
    EXPECT_EQ(dims(made), 0) << made;
  EXPECT_EQ(dims("x.new_zeros((2,))"), 1);
}

TEST(LanguageTest, AModuleKnowsWhatIsWithinIt) {
  const std::string text =
      "class Block(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.fc = "
      "nn.Linear(3, 3)\n    self.parts = nn.ModuleDict({'norm': nn.LayerNorm(3)})\n  def "
      "forward(self, x):\n    return self.parts.norm(self.fc(x))\nclass Net(nn.Module):\n  def "
      "__init__(self):\n    super().__init__()\n    self.own = nn.Parameter(torch.ones(3))\n    "
      "self.blocks = nn.Sequential(Block(), Block())\n    self.register_buffer('steps', "
      "torch.zeros(2))\n    self.apply(self.start)\n  def start(self, m):\n    if isinstance(m, "
      "nn.Linear):\n      nn.init.constant_(m.weight, 0.5)\n  def forward(self, x):\n    names = "
      "[n for n, p in self.named_parameters()]\n    assert names == ['own', 'blocks.0.fc.weight', "
      "'blocks.0.fc.bias', 'blocks.0.parts.norm.weight', 'blocks.0.parts.norm.bias', "
      "'blocks.1.fc.weight', 'blocks.1.fc.bias', 'blocks.1.parts.norm.weight', "
      "'blocks.1.parts.norm.bias']\n    assert [n for n, b in self.named_buffers()] == ['steps']\n "
      " "
      "  assert [n for n, c in self.named_children()] == ['blocks']\n    assert "
      "len(list(self.modules())) == 10\n    return self.blocks(x) + self.own";
  const Program program = parseProgram(text, hintsOf({4, 3}));
  EXPECT_THAT(program.inputs, testing::Contains("blocks_1_parts_norm_weight"));
  for (const HeldInput& held : program.held)
    if (program.inputs[static_cast<std::size_t>(held.input)].ends_with("fc_weight")) {
      EXPECT_EQ(held.initial.kind, InitialValues::Kind::numbers);
      EXPECT_EQ(held.initial.numbers, std::vector<double>{0.5});
    }
}

TEST(LanguageTest, MembersOfAModuleAreListedAsItIsAsked) {
  const std::string text =
      "class Config:\n  def __init__(self):\n    self.w = torch.ones(3)\nclass Net(nn.Module):\n  "
      "def __init__(self):\n    super().__init__()\n    self.cfg = Config()\n    self.own = "
      "nn.Parameter(torch.ones(3))\n    self.fc = nn.Linear(3, 3)\n    self.plain = "
      "[nn.Linear(3, 3)]\n    self.seen = 0\n    self.apply(self.count)\n  def count(self, m):\n   "
      " "
      "self.seen = self.seen + 1\n  def forward(self, x):\n    assert ";
  for (const char* const holds :
       {"[n for n, p in self.named_parameters(recurse=False)] == ['own']",
        "[n for n, p in self.named_parameters('a')] == ['a.own', 'a.fc.weight', 'a.fc.bias']",
        "[n for n, p in self.named_parameters(prefix='a', recurse=False)] == ['a.own']",
        "len(list(self.parameters())) == 3 and len(list(self.parameters(recurse=False))) == 1",
        "len(list(self.parameters(False))) == 1 and len(list(self.buffers())) == 0",
        "[n for n, m in self.named_modules()] == ['', 'fc']",
        "[n for n, m in self.named_modules(prefix='net')] == ['net', 'net.fc']",
        "len(list(self.modules())) == 2 and len(list(self.children())) == 1",
        "[n for n, m in self.named_children()] == ['fc'] and self.seen == 2"})
    EXPECT_THAT(refusal(text + holds + "\n    return self.fc(x)", hintsOf({4, 3})),
                testing::StartsWith("accepted"))
        << holds;
  EXPECT_THAT(refusal(text + "len(list(self.parameters(recursive=False))) == 1\n    return x",
                      hintsOf({4, 3})),
              HasSubstr(".parameters(...) has no such argument"));
  EXPECT_THAT(refusal(text + "self.cfg.parameters()\n    return x", hintsOf({4, 3})),
              HasSubstr("there is no self.parameters(...)"));
}

TEST(LanguageTest, ACopyHoldsWhatWasHeldAndIsAnother) {
  const auto heldOf = [](const std::string& text) {
    std::string all;
    const Program program = parseProgram(text, {{"x", {{2, 3, 4}, DType::float64}}});
    for (const HeldInput& held : program.held) {
      const InitialValues& initial = held.initial;
      const std::string& name = program.inputs[static_cast<std::size_t>(held.input)];
      if (!name.ends_with("linear1_weight") && !name.ends_with("own") && !name.ends_with("same"))
        continue;
      all += name + " " + std::string(info(initial.dtype).name) + " " +
             (initial.kind == InitialValues::Kind::numbers ? std::to_string(initial.numbers[0])
                                                           : "random") +
             (held.parameter ? "; " : " fixed; ");
    }
    return all;
  };
  // Each layer has what was set before it was copied.
  EXPECT_EQ(heldOf("layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)\n"
                   "nn.init.constant_(layer.linear1.weight, 0.5)\n"
                   "layer.linear1.weight.requires_grad_(False)\n"
                   "net = nn.TransformerEncoder(layer.double(), 2)\n"
                   "def f(x):\n  return net(x)"),
            "net_layers_0_linear1_weight float64 0.500000 fixed; "
            "net_layers_1_linear1_weight float64 0.500000 fixed; ");
  const std::string own =
      "class Own(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.own = "
      "nn.Parameter(torch.full((4,), 3.0))\n    self.same = self.own\n  def forward(self, src, "
      "src_mask=None, is_causal=False, src_key_padding_mask=None):\n    assert src_mask is None\n  "
      "  return src * self.own + self.same\n  def look(self, tgt, memory, **more):\n    return "
      "tgt * self.own\n";
  EXPECT_EQ(heldOf(own + "net = nn.TransformerEncoder(Own(), 2)\ndef f(x):\n  return net(x)"),
            "net_layers_0_own float32 3.000000; net_layers_1_own float32 3.000000; ");
  EXPECT_EQ(heldOf("import copy\n" + own +
                   "a = Own()\nb = copy.deepcopy(a)\nnn.init.constant_(a.own, 1.0)\nc = "
                   "copy.copy(a)\ndef f(x):\n  return a(x) + b(x) + c(x)"),
            "a_own float32 1.000000; b_own float32 3.000000; ");
  EXPECT_THAT(flat("import copy\na = {'k': [1, 2]}\nb = copy.deepcopy(a)\nc = copy.copy(a)\n"
                   "a['k'].append(3)\nreturn x * len(b['k']) + len(c['k'])"),
              HasSubstr("x * 2 + 3"));
  EXPECT_EQ(flat("from copy import deepcopy\ny = deepcopy(x)\nreturn y * 2"),
            flat("y = x.detach().clone()\nreturn y * 2"));
  EXPECT_THAT(refusal("import copy\nm = nn.Linear(3, 3)\ndef f(x):\n  y = m(x)\n  return "
                      "copy.deepcopy(m)(y)"),
              HasSubstr("is copied before the program uses it"));
}

TEST(LanguageTest, PlacesOfTheGreatestAloneReadNothingThere) {
  for (const char* const text :
       {"return x.topk(3, 0, False)[1]", "return torch.topk(x, k=3, dim=0, largest=False).indices"})
    EXPECT_EQ(flat(text), "return torch.topk(x, 3, dim=0, largest=False)[1]");
  EXPECT_EQ(parseProgram("return x.topk(3)[1]").ops.size(), 1u);
  EXPECT_EQ(parseProgram("v, i = x.topk(3)\nreturn v").ops.size(), 3u) << "and its check";
}

TEST(LanguageTest, WhatSeveralIndicesNameIsPrintedAsItIsWritten) {
  const std::string text = "x[:, i, j] = 2\nx[1:, k, k] += y\nreturn x";
  ProgramHints hints{{"x", {{2, 3, 4}, DType::float32}}, {"y", {{2}, DType::float32}}};
  for (const char* const index : {"i", "j", "k"}) hints[index] = {{2}, DType::int64};
  const std::string printed = flat(text, hints);
  EXPECT_THAT(printed, HasSubstr("x[:, i, j] = "));
  EXPECT_THAT(printed, HasSubstr("[:, k, k] = "));
  const Program program = parseProgram(text, hints);
  const Program again = parseProgram(toText(program), hints);
  EXPECT_EQ(toText(again), toText(program));
  EXPECT_EQ(again.ops.size(), program.ops.size());
}

TEST(LanguageTest, ProductsOfManyGoFromTheLeft) {
  EXPECT_EQ(flat("return torch.einsum('bi,ij,jk->bk', x, y, z)"),
            flat("return torch.einsum('bj,jk->bk', torch.einsum('bi,ij->bj', x, y), z)"));
  EXPECT_EQ(flat("return torch.einsum('ij->j', x)"), flat("return x.sum(dim=0)"));
  EXPECT_EQ(flat("return torch.einsum('ij->ji', x)"), flat("return x.permute(1, 0)"));
  EXPECT_THAT(refusal("return torch.einsum('...i->...', x)"), HasSubstr("permute() and sum()"));
}

TEST(LanguageTest, AViewsArgumentsAreIntsSizesAndListsOfThem) {
  Program program;
  program.inputs = {"x"};
  ProgramBuilder builder(program);
  builder.setHints(hintsOf({2, 3}));
  Op op;
  const SizeId rows = program.sizes.extent(0, 0);
  builder.addSizes(op, builder.sizeValue(rows, {}), "view");
  builder.addSizes(op, PythonValue::listOf({PythonValue::numberOf(-1, true, {})}, true, {}),
                   "view");
  PythonValue shape;
  shape.kind = PythonValue::Kind::shape;
  shape.value = 0;
  builder.addSizes(op, shape, "view");
  EXPECT_EQ(op.sizes, (std::vector<SizeId>{rows, -1, rows, program.sizes.extent(0, 1)}));
  EXPECT_EQ(op.sizeNumbers[1], -1);
  EXPECT_THROW(builder.addSizes(op, PythonValue::numberOf(0.5, false, {}), "view"), ProgramError);
}

TEST(LanguageTest, CopiesAreWrittenAsTheyAreRead) {
  EXPECT_EQ(flat("device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
                 "def f(x):\n  return torch.exp(x.to(device)).cpu()"),
            "return torch.exp(x.cuda()).cpu()");
  EXPECT_EQ(flat("def f(x):\n  return x.pin_memory().to('cuda:0', non_blocking=True) * 2"),
            "return x.pin_memory().cuda(non_blocking=True) * 2");
  EXPECT_EQ(flat("def f(x):\n  return x.to('cpu', non_blocking=True)"),
            "return x.to('cpu', non_blocking=True)");
  // Values are converted on the device.
  EXPECT_EQ(flat("def f(x):\n  return x.to('cuda', torch.float64)"), "return x.cuda().double()");
  EXPECT_EQ(flat("def f(x):\n  return x.to(device='cpu', dtype=torch.float64)"),
            "return x.double().cpu()");
  EXPECT_EQ(flat("def f(x):\n  return x * x.sum().item()"), "return x * torch.sum(x).item()");
  EXPECT_EQ(flat("def f(x):\n  return torch.tensor(x) + torch.as_tensor(x) + torch.from_numpy(x)"),
            "return torch.tensor(x) + x + x");
  EXPECT_EQ(flat("def f(x):\n  return x.to(x.device) + torch.zeros(3, device='cuda')"),
            "return x.cuda() + torch.zeros((3,), dtype=torch.float32, device='cuda')");
}

TEST(LanguageTest, CopiesThatCannotBeAreRefused) {
  EXPECT_THAT(refusal("return x.to('mps')"), HasSubstr("there is no device 'mps' in a program"));
  EXPECT_THAT(refusal("return x.sum().item() * 2"),
              HasSubstr(".item() returns a number on the host"));
  EXPECT_THAT(refusal("return x.to('cuda', copy=True)"), HasSubstr("write .clone()"));
  EXPECT_THAT(refusal("return x.item(3)"), HasSubstr("takes no arguments"));
  EXPECT_THAT(refusal("return torch.zeros(3, device=4)"), HasSubstr("must name one, as in 'cuda'"));
}

TEST(LanguageTest, CompiledExtensionsAndTritonKernelsAreRefusedWithTheReason) {
  EXPECT_THAT(refusal("from torch.utils.cpp_extension import load_inline\n"
                      "def f(x):\n  return load_inline(name='m', cpp_sources='').run(x)\n"),
              HasSubstr("compiles C++ or CUDA code"));
  EXPECT_THAT(refusal("import triton\nimport triton.language as tl\n@triton.jit\n"
                      "def kernel(a, b, n: tl.constexpr):\n  tl.store(b, tl.load(a))\n"
                      "def f(x):\n  y = torch.empty_like(x)\n  kernel[(1,)](x, y, 8)\n"
                      "  return y\n"),
              HasSubstr("kernel is a Triton kernel"));
}

TEST(LanguageTest, ACastWithACopyIsACopy) {
  EXPECT_EQ(flat("return x.to(torch.float64, copy=True)"), "return x.double()");
  EXPECT_EQ(flat("y = x.to(copy=True)\ny.mul_(2)\nreturn x + y"),
            flat("y = x.clone()\ny.mul_(2)\nreturn x + y"));
}

TEST(LanguageTest, ComplexNumbersAreMadeByADtype) {
  const ProgramHints hints{{"x", {{3}, DType::float32}}};
  const std::string made =
      flat("z = torch.ones(3, dtype=torch.cfloat) * torch.complex(x, x)\nreturn z.real", hints);
  EXPECT_THAT(made, HasSubstr("t1 = torch.ones((3,), dtype=torch.float32)"));
  EXPECT_THAT(made, HasSubstr("t2 = torch.zeros_like(t1)"));
  EXPECT_THAT(made, HasSubstr("t3 = t1 * x - t2 * x"));
  EXPECT_THAT(refusal("return torch.bernoulli(x, dtype=torch.cfloat)", hints),
              HasSubstr("write torch.complex(real, imag)"));
}

TEST(LanguageTest, HostileTextsMeetALimit) {
  EXPECT_THAT(refusal("a = [0] * 10 ** 9\nreturn x"), HasSubstr("longer than any program"));
  EXPECT_THAT(refusal("a = 'x'\nfor i in range(60):\n  a = a + a\nreturn x"),
              HasSubstr("longer than any program"));
  for (const char* const line :
       {"a = '%s%s' % (a, a)", "a = '{0}{0}'.format(a)", "a = f'{a}{a}'",
        "a = a.replace('x', 'xx')", "a = ''.join([a, a])", "a = a * 2", "a = repr(a + '\\\\')"})
    EXPECT_THAT(refusal("a = 'x'\nfor i in range(60):\n  " + std::string(line) + "\nreturn x"),
                HasSubstr("longer than any program"))
        << line;
  EXPECT_THAT(refusal("a = ['x' * 100000] * 100000\nreturn x"), HasSubstr("steps"));
  EXPECT_THAT(refusal("return x * len('' * 10 ** 12)"), HasSubstr("accepted"));
  EXPECT_THAT(refusal("l = []\nfor i in range(90000):\n  l = [l]\nreturn x"),
              HasSubstr("accepted"));
  EXPECT_THAT(refusal("d = {}\nfor i in range(50000):\n  d = {'a': d}\nreturn x"),
              HasSubstr("steps"));
  EXPECT_THAT(refusal("def f(x):\n  return g(x)\ndef g(x):\n  return g(x + 1)"),
              HasSubstr("call one another"));
  EXPECT_THAT(refusal("a = [[i * j for i in range(9999)] for j in range(9999)]\nreturn x"),
              HasSubstr("steps"));
  EXPECT_THAT(refusal("for i in range(90000):\n  x = x + 1\nreturn x"),
              HasSubstr("more than 20000"));
}

}  // namespace
}  // namespace fusebench
