// SPDX-License-Identifier: GPL-3.0-or-later
// What of Python is worked out while a program is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/language/program_builder.h"
#include "tests/engine/support/program_lines.h"

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

TEST(LanguageTest, TextsHoldWhatPythonPutsInThem) {
  const auto kept = [](const std::string& condition) {
    return refusal("a = 7\nassert " + condition + "\nreturn x + a");
  };
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
  EXPECT_THAT(kept("'%d' % (1, 2)"), HasSubstr("fewer '%' than there are values"));
  EXPECT_THAT(kept("'{}{}'.format(1)"), HasSubstr("no value for '{}'"));
  EXPECT_THAT(refusal("return sorted([x, x + 1])[0]"), HasSubstr("there is torch.sort"));
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
  // What is converted is converted on the device.
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
  EXPECT_THAT(refusal("return x.sum().item() * 2"), HasSubstr("is a number of the host"));
  EXPECT_THAT(refusal("return x.to('cuda', copy=True)"), HasSubstr("write .clone()"));
  EXPECT_THAT(refusal("return x.item(3)"), HasSubstr("takes no arguments"));
  EXPECT_THAT(refusal("return torch.zeros(3, device=4)"), HasSubstr("names one, as in 'cuda'"));
}

TEST(LanguageTest, HostileTextsMeetALimit) {
  EXPECT_THAT(refusal("a = [0] * 10 ** 9\nreturn x"), HasSubstr("longer than any program"));
  EXPECT_THAT(refusal("a = 'x'\nfor i in range(60):\n  a = a + a\nreturn x"),
              HasSubstr("longer than any program"));
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
