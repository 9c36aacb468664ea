// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"

namespace fusebench::cuda {

/// One call of the driver or of the runtime, as CUPTI records it. Times are CUPTI's nanoseconds.
struct ApiCall {
  std::uint64_t start = 0, end = 0;
  std::uint32_t function = 0;  ///< its number in CUPTI; see kCallLaunchKernel
  bool runtime = false;        ///< else the driver's
  std::uint32_t process = 0, thread = 0;
  std::uint32_t correlation = 0;  ///< of the work that it sets off
  std::uint32_t result = 0;       ///< 0: success
  bool operator==(const ApiCall&) const = default;
};

/// Whether the driver was asked for what sets kernels off: to launch one, or a graph.
bool isLaunch(const ApiCall& call);

/// Those of the calls that set kernels off: launches, but not the ones that were captured, between
/// the beginning of a capture and its end on one thread. By their start.
std::vector<const ApiCall*> launchesOf(std::span<const ApiCall> calls);

/// One kernel execution, copy or fill on a device. Times are CUPTI's nanoseconds.
struct DeviceWork {
  enum class Kind : std::uint8_t { kernel, copy, fill };
  Kind kind = Kind::kernel;
  std::string name;  ///< the kernel's entry as compiled, or "Memcpy HtoD", "Memset"
  std::uint64_t start = 0, end = 0;
  std::uint64_t queued = 0, submitted = 0;  ///< 0: not known
  std::uint32_t device = 0, context = 0, stream = 0;
  std::uint32_t correlation = 0;  ///< with the call; all work of one graph launch shares it
  std::uint32_t graph = 0;        ///< 0: in none
  std::uint64_t graphNode = 0;    ///< with `correlation` it names one execution; 0: in no graph
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;                        ///< per thread
  std::uint32_t staticShared = 0, dynamicShared = 0;  ///< bytes
  std::uint64_t bytes = 0;                            ///< of a copy or fill
  bool operator==(const DeviceWork&) const = default;
};

/// Time that CUPTI itself took.
struct Overhead {
  std::uint64_t start = 0, end = 0;
};

/// Records that tell nothing that could be shown.
struct ActivityLosses {
  std::uint64_t dropped = 0;    ///< CUPTI had no room for them
  std::uint64_t missing = 0;    ///< of launches that are there, but not what ran on the device
  std::uint64_t zero = 0;       ///< start or end is 0: the device's own buffers ran out
  std::uint64_t inverted = 0;   ///< end before start
  std::uint64_t malformed = 0;  ///< too short for their kind, or not where a record may be
  std::uint64_t total() const { return dropped + missing + zero + inverted + malformed; }
  bool operator==(const ActivityLosses&) const = default;
};
/// "3 dropped, 1 without a time"; empty if nothing was lost.
std::string sentenceOf(const ActivityLosses& losses);

/// What a buffer held, in the order of its records, which is none.
struct Activities {
  std::vector<ApiCall> calls;
  std::vector<DeviceWork> work;
  std::vector<Overhead> overheads;
  ActivityLosses losses;

  void add(Activities more);
};

/// Reads one record: its bytes, from its own first to the next one's first or to the buffer's end.
/// Only what all layouts of its kind have in common is read (kernels: 5 to 11), and what newer ones
/// add where it is long enough. What has no sensible times is counted in `into.losses` alone; kinds
/// that nobody asked for are passed over. A kernel's name must be a C string that lives.
void readRecord(std::span<const std::uint8_t> record, Activities& into);

/// How CUPTI steps from record to record: cuptiActivityGetNextRecord.
using NextRecord = CuptiResult (*)(std::uint8_t* buffer, std::size_t validBytes,
                                   ActivityRecord** record);

/// Reads all records of a buffer of CUPTI's, of which so many bytes are valid.
void readBuffer(std::uint8_t* buffer, std::size_t validBytes, NextRecord next, Activities& into);

/// Which execution of its launch each one is. All of a graph launch share the correlation, and are
/// told apart by their nodes; the nodes' order is that in which they started in the most complete
/// replay of their graph, so that an execution whose record was lost shifts no other. Elsewhere
/// executions of one correlation count by their start. Kernels only; -1 for other work.
std::vector<int> placesInLaunch(std::span<const DeviceWork> work);

}  // namespace fusebench::cuda
