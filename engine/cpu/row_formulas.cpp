// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/row_formulas.h"

#include "engine/cpu/segments.h"
#include "engine/cpu/vector_math.h"
#include "engine/lowering.h"

namespace fusebench::cpu {
namespace {

constexpr std::size_t kTruthForms = std::size_t{1} << kMostOperands;

RowFormula workedOut(const OpRow& row, unsigned truths, std::span<const double> structural) {
  ExprGraph graph;
  std::vector<Expr> operands, parameters;
  int input = 0;
  for (int o = 0; o < row.arity; ++o)
    operands.push_back({&graph, graph.input(input++, (truths >> o) & 1u)});
  std::size_t next = 0;
  for (const Parameter& parameter : row.parameters)
    parameters.push_back({&graph, parameter.kind == Parameter::Kind::number
                                      ? graph.input(input++)
                                      : graph.constant(structural[next++])});
  RowFormula formula;
  formula.result = applyRow(row, resultDType(row), operands, parameters).id;
  formula.nodes.assign(graph.nodes().begin(), graph.nodes().end());
  for (const ExprNode& node : formula.nodes) {
    formula.mindsRanges |= mindsRanges(node.primitive);
    formula.instructions += instructionCount(node.primitive);
  }
  return formula;
}

}  // namespace

RowFormulas::RowFormulas() : plain_(opRows().size() * kTruthForms) {}

const RowFormula& RowFormulas::of(const OpRow& row, unsigned truths,
                                  std::span<const double> structural) {
  if (structural.empty()) {
    RowFormula& formula = plain_[static_cast<std::size_t>(opIndex(row)) * kTruthForms + truths];
    if (formula.result < 0) formula = workedOut(row, truths, structural);
    return formula;
  }
  const auto [found, isNew] =
      others_.try_emplace({&row, truths, {structural.begin(), structural.end()}});
  if (isNew) found->second = workedOut(row, truths, structural);
  return found->second;
}

Range RowFormulas::range(const RowFormula& formula, std::span<const Range> inputs) {
  valueRanges(formula.nodes, inputs, scratch_);
  return scratch_[static_cast<std::size_t>(formula.result)];
}

}  // namespace fusebench::cpu
