// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/plan/prepared.h"

namespace fusebench {

void AccuracySums::add(std::span<const double> exact, std::span<const double> got) {
  const std::size_t count = std::min(exact.size(), got.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(exact[i])) continue;
    signal_ += exact[i] * exact[i];
    noise_ += std::isfinite(got[i]) ? (got[i] - exact[i]) * (got[i] - exact[i])
                                    : std::numeric_limits<double>::infinity();
  }
}

void AccuracySums::addRows(std::span<const double> exact, std::span<const double> got,
                           std::size_t columns) {
  const std::size_t count = std::min(exact.size(), got.size());
  for (std::size_t row = 0; columns > 0 && row + columns <= count; row += columns) {
    const auto greatest = [&](std::span<const double> all) {
      const auto part = all.subspan(row, columns);
      return std::ranges::max_element(part) - part.begin();
    };
    ++rows_;
    same_ += greatest(exact) == greatest(got);
  }
}

double AccuracySums::relative() const {
  if (noise_ == 0) return 0;
  return signal_ > 0 ? std::sqrt(noise_ / signal_) : std::numeric_limits<double>::infinity();
}

double decibelsOf(double relative) {
  return -20 * std::log10(relative);
}

bool endsInLogits(const Program& program, const Shape& result) {
  const ValueId last = program.outputs.front();
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  if (result.rank() != 2 || result[1] < 2 || last < inputs) return false;
  const Op& op = program.ops[static_cast<std::size_t>(last - inputs)];
  if (op.row->kind != OpKind::contract || op.row->accumulate != Accumulate::sum) return false;
  const std::vector<bool> held = heldValues(program);
  return std::ranges::any_of(op.operands, [&](const Operand& operand) {
    return !operand.isNumber() && held[static_cast<std::size_t>(operand.value)];
  });
}

}  // namespace fusebench
