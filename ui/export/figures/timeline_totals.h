// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/export/export_table.h"
#include "ui/export/figures/timeline_figure.h"

namespace fusebench {

// Time by kernel in a part of a timeline, as complete CSV or as a table for readers. Totals that
// the subject lacks are computed.

/// A row for each trace, device and name; times in whole nanoseconds except the mean; share is
/// relative to the self time of the trace's or device's names; unknown values are empty; from_ns
/// and to_ns are the part of the trace that was counted.
std::string kernelsCsv(const TimelineSubject& subject);
std::string kernelsMarkdown(const TimelineSubject& subject);
/// As many rows as fit a page, with short names. Needs \usepackage{booktabs}.
std::string kernelsLatex(const TimelineSubject& subject);

/// At most this many rows, those that take the most time, with short names; `caption`: what the
/// table shows.
ExportTable kernelsTable(const TimelineSubject& subject, std::size_t most, std::string& caption);

}  // namespace fusebench
