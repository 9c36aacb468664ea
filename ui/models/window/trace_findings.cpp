// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/trace_findings.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "profiler/trace/kernel_names.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostDevicesTold = 2;
constexpr double kLittle = 0.05;  ///< a share below it is not worth a sentence

QString percentOf(Nanoseconds part, Nanoseconds whole) {
  return QStringLiteral("%1%").arg(100.0 * double(part) / double(std::max<Nanoseconds>(1, whole)),
                                   0, 'f', 1);
}
QString timeText(Nanoseconds time) {
  return formatTime(double(time));
}

/// Findings of one trace; several name it.
class OfTrace {
 public:
  OfTrace(const TimelineModel& timeline, std::size_t trace, std::vector<ShownFinding>& findings)
      : shown_(timeline.shown()[trace]),
        figures_(timeline.summaries()[trace]),
        whole_(timeline.wholes()[trace]),
        prefix_(timeline.shown().size() > 1 ? shown_.title + QStringLiteral(", ") : QString()),
        findings_(findings) {}

  void tell() {
    tellCompiled();
    tellCompiles();
    if (shown_.work == Work::host) return tellHost();
    tellDevices();
    tellGap();
    tellLaunches();
    tellSavings();
    tellMost();
  }

 private:
  void add(const QString& headline, const QString& text, std::optional<TimeRange> time = {}) {
    findings_.push_back(
        {ShownFinding::Kind::note, -1, headline, text, {}, -1, time.has_value(), time});
  }

  void tellCompiled() {
    if (!whole_.compiled) return;
    const CompiledRegions& of = *whole_.compiled;
    add(uiText("%1torch.compile: %2 per call")
            .arg(prefix_, formatTime(double(of.total) / double(of.calls))),
        text(costSentence(of)) + u' ' + text(graphSentence(of)));
  }

  void tellCompiles() {
    if (!whole_.compiles) return;
    const CompilesWithin& of = *whole_.compiles;
    add(uiText("%1compiling took %2 of the time").arg(prefix_, percentOf(of.total, of.recorded)),
        text(compilesSentence(of)), of.longest);
  }

  void tellHost() {
    if (figures_.totals.empty()) return;
    const SpanTotal& most = *std::ranges::max_element(figures_.totals, {}, &SpanTotal::self);
    add(uiText("%1%2 takes most").arg(prefix_, text(shown_.trace->nameText(most.name))),
        uiText("%1 self time, without nested calls, in %2 calls. No device activity is recorded in "
               "this trace.")
            .arg(timeText(most.self), formatCount(std::int64_t(most.count))));
  }

  /// With many devices, reports the one with the longest idle time and the range of idle times.
  void tellDevices() {
    std::vector<const DeviceBreakdown*> devices;
    for (const DeviceBreakdown& one : whole_.devices)
      if (one.total > 0) devices.push_back(&one);
    std::ranges::stable_sort(devices, std::greater<>(), &DeviceBreakdown::idle);
    const bool many = devices.size() > kMostDevicesTold;
    for (std::size_t i = 0; i < devices.size() && !(many && i > 0); ++i) tellDevice(*devices[i]);
    if (!many) return;
    const auto share = [](const DeviceBreakdown& one) { return percentOf(one.idle, one.total); };
    add(uiText("%1%2 devices: idle %3 to %4")
            .arg(prefix_)
            .arg(devices.size())
            .arg(share(*devices.back()), share(*devices.front())),
        uiText("\"Where the time went\", in the list under the tracks, compares them."));
  }

  void tellDevice(const DeviceBreakdown& one) {
    // A recording of our own is called as its only device is.
    const QString device = text(one.device.name);
    const QString name = device == shown_.title ? device : prefix_ + device;
    QStringList said;
    if (double(one.idle) < kLittle * double(one.total)) {
      said << uiText("Not launch-bound: its kernels take the time.");
    } else if (const Nanoseconds waits = one.hostWait + one.kernelWait + one.otherWait; waits > 0) {
      said << uiText(
                  "The host was late with the next launch for %1 of its streams' idle time, the "
                  "device itself took %2, and %3 has other reasons.")
                  .arg(percentOf(one.hostWait, waits), percentOf(one.kernelWait, waits),
                       percentOf(one.otherWait, waits));
    }
    if (double(one.communication) >= kLittle * double(one.total))
      said << uiText(
                  "Collectives that nothing overlaps take %1; %2 of all their time is hidden "
                  "behind other kernels.")
                  .arg(percentOf(one.communication, one.total),
                       percentOf(one.overlap, one.collectives));
    add(uiText("%1: idle %2 of %3").arg(name, percentOf(one.idle, one.total), timeText(one.total)),
        said.join(u' '));
  }

