// SPDX-License-Identifier: GPL-3.0-or-later
// Programs' texts run in PyTorch itself: unchanged, and with the reference's results.
#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/run/reference.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench::test {
namespace {

std::string listOf(std::span<const double> values) {
  std::string text = "[";
  char number[64];
  for (double value : values) {
    std::snprintf(number, sizeof number, "%.17g", value);
    const std::string shown = std::isnan(value)   ? "nan"
                              : std::isinf(value) ? (value > 0 ? "inf" : "-inf")
                                                  : number;
    text += (text.size() > 1 ? ", " : "") + shown;
  }
  return text + "]";
}

std::string shapeOf(const Shape& shape) {
  return toString(shape);
}

/// Compares every output's shape and values; PyTorch computes in double, as the reference does.
constexpr const char* kPrelude = R"(import sys
import torch
from math import inf, nan, isnan, isinf
torch.set_default_dtype(torch.float64)
wrong = 0

def check(name, program, inputs, expected):
    global wrong
    try:
        outputs = program(*[torch.tensor(v, dtype=torch.float64).reshape(s) for s, v in inputs])
    except Exception as e:
        wrong += 1
        print(f'{name}: {type(e).__name__}: {str(e).splitlines()[0]}')
        return
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    if len(outputs) != len(expected):
        wrong += 1
        print(f'{name}: {len(outputs)} results, expected {len(expected)}')
        return
    for o, (shape, values) in zip(outputs, expected):
        if tuple(o.shape) != tuple(shape):
            wrong += 1
            print(f'{name}: shape {tuple(o.shape)}, expected {shape}')
            return
        for got, want in zip(o.double().flatten().tolist(), values):
            same = isnan(got) and isnan(want) or got == want or abs(got - want) <= 1e-6 * max(abs(want), 1e-3)
            # Past float32's range, and where a double would underflow, anything goes.
            if not same and not (abs(want) > 1e30 or abs(got) > 1e30):
                wrong += 1
                print(f'{name}: {got}, expected {want}')
                return
)";

class TorchScript {
 public:
  void add(const std::string& name, const Program& program) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> eighths(-24, 24);
    std::vector<ReferenceTensor> inputs;
    std::string given;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      ReferenceTensor input{{{3, 4}}, std::vector<double>(12)};
      for (double& value : input.values) value = eighths(random) / 8.0 + 1.0 / 16;
      given += "(" + shapeOf(input.type.shape) + ", " + listOf(input.values) + "), ";
      inputs.push_back(std::move(input));
    }
    std::string expected;
    for (const ReferenceResult& result : evaluateReference(program, inputs))
      expected +=
          "(" + shapeOf(result.value.type.shape) + ", " + listOf(result.value.values) + "), ";
    script_ << toText(program) << "check('''" << name << "''', program, [" << given << "], ["
            << expected << "])\n";
  }

  /// Runs the script and returns its output.
  std::string run(const std::string& python) {
    return runPython(python, kPrelude + script_.str() + "print('wrong:', wrong)\n");
  }

 private:
  std::ostringstream script_;
};

/// Leaves out what PyTorch 1.13 itself does otherwise: float() leaves double precision, softshrink
/// makes 0 of NaN, gelu by tanh cancels in its left tail, copysign shows the sign of zeros that
/// maximum and minimum pick as they like, sinc of whole numbers is 1e-17 of either sign, and a
/// quotient's last bit decides what is left of it without its fraction.
bool comparable(const Program& program) {
  for (const Op& op : program.ops)
    for (std::string_view name :
         {"float", "softshrink", "gelu_tanh", "copysign", "sinc", "trunc_divide"})
      if (op.row->name == name) return false;
  try {
    inferTypes(program, std::vector<ValueType>(program.inputs.size(), {{{3, 4}}}));
    return true;
  } catch (const ProgramError&) {
    return false;
  }
}

TEST(ProgramInTorchTest, PrintedProgramsRunUnchangedWithTheReferencesResults) {
  const std::string python = pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << kNoTorch;
  TorchScript script;
  int programs = 0;
  for (std::uint32_t seed = 0; seed < 1200; ++seed) {
    const Program program = parseProgram(randomProgramText(seed));
    if (!comparable(program)) continue;
    script.add(std::to_string(seed) + " " + program.statements.back().text, program);
    ++programs;
  }
  EXPECT_GT(programs, 400);
  EXPECT_EQ(script.run(python), "wrong: 0\n");
}

