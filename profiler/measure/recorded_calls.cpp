// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/recorded_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/base/saying.h"
#include "engine/device/backend.h"

namespace fusebench {
namespace {

/// The spans of one thread out of all.
std::vector<const CallSpan*> ofThread(const RecordedCalls& calls, std::uint8_t thread) {
  std::vector<const CallSpan*> spans;
  for (const CallSpan& span : calls.spans)
    if (span.thread == thread) spans.push_back(&span);
  return spans;
}

/// A launch counts statements from 1 and has 0 for the return.
void setStatements(Launch& launch, const RecordedCalls& calls, std::int32_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= calls.statements.size()) return;
  const std::vector<int>& statements = calls.statements[static_cast<std::size_t>(number)];
  int first = std::numeric_limits<int>::max(), last = -1;
  for (const int statement : statements) {
    if (statement >= 0) first = std::min(first, statement + 1);
    last = std::max(last, statement + 1);
  }
  if (statements.empty()) return;
  launch.firstStatement = last <= 0 ? 0 : first;
  launch.lastStatement = std::max(last, 0);
}

/// Which bytes an execution reads and writes, looked up.
class BytesByExecution {
 public:
  explicit BytesByExecution(const RecordedCalls& calls) {
    for (const ExecutionBytes& bytes : calls.bytes)
      known_.emplace(std::tuple(bytes.call, bytes.launch, bytes.step), &bytes);
  }
  void set(Launch& launch, std::uint16_t call, std::int32_t number, std::uint16_t step) const {
    const auto found = known_.find(std::tuple(call, number, step));
    if (found == known_.end()) return;
    launch.bytesRead = found->second->read;
    launch.bytesWritten = found->second->written;
  }

 private:
  std::map<std::tuple<std::uint16_t, std::int32_t, std::uint16_t>, const ExecutionBytes*> known_;
};

/// Adds one thread's spans; a kernel is within the launch around it.
class ThreadSpans {
 public:
  ThreadSpans(TraceBuilder& builder, const RecordedCalls& calls, const BytesByExecution& bytes,
              LaneId lane, std::uint8_t thread)
      : builder_(builder),
        calls_(calls),
        bytes_(bytes),
        lane_(lane),
        spans_(ofThread(calls, thread)) {}

  void add() {
    for (std::size_t i = 0; i < spans_.size();) i = addFrom(i);
  }

 private:
  bool isKernel(std::size_t i) const {
    return i < spans_.size() && spans_[i]->part == CallPart::kernel;
  }
  bool isLaunch(std::size_t i) const {
    return i < spans_.size() && spans_[i]->part == CallPart::launch;
  }

  /// Adds what begins with span `i`; returns the next one to add.
  std::size_t addFrom(std::size_t i) {
    const CallSpan& span = *spans_[i];
    if (span.part == CallPart::outside) return i + 1;  // part of the call, but not of a named part
    const bool before = isLaunch(i) && isKernel(i + 1);
    if (!before && !isKernel(i)) {
      const std::string name(fusebench::name(span.part));
      // The host has copies made; what the device does is another matter.
      const SpanKind kind = span.part == CallPart::copy ? SpanKind::other : spanKindOf(span.part);
      builder_.addSpan({lane_, kind, name, span.start, span.end, 0});
      return i + 1;
    }
    const std::size_t at = before ? i + 1 : i;
    // The launch after a kernel is its return, unless the next kernel begins with it.
    const bool after = isLaunch(at + 1) && !isKernel(at + 2);
    const CallSpan& kernel = *spans_[at];
    Launch launch;
    launch.name = calls_.kernels[kernel.kernel];
    launch.start = kernel.start;
    launch.end = kernel.end;
    launch.hostLane = launch.deviceLane = lane_;
    if (before || after) {
      launch.hostBegin = before ? span.start : kernel.start;
      launch.hostEnd = after ? spans_[at + 1]->end : kernel.end;
    }
    setStatements(launch, calls_, kernel.launch);
    bytes_.set(launch, kernel.call, kernel.launch, 0);
    builder_.addLaunch(launch);
    return at + (after ? 2 : 1);
  }

