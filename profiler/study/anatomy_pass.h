// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/study/study.h"

namespace fusebench {

/// The traced pass of a study: asks a worker of its own where the time of each measured cell's
/// calls goes. Cells that have an anatomy already, or no samples, are left alone. It begins at the
/// near end of the axes and continues at the far end, and begins no point of the axes after
/// `seconds`.
///
/// A second worker records the activity of a device that runs by itself. It times nothing and takes
/// as many seconds again. A cell that has the host's side and does not get the device's has the
/// reason. The version of CUPTI goes into the run's environment: "cupti".
///
/// `changed`: called for each cell that was filled in; `progress`: with the number done. If the
/// worker is lost or cannot record, when the time is up, or on a stop, the other cells stay as they
/// are and the reason, one line, is returned; else nothing.
std::string traceCells(Run& run, const StudyOptions& options, double seconds, std::stop_token stop,
                       const std::function<void(std::size_t index)>& changed,
                       const std::function<void(std::size_t done, std::size_t of)>& progress);

/// Why some variants lack the device's side of their calls; one line.
struct MissingDeviceSide {
  std::string why;
  std::vector<std::string> variants;
};
/// Those of these cells that were traced and lack it though a device runs their kernels, by reason.
std::vector<MissingDeviceSide> missingDeviceSides(const Run& run,
                                                  std::span<const Cell* const> cells);

}  // namespace fusebench
