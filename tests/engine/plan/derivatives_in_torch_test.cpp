// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients against PyTorch's, at kinks and elsewhere: recorded ones, which cover the op table.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/language/program_gradients.h"
#include "engine/run/reference.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// derivatives.txt: an expression and the gradients by its operands, or nothing for one without.
struct RecordedGradients {
  std::string expression;
  std::vector<std::vector<double>> gradients;
};

std::vector<RecordedGradients> recordedGradients() {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/derivatives.txt"));
  std::vector<RecordedGradients> all;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("= ")) all.push_back({line.substr(2), {}});
    if (!line.starts_with("x ") && !line.starts_with("y ")) continue;
    std::istringstream words(line.substr(2));
    std::vector<double>& gradient = all.back().gradients.emplace_back();
    for (std::string word; words >> word && word != "none";)
      gradient.push_back(std::strtod(word.c_str(), nullptr));
  }
  return all;
}

const std::vector<double> kDerivativeX{-3, -1, -0.5, 0, 0.25, 0.5, 1, 2, 3, 6};
const std::vector<double> kY{1, -1, -0.5, 0, 0.5, 0.25, 2, 2, -3, 0.125};

ReferenceTensor recordedTensor(const Shape& shape, std::vector<double> values) {
  return {{shape, DType::float64}, std::move(values), {}};
}

/// The program of an expression, with the sum of its result times 1, 2, 3, ... as its result.
Program weighed(const std::string& expression, std::vector<ReferenceTensor>& inputs) {
  const std::string head = "def f(x, y, w):\n    ";
  const ProgramHints hints{{"x", inputs[0].type}, {"y", inputs[1].type}};
  const Program plain = parseProgram(head + "return " + expression, hints);
  inputs.push_back(recordedTensor({}, {0}));
  std::vector<ValueType> types;
  for (const ReferenceTensor& input : inputs) types.push_back(input.type);
  const Shape shape =
      inferTypes(plain, types)[static_cast<std::size_t>(plain.outputs.front())].shape;
  std::vector<double> weights;
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    weights.push_back(static_cast<double>(i + 1));
  inputs.back() = recordedTensor(shape, weights);
  return parseProgram(head + "r = " + expression + "\n    return (r * w).sum()", hints);
}

bool alike(double got, double wanted) {
  if (std::isnan(wanted)) return std::isnan(got);
  if (std::isinf(wanted)) return got == wanted;
  return std::fabs(got - wanted) <= 1e-7 * (1 + std::fabs(wanted));  // numbers are float32's
}

TEST(DerivativesInTorch, AreThoseThatAreRecorded) {
  std::set<const OpRow*> seen;
  const std::vector<RecordedGradients> all = recordedGradients();
  ASSERT_GT(all.size(), 100u);
  for (const RecordedGradients& each : all) {
    SCOPED_TRACE(each.expression);
    std::vector<ReferenceTensor> inputs{recordedTensor({2, 5}, kDerivativeX),
                                        recordedTensor({2, 5}, kY)};
    const Program program = weighed(each.expression, inputs);
    for (const Op& op : program.ops) seen.insert(op.row);
    ASSERT_EQ(each.gradients.size(), 2u);
    for (ValueId by = 0; by < 2; ++by) {
      const std::vector<double>& wanted = each.gradients[static_cast<std::size_t>(by)];
      if (wanted.empty()) continue;
      const auto results = evaluateReference(withGradients(program, {{by}}), inputs);
      const std::vector<double>& got = results[1].value.values;
      ASSERT_EQ(got.size(), wanted.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(alike(got[i], wanted[i]))
            << "by "
            << "xy"[by] << ", element " << i << " (x = " << kDerivativeX[i] << ", y = " << kY[i]
            << ") is " << got[i] << ", PyTorch has " << wanted[i];
    }
  }
  for (const OpRow& row : opRows()) {
    const bool covered =
        row.kind == OpKind::pointwise || row.kind == OpKind::reduce || row.kind == OpKind::contract;
    if (!covered || !isDifferentiable(row) || row.result == ResultType::cast ||
        row.places != IndexInputs::none)
      continue;
    EXPECT_TRUE(seen.contains(&row)) << row.name << " is in no recorded expression";
  }
}

}  // namespace
}  // namespace fusebench
