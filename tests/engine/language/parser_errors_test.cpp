// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include <gtest/gtest.h>

#include "engine/language/parser.h"

namespace fusebench {
namespace {

struct Wrong {
  const char* name;
  const char* text;
  int line, column;
  const char* message;  ///< a part of it
};

class WrongProgram : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongProgram, IsRefusedAtItsPlaceWithCauseAndRemedy) {
  const Wrong& wrong = GetParam();
  try {
    const Program program = parseProgram(wrong.text);
    FAIL() << "accepted: " << toText(program);
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.place().line, wrong.line) << error.what();
    EXPECT_EQ(error.place().column, wrong.column) << error.what();
    EXPECT_NE(std::string(error.what()).find(wrong.message), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "not one line";
  }
}

constexpr Wrong kNames[] = {
    {"MisspelledFunction", "x = torch.sgimoid(x)\nreturn x", 1, 5, "did you mean torch.sigmoid?"},
    {"MisspelledFunctional", "return F.leaky_rellu(x)", 1, 8, "did you mean F.leaky_relu?"},
    {"MisspelledMethod", "return x.tanhh()", 1, 10, "did you mean x.tanh?"},
    {"WrongModule", "return torch.silu(x)", 1, 8, "did you mean F.silu?"},
    {"BareFunction", "return sin(x)", 1, 8, "write torch.sin"},
    {"UnknownFunction", "return torch.zzzzqqq(x)", 1, 8,
     "there is no torch.zzzzqqq in PyTorch; fusebench-cli ops"},
    {"OtherModule", "import scipy\nreturn scipy.special.erf(x)", 2, 8,
     "scipy.special.erf is not supported"},
    {"UnknownName", "def f(xs):\n  return xz + 1", 2, 10, "did you mean 'xs'?"},
    {"UnknownNameFar", "def f(a):\n  return foo + a", 2, 10, "add it to the function's arguments"},
    {"MatrixProduct", "return x @ 2", 1, 12, "needs a tensor as 'other'"},
    {"Einsum", "return torch.einsum(x, y)", 1, 8, "must begin with its equation"},
    {"EinsumLetters", "return torch.einsum('ij,jk->ii', x, y)", 1, 21,
     "the letter i is in the result twice"},
    {"ViewInPlace", "x = x.t_()\nreturn x", 1, 7, "the view of a tensor"},
    {"NoSuchInPlace", "x = x.maximum_(x)\nreturn x", 1, 7,
     ".maximum_ is not supported in a program"},
    {"RandomInPlace", "x.random_()\nreturn x", 1, 3, "random_ needs a bound"},
    {"InPlaceOfNumber", "x = torch.relu_(2)\nreturn x", 1, 5, "first argument"},
    {"OutOfReduction", "torch.sum(x, out=y)\nreturn y", 1, 1, "y.copy_(torch.sum(...))"},
    {"OutOfFunctional", "F.gelu(x, out=y)\nreturn y", 1, 11, "takes no out="},
    {"SetData", "x.data = y\nreturn x", 1, 3, ".data cannot be set"},
    {"SelfCall", "def forward(self, x):\n  return self.act(x)", 2, 10, "module's state"},
    {"Item", "return x.sum().item() + 1", 1, 23, "a number on the host"},
    {"Cast", "return x.to(torch.complex64)", 1, 10, "torch.view_as_real makes a tensor"},
    {"KthValueOfNone", "v, i = x.kthvalue(0)\nreturn v", 1, 10, "k of kthvalue goes from 1"},
    {"Polygamma", "return torch.polygamma(4, x)", 1, 8,
     "take the gradient of torch.polygamma(3, x)"},
    {"NanQuantile", "return x.nanquantile(1.5)", 1, 10, "q of nanquantile goes from 0"},
    {"OrderOfManyQuantiles", "return torch.quantile(x, 1.5)", 1, 8, "q of quantile goes from 0"},
    {"MisspelledOfF", "return F.sofmax(x, 0)", 1, 8, "did you mean F.softmax?"},
    {"FunctionElsewhere", "return nn.layer_norm(x, 3)", 1, 8, "did you mean F.layer_norm?"},
    {"MisspelledModule", "m = nn.LayrNorm(3)\nreturn m(x)", 1, 5,
     "did you mean torch.nn.LayerNorm?"},
    {"ModuleElsewhere", "m = torch.LayerNorm(3)\nreturn m(x)", 1, 5,
     "did you mean torch.nn.LayerNorm?"},
    {"NonZero", "return torch.nonzero(x)", 1, 8, "the number of indices depends on data"},
    {"WhereAlone", "return torch.where(x > 0)", 1, 8, "torch.argmax(mask.int(), dim)"},
    {"MaskedSelect", "return x.masked_select(x > 0)", 1, 10, "give the inputs sizes"},
    {"Unique", "return torch.unique(x)", 1, 8, "F.one_hot(x, 10).sum(0)"},
    {"Complex", "return torch.fft.rfft(x)", 1, 8, "programs have no Fourier transforms"},
    {"Inverse", "return torch.linalg.inv(x)", 1, 8, "matrix factorizations are not supported"},
    {"ScatterReduce", "return x.scatter_reduce(0, i, y, reduce='max')", 1, 10,
     "'sum', 'prod', 'mean', 'amax' or 'amin'"},
    {"Bags", "return F.embedding_bag(i, x, torch.tensor([0, 4]), max_norm=1.0)", 1, 8,
     "does not support max_norm"},
    {"Einops", "import einops\nreturn einops.asnumpy(x)", 2, 8, "einops.asnumpy is not supported"},
    {"Lstm", "m = nn.LSTM(3, 4, proj_size=4)\nreturn m(x)[0]", 1, 5,
     "proj_size goes from 0 to hidden"},
    {"Diagonal", "return torch.triu(x, 0.5)", 1, 22, "diagonal of torch.triu must be an int"},
};
INSTANTIATE_TEST_SUITE_P(Names, WrongProgram, ::testing::ValuesIn(kNames),
                         [](const auto& each) { return each.param.name; });

constexpr Wrong kArguments[] = {
    {"MissingOperand", "return torch.add(x)", 1, 8, "missing its operand 'other'"},
    {"MissingParameter", "return F.threshold(x, 0.1)", 1, 8, "missing its argument 'value'"},
    {"TooMany", "return torch.exp(x, y)", 1, 21, "at most 1 argument"},
    {"UnknownKeyword", "return F.leaky_relu(x, slope=0.1)", 1, 24, "negative_slope"},
    {"MisspelledKeyword", "return x.sum(keepdin=True)", 1, 14, "did you mean 'keepdim'?"},
    {"Twice", "return torch.add(x, y, other=x)", 1, 24, "got 'other' twice"},
    {"NoTensor", "return torch.exp(2)", 1, 8, "needs a tensor"},
    {"NoTensorTwo", "return x * torch.add(2, 3)", 1, 12, "needs a tensor"},
    {"TextAsOperand", "return torch.exp('x')", 1, 18, "needs a tensor or a number"},
    {"TensorAsParameter", "return F.leaky_relu(x, y)", 1, 24,
     "must be a number, but found a tensor"},
    {"NumberAsCondition", "return torch.where(1, x, y)", 1, 20, "truth values"},
    {"OutOfRange", "return F.softshrink(x, -1)", 1, 24, "out of range; it goes from 0 to infinity"},
    {"NumberAsFlag", "return x.sum(0, 1)", 1, 17, "must be True or False"},
    {"FloatDim", "return x.sum(0.5)", 1, 14, "must be an int or a tuple of ints"},
    {"GreatDim", "return x.sum(99)", 1, 14, "at most 8 dimensions"},
    {"TupleForOneDim", "return x.prod((0, 1))", 1, 15, "one dimension or all"},
    {"KeepdimOfAll", "return x.prod(keepdim=True)", 1, 10, "together with dim"},
    {"BadChoice", "return F.gelu(x, approximate='erf')", 1, 18, "it may be 'none' or 'tanh'"},
    {"DType", "return torch.exp(x, dtype=torch.float64)", 1, 21, "dtype is not supported"},
    {"PositionalAfterKeyword", "return torch.add(input=x, y)", 1, 27, "without a keyword"},
    {"Starred", "return torch.add(*x)", 1, 18, "one by one"},
    {"BitwiseOnNumbers", "return x & y", 1, 10, "torch.logical_and"},
    {"InvertNumber", "return ~x", 1, 8, "torch.logical_not"},
    {"NoneAsOperand", "return x + None", 1, 10, "found None"},
    {"FunctionAsOperand", "return x + torch.exp", 1, 10, "found torch.exp"},
    {"TensorOfTensor", "return x + torch.tensor([x, 2])", 1, 26, "torch.stack joins tensors"},
};
INSTANTIATE_TEST_SUITE_P(Arguments, WrongProgram, ::testing::ValuesIn(kArguments),
                         [](const auto& each) { return each.param.name; });

constexpr Wrong kSyntax[] = {
    {"Empty", "", 1, 1, "no return"},
    {"NoReturn", "x = x + 1\n", 2, 1, "no return"},
    {"BareReturn", "return", 1, 1, "return has no value"},
    {"ReturnNumber", "x = x + 1\nreturn 3", 2, 8, "must return tensors"},
    {"AfterReturn", "return x + 1\ny = x", 2, 1, "nothing may follow"},
    {"IfOneWay", "def f(x):\n  if x.sum() > 0:\n    y = x\n  return y", 4, 10, "does not hold"},
    {"EndlessLoop", "n = 0\nwhile True:\n  n = n + 1\nreturn x", 2, 1,
     "this loop runs for more than"},
    {"LongRange", "for i in range(10 ** 9):\n  x = x + 1\nreturn x", 1, 10, "range has more than"},
    {"LoopOverTensor", "for row in x:\n  y = row + 1\nreturn y", 1, 12,
     "going through this tensor row by row depends on x.shape[0]"},
    {"WhileTensor", "while x > 0:\n  x = x - 1\nreturn x", 1, 1, "'while' on a tensor"},
    {"EndlessCalls", "def f(x):\n  return g(x)\ndef g(x):\n  return g(x)", 4, 10,
     "call one another"},
    {"SizeChoice", "def f(x):\n  if x.shape[0] > 2:\n    x = x + 1\n  return x", 2, 3,
     "not known before the inputs' sizes are"},
    {"UnknownRank", "def f(x):\n  for n in x.shape:\n    x = x * n\n  return x", 2, 12,
     "how many dimensions"},
    {"TooManyNames", "a, b, c = x, y\nreturn a", 1, 1, "3 names for 2 values"},
    {"FalseAssert", "k = 3\nassert k > 4, 'k is small'\nreturn x * k", 2, 1, "k is small"},
    {"Raised", "def f(x, k=1):\n  if k < 2:\n    raise ValueError('too small')\n  return x", 3, 5,
     "too small"},
    {"TryAlone", "try:\n  x = x + 1\nreturn x", 1, 1, "no 'except' or 'finally'"},
    {"NotYet", "return torch.lobpcg(x)", 1, 8, "torch.lobpcg is not supported yet"},
    {"Fourier", "return torch.fft.fftshift(x)", 1, 8, "programs have no Fourier transforms"},
    {"NowhereNear", "return torch.zzexp(x)", 1, 8, "there is no torch.zzexp in PyTorch; fusebench"},
    {"InLibrary", "return F.one_hot(x, 3, 4)", 1, 24, "one_hot"},
    {"MissingArgument", "def g(x, k):\n  return x * k\ndef f(x):\n  return g(x)", 4, 10,
     "missing its argument 'k'"},
    {"ModuleWithoutSize",
     "class A(nn.Module):\n  def __init__(self, n):\n    self.n = n\n  def forward(self, x):\n"
     "    return x * self.n",
     4, 7, "a line after the class that creates the module"},
    {"NoAttribute", "class A(nn.Module):\n  def forward(self, x):\n    return x * self.scale", 3,
     21, "set it in __init__"},
    {"InList", "a = [1]\na.append(a)\nreturn x", 2, 3, "contains itself"},
    {"WhileOfTwo", "while x > 0 and y > 0:\n  x = x - 1\nreturn x", 1, 13, "'while' on a tensor"},
    {"WhileItem", "while x.sum().item() > 0:\n  x = x - 1\nreturn x", 1, 1, "'while' on a tensor"},
    {"Not", "return not x", 1, 8, "must return tensors"},
    {"ReadsAFile", "def f(x):\n  with open('a') as g:\n    n = int(g.read())\n  return x * n", 4,
     12, "the program returns what line 2 reads from a file, and programs read no files"},
    {"InexactInt", "def f(x):\n  return x.long() * 9007199254740993", 2, 19,
     "integers above 2**53 are not exact in a program"},
    {"InexactSum", "def f(x):\n  return x.long() + (2 ** 60 + 1)", 2, 19,
     "integers above 2**53 are not exact in a program"},
    {"InexactItem", "return torch.tensor([9007199254740993]) + x", 1, 8,
     "integers above 2**53 are not exact in a program"},
    {"InexactMask", "def f(x):\n  return x.long() & 0x9E3779B97F4A7C15", 2, 19,
     "integers above 2**53 are not exact in a program"},
    {"Assert", "y = None\nassert y\nreturn x", 2, 1, "this assert does not hold: y"},
    {"Unused", "torch.exp(x)\nreturn x", 1, 1, "is not used"},
    {"WriteThroughMask", "x[x > 0] = 1\nreturn x", 1, 5, "how many dimensions this mask has"},
    {"IndexByMask", "return x[x > 0]", 1, 12, "torch.where"},
    {"TwoEllipses", "return x[..., 0, ...]", 1, 18, "only one"},
    {"SliceBackwards", "return x[::-1]", 1, 12, "only go forward"},
    {"AttributeTarget", "x.y = 3\nreturn x", 1, 3, "without parentheses"},
    {"MissingParenthesis", "x = torch.exp(x\nreturn x", 1, 14, "never closed"},
    {"WrongBracket", "x = torch.exp(x]\nreturn x", 1, 16, "without the '['"},
    {"MissingOperator", "x = x y\nreturn x", 1, 7, "expected the end of the line"},
    {"MissingRight", "x = x +\nreturn x", 1, 8, "the end of the line"},
    {"MissingComma", "return torch.add(x y)", 1, 20, "expected ',' or ')'"},
    {"DoubleOperator", "return x * / y", 1, 12, "expected a value"},
    {"ChainedComparison", "return 0 < x < 1", 1, 14, "cannot be chained"},
    {"StrangeCharacter", "x = x $ 2\nreturn x", 1, 7, "'$'"},
    {"NotAscii", "x = x × 2\nreturn x", 1, 7, "'×'"},
    {"ColumnsCountCharacters", "x = torch.tensor('é') $\nreturn x", 1, 23, "'$'"},
    {"UnfinishedString", "x = F.gelu(x, approximate='tanh)\nreturn x", 1, 27, "never closed"},
    {"ComplexNumber", "return x * 2j", 1, 10, "torch.view_as_real makes a tensor"},
    {"TwoDots", "return x * 1.2.3", 1, 12, "is not a real number"},
    {"OctalLike", "return x * 012", 1, 12, "is not a real number"},
    {"DivisionByZero", "return x * (1 / 0)", 1, 15, "by zero"},
    {"NegativeRoot", "return x * math.sqrt(-1)", 1, 12, "no real result"},
    {"Overflow", "return x * 10.0 ** 400", 1, 17, "too large"},
    {"Indent", "x = x + 1\n    y = x\nreturn y", 2, 5, "indented deeper"},
    {"MissingBlock", "def f(x):\nreturn x", 2, 1, "indented block"},
    {"WrongDedent", "def f(x):\n    y = x + 1\n  return y", 3, 3, "does not match any block"},
    {"StarParameters", "def f(*xs):\n  return x", 1, 7, "how many arguments *xs takes"},
    {"FloatParameter", "def f(x, k: float):\n  return x * k", 1, 10, "give it a default"},
    {"SameParameter", "def f(x, x):\n  return x", 1, 10, "two parameters"},
    {"OtherWith", "with torch.autograd():\n  y = x\nreturn y", 1, 6, "only torch.no_grad"},
    {"StarImport", "from torch import *\nreturn x", 1, 19, "found '*'"},
    {"Continuation", "x = x + \\ 1\nreturn x", 1, 9, "end of a line"},
    {"AugmentUnknown", "def f(x):\n  y += 1\n  return y", 2, 3, "no 'y'"},
};
INSTANTIATE_TEST_SUITE_P(Syntax, WrongProgram, ::testing::ValuesIn(kSyntax),
                         [](const auto& each) { return each.param.name; });

/// A class whose forward is `lines`, with one instance outside of the function that calls it.
std::string counting(const std::string& lines) {
  return "class Counter(nn.Module):\n"
         "    def __init__(self):\n"
         "        super().__init__()\n"
         "        self.k = 0\n"
         "        self.mode = 'first'\n"
         "        self.scale = None\n"
         "        self.t = torch.zeros(())\n"
         "    def forward(self, x):\n" +
         lines + "counter = Counter()\ndef f(x):\n    return counter(x)\n";
}

TEST(WrongProgramTest, WhatWouldChangeFromCallToCallIsATensor) {
  for (const char* changes : {"        self.k += 1\n        return x * self.k\n",
                              "        self.k = self.k + x.shape[0]\n        return x * self.k\n",
                              "        if self.mode == 'first':\n            self.mode = 'later'\n"
                              "        return x * len(self.mode)\n"})
    try {
      parseProgram(counting(changes));
      FAIL() << changes;
    } catch (const ProgramError& error) {
      EXPECT_GE(error.place().line, 9) << error.what();
      EXPECT_NE(std::string(error.what()).find("of Counter would change from call to call"),
                std::string::npos)
          << error.what();
    }
}

TEST(WrongProgramTest, WhatIsTheSameAtEachCallMayBeSet) {
  for (const char* lines :
       {"        self.k = x.shape[0]\n        self.k += 1\n        return x * self.k\n",
        "        if self.scale is None:\n            self.scale = 2.0\n"
        "        return x * self.scale\n",
        "        self.k = self.k * 1\n        return x * self.k\n",
        "        self.t += 1\n        return x * self.t\n"})
    EXPECT_NO_THROW(parseProgram(counting(lines))) << lines;
  // Made at each call, it counts within the call.
  EXPECT_EQ(parseProgram("class Counter:\n"
                         "    def __init__(self):\n"
                         "        self.k = 1\n"
                         "    def next(self):\n"
                         "        self.k += 1\n"
                         "        return self.k\n"
                         "def f(x):\n"
                         "    c = Counter()\n"
                         "    return x * c.next() * c.next()\n")
                .ops.size(),
            2u);
}

TEST(WrongProgramTest, DeepNestingIsRefusedNotCrashedOn) {
  const std::string deep(100000, '(');
  EXPECT_THROW(parseProgram("return " + deep + "x" + std::string(100000, ')')), ProgramError);
  EXPECT_THROW(parseProgram("return " + std::string(100000, '-') + "x"), ProgramError);
  std::string powers = "return x";
  for (int i = 0; i < 100000; ++i) powers += " ** x";
  EXPECT_THROW(parseProgram(powers), ProgramError);
}

TEST(WrongProgramTest, LongChainsOfOperatorsAndMethodsAreFine) {
  std::string sum = "return x", calls = "return x";
  for (int i = 0; i < 5000; ++i) {
    sum += " + x";
    calls += ".exp()";
  }
  EXPECT_EQ(parseProgram(sum).ops.size(), 5000u);
  EXPECT_EQ(parseProgram(calls).ops.size(), 5000u);
}

}  // namespace
}  // namespace fusebench
