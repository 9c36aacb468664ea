// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli_format.h"
#include "profiler/export/cell_marks.h"
#include "profiler/run/run.h"

namespace fusebench::cli {

/// Characters in a line of a terminal.
inline constexpr std::size_t kTableColumns = 100;

/// The names of the axes, and the values of them; none without places.
std::vector<std::string> axisHeads(const Experiment& experiment);
std::vector<std::string> axisTexts(const Experiment& experiment, const CellKey& key);

/// Valid values of --columns: "latency", "memory", ...
std::vector<std::string> columnKeys();

/// A run's cells. `columns`: keys of columnKeys(); empty: time, speedup and launches, side by side
/// if the variants fit, and the columns for the experiment's metric and claims.
Table resultTable(const Run& run, const std::vector<std::string>& columns);

}  // namespace fusebench::cli
