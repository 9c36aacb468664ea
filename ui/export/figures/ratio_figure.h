// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/export/figures/chart_figure.h"
#include "ui/models/runs/run_comparison.h"

namespace fusebench {

/// The ratios of two runs' latencies over the first axis, a curve for each variant, with whiskers
/// for the intervals and a line at 1: above it B is slower. `second`: only cells with that value on
/// the second axis.
ChartSubject ratioSubject(const RunComparison& comparison, const QString& nameA,
                          const QString& nameB, std::optional<std::int64_t> second = {});

}  // namespace fusebench
