// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "ui/export/figures/timeline_figure.h"

namespace fusebench {

/// Time by kernel of a part of a timeline, in full or as a table for people, by the ending of a
/// file's name: "csv", "md", "tex". Empty text for any other.
///
/// CSV: a row for each trace, device and name; times in whole nanoseconds, but the mean; share is
/// of the self time of the trace's or device's names; what is not known is empty; from_ns and to_ns
/// are the part of the trace that was counted. Computes what the subject does not have yet.
std::string timelineTotals(const TimelineSubject& subject, std::string_view ending);

}  // namespace fusebench
