// SPDX-License-Identifier: GPL-3.0-or-later
// Every op row on the CPU backend against PyTorch: the row's own text is run there, in double
// precision, on the same inputs, and our float32 results must keep the row's bound.
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/ops/op_choices.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/row_programs.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench::test {
namespace {

constexpr std::int64_t kRowCount = 4, kColumns = 16;

/// PyTorch computes in double: its own float32 gelu and elu, for one, are far from their values.
constexpr const char* kRowPrelude = R"py(
import math
import torch
import torch.nn.functional as F
from math import inf, nan
torch.set_default_dtype(torch.float64)
checked = 0

def tensor(values, truth):
    made = torch.tensor(values).reshape(4, 16)
    return made != 0 if truth else made

def close(got, want, ulp, absolute):
    if math.isnan(got) or math.isnan(want):
        return math.isnan(got) and math.isnan(want)
    if math.isinf(got) or abs(want) > 3.4e38:
        return math.isinf(got) and abs(want) > 3.4e38 and (got > 0) == (want > 0)
    exponent = max(math.frexp(want)[1] - 1, -126) if want else -126
    # Numbers in a program are rounded to float32 in ours and not there: half an ulp more.
    return abs(got - want) <= max((ulp + 0.5) * 2.0 ** (exponent - 23), absolute)

def check(name, program, inputs, got, ulp, absolute, scale):
    global checked
    try:
        result = program(*[tensor(*one) for one in inputs])
    except Exception as error:
        print(f'{name}: {type(error).__name__}: {str(error).splitlines()[0]}')
        return
    want = result.double().flatten().tolist()
    if len(want) != len(got):
        print(f'{name}: {len(got)} results, PyTorch has {len(want)}')
        return
    checked += 1
    for i, (g, w) in enumerate(zip(got, want)):
        if not close(g, w, ulp, max(absolute, scale[i] if scale else 0)):
            print(f'{name}: element {i} is {g!r}, PyTorch has {w!r}')
            return
)py";

std::string list(const std::vector<double>& values) {
  std::string text = "[";
  for (const double value : values)
    text += (std::isnan(value)   ? std::string("nan")
             : std::isinf(value) ? std::string(value > 0 ? "inf" : "-inf")
                                 : fmt::format("{:.17g}", value)) +
            ", ";
  return text + "]";
}

/// Parameters in their range: the fallback, or, where one must be given, a number that fits.
std::vector<double> parametersOf(const OpRow& row) {
  std::vector<double> values;
  for (const Parameter& parameter : row.parameters)
    values.push_back(std::isnan(parameter.fallback) && parameter.kind == Parameter::Kind::number
                         ? std::clamp(0.5, parameter.low, parameter.high)
                         : parameter.fallback);
  return values;
}

class RowScript {
 public:
  void add(const OpRow& row, const Program& program, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Tensor> inputs;
    std::string given;
    for (int o = 0; o < row.arity; ++o) {
      const bool truth = (row.truthOperands >> o) & 1u;
      Interval domain;
      if (row.domain.size() > static_cast<std::size_t>(o)) domain = row.domain.begin()[o];
      std::uniform_real_distribution<double> uniform(std::max(domain.low, -4.0),
                                                     std::min(domain.high, 4.0));
      std::vector<float> values;
      for (std::int64_t i = 0; i < kRowCount * kColumns; ++i)
        values.push_back(truth ? static_cast<float>(random() % 2)
                               : static_cast<float>(uniform(random)));
      given +=
          fmt::format("({}, {}), ", list({values.begin(), values.end()}), truth ? "True" : "False");
      inputs.push_back(operandTensor(fixture_, row, o, {kRowCount, kColumns}, values));
    }
    std::vector<double> scale;
    if (row.kind == OpKind::reduce) {  // 4 eps log2(n) sum|x|
      std::vector<ReferenceTensor> references;
      for (const Tensor& input : inputs) references.push_back(EngineFixture::reference(input));
      const std::vector<ReferenceResult> results = evaluateReference(program, references);
      for (const double terms : results[0].scale) scale.push_back(4 * 0x1p-23 * 6 * terms);
    }
    const auto executor = makeExecutor("static", fixture_.backend(), program);
    const std::vector<double> got = EngineFixture::values(executor->call(inputs)[0]);
    script_ << toText(program)
            << fmt::format("check('{}', program, [{}], {}, {}, {}, {})\n", row.name, given,
                           list(got), row.bound.ulp, row.bound.absolute, list(scale));
  }

  std::string run(const std::string& python) const {
    return runPython(python, kRowPrelude + script_.str() + "print('checked', checked)\n");
  }

 private:
  EngineFixture fixture_;
  std::ostringstream script_;
};

/// float() asks for single precision, so PyTorch's result is no more exact than ours; that it is
/// the same number is tested with the specials.
bool comparable(const OpRow& row) {
  return row.name != "float";
}

TEST(RowsInTorchTest, EveryPointwiseRowKeepsItsBoundAgainstPyTorch) {
  const std::string python = pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << kNoTorch;
  RowScript script;
  int rows = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !hasPieces(row) || !comparable(row)) continue;
    script.add(row, programOf(row, parametersOf(row)), static_cast<unsigned>(++rows));
  }
  EXPECT_GT(rows, 90);
  EXPECT_EQ(script.run(python), fmt::format("checked {}\n", rows));
}

TEST(RowsInTorchTest, EveryReductionKeepsItsBoundAgainstPyTorch) {
  const std::string python = pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << kNoTorch;
  RowScript script;
  int rows = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::reduce) continue;
    std::vector<double> parameters = parametersOf(row);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& parameter = row.parameters.begin()[i];
      if (parameter.kind == Parameter::Kind::dims) parameters[i] = 0;
      for (const OpChoice& choice : opChoices())
        if (choice.to == row.name && choice.keyword == parameter.name)
          parameters[i] = std::isnan(choice.number) ? 3.5 : choice.number;
    }
    Program program = programOf(row, parameters);
    script.add(row, program, static_cast<unsigned>(++rows));
    program.ops[0].dims = {1};
    script.add(row, program, static_cast<unsigned>(++rows));
    if (std::none_of(row.parameters.begin(), row.parameters.end(),
                     [](const Parameter& p) { return p.name == "keepdim"; }))
      continue;
    program.ops[0].keepDims = true;
    program.ops[0].parameters.back() = 1;
    script.add(row, program, static_cast<unsigned>(++rows));
  }
  EXPECT_GE(rows, 50);
  EXPECT_EQ(script.run(python), fmt::format("checked {}\n", rows));
}

}  // namespace
}  // namespace fusebench::test
