// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "profiler/trace/trace.h"

namespace fusebench {

/// The category ("cat") of a Chrome trace event that a kind of span is written as.
std::string_view categoryOf(SpanKind kind);
/// The meaning of a category, including those of old profilers; case does not matter. Commas
/// separate several: the first known one counts.
SpanKind kindOfCategory(std::string_view categories);
/// Whether events of this category are on a stream of a device.
bool onDevice(std::string_view categories);

/// Nanoseconds from a text of microseconds ("4445732276840.465"), exactly; nothing if it is not a
/// number, or one beyond 2^61 ns.
std::optional<Nanoseconds> fromMicroseconds(std::string_view text);

}  // namespace fusebench