  void tellGap() {
    if (figures_.longestGaps.empty()) return;
    const TimeRange gap = figures_.longestGaps.front();
    add(uiText("%1longest gap: %2").arg(prefix_, timeText(gap.length())),
        uiText("All devices are idle from %1 to %2, %3 of the time.")
            .arg(timeText(gap.from), timeText(gap.to),
                 percentOf(gap.length(), figures_.statistics.counted)),
        gap);
  }

  void tellLaunches() {
    std::uint64_t kernels = 0, shorter = 0;
    for (const DeviceBreakdown& one : whole_.devices) {
      kernels += one.kernels;
      shorter += one.shorter;
    }
    if (kernels == 0 || double(shorter) < kLittle * double(kernels)) return;
    add(uiText("%1%2 of the kernels are shorter than their launch")
            .arg(prefix_, percentOf(Nanoseconds(shorter), Nanoseconds(kernels))),
        uiText("%1 of the %2 kernels with a recorded launch call. In sequences of such kernels, "
               "the host cannot keep the device busy.")
            .arg(formatCount(std::int64_t(shorter)), formatCount(std::int64_t(kernels))));
  }

  void tellSavings() {
    const Savings& savings = whole_.savings;
    if (savings.ranked.empty()) return;
    const Nanoseconds best = std::min(savings.ifKernels, savings.ifGraphs);
    const Saving& first = savings.ranked.front();
    add(uiText("%1fusing or graphs would save about %2")
            .arg(prefix_, percentOf(savings.total - best, savings.total)),
        uiText("An estimate: %1 now, %2 with each sequence of small kernels fused, %3 with each as "
               "one graph. Most is in %4 of %5 kernels: %6.")
            .arg(timeText(savings.total), timeText(savings.ifKernels), timeText(savings.ifGraphs),
                 first.runs.size() == 1
                     ? uiText("one run")
                     : formatCount(std::int64_t(first.runs.size())) + uiText(" runs"),
                 formatCount(std::int64_t(first.count)), text(first.kernels)),
        first.runs.empty() ? std::nullopt : std::optional(first.runs.front().time));
  }

  void tellMost() {
    if (figures_.totals.empty()) return;
    const SpanTotal& most = figures_.totals.front();
    add(uiText("%1%2 takes most: %3")
            .arg(prefix_, text(shortKernelName(shown_.trace->nameText(most.name))),
                 percentOf(most.total, total())),
        uiText("%1 in %2 executions, %3 each on average.")
            .arg(timeText(most.total), formatCount(std::int64_t(most.count)),
                 formatTime(most.mean)));
  }

  Nanoseconds total() const {
    Nanoseconds sum = 0;
    for (const SpanTotal& each : figures_.totals) sum += each.total;
    return sum;
  }

  const TimelineModel::Shown& shown_;
  const TimelineModel::Summary& figures_;
  const TimelineModel::Whole& whole_;
  QString prefix_;
  std::vector<ShownFinding>& findings_;
};

/// Compares the busy times of the devices of two traces.
void compareTwo(const TimelineModel& timeline, std::vector<ShownFinding>& findings) {
  const auto& shown = timeline.shown();
  const std::size_t other = timeline.besideFirst();
  if (shown.size() <= other || shown[0].work != shown[other].work) return;
  const Nanoseconds a = timeline.summaries()[0].statistics.busy;
  const Nanoseconds b = timeline.summaries()[other].statistics.busy;
  if (a <= 0 || b <= 0) return;
  findings.push_back(
      {ShownFinding::Kind::note,
       -1,
       uiText("The busy time of %1 is %2 that of %3")
           .arg(shown[other].title, formatRatio(double(b) / double(a)), shown[0].title),
       uiText("%1 against %2. \"Two traces compared\" compares them kernel by kernel.")
           .arg(timeText(b), timeText(a)),
       {},
       -1,
       false,
       {}});
}

}  // namespace

std::vector<ShownFinding> traceFindings(const TimelineModel& timeline) {
  std::vector<ShownFinding> findings;
  const std::size_t traces = timeline.shown().size();
  if (timeline.summaries().size() != traces || timeline.wholes().size() != traces) return findings;
  compareTwo(timeline, findings);
  for (std::size_t t = 0; t < traces; ++t) OfTrace(timeline, t, findings).tell();
  return findings;
}

}  // namespace fusebench