  TraceBuilder& builder_;
  const RecordedCalls& calls_;
  const BytesByExecution& bytes_;
  LaneId lane_;
  std::vector<const CallSpan*> spans_;
};

/// Adds a device's work, one lane per stream. Each execution is joined with its driver call.
void addDevice(TraceBuilder& builder, const RecordedCalls& calls, const BytesByExecution& bytes,
               const std::string& name, std::int64_t process) {
  for (const DeviceSpan& span : calls.device) {
    Launch launch;
    launch.kind = span.kind;
    launch.name = calls.kernels[span.name];
    setStatements(launch, calls, span.launch);
    launch.queued = span.queued;
    launch.submitted = span.submitted;
    launch.start = span.start;
    launch.end = span.end;
    launch.deviceLane = builder.lane({.kind = Lane::Kind::device,
                                      .process = process,
                                      .thread = span.stream,
                                      .processName = saying("{}, on the device", name),
                                      .name = saying("{}, stream {}", name, span.stream)});
    launch.correlation = span.correlation;
    launch.graph = span.graph;
    launch.graphNode = span.graphNode;
    launch.grid = span.grid;
    launch.block = span.block;
    launch.registers = span.registers;
    launch.staticShared = span.staticShared;
    launch.dynamicShared = span.dynamicShared;
    launch.device = static_cast<std::int32_t>(span.device);
    launch.context = static_cast<std::int32_t>(span.context);
    if (span.kind == SpanKind::kernel) {
      bytes.set(launch, span.call, span.launch, span.step);
    } else {
      launch.bytesWritten = static_cast<std::int64_t>(span.bytes);
      if (span.kind == SpanKind::copy) launch.bytesRead = launch.bytesWritten;
    }
    builder.addLaunch(launch);
  }
}

}  // namespace

SpanKind spanKindOf(CallPart part) {
  switch (part) {
    case CallPart::guard:
      return SpanKind::guard;
    case CallPart::dispatch:
      return SpanKind::dispatch;
    case CallPart::allocate:
      return SpanKind::allocate;
    case CallPart::copy:
      return SpanKind::copy;
    case CallPart::launch:
      return SpanKind::launch;
    case CallPart::kernel:
      return SpanKind::kernel;
    case CallPart::wait:
      return SpanKind::wait;
    case CallPart::tape:
      return SpanKind::dispatch;
    case CallPart::outside:
      break;
  }
  return SpanKind::other;
}

std::vector<ExecutionBytes> notedExecutions(const Recorder& recorder) {
  const auto marks = recorder.marks(0);
  std::vector<ExecutionBytes> made;
  std::size_t seen = 0;
  std::uint16_t call = 0;
  std::int32_t launch = -1;
  for (const LaunchNote& note : recorder.notes()) {
    for (; seen < note.mark && seen < marks.size(); ++seen)
      if (marks[seen].part == CallPart::outside) {
        ++call;
        launch = -1;
      }
    if (note.execution == 0) ++launch;
    made.push_back({note.bytes.read, note.bytes.written, note.step < 0 ? launch : note.step, call,
                    note.execution});
  }
  return made;
}

RecordedCalls recordedCalls(const Recorder& recorder, double ticksPerNanosecond,
                            std::vector<std::vector<int>> statements) {
  RecordedCalls calls;
  calls.statements = std::move(statements);
  calls.lost = recorder.lost();
  const bool kernelsOnly = recorder.level() == Recorder::Level::launches;
  const auto first = recorder.marks(0);
  if (first.empty()) return calls;
  std::unordered_map<const Executable*, std::uint32_t> known;
  const auto kernelOf = [&](const Executable* executable) {
    if (!executable) return 0u;
    const auto [found, made] =
        known.emplace(executable, static_cast<std::uint32_t>(calls.kernels.size()));
    if (made) calls.kernels.push_back(executable->name());
    return found->second;
  };
  const std::uint64_t origin = first.front().ticks;
  const auto timeOf = [&](const Mark& mark) {
    return static_cast<std::int64_t>(
        static_cast<double>(static_cast<std::int64_t>(mark.ticks - origin)) / ticksPerNanosecond);
  };
  for (int thread = 0; thread < recorder.threads(); ++thread) {
    const auto marks = recorder.marks(thread);
    std::uint16_t call = 0;
    std::int32_t launch = 0;
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      if (marks[i].part == CallPart::outside) {
        // A call ends with waiting; after kernels there may be time that is not divided into parts.
        if (kernelsOnly && i > 0 && marks[i - 1].part != CallPart::wait) continue;
        if (thread == 0) ++call;
        launch = 0;
        continue;
      }
      CallSpan span;
      span.start = timeOf(marks[i]);
      span.end = timeOf(marks[i + 1]);
      // With kernels only: this is all that comes before the first one, not only checks.
      const bool unnamed = kernelsOnly && marks[i].part == CallPart::guard;
      span.part = unnamed ? CallPart::outside : marks[i].part;
      span.call = call;
      span.thread = static_cast<std::uint8_t>(thread);
      span.kernel = kernelOf(marks[i].executable);
      if (span.part == CallPart::kernel && thread == 0) {
        span.launch = marks[i].step < 0 ? launch : marks[i].step;
        ++launch;
      }
      calls.spans.push_back(span);
    }
  }
  return calls;
}

