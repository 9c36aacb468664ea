// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// Whether importTrace can read the file, judging by its first bytes.
bool looksLikeTrace(const std::string& path);

/// Reads a trace, told apart by content:
/// - Chrome trace events as JSON, plain or packed by gzip: those that the PyTorch profiler (Kineto)
///   writes with its fields of GPU work, and any other (an object with traceEvents, or a bare
///   array; complete events and pairs of begin and end). Kernels are joined with their calls by
///   correlation; those without one by flow events;
/// - packets of Perfetto (.pftrace), plain or packed by gzip;
/// - a database that Nsight Systems exports (nsys export --type sqlite);
/// - a snapshot of PyTorch's memory as JSON; see memory_snapshot.h.
/// A file that ends too early gives its complete events, and Trace::partial() has the reason;
/// invalid events are counted in Trace::losses(). Throws InputError (no such trace, or nothing in
/// it that could be shown) and `Canceled`.
std::shared_ptr<const Trace> importTrace(const std::string& path,
                                         const TraceProgress& progress = {});

std::shared_ptr<const Trace> importJsonTrace(const std::string& path,
                                             const TraceProgress& progress = {});
std::shared_ptr<const Trace> importPerfettoTrace(const std::string& path,
                                                 const TraceProgress& progress = {});

/// How much of a database is read before reading stops: its own statement of its size cannot be
/// trusted.
struct DatabaseBudget {
  std::uint64_t operations = 65'000'000'000;  ///< steps of SQLite's machine: minutes
  std::uint64_t rows = 200'000'000;           ///< rows of all tables
  std::size_t textBytes = std::size_t{512} << 20;
};
/// Keeps the data read before a budget was used up; Trace::partial() names the budget.
std::shared_ptr<const Trace> importNsysTrace(const std::string& path,
                                             const TraceProgress& progress = {},
                                             const DatabaseBudget& budget = {});

}  // namespace fusebench
