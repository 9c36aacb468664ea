// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls of integers, which no library computes: elements are multiplied and summed.
#include <algorithm>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"

namespace fusebench {

bool ProgramBuilder::multipliesIntegers(const Op& op) {
  const ContractRule& rule = op.row->contract;
  if (op.row->kind != OpKind::contract || op.row->takes != AcceptedTypes::floats ||
      rule.hasWindows() || rule.addend >= 0 || op.operands.size() != 2)
    return false;
  const std::optional<ValueType>& first = typeOf(op.operands[0].value);
  if (!first || !isInteger(classOf(first->dtype))) return false;
  const DType dtype = first->dtype;
  const std::optional<ValueType>& second = typeOf(op.operands[1].value);
  return second && second->dtype == dtype;
}

PythonValue ProgramBuilder::productOfIntegers(const Op& op) {
  const SourcePlace place = op.place;
  const auto number = [&](std::size_t n) {
    return PythonValue::numberOf(static_cast<double>(n), true, place);
  };
  std::vector<int> ranks;
  for (const Operand& operand : op.operands) ranks.push_back(*rankOf(operand.value));
  const ContractForm form = contractFormOf(op, ranks);
  std::vector<SizeId> extents(form.letters.size(), -1);
  std::vector<PythonValue> factors;
  for (std::size_t o = 0; o < op.operands.size(); ++o) {
    const std::vector<ContractDim>& dims = form.tensors[o];
    PythonValue factor = PythonValue::tensorOf(op.operands[o].value, place);
    // One dimension per loop, in the order of the loops.
    std::vector<PythonValue> order, missing;
    for (std::size_t l = 0; l < form.letters.size(); ++l) {
      const auto own = std::ranges::find(dims, form.letters[l], &ContractDim::outer);
      if (own == dims.end()) {
        missing.push_back(number(l));
        continue;
      }
      const auto d = static_cast<int>(own - dims.begin());
      order.push_back(number(static_cast<std::size_t>(d)));
      const SizeId extent = program_.sizes.extent(factor.value, d);
      if (!own->batch && extents[l] >= 0)
        check(program_.sizes.binary(SizeKind::equal, extents[l], extent, place), true,
              std::string(op.row->name) +
                  ": the operands do not fit: the dimensions that are "
                  "multiplied must be equal",
              place);
      extents[l] = extent;
    }
    if (order.size() > 1)
      factor =
          method(factor, "permute", {{"", PythonValue::listOf(order, true, place), place}}, place);
    for (const PythonValue& dim : missing)
      factor = method(factor, "unsqueeze", {{"", dim, place}}, place);
    factors.push_back(factor);
  }
  PythonValue made = binary("*", factors[0], factors[1], place);
  std::vector<PythonValue> summed;
  for (std::size_t l = form.kept; l < form.letters.size(); ++l) summed.push_back(number(l));
  if (summed.empty()) return made;
  made = method(made, "sum", {{"", PythonValue::listOf(summed, true, place), place}}, place);
  const DType dtype = typeOf(op.operands[0].value)->dtype;
  if (dtype == DType::int64) return made;
  const PythonValue to = PythonValue::pathOf("torch." + std::string(info(dtype).name), place);
  return method(made, "to", {{"", to, place}}, place);
}

}  // namespace fusebench
