// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/recorder.h"
#include "profiler/trace_builder.h"

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

/// Some calls of one cell as their marks tell them, span by span. What marks cost is still in it.
struct RecordedCalls {
  std::vector<std::string> kernels{std::string()};
  /// Of each launch of a call: the statements that it computes, from 0; -1 is the return.
  std::vector<std::vector<int>> statements;
  std::vector<CallSpan> spans;  ///< thread by thread, in order
  double stampNanoseconds = 0;
  std::uint64_t lost = 0;
};

/// `statements`: as RecordedCalls has them.
RecordedCalls recordedCalls(const Recorder& recorder, double ticksPerNanosecond,
                            std::vector<std::vector<int>> statements);

/// The side file in which a worker hands them over. Reading throws InputError for anything that is
/// no such file, whole and sound.
void writeRecordedCalls(const RecordedCalls& calls, const std::string& path);
RecordedCalls readRecordedCalls(const std::string& path);

/// Adds the calls as a process of this number and name: its threads as lanes, each call as a range,
/// in it what the host did and the kernels it launched. They begin at time 0.
void addCalls(TraceBuilder& builder, const RecordedCalls& calls, const std::string& name,
              int process);

}  // namespace fusebench
