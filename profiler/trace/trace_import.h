// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Whether the file is, by its first bytes, one that importTrace reads.
bool looksLikeTrace(const std::string& path);

/// Reads a trace, told apart by content:
/// - Chrome trace events as JSON, plain or packed by gzip: those that the PyTorch profiler (Kineto)
///   writes with its fields of GPU work, and any other (an object with traceEvents, or a bare
///   array; complete events and pairs of begin and end). Kernels are joined with their calls by
///   correlation; those without one by flow events;
/// - packets of Perfetto (.pftrace), plain or packed by gzip;
/// - a database that Nsight Systems exports (nsys export --type sqlite).
/// A file that ends too early gives what it holds, with Trace::partial() saying so; events that
/// make no sense are counted in Trace::losses(). Throws InputError (no such trace, or nothing in it
/// that could be shown) and Cancelled.
std::shared_ptr<const Trace> importTrace(const std::string& path,
                                         const TraceProgress& progress = {});

std::shared_ptr<const Trace> importJsonTrace(const std::string& path,
                                             const TraceProgress& progress = {});
std::shared_ptr<const Trace> importPerfettoTrace(const std::string& path,
                                                 const TraceProgress& progress = {});
std::shared_ptr<const Trace> importNsysTrace(const std::string& path,
                                             const TraceProgress& progress = {});

}  // namespace fusebench
