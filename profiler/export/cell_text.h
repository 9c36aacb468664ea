// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/base/quantity_text.h"
#include "profiler/export/cell_marks.h"
#include "profiler/run/run.h"

namespace fusebench {

// Texts about a cell in tables on a terminal, in reports and in exports. Empty: not known.

/// The unit for a whole table: the one that suits the smallest latency.
TimeUnit tableUnit(const Run& run);
/// "12.3 [12.1-12.5]", on pages "12.3 (12.1 – 12.5)"; with few samples "12.3 (3 samples: 12.1
/// – 12.5)"; with none the reason.
std::string latencyText(const Cell& cell, const TimeUnit& unit, const CellMarks& marks,
                        Letters letters);
/// "2.06x", or that the model omits what determines it.
std::string speedUpText(const Run& run, const Cell& cell, Letters letters);
/// "34", "34-36"
std::string launchText(const Cell& cell, Letters letters);
/// The median of a cell's first compiles: "25.9 us".
std::string firstCompileText(const Cell& cell, Letters letters);
/// The title of a column in the chosen language: the key of its message is "head: launches".
std::string head(std::string_view english);

}  // namespace fusebench
