// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/statistics/statistics.h"

namespace fusebench::targets {

/// One line of the table.
struct Target {
  enum class Want : std::uint8_t { atMost, atLeast, nothing };
  std::string group;  ///< "1 fused, small"
  std::string what;   ///< "static / dynamic"
  Want want = Want::atMost;
  double limit = 0;
  Estimate found;      ///< kind none: not measured
  std::string unit{};  ///< "us"; empty: a ratio
  std::string note{};  ///< why it was not measured, or what to know of it
  std::string why{};   ///< it is not reached; said only then
};

/// "met", "missed", or "within noise" if the interval holds the limit.
std::string verdict(const Target& target);
/// All of them, and how many are met.
std::string tableText(const std::vector<Target>& targets);

}  // namespace fusebench::targets