namespace {

void addProcess(TraceBuilder& builder, const RecordedCalls& calls, const std::string& name,
                std::int64_t process, std::int64_t deviceProcess) {
  const BytesByExecution bytes(calls);
  std::uint8_t threads = 0;
  for (const CallSpan& span : calls.spans) threads = std::max(threads, span.thread);
  for (int thread = 0; thread <= threads; ++thread) {
    const LaneId lane = builder.lane(
        {.kind = Lane::Kind::host,
         .process = process,
         .thread = thread,
         .processName = name,
         .name = thread == 0 ? saying("calling thread") : saying("thread {}", thread)});
    if (thread == 0) {
      const auto spans = ofThread(calls, 0);
      for (std::size_t i = 0; i < spans.size();) {
        std::size_t end = i;
        while (end + 1 < spans.size() && spans[end + 1]->call == spans[i]->call) ++end;
        builder.addSpan({lane, SpanKind::annotation, saying("call {}", spans[i]->call + 1),
                         spans[i]->start, spans[end]->end, 0});
        i = end + 1;
      }
    }
    ThreadSpans(builder, calls, bytes, lane, static_cast<std::uint8_t>(thread)).add();
    if (thread == 0)
      for (const DriverSpan& span : calls.driver)
        builder.addSpan({lane, SpanKind::driver, calls.kernels[span.name], span.start, span.end,
                         span.correlation});
  }
  addDevice(builder, calls, bytes, name, deviceProcess);
  builder.losses().dropped += calls.lost;
  builder.losses().zero += calls.zero;
  builder.losses().inverted += calls.inverted;
  if (!calls.deviceNote.empty()) builder.setPartial(calls.deviceNote);
}

/// The calls with their times on rank 0's clock.
RecordedCalls placed(const RecordedCalls& calls) {
  RecordedCalls made = calls;
  const auto move = [&place = calls.place](std::int64_t& time) {
    if (time != kNoTime)
      time += place.shift - static_cast<std::int64_t>(place.drift * static_cast<double>(time));
  };
  for (CallSpan& span : made.spans) {
    move(span.start);
    move(span.end);
  }
  for (DriverSpan& span : made.driver) {
    move(span.start);
    move(span.end);
  }
  for (DeviceSpan& span : made.device)
    for (std::int64_t* time : {&span.start, &span.end, &span.queued, &span.submitted}) move(*time);
  return made;
}

}  // namespace

void addCalls(TraceBuilder& builder, const RecordedCalls& calls, const std::string& name,
              std::int64_t process, std::int64_t deviceProcess) {
  addProcess(builder, calls, name, process, deviceProcess);
  builder.addPart({name, {process, deviceProcess}});
}

void addCallsOfRanks(TraceBuilder& builder, std::span<const RecordedCalls* const> ranks,
                     const std::string& name, std::int64_t process, std::int64_t deviceProcess) {
  TracePart part{name, {}};
  for (const RecordedCalls* const calls : ranks) {
    addProcess(builder, placed(*calls), saying("rank {}, {}", calls->place.rank, name), process,
               deviceProcess);
    part.processes.insert(part.processes.end(), {process++, deviceProcess++});
  }
  builder.addPart(std::move(part));
}

}  // namespace fusebench
