// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/recorded_anatomy.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "profiler/measure/recorded_calls.h"
#include "profiler/statistics/statistics.h"

namespace fusebench {
namespace {

/// By correlation: when the driver was asked.
using AskedTimes = std::map<std::uint64_t, std::int64_t>;
/// The device's work for one call, by start.
using CallWork = std::vector<const DeviceSpan*>;

std::int64_t lengthOf(const DeviceSpan& span) {
  return span.end - span.start;
}

/// How much of the span is within [from, to).
std::int64_t overlap(const DeviceSpan& span, std::int64_t from, std::int64_t to) {
  return std::max<std::int64_t>(0, std::min(span.end, to) - std::max(span.start, from));
}

CallWork kernelsOf(const CallWork& work) {
  CallWork kernels;
  for (const DeviceSpan* span : work)
    if (span->kind == SpanKind::kernel) kernels.push_back(span);
  return kernels;
}

/// How long the host was in each call, on the thread that makes it.
std::map<std::uint16_t, std::int64_t> lengthsOf(const RecordedCalls& calls) {
  std::map<std::uint16_t, std::int64_t> begins, lengths;
  for (const CallSpan& span : calls.spans) {
    if (span.thread != 0) continue;
    const std::int64_t begin = begins.emplace(span.call, span.start).first->second;
    lengths[span.call] = span.end - begin;
  }
  return lengths;
}

/// Adds up the recorded calls.
class DeviceSums {
 public:
  explicit DeviceSums(const RecordedCalls& calls) : calls_(calls) {}
  bool empty() const { return byName_.empty(); }

  void add(const CallWork& work, const AskedTimes& asked, std::int64_t length) {
    const CallWork kernels = kernelsOf(work);
    const std::int64_t first = kernels.front()->start;
    std::int64_t last = first;
    for (const DeviceSpan* kernel : kernels) last = std::max(last, kernel->end);
    const std::int64_t askedFirst = asked.at(kernels.front()->correlation);

    std::int64_t delay = std::max<std::int64_t>(0, first - askedFirst);
    std::int64_t running = 0, copying = 0, waiting = 0, end = first, copied = askedFirst;
    for (const DeviceSpan* span : work) {
      (span->kind == SpanKind::kernel ? running : copying) += lengthOf(*span);
      // While what the first kernel waits for is copied, the device is not idle.
      if (span->kind != SpanKind::kernel) {
        delay -= overlap(*span, copied, first);
        copied = std::max(copied, span->end);
      }
      if (span->start < first || span->start > last) continue;
      if (span->start > end) gaps_.push_back(span->start - end);
      waiting += std::max<std::int64_t>(0, span->start - end);
      end = std::max(end, span->end);
    }
    const std::int64_t idle = length - delay - copying - running - waiting;
    note(DevicePart::delay, delay);
    note(DevicePart::copies, copying);
    note(DevicePart::kernels, running);
    note(DevicePart::gaps, waiting);
    note(DevicePart::idle, std::max<std::int64_t>(0, idle));
    for (const DeviceSpan* kernel : kernels)
      if (const auto when = asked.find(kernel->correlation); when != asked.end())
        delays_.push_back(kernel->start - when->second);
    addLaunches(kernels);
    addByKernel(kernels);
  }

  DeviceAnatomy take() {
    DeviceAnatomy made;
    for (std::size_t part = 0; part < kDeviceParts; ++part)
      made.nanoseconds[part] = median(parts_[part]);
    made.calls = static_cast<int>(parts_.front().size());
    for (auto& [number, launch] : launches_) {
      // Every launch has a time of every call, or none is shown.
      const bool whole = launch.times.size() == parts_.front().size() &&
                         number == static_cast<std::int32_t>(made.launches.size());
      if (!whole) {
        made.launches.clear();
        break;
      }
      launch.made.nanoseconds = median(launch.times);
      made.launches.push_back(std::move(launch.made));
    }
    for (auto& [name, kernel] : byName_) made.byKernel.push_back(std::move(kernel));
    std::ranges::stable_sort(made.byKernel, std::ranges::greater(), &DeviceKernel::total);
    made.delays = distributionOf(std::move(delays_));
    made.gaps = distributionOf(std::move(gaps_));
    return made;
  }

 private:
  void note(DevicePart part, std::int64_t time) {
    parts_[static_cast<std::size_t>(part)].push_back(static_cast<double>(time));
  }
  void addLaunches(const CallWork& kernels) {
    std::map<std::int32_t, double> ofCall;
    for (const DeviceSpan* kernel : kernels) {
      ofCall[kernel->launch] += static_cast<double>(lengthOf(*kernel));
      DeviceLaunch& made = launches_[kernel->launch].made;
      if (made.kernel.empty()) made.kernel = calls_.kernels[kernel->name];
      if (const auto at = static_cast<std::size_t>(kernel->launch); at < calls_.statements.size())
        made.statements = calls_.statements[at];
    }
    for (const auto& [launch, time] : ofCall) launches_[launch].times.push_back(time);
  }
  void addByKernel(const CallWork& kernels) {
    for (const DeviceSpan* span : kernels) {
      const auto time = static_cast<double>(lengthOf(*span));
      DeviceKernel& kernel = byName_[span->name];
      if (kernel.count++ == 0) {
        kernel.name = calls_.kernels[span->name];
        kernel.least = time;
      }
      kernel.total += time;
      kernel.least = std::min(kernel.least, time);
      kernel.most = std::max(kernel.most, time);
    }
  }

  struct Launch {
    DeviceLaunch made;
    std::vector<double> times;  ///< a call each
  };
  const RecordedCalls& calls_;
  std::array<std::vector<double>, kDeviceParts> parts_;
  std::map<std::int32_t, Launch> launches_;  ///< by number; -1: not known
  std::map<std::uint32_t, DeviceKernel> byName_;
  std::vector<std::int64_t> delays_, gaps_;
};

}  // namespace

std::optional<DeviceAnatomy> deviceAnatomyOf(const RecordedCalls& calls) {
  std::map<std::uint16_t, CallWork> byCall;
  for (const DeviceSpan& span : calls.device) byCall[span.call].push_back(&span);
  std::size_t most = 0;
  for (const auto& [call, work] : byCall) most = std::max(most, kernelsOf(work).size());
  if (most == 0) return std::nullopt;
  AskedTimes asked;
  for (const DriverSpan& span : calls.driver) asked.emplace(span.correlation, span.start);
  const auto lengths = lengthsOf(calls);

  DeviceSums sums(calls);
  for (const auto& [call, work] : byCall) {
    const CallWork kernels = kernelsOf(work);
    if (kernels.size() < most || !asked.contains(kernels.front()->correlation)) continue;
    const auto length = lengths.find(call);
    sums.add(work, asked, length == lengths.end() ? 0 : length->second);
  }
  if (sums.empty()) return std::nullopt;
  DeviceAnatomy made = sums.take();
  made.executions = static_cast<int>(most);
  return made;
}

}  // namespace fusebench
