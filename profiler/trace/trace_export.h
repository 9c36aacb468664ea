// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Writes Chrome trace events with Kineto's fields: opens in Perfetto and chrome://tracing, and
/// importTrace reads it back to the same trace. Packed by gzip if the name ends in .gz. Written in
/// the same folder under a temporary name and renamed. Throws InputError (the place is not
/// writable) and `Canceled`.
void exportTrace(const Trace& trace, const std::string& path, const TraceProgress& progress = {});

}  // namespace fusebench
