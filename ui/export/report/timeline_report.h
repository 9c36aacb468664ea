// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/timeline_figure.h"
#include "ui/export/report/report.h"

namespace fusebench {

/// A report of traces: the part of the timeline that the subject has, the notes on it, where the
/// time of each device went, and time by kernel. Computes what the subject does not have yet.
Report makeTimelineReport(const TimelineSubject& subject);

}  // namespace fusebench
