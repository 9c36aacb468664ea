// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/device/recorder.h"
#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// A stretch of one thread's time in a recorded call; nanoseconds since the recording's first mark.
struct CallSpan {
  std::int64_t start = 0, end = 0;
  std::int32_t launch = -1;  ///< which of the call's kernels it is; -1: no kernel
  std::uint32_t kernel = 0;  ///< place in RecordedCalls::kernels; 0: none
  std::uint16_t call = 0;
  std::uint8_t thread = 0;
  CallPart part = CallPart::outside;
  std::uint32_t reserved = 0;
  friend bool operator==(const CallSpan&, const CallSpan&) = default;
};

/// A call of the driver's within a recorded call, on the calling thread.
struct DriverSpan {
  std::int64_t start = 0, end = 0;
  std::uint64_t correlation = 0;  ///< shared with the work that it started
  std::uint32_t name = 0;         ///< place in RecordedCalls::kernels
  std::uint16_t call = 0;
  std::uint16_t reserved = 0;
  friend bool operator==(const DriverSpan&, const DriverSpan&) = default;
};

/// One activity of a device for a recorded call.
struct DeviceSpan {
  std::int64_t start = 0, end = 0;
  std::int64_t queued = kNoTime, submitted = kNoTime;
  std::uint64_t correlation = 0, graphNode = 0;
  std::uint64_t bytes = 0;  ///< copy or fill: its size
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t graph = 0, device = 0, context = 0, stream = 0;
  std::uint32_t registers = 0, staticShared = 0, dynamicShared = 0;
  std::uint32_t name = 0;    ///< place in RecordedCalls::kernels
  std::int32_t launch = -1;  ///< which of the call's kernels it is; -1: none, or not known
  std::uint16_t call = 0;
  SpanKind kind = SpanKind::kernel;
  std::uint8_t step = 0;  ///< index among the launch's own kernels
  friend bool operator==(const DeviceSpan&, const DeviceSpan&) = default;
};

/// The bytes that one execution of a recorded call reads and writes; see KernelTraffic.
struct ExecutionBytes {
  std::int64_t read = -1, written = -1;
  std::int32_t launch = -1;  ///< which of the call's kernels it is
  std::uint16_t call = 0;
  std::uint16_t step = 0;  ///< index among the launch's own kernels
  friend auto operator<=>(const ExecutionBytes&, const ExecutionBytes&) = default;
};

/// The execution and call of each of a recorder's notes, with their `read` and `written`. In their
/// order.
std::vector<ExecutionBytes> notedExecutions(const Recorder& recorder);

/// Where the calls of one of several ranks are on the clock of rank 0.
struct RankPlace {
  int rank = 0, ranks = 1;
  std::int64_t shift = 0;  ///< to be added to times, so that rank 0's first mark is 0; ns
  double drift = 0;        ///< by which part of the time its clock goes faster
  std::int64_t error = 0;  ///< the shift is within so much; ns
  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Some calls of one cell, span by span, from their marks. The cost of the marks is still included.
struct RecordedCalls {
  std::vector<std::string> kernels{std::string()};  ///< names, of driver calls, too
  /// Of each launch of a call: the statements that it computes, from 0; -1 is the return.
  std::vector<std::vector<int>> statements;
  std::vector<CallSpan> spans;  ///< thread by thread, in order
  /// Of the same calls made once more: to work it out takes time.
  std::vector<ExecutionBytes> bytes;
  double stampNanoseconds = 0;
  int recordings = 1;  ///< number of recordings; this is the usual one
  RankPlace place;
  std::uint64_t lost = 0;

  // For a device that runs by itself, on the same clock.
  std::vector<DriverSpan> driver;        ///< by start
  std::vector<DeviceSpan> device;        ///< by start
  std::uint64_t zero = 0, inverted = 0;  ///< device work without sensible times
  /// Why the device's work is missing, or part of it; empty: it is complete, or there is none.
  std::string deviceNote;
};

/// `statements`: as RecordedCalls has them.
RecordedCalls recordedCalls(const Recorder& recorder, double ticksPerNanosecond,
                            std::vector<std::vector<int>> statements);

/// The recording with the median time among several of the same calls (the lower one of an even
/// number), as the anatomy shows usual times; those that lost more than others are left out.
RecordedCalls usualOf(std::vector<RecordedCalls> recordings);
/// Which of them it is; there is one at least.
std::size_t usualPlace(std::span<const RecordedCalls> recordings);

/// The time of a call on the thread that makes it, and the part of it that marks cost.
struct CallTime {
  double total = 0, marks = 0;  ///< nanoseconds
};
CallTime callTimeOf(const RecordedCalls& calls);

/// The kind of a part on a timeline.
SpanKind spanKindOf(CallPart part);

/// The side file in which a worker hands them over. Reading throws InputError if the file is not
/// such a file, complete and valid.
void writeRecordedCalls(const RecordedCalls& calls, const std::string& path);
RecordedCalls readRecordedCalls(const std::string& path);

/// How the calls were chosen, and which part of the times is not the call's own. `alone`: nothing
/// else is shown, so the note includes the time of a call.
std::string noteOf(const RecordedCalls& calls, bool alone);

/// Adds the calls as a part of this name, as a process of this number and name: its threads as
/// lanes, each call as a range, with the host's activity and the launched kernels in it; and as a
/// second process the device's streams. They begin at time 0.
void addCalls(TraceBuilder& builder, const RecordedCalls& calls, const std::string& name,
              std::int64_t process, std::int64_t deviceProcess);

/// The same for calls that several ranks made together, on rank 0's clock: one process per rank,
/// with numbers starting at `process`, all of them one part.
void addCallsOfRanks(TraceBuilder& builder, std::span<const RecordedCalls* const> ranks,
                     const std::string& name, std::int64_t process, std::int64_t deviceProcess);
/// "2 ranks, their clocks compared by exchanges of messages: within 1.2 µs"; empty for one.
std::string sentenceOfClocks(std::span<const RecordedCalls* const> ranks);

}  // namespace fusebench
