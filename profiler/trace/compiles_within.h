// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// Compilations of torch.compile that took place while the trace was recorded.
struct CompilesWithin {
  std::uint64_t count = 0;
  Nanoseconds total = 0;     ///< all threads together
  Nanoseconds recorded = 0;  ///< length of the trace
  TimeRange longest;
};
/// Nothing where the trace shows none.
std::optional<CompilesWithin> compilesWithin(const Trace& trace);

/// How much of the trace was compiling, and how to learn the reason.
std::string compilesSentence(const CompilesWithin& compiles);

}  // namespace fusebench
