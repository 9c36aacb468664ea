// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/trace/memory_snapshot.h"
#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// Memory that one place in the program held.
struct HeldMemory {
  std::string site = {};    ///< as MemorySnapshot::siteOf(); empty: no frames are recorded
  std::uint32_t stack = 0;  ///< of its largest block
  std::int64_t bytes = 0;
  std::uint64_t blocks = 0;
  std::int64_t largest = 0;  ///< bytes of its largest block
  /// Allocated before the recording began, by code that is not known.
  bool beforeRecording = false;
};
/// Its site, or why that is not known.
std::string siteText(const HeldMemory& held);

/// The memory of a device over time, and what held it at the peak.
struct MemoryUse {
  int device = 0;
  std::uint64_t events = 0, failures = 0;  ///< failures: allocations that found no memory
  /// When the snapshot was made.
  std::int64_t allocated = 0, reserved = 0;
  std::uint64_t freeBlocks = 0;  ///< that the allocator has and the program does not
  std::int64_t largestFree = 0;  ///< bytes: the largest request that needs no new memory

  Nanoseconds peakTime = 0;
  std::int64_t peakAllocated = 0, reservedAtPeak = 0, peakReserved = 0;
  std::vector<HeldMemory> held;  ///< at the peak of allocated memory, the largest first
};
/// `range`: the peaks are those within it.
MemoryUse memoryUseOf(const MemorySnapshot& snapshot, const MemoryDevice& device,
                      const std::optional<TimeRange>& range = {});

/// "GPU 0: at most 20 GiB allocated at 1.2 s, of 24 GiB reserved: 17% of it was unused.".
std::string peakSentence(const MemoryUse& use);
/// That there is no history, and how to record it; empty where there is one.
std::string historySentence(const MemoryUse& use);
/// How much of the reserved memory was free when the snapshot was made, and in what pieces.
std::string fragmentationSentence(const MemoryUse& use);

/// A row for each device and place that held memory at its peak.
std::string heldMemoryCsv(const MemorySnapshot& snapshot, std::span<const MemoryUse> uses);
nlohmann::ordered_json memoryJson(const MemorySnapshot& snapshot, std::span<const MemoryUse> uses);

/// The snapshot as a trace: counters of allocated and reserved memory, and the largest blocks as
/// slices of the time in which they were allocated.
std::shared_ptr<const Trace> memoryTrace(const MemorySnapshot& snapshot,
                                         const TraceProgress& progress = {});

}  // namespace fusebench
