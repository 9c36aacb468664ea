// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

#include "profiler/study.h"

namespace fusebench {

/// The traced pass of a study: asks a worker of its own where the time of each measured cell's
/// calls goes. Cells that have an anatomy already, or no samples, are left alone.
///
/// `changed`: hears of each cell that was filled in; `progress`: of how many are done. If the
/// worker is lost or cannot record, or on a stop, the other cells stay as they are and the reason,
/// one line, is returned; else nothing.
std::string traceCells(Run& run, const StudyOptions& options, std::stop_token stop,
                       const std::function<void(std::size_t index)>& changed,
                       const std::function<void(std::size_t done, std::size_t of)>& progress);

}  // namespace fusebench
