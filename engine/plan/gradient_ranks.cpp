// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/gradient_ranks.h"

#include <algorithm>

namespace fusebench {
namespace {

/// Index among gradientReduceRow()'s parameters.
constexpr std::size_t kLast = 1;

}  // namespace

void GradientRanks::expect(std::span<const ValueId> by,
                           const std::function<bool(std::size_t, const Operand&)>& flows) {
  if (settings().ranks <= 1) return;
  for (const ValueId value : by) {
    const auto input = static_cast<std::size_t>(value);
    if (input >= inputs_ || !std::ranges::count(settings().shared, static_cast<int>(input)))
      continue;
    Expected& expected = expected_[value];
    const auto& ops = ops_.program().ops;
    for (std::size_t i = 0; i < ops.size() && expected.first < 0; ++i)
      for (const Operand& operand : ops[i].operands)
        if (!operand.isNumber() && operand.value == value && flows(i, operand))
          expected.first = static_cast<std::ptrdiff_t>(i);
  }
  missing_ = expected_.size();
}

std::vector<ValueId> GradientRanks::readFirstBy(std::size_t op) const {
  std::vector<ValueId> found;
  for (const auto& [value, expected] : expected_)
    if (expected.first == static_cast<std::ptrdiff_t>(op)) found.push_back(value);
  return found;
}

std::vector<ValueId> GradientRanks::left() const {
  std::vector<ValueId> found;
  for (const auto& [value, expected] : expected_)
    if (expected.reduced < 0) found.push_back(value);
  return found;
}

void GradientRanks::reduce(ValueId by, ValueId gradient) {
  const ValueType& type = ops_.type(gradient);
  auto& ops = ops_.program().ops;
  const auto close = [&](std::ptrdiff_t op) {
    ops[static_cast<std::size_t>(op)].parameters[kLast] = 1;
    ++bucket_;
    bytes_ = 0;
    before_ = -1;
  };
  // A bucket is of one dtype.
  if (before_ >= 0) {
    const ValueId other = ops[static_cast<std::size_t>(before_)].operands[0].value;
    if (ops_.type(other).dtype != type.dtype) close(before_);
  }
  const ValueId made = ops_.called(
      gradientReduceRow(), {Operand::ofValue(gradient)},
      {static_cast<double>(bucket_), 0, settings().overlaps ? 1.0 : 0.0, before_ < 0 ? 1.0 : 0.0});
  before_ = static_cast<std::ptrdiff_t>(ops.size()) - 1;
  bytes_ +=
      checkedMultiply(elementCount(type.shape), static_cast<std::int64_t>(info(type.dtype).size));
  expected_.at(by).reduced = made;
  begun_.push_back(made);
  --missing_;
  const bool full = settings().bucketBytes >= 0 && bytes_ >= settings().bucketBytes;
  if (full || missing_ == 0) close(before_);
}

void GradientRanks::wait() {
  for (std::size_t i = 0; i < begun_.size(); i += kMostOperands) {
    std::vector<Operand> waits;
    for (std::size_t k = i; k < std::min(i + kMostOperands, begun_.size()); ++k)
      waits.push_back(Operand::ofValue(begun_[k]));
    const int count = static_cast<int>(waits.size());
    ops_.called(gradientWaitRow(count), std::move(waits), {});
  }
  begun_.clear();
}

ValueId GradientRanks::reduced(ValueId by) const {
  const auto found = expected_.find(by);
  return found == expected_.end() ? -1 : found->second.reduced;
}

}  // namespace fusebench
