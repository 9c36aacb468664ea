// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/row_formulas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/cpu/codegen/segments.h"
#include "engine/cpu/codegen/stencil.h"
#include "engine/cpu/math/vector_math.h"
#include "engine/plan/lowering.h"

namespace fusebench::cpu {
namespace {

constexpr std::size_t kMostPlaces = 256;  // a RangeNode counts them in bytes

RowFormula workedOut(const OpRow& row, unsigned truths, std::span<const double> structural) {
  ExprGraph graph;
  std::vector<Expr> operands, parameters;
  int input = 0;
  for (int o = 0; o < row.arity; ++o)
    operands.push_back(
        {&graph, graph.input(input++, (truths >> o) & 1u ? TypeClass::truth : TypeClass::float32)});
  std::size_t next = 0;
  for (const Parameter& parameter : row.parameters)
    parameters.push_back({&graph, parameter.kind == Parameter::Kind::number ? graph.input(input++)
                                  : isStructural(row, parameter)
                                      ? graph.constant(structural[next++])
                                      : graph.constant(0)});
  RowFormula formula;
  formula.result = applyRow(row, meaningDType(row), operands, parameters).id;
  formula.inputs = input;
  std::vector<ExprId> placeOf;  // index of each node of the graph
  for (const ExprNode& node : graph.nodes()) {
    formula.mindsRanges |= mindsRanges(node.primitive);
    formula.instructions += instructionCount(node.primitive);
    if (node.primitive == Primitive::input) {
      placeOf.push_back(node.index);
      continue;
    }
    std::array<std::uint8_t, 3> places{};
    for (std::size_t o = 0; o < places.size(); ++o)
      if (node.operands[o] >= 0)
        places[o] = static_cast<std::uint8_t>(placeOf[static_cast<std::size_t>(node.operands[o])]);
    placeOf.push_back(formula.inputs + static_cast<ExprId>(formula.nodes.size()));
    formula.nodes.emplace_back(node, places);
  }
  if (placeOf.size() > kMostPlaces)
    throw std::length_error("a formula of too many nodes: " + std::string(row.name));
  if (const ExprNode& root = graph[formula.result]; hasFixedRange(root))
    formula.fixedRange = valueRanges(graph.nodes(), {})[static_cast<std::size_t>(formula.result)];
  formula.result = placeOf[static_cast<std::size_t>(formula.result)];
  if (structural.empty()) formula.key = Stencil::keyOfOp(row, meaningDType(row), truths);
  return formula;
}

}  // namespace

RowFormulas::RowFormulas() : rows_(opRows().data()), plain_(opRows().size() * kTruthForms) {}

const RowFormula& RowFormulas::of(const OpRow& row, unsigned truths,
                                  std::span<const double> structural) {
  if (structural.empty()) return of(row, truths);
  const auto [found, isNew] =
      others_.try_emplace({&row, truths, {structural.begin(), structural.end()}});
  if (isNew) workOut(found->second, row, truths, structural);
  return found->second;
}

void RowFormulas::workOut(RowFormula& place, const OpRow& row, unsigned truths,
                          std::span<const double> structural) {
  place = workedOut(row, truths, structural);
  const std::size_t values = static_cast<std::size_t>(place.inputs) + place.nodes.size();
  scratch_.resize(std::max({scratch_.size(), values, std::size_t{1}}));
}

}  // namespace fusebench::cpu
