// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// Host time that calls of torch.compile take, by part. The parts add up to `total`.
struct CompiledRegions {
  std::uint64_t calls = 0;    ///< outermost compiled regions
  std::uint64_t graphs = 0;   ///< CUDA graphs that they launched
  Nanoseconds total = 0;      ///< regions and the lookups before them
  Nanoseconds lookup = 0;     ///< Dynamo's cache lookup, which checks the guards
  Nanoseconds wrapper = 0;    ///< bytecode and AOTAutograd's wrapper around the compiled graph
  Nanoseconds code = 0;       ///< the compiled graph's own code
  Nanoseconds checks = 0;     ///< the same where it launches a CUDA graph: the graph tree's checks
  Nanoseconds operators = 0;  ///< operators that it calls
  Nanoseconds launches = 0;   ///< calls of the CUDA runtime and driver, without graph launches
  Nanoseconds graphLaunch = 0;  ///< launches of CUDA graphs
  Nanoseconds kernels = 0;      ///< on devices, launched in the regions; not a part of `total`
};
/// Nothing where the trace has no compiled regions.
std::optional<CompiledRegions> compiledRegionsOf(const Trace& trace);

/// The parts with their names, in the order of a call.
std::vector<std::pair<std::string, Nanoseconds>> partsOf(const CompiledRegions& regions);

/// The cost of a call on the host besides launching its kernels, with shares, in one sentence.
std::string costSentence(const CompiledRegions& regions);
/// Whether compiling helps on top of a CUDA graph here: the time that the kernels of the same
/// operators must exceed without compiling.
std::string graphSentence(const CompiledRegions& regions);

}  // namespace fusebench
