// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_calls.h"

#include "engine/base/saying.h"
#include "engine/cuda/cupti/activity_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

SpanKind spanKindOfWork(DeviceWork::Kind kind) {
  switch (kind) {
    case DeviceWork::Kind::kernel:
      return SpanKind::kernel;
    case DeviceWork::Kind::copy:
      return SpanKind::copy;
    case DeviceWork::Kind::fill:
      break;
  }
  return SpanKind::set;
}

/// Per enqueued launch, its executions.
std::vector<std::vector<ExecutionBytes>> enqueuings(const Recorder& recorder) {
  const std::vector<ExecutionBytes> executions = notedExecutions(recorder);
  std::vector<std::vector<ExecutionBytes>> made;
  for (std::size_t i = 0; i < executions.size(); ++i) {
    const std::size_t enqueuing = recorder.notes()[i].enqueuing;
    made.resize(std::max(made.size(), enqueuing + 1));
    made[enqueuing].push_back(executions[i]);
  }
  return made;
}

/// Puts CUPTI's times onto the clock of the recorded calls, which begins with the first mark.
class MarkClock {
 public:
  MarkClock(const Recorder& recorder, double ticksPerNanosecond, const TickReading& reading,
            const ClockBridge& clocks)
      : clocks_(clocks) {
    const auto marks = recorder.marks(0);
    const std::uint64_t first = marks.empty() ? reading.ticks : marks.front().ticks;
    const auto since = static_cast<double>(static_cast<std::int64_t>(first - reading.ticks));
    origin_ = reading.host + static_cast<std::int64_t>(since / ticksPerNanosecond);
  }
  std::int64_t of(std::uint64_t device) const { return clocks_.toHost(device) - origin_; }
  std::int64_t ifKnown(std::uint64_t device) const { return device == 0 ? kNoTime : of(device); }

 private:
  const ClockBridge& clocks_;
  std::int64_t origin_ = 0;
};

/// The call that was under way at this time.
std::uint16_t callAt(const RecordedCalls& calls, std::int64_t time) {
  std::uint16_t call = 0;
  for (const CallSpan& span : calls.spans) {
    if (span.thread != 0 || span.start > time) break;
    call = span.call;
  }
  return call;
}

/// The launch that the calling thread was making at this time; null: none.
const CallSpan* launchAt(const RecordedCalls& calls, std::int64_t time) {
  for (const CallSpan& span : calls.spans)
    if (span.thread == 0 && span.launch >= 0 && span.start <= time && time < span.end) return &span;
  return nullptr;
}

/// The recorded call in which each of the driver's was made; the driver's are ordered by start.
/// `known` has those of launches, by correlation; for others their time counts, between the
/// launches around them.
std::vector<std::uint16_t> callsOf(const RecordedCalls& calls, std::span<const ApiCall> driver,
                                   const std::map<std::uint32_t, std::uint16_t>& known,
                                   const MarkClock& times) {
  constexpr auto kLast = std::numeric_limits<std::uint16_t>::max();
  std::vector<std::uint16_t> made(driver.size()), following(driver.size(), kLast);
  std::uint16_t next = kLast;
  for (std::size_t i = driver.size(); i-- > 0;) {
    if (const auto found = known.find(driver[i].correlation); found != known.end())
      next = found->second;
    following[i] = next;
  }
  std::uint16_t before = 0;
  for (std::size_t i = 0; i < driver.size(); ++i) {
    const std::uint16_t timed = callAt(calls, times.of(driver[i].start));
    made[i] = std::min(std::max(timed, before), std::max(before, following[i]));
    if (known.contains(driver[i].correlation)) before = made[i] = following[i];
  }
  return made;
}

