// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_writes.h"

#include <cmath>
#include <map>
#include <utility>

#include "engine/base/elements.h"
#include "engine/plan/step_lowering.h"
#include "engine/run/reference_typed.h"

namespace fusebench {
namespace {

std::size_t index(ValueId value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

SharedMemory::SharedMemory(const Program& program, Forms inputs) {
  if (!program.writesInto) return;
  Guards guards(inputs, Specialize::exact);
  values_ = planValues(program, inputs, guards, false);
  versions_.resize(values_.count());
  seen_ = versions_;
}

void SharedMemory::refresh(ValueId value, std::vector<ReferenceTensor>& all,
                           std::vector<std::vector<double>>& terms) {
  if (versions_.empty()) return;
  const ValueId root = values_.root(value);
  if (root == value || seen_[index(value)] == versions_[index(root)]) return;
  move(value, root, all, terms, false);
  seen_[index(value)] = versions_[index(root)];
}

void SharedMemory::wrote(ValueId value, std::vector<ReferenceTensor>& all,
                         std::vector<std::vector<double>>& terms) {
  if (versions_.empty()) return;
  const ValueId root = values_.root(value);
  if (root == value) return;
  move(value, root, all, terms, true);
  seen_[index(value)] = ++versions_[index(root)];
}

void SharedMemory::made(ValueId value) {
  if (!versions_.empty()) seen_[index(value)] = versions_[index(values_.root(value))];
}

/// Copies between a value and its memory, element by element.
void SharedMemory::move(ValueId value, ValueId root, std::vector<ReferenceTensor>& all,
                        std::vector<std::vector<double>>& terms, bool back) const {
  const std::vector<std::size_t> places = placesOf(value, root);
  ReferenceTensor &own = all[index(value)], &memory = all[index(root)];
  std::vector<double>&ownTerms = terms[index(value)], &memoryTerms = terms[index(root)];
  const auto fillTerms = [](std::vector<double>& of, const ReferenceTensor& values) {
    if (!of.empty()) return;
    for (const double each : values.values) of.push_back(std::isfinite(each) ? std::fabs(each) : 0);
  };
  const bool measured = !ownTerms.empty() || !memoryTerms.empty();
  if (measured) fillTerms(ownTerms, own);
  if (measured) fillTerms(memoryTerms, memory);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (back)
      memory.values[places[i]] = own.values[i];
    else
      own.values[i] = memory.values[places[i]];
    if (measured)
      (back ? memoryTerms[places[i]] : ownTerms[i]) = back ? ownTerms[i] : memoryTerms[places[i]];
    if (!own.integers.empty())
      (back ? memory.integers[places[i]] : own.integers[i]) =
          back ? own.integers[i] : memory.integers[places[i]];
  }
}

/// Per element of a value, in row-major order, the number of the root's element that it is.
std::vector<std::size_t> SharedMemory::placesOf(ValueId value, ValueId root) const {
  const Form whole = formOf(values_, root, {}), seen = formOf(values_, value, {});
  std::map<std::int64_t, std::size_t> numbers;  // by place in memory
  const auto placeOf = [](const Form& form, std::size_t element) {
    std::int64_t place = 0, rest = static_cast<std::int64_t>(element);
    for (int d = form.shape.rank(); d-- > 0;) {
      place += rest % form.shape[d] * form.strides[d];
      rest /= form.shape[d];
    }
    return place;
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(elementCount(whole.shape)); ++i)
    numbers[placeOf(whole, i)] = i;
  std::vector<std::size_t> places;
  const std::int64_t from = values_.offset(value).constant();
  for (std::size_t i = 0; i < static_cast<std::size_t>(elementCount(seen.shape)); ++i)
    places.push_back(numbers.at(from + placeOf(seen, i)));
  return places;
}

ValueType ownType(const Op& op, std::span<const ValueType> types) {
  std::vector<ValueType> operands;
  for (const Operand& operand : op.operands)
    operands.push_back(operand.isNumber() ? ValueType()
                                          : types[static_cast<std::size_t>(operand.value)]);
  return inferType(op, operands);
}

void convertWritten(ReferenceTensor& result, const ValueType& into) {
  const DType made = std::exchange(result.type.dtype, into.dtype);
  ReferenceTensor whole{into, {}, {}};
  const bool wide = isFloat(into.dtype) && isFloat(made) && !isRounded(into.dtype);
  const bool fromIntegers = !result.integers.empty() && isInteger(classOf(into.dtype));
  const std::size_t count = static_cast<std::size_t>(elementCount(into.shape));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at =
        broadcastPlace(result.type.shape, into.shape, static_cast<std::int64_t>(i));
    double value = result.values[at];
    if (made != into.dtype && !wide) value = roundedTo(value, into.dtype);
    if (made != into.dtype && isInteger(classOf(into.dtype)) && !fromIntegers)
      value = std::trunc(value);
    whole.values.push_back(value);
    if (fromIntegers) whole.integers.push_back(wrapped(result.integers[at], classOf(into.dtype)));
    if (fromIntegers) whole.values.back() = static_cast<double>(whole.integers.back());
  }
  if (!fromIntegers) setIntegers(whole);
  result = std::move(whole);
}

}  // namespace fusebench
