// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/cli_format.h"
#include "app/cli_result_table.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/measure/calibration.h"

namespace fusebench::cli {
namespace {

std::string shown(const Estimate& time, const TimeUnit& unit) {
  if (time.kind == Estimate::Kind::none) return "-";
  return digits(time.value / unit.nanoseconds);
}

/// The unit that suits the smallest of the times.
TimeUnit unitOf(const Run& run) {
  double smallest = INFINITY;
  for (const Cell& cell : run.cells)
    if (cell.hasDeviceTimes())
      smallest =
          std::min({smallest, cell.latency().value, cell.deviceTime(&DeviceTimes::enqueue).value,
                    cell.deviceTime(&DeviceTimes::event).value});
  return unitOfTime(smallest);
}

std::string clockLine(const Run& run) {
  double low = INFINITY, high = 0;
  for (const Cell& cell : run.cells) {
    const Estimate clock = cell.clockMegahertz();
    if (clock.kind == Estimate::Kind::none) continue;
    low = std::min(low, clock.low);
    high = std::max(high, clock.high);
  }
  if (high == 0 && run.isSimulated()) return "";
  if (high == 0)
    return saying("The device's clock was not monitored; fusebench-cli doctor gives the reason.\n");
  return low == high ? saying("The device's clock stayed at {} MHz.\n", low)
                     : saying("The device's clock varied between {} and {} MHz.\n", low, high);
}

std::string droppedLine(const Run& run) {
  std::map<std::string, int> dropped;
  for (const Cell& cell : run.cells)
    if (cell.dropped > 0) dropped[cell.droppedWhy] += cell.dropped;
  std::string text;
  for (const auto& [why, count] : dropped)
    text += saying("{} sample{} dropped: the device was {}.\n", count,
                   count == 1 ? " was" : "s were", saidAgain(why));
  return text;
}

}  // namespace

std::string deviceText(const Run& run) {
  if (std::none_of(run.cells.begin(), run.cells.end(),
                   [](const Cell& cell) { return cell.hasDeviceTimes() || cell.dropped > 0; }))
    return "";
  const TimeUnit unit = unitOf(run);
  std::vector<std::string> header = axisHeads(run.experiment);
  for (const std::string& name :
       {std::string("W"), std::string("H"), std::string("D"), std::string("E"), head("single")})
    header.push_back(fmt::format("{} {}", name, unit.plain));
  header.insert(header.begin() + static_cast<std::ptrdiff_t>(axisHeads(run.experiment).size()),
                head("variant"));
  Table table(header);
  for (const Cell& cell : run.cells) {
    if (!cell.hasDeviceTimes()) continue;
    std::vector<std::string> row = axisTexts(run.experiment, cell.key);
    row.push_back(run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    row.push_back(shown(cell.latency(), unit));
    for (double DeviceTimes::*which :
         {&DeviceTimes::enqueue, &DeviceTimes::device, &DeviceTimes::event, &DeviceTimes::single})
      row.push_back(shown(cell.deviceTime(which), unit));
    table.add(row);
  }
  const bool flushed = run.experiment.measure.flushes();
  std::string text =
      wrapped(saying(
          "Wall, host and device time per call, L2 cache {}. W: {}; H: until the call returns to "
          "the host; D: on the device, when it does not wait for the host; E: between events on "
          "the "
          "device, including its waits for the host; single: one synchronized call",
          said(run.experiment.measure.cache),
          flushed ? saying("each call alone, after the cache was emptied")
                  : saying("calls in a row and one wait"))) +
      table.text() + "\n";
  text += clockLine(run) + droppedLine(run);
  if (const auto calibration = calibrationOf(run.environment))
    text += wrapped(saying("Measured separately on this device: {}.", sentence(*calibration)));
  return text + "\n";
}

}  // namespace fusebench::cli
