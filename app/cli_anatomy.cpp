// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_anatomy.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "app/cli_format.h"
#include "app/cli_result_table.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/wording.h"
#include "profiler/study/anatomy_pass.h"
#include "profiler/study/launch_pass.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kVariantsPerTable = 5;

/// The cells at the last value of every axis that have an anatomy, in the variants' order.
std::vector<const Cell*> tracedAtTheEnd(const Run& run) {
  std::vector<const Cell*> cells;
  for (const CellKey& key : cellsAtTheEnd(run.experiment))
    if (const Cell* cell = run.find(key); cell && cell->anatomy) cells.push_back(cell);
  return cells;
}

/// "1.23 (14%)"
std::string shareText(double time, double total, const TimeUnit& unit) {
  return fmt::format("{} ({:2.0f}%)", digits(time / unit.nanoseconds),
                     total > 0 ? 100 * time / total : 0);
}

/// What the device does meanwhile, where it was recorded: by its own clock, in another process, so
/// in rows and with shares of their own.
void addDevice(Table& table, std::span<const Cell* const> cells, const TimeUnit& unit) {
  std::vector<const DeviceAnatomy*> devices;
  for (const Cell* cell : cells)
    if (cell->anatomy->device) devices.push_back(&*cell->anatomy->device);
  if (devices.empty()) return;
  const auto row = [&](const std::string& name, auto&& text) {
    std::vector<std::string> texts{name};
    for (const Cell* cell : cells)
      texts.push_back(cell->anatomy->device ? text(*cell->anatomy->device) : "-");
    table.add(texts);
  };
  for (const DevicePart part : notableDeviceParts(devices))
    row(saying("device: {}", saidAs("part", name(part))), [&](const DeviceAnatomy& device) {
      return shareText(device.of(part), device.total(), unit);
    });
  row(saying("device: together"),
      [&](const DeviceAnatomy& device) { return digits(device.total() / unit.nanoseconds); });
}

Table tableOf(const Run& run, std::span<const Cell* const> cells,
              const std::vector<CallPart>& parts, const TimeUnit& unit) {
  std::vector<std::string> header{std::string(unit.plain)};
  std::vector<std::string> together{head("together")}, untraced{head("untraced")};
  for (const Cell* cell : cells) {
    header.push_back(run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name);
    together.push_back(digits(cell->anatomy->total() / unit.nanoseconds));
    untraced.push_back(digits(cell->anatomy->untracedNanoseconds / unit.nanoseconds));
  }
  Table table(header);
  for (const CallPart part : parts) {
    std::vector<std::string> row{std::string(saidAs("part", name(part)))};
    for (const Cell* cell : cells) {
      row.push_back(shareText(cell->anatomy->of(part), cell->anatomy->total(), unit));
    }
    table.add(row);
  }
  table.add(together);
  table.add(untraced);
  addDevice(table, cells, unit);
  return table;
}

/// Explains the rows of devices, and why those of some variants are missing.
std::string deviceNote(const Run& run, std::span<const Cell* const> cells) {
  std::string text;
  if (std::any_of(cells.begin(), cells.end(),
                  [](const Cell* cell) { return cell->anatomy->device.has_value(); }))
    text = wrapped(saying(
        "The device's rows come from calls that were recorded in another process. Recording slows "
        "the host: kernels and copies take their usual time, the other parts are longer."));
  for (const auto& [problem, names] : missingDeviceSides(run, cells))
    text += wrapped(saying("Device activity of {} was not recorded: {}.",
                           fmt::join(names, said(", ")), saidAgain(problem)));
  return text.empty() ? text : text + "\n";
}

/// The finding about it, as the window and reports have it.
std::string sentences(const Run& run) {
  const auto& axes = run.experiment.axes;
  const std::size_t slice = axes.size() > 1 ? axes[1].values.size() - 1 : 0;
  for (const Finding& finding : findingsOf(run, {}, slice))
    if (finding.kind == Finding::Kind::anatomy)
      return wrapped(inPlainLetters(saying("{}. {}", finding.headline, finding.text))) + "\n";
  return "";
}

}  // namespace

std::string anatomyText(const Run& run) {
  const auto cells = tracedAtTheEnd(run);
  if (cells.empty())
    return run.traceProblem.empty() ? ""
                                    : wrapped(saying("The call breakdown was not recorded: {}.",
                                                     saidAgain(run.traceProblem))) +
                                          "\n";
  double smallest = cells.front()->anatomy->total();
  for (const Cell* cell : cells) smallest = std::min(smallest, cell->anatomy->total());
  const TimeUnit unit = unitOfTime(smallest);
  std::vector<const CallAnatomy*> calls;
  for (const Cell* cell : cells) calls.push_back(&*cell->anatomy);
  const auto parts = notableParts(calls);
  // A column a variant: as many tables as it takes to stay within the page.
  std::string tables;
  for (std::size_t from = 0; from < cells.size(); from += kVariantsPerTable) {
    const std::size_t count = std::min(kVariantsPerTable, cells.size() - from);
    tables += tableOf(run, std::span(cells).subspan(from, count), parts, unit).text();
  }
  std::string at;
  for (std::size_t a = 0; run.experiment.sweeps() && a < run.experiment.axes.size(); ++a)
    at += fmt::format(
        "{}{}", at.empty() ? std::string_view() : said(", "),
        wording::at(run.experiment.axes[a], static_cast<double>(cells.front()->key.at[a])));
  const std::string mark = timeText(run.markNanoseconds());
  return wrapped(at.empty() ? saying("Where a call's time goes (from calls with markers at each "
                                     "step; {} per marker is subtracted)",
                                     mark)
                            : saying("Where a call's time goes at {} (from calls with markers at "
                                     "each step; {} per marker is subtracted)",
                                     at, mark)) +
         fmt::format("{}\n{}{}", tables, deviceNote(run, cells), sentences(run));
}

}  // namespace fusebench::cli
