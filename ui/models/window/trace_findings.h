// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/runs/findings_model.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

/// The findings about the traces on the timeline, most important first: how long each device waited
/// and for what, the longest gap, kernels shorter than their launch, what fusing would save, what
/// takes most. Empty while the figures are still being computed.
std::vector<ShownFinding> traceFindings(const TimelineModel& timeline);

}  // namespace fusebench
