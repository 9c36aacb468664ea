// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_cursor.h"

#include <algorithm>

namespace fusebench {
namespace {

bool has(const Axis& axis, double x) {
  return std::any_of(axis.values.begin(), axis.values.end(),
                     [x](std::int64_t value) { return static_cast<double>(value) == x; });
}

}  // namespace

bool onFirstAxis(const Experiment& experiment, double x) {
  return !experiment.axes.empty() && has(experiment.axes[0], x);
}

int statementsAt(const Experiment& shown, const Experiment& edited, std::optional<double> x) {
  constexpr const char* kName = "statements";
  if (!x || !onFirstAxis(shown, *x) || shown.axes[0].name != kName) return 0;
  const bool swept = std::any_of(edited.axes.begin(), edited.axes.end(), [&](const Axis& axis) {
    return axis.name == kName && has(axis, *x);
  });
  return swept ? static_cast<int>(*x) : 0;
}

}  // namespace fusebench