TEST(ProgramInTorchTest, EveryReductionAndEveryFormRunsUnchanged) {
  const std::string python = pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << kNoTorch;
  TorchScript script;
  for (const char* text : {"return x.sum()",
                           "return x.sum(0)",
                           "return x.sum((0, 1), True)",
                           "return x.sum(keepdim=True)",
                           "return x.mean(keepdim=True)",
                           "return x.mean(1)",
                           "return x.amax(keepdim=True)",
                           "return x.amin(dim=(1, 0))",
                           "return x.prod()",
                           "return x.prod(1, keepdim=True)",
                           "return x.argmax()",
                           "return x.argmax(0, keepdim=True)",
                           "return x.argmin(1), torch.any(x > 0), x.all(dim=0, keepdim=True)",
                           "return torch.count_nonzero(x, dim=(0, 1)), x.nansum(1)",
                           "return torch.nanmean(x, dim=(0, 1), keepdim=True), x.nansum()",
                           "return x.norm(), torch.norm(x, 1, 1), torch.norm(x, p=2, dim=(0, 1))",
                           "return torch.linalg.vector_norm(x, ord=float('inf'), keepdim=True)",
                           "return torch.linalg.vector_norm(x, 3.5, (0, 1)), x.norm(-math.inf)",
                           "return x.norm(p=0, dim=0), torch.norm(x, 0.5, keepdim=True)",
                           "return x.var()",
                           "return x.var(unbiased=False)",
                           "return x.var(correction=2, dim=None)",
                           "return x.std(0, False, True)",
                           "return x.std(dim=(0, 1), correction=0, keepdim=True)",
                           "return x.std(keepdim=True)",
                           "return x.var(keepdim=True, correction=0)",
                           "return torch.clamp(x, max=1)",
                           "return torch.clamp(x, min=None, max=None)",
                           "return torch.where(x > 0, 1.0, 0.0)",
                           "return torch.where(x > 0, x, 0)",
                           "return x.masked_fill(x > 1, -1)",
                           "return 2 - x",
                           "return 2 / x",
                           "return 2 ** x",
                           "return 7 // x",
                           "return 7 % x",
                           "return -2 < x",
                           "return torch.maximum(x, torch.tensor(0.5))",
                           "return torch.logit(x, eps=0.25)",
                           "return torch.atan2(torch.tensor(1.0), x)",
                           "return torch.add(2, x, alpha=3)",
                           "return torch.sub(x, 2, alpha=3)",
                           "return torch.lerp(x, y, 0.25)",
                           "return torch.addcmul(x, y, x, value=0.5)",
                           "return torch.addcdiv(x, y, x, value=0.5)",
                           "return torch.nan_to_num(x / 0, nan=1, posinf=2)",
                           "return F.threshold(x, 0.5, 9)",
                           "return x + float('inf')",
                           "return x * float('nan')",
                           "return -x ** 2, (-x) ** 2, x ** 3, x ** -1, 2 ** -x",
                           "return (x > 0) & (y > 0), ~(x > 0)"}) {
    const Program program = parseProgram(text);
    script.add(text, program);
  }
  EXPECT_EQ(script.run(python), "wrong: 0\n");
}

bool hasRequired(const OpRow& row) {
  return std::any_of(row.parameters.begin(), row.parameters.end(),
                     [](const Parameter& p) { return p.required; });
}

/// Whether truth values alone become float32.
bool givesFloats(const OpRow& row) {
  return row.takes == AcceptedTypes::promoted ||
         (row.result == ResultType::cast && row.castTo == DType::float32);
}

/// Which rows take truth values alone is PyTorch's to say. (Where a number must be given, too, it
/// depends on whether that is a float.)
TEST(ProgramInTorchTest, RowsPromoteTruthValuesWherePyTorchDoes) {
  const std::string python = pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << kNoTorch;
  std::ostringstream script;
  script << "import torch\nb = torch.tensor([True, False])\n";
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || row.places != IndexInputs::none || row.truthOperands ||
        row.spellings.size() == 0 || hasRequired(row) || row.result == ResultType::truth)
      continue;
    std::string spelling, arguments = "b";
    for (std::string_view each : row.spellings)
      if (spelling.empty() && each.find('.') != std::string_view::npos) spelling = each;
    for (int i = 1; i < row.arity; ++i) arguments += ", b";
    if (spelling.substr(0, 2) == "F.") spelling = "torch.nn.functional." + spelling.substr(2);
    if (spelling.substr(0, 2) == "x.") spelling = "torch.Tensor." + spelling.substr(2);
    script << "try: r = " << spelling << "(" << arguments
           << ").dtype == torch.float32\nexcept Exception: r = False\n"
           << "if r != " << (givesFloats(row) ? "True" : "False") << ": print('" << row.name
           << "', r)\n";
  }
  EXPECT_EQ(runPython(python, script.str()), "");
}

}  // namespace
}  // namespace fusebench::test
