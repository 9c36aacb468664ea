// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recorded_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/backend.h"

namespace fusebench {
namespace {

SpanKind kindOf(CallPart part) {
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
    case CallPart::outside:
      break;
  }
  return SpanKind::other;
}

/// The spans of one thread out of all.
std::vector<const CallSpan*> ofThread(const RecordedCalls& calls, std::uint8_t thread) {
  std::vector<const CallSpan*> spans;
  for (const CallSpan& span : calls.spans)
    if (span.thread == thread) spans.push_back(&span);
  return spans;
}

/// Adds one thread's spans; a kernel lies in the launch around it.
class ThreadSpans {
 public:
  ThreadSpans(TraceBuilder& builder, const RecordedCalls& calls, LaneId lane, std::uint8_t thread)
      : builder_(builder), calls_(calls), lane_(lane), spans_(ofThread(calls, thread)) {}

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
    const bool before = isLaunch(i) && isKernel(i + 1);
    if (!before && !isKernel(i)) {
      const std::string name(fusebench::name(span.part));
      builder_.addSpan({lane_, kindOf(span.part), name, span.start, span.end, 0});
      return i + 1;
    }
    const std::size_t at = before ? i + 1 : i;
    // What follows a kernel is the way back, unless the next kernel begins with it.
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
    const auto number = static_cast<std::size_t>(std::max(kernel.launch, 0));
    if (kernel.launch >= 0 && number < calls_.statements.size())
      setStatements(launch, calls_.statements[number]);
    builder_.addLaunch(launch);
    return at + (after ? 2 : 1);
  }

  /// A launch counts statements from 1 and has 0 for the return.
  static void setStatements(Launch& launch, const std::vector<int>& statements) {
    int first = std::numeric_limits<int>::max(), last = -1;
    for (const int statement : statements) {
      if (statement >= 0) first = std::min(first, statement + 1);
      last = std::max(last, statement + 1);
    }
    if (statements.empty()) return;
    launch.firstStatement = last <= 0 ? 0 : first;
    launch.lastStatement = std::max(last, 0);
  }

  TraceBuilder& builder_;
  const RecordedCalls& calls_;
  LaneId lane_;
  std::vector<const CallSpan*> spans_;
};

}  // namespace

RecordedCalls recordedCalls(const Recorder& recorder, double ticksPerNanosecond,
                            std::vector<std::vector<int>> statements) {
  RecordedCalls calls;
  calls.statements = std::move(statements);
  calls.lost = recorder.lost();
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
        if (thread == 0) ++call;
        launch = 0;
        continue;
      }
      CallSpan span;
      span.start = timeOf(marks[i]);
      span.end = timeOf(marks[i + 1]);
      span.part = marks[i].part;
      span.call = call;
      span.thread = static_cast<std::uint8_t>(thread);
      span.kernel = kernelOf(marks[i].executable);
      if (span.part == CallPart::kernel && thread == 0) span.launch = launch++;
      calls.spans.push_back(span);
    }
  }
  return calls;
}

void addCalls(TraceBuilder& builder, const RecordedCalls& calls, const std::string& name,
              int process) {
  std::uint8_t threads = 0;
  for (const CallSpan& span : calls.spans) threads = std::max(threads, span.thread);
  for (int thread = 0; thread <= threads; ++thread) {
    const LaneId lane =
        builder.lane({.kind = Lane::Kind::host,
                      .process = process,
                      .thread = thread,
                      .processName = name,
                      .name = thread == 0 ? "calling thread" : fmt::format("thread {}", thread)});
    if (thread == 0) {
      const auto spans = ofThread(calls, 0);
      for (std::size_t i = 0; i < spans.size();) {
        std::size_t end = i;
        while (end + 1 < spans.size() && spans[end + 1]->call == spans[i]->call) ++end;
        builder.addSpan({lane, SpanKind::annotation, fmt::format("call {}", spans[i]->call + 1),
                         spans[i]->start, spans[end]->end, 0});
        i = end + 1;
      }
    }
    ThreadSpans(builder, calls, lane, static_cast<std::uint8_t>(thread)).add();
  }
  builder.losses().dropped += calls.lost;
}

}  // namespace fusebench
