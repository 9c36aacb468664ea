// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study_schedule.h"

#include <algorithm>
#include <cmath>

#include "profiler/random.h"

namespace fusebench {

TimePlan planTime(const MeasureSettings& settings, bool quick) {
  TimePlan plan;
  plan.samplingSeconds = settings.budgetSeconds * (quick ? 0.1 : 1.0);
  plan.compileSeconds = 0.4 * plan.samplingSeconds;
  plan.totalSeconds = plan.samplingSeconds + plan.compileSeconds;
  return plan;
}

std::vector<std::size_t> roundOrder(std::span<const Cell> cells, std::uint64_t seed, int round) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].stop == Stop::running) order.push_back(i);
  std::uint64_t state =
      mixBits(seed + 0x5eed'0f0f) ^ mixBits(static_cast<std::uint64_t>(round) + 1);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[nextBelow(state, i)]);
  return order;
}

int samplesToGo(const Cell& cell, const StoppingRule& rule) {
  const auto have = static_cast<int>(cell.samples.size());
  if (have < 8) return rule.minimum - have;
  const Estimate estimate = cell.latency();
  const double width = (estimate.high - estimate.low) / 2 / (rule.precision * estimate.value);
  // The interval's width goes as one over the square root of the number of samples.
  const double wanted = std::clamp(have * width * width, static_cast<double>(rule.minimum),
                                   static_cast<double>(rule.maximum));
  return std::max(static_cast<int>(std::ceil(wanted)) - have, 1);
}

StoppingRule ruleOf(const MeasureSettings& settings) {
  return {settings.minimumSamples, settings.maximumSamples, settings.precision};
}

}  // namespace fusebench