class TextNumbers {
 public:
  explicit TextNumbers(std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i)
      known_.emplace(names[i], static_cast<std::uint32_t>(i));
  }
  std::uint32_t of(const std::string& name) {
    const auto [found, made] = known_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (made) names_.push_back(name);
    return found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace

void addDeviceWork(RecordedCalls& calls, const Recorder& recorder, double ticksPerNanosecond,
                   const TickReading& reading, const Collected& collected,
                   const std::function<std::string(const ApiCall&)>& nameOf) {
  const Activities& seen = collected.activities;
  const MarkClock times(recorder, ticksPerNanosecond, reading, collected.clocks);
  TextNumbers names(calls.kernels);

  std::vector<ApiCall> driver = seen.calls;
  std::ranges::sort(driver, {}, &ApiCall::start);
  std::map<std::uint32_t, std::size_t> enqueuingOf;  // by correlation
  for (const ApiCall* launch : cuda::launchesOf(driver))
    enqueuingOf.emplace(launch->correlation, enqueuingOf.size());
  const auto enqueued = enqueuings(recorder);
  const bool whole = enqueuingOf.size() == enqueued.size();
  std::map<std::uint32_t, std::uint16_t> known;  // by correlation
  for (const auto& [correlation, enqueuing] : enqueuingOf)
    if (whole && !enqueued[enqueuing].empty())
      known.emplace(correlation, enqueued[enqueuing].front().call);
  const std::vector<std::uint16_t> madeIn = callsOf(calls, driver, known, times);
  std::map<std::uint64_t, std::uint16_t> askedIn;  // by correlation
  for (std::size_t i = 0; i < driver.size(); ++i) {
    const ApiCall& call = driver[i];
    DriverSpan span;
    span.start = times.of(call.start);
    span.end = times.of(call.end);
    span.correlation = call.correlation;
    span.name = names.of(nameOf(call));
    span.call = madeIn[i];
    askedIn.emplace(span.correlation, span.call);
    calls.driver.push_back(span);
  }
  std::map<std::uint64_t, const CallSpan*> under;  // by correlation
  if (enqueuingOf.size() > enqueued.size() && seen.losses.total() == 0)
    for (const ApiCall* launch : cuda::launchesOf(driver))
      if (const CallSpan* span = launchAt(calls, times.of(launch->start)))
        under.emplace(launch->correlation, span);

  const std::vector<int> places = cuda::placesInLaunch(seen.work);
  for (std::size_t i = 0; i < seen.work.size(); ++i) {
    const DeviceWork& work = seen.work[i];
    DeviceSpan span;
    span.start = times.of(work.start);
    span.end = times.of(work.end);
    span.queued = times.ifKnown(work.queued);
    span.submitted = times.ifKnown(work.submitted);
    span.correlation = work.correlation;
    span.graphNode = work.graphNode;
    span.bytes = work.bytes;
    span.grid = work.grid;
    span.block = work.block;
    span.graph = work.graph;
    span.device = work.device;
    span.context = work.context;
    span.stream = work.stream;
    span.registers = work.registers;
    span.staticShared = work.staticShared;
    span.dynamicShared = work.dynamicShared;
    span.name = names.of(work.name);
    span.kind = spanKindOfWork(work.kind);
    // Work that was requested in one call may be done while a later one is made.
    const auto asked = askedIn.find(work.correlation);
    span.call = asked == askedIn.end() ? callAt(calls, span.start) : asked->second;
    if (const auto found = enqueuingOf.find(work.correlation);
        whole && places[i] >= 0 && found != enqueuingOf.end()) {
      const auto& executions = enqueued[found->second];
      if (const auto place = static_cast<std::size_t>(places[i]); place < executions.size()) {
        span.launch = executions[place].launch;
        span.call = executions[place].call;
        span.step = static_cast<std::uint8_t>(executions[place].step);
      }
    }
    calls.device.push_back(span);
  }
  std::ranges::sort(calls.device, {}, &DeviceSpan::start);
  std::map<const CallSpan*, std::uint8_t> steps;
  for (DeviceSpan& span : calls.device) {
    const auto found = under.find(span.correlation);
    if (found == under.end() || span.kind != SpanKind::kernel) continue;
    span.launch = found->second->launch;
    span.call = found->second->call;
    span.step = steps[found->second]++;
  }

  calls.lost += seen.losses.dropped + seen.losses.missing + seen.losses.malformed;
  calls.zero += seen.losses.zero;
  calls.inverted += seen.losses.inverted;
  const auto note = [&](const std::string& text) {
    calls.deviceNote += (calls.deviceNote.empty() ? "" : "; ") + text;
  };
  if (seen.losses.total() > 0) note(saying("of the device's records {}", sentenceOf(seen.losses)));
  if (collected.clocks.jumped())
    note(saying("the system clock changed; host and device timestamps may be misaligned"));
}

}  // namespace fusebench
