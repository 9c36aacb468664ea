// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

/// Within float32's rounding; 1 + erf(x) and the like cancel, so a small absolute error counts,
/// too.
inline bool near(const ReferenceResult& expected, const std::vector<double>& got) {
  if (got.size() != expected.value.values.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = expected.value.values[i];
    const bool same = got[i] == want || (std::isnan(got[i]) && std::isnan(want));
    if (!same && !(std::fabs(got[i] - want) <= 1e-6 + 1e-4 * expected.scale[i])) return false;
  }
  return true;
}

/// Numbers as Python writes a list.
inline std::string listed(std::span<const double> values) {
  std::ostringstream text;
  text.precision(17);
  for (const double value : values) text << value << ", ";
  return "[" + text.str() + "]";
}

}  // namespace fusebench
