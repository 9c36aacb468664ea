// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench::cli {

/// The results as text of at most 100 columns: note, table, crossings with what they mean, launch
/// model, accuracy, compile times, environment. `columns` of the table: see resultTable.
std::string reportText(const Run& run, const std::vector<Crossing>& crossings,
                       const std::vector<std::string>& columns = {});

/// Runs of one experiment on several targets side by side, each under the target's name: latencies,
/// and each target's crossings. Empty without at least two.
std::string comparisonText(const std::vector<std::pair<std::string, Run>>& runs);

/// A published table with its crossings, its slope and its author's conclusions.
std::string reportText(const Reference& reference, const std::vector<Crossing>& crossings);

}  // namespace fusebench::cli
