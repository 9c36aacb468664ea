// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/cell_marks.h"
#include "profiler/machine/machine.h"
#include "profiler/statistics/statistics.h"

namespace fusebench::cli {
namespace {

constexpr Letters kLetters = Letters::plain;

std::string memoryText(const Cell& cell) {
  return cell.peakBytes ? bytesText(static_cast<double>(*cell.peakBytes)) : "-";
}

std::string errorText(const Cell& cell) {
  if (cell.accuracy) return fmt::format("{:.1e}", cell.accuracy->relative);
  return cell.relativeError ? fmt::format("{:.1e}", *cell.relativeError) : "-";
}

std::string bandwidthText(const Run& run, const Cell& cell) {
  constexpr double kGiga = 1e-9;
  const auto bandwidth = bandwidthOf(run, cell);
  return bandwidth ? wording::number(kGiga * bandwidth->value) : "-";
}

std::string throughputText(const Cell& cell) {
  const Estimate latency = cell.latency();
  return latency.value > 0 ? wording::number(1e9 / latency.value) : "-";
}

struct Place {
  const Run& run;
  const Cell& cell;
  TimeUnit unit;
  const CellMarks& marks;
};

struct Column {
  std::string_view key;
  std::string (*head)(const TimeUnit& unit);
  std::string (*text)(const Place& place);
};

constexpr Column kColumns[] = {
    {"latency", [](const TimeUnit& unit) { return saying("latency {}", unit.plain); },
     [](const Place& at) { return latencyText(at.cell, at.unit, at.marks, kLetters); }},
    {"speedup", [](const TimeUnit&) { return head("speedup"); },
     [](const Place& at) { return orDash(speedUpText(at.run, at.cell, kLetters)); }},
    {"launches", [](const TimeUnit&) { return head("launches"); },
     [](const Place& at) { return orDash(launchText(at.cell, kLetters)); }},
    {"memory", [](const TimeUnit&) { return head("memory"); },
     [](const Place& at) { return memoryText(at.cell); }},
    {"error", [](const TimeUnit&) { return head("error"); },
     [](const Place& at) { return errorText(at.cell); }},
    {"bandwidth", [](const TimeUnit&) { return std::string("GB/s"); },
     [](const Place& at) { return bandwidthText(at.run, at.cell); }},
    {"throughput", [](const TimeUnit&) { return head("calls/s"); },
     [](const Place& at) { return throughputText(at.cell); }},
    {"compile", [](const TimeUnit&) { return head("first compile"); },
     [](const Place& at) { return orDash(firstCompileText(at.cell, kLetters)); }}};

/// Time, speedup and launches, and the columns of the experiment's metric and claims.
std::vector<std::string> usualColumns(const Experiment& experiment) {
  std::vector<std::string> columns = {"latency", "speedup", "launches"};
  if (experiment.shown == Experiment::Shown::peakBytes ||
      std::ranges::any_of(experiment.claims, [](const Claim& claim) {
        return claim.metric == Claim::Metric::peakBytes;
      }))
    columns.emplace_back("memory");
  if (experiment.shown == Experiment::Shown::bandwidth) columns.emplace_back("bandwidth");
  if (std::ranges::any_of(experiment.variants,
                          [](const Variant& variant) { return !variant.quantize.empty(); }))
    columns.emplace_back("error");
  return columns;
}

/// One row per place, the variants side by side.
Table wideTable(const Run& run, const TimeUnit& unit) {
  const auto& variants = run.experiment.variants;
  const auto compared = [&](std::size_t v) {
    return run.experiment.baselineOf(static_cast<int>(v)).has_value();
  };
  std::vector<std::string> header = axisHeads(run.experiment);
  for (const Variant& variant : variants)
    header.push_back(fmt::format("{} {}", variant.name, unit.plain));
  for (std::size_t v = 0; v < variants.size(); ++v)
    if (compared(v)) header.push_back(variants[v].name + " x");
  header.push_back(head("launches"));
  Table table(header);
  const CellMarks marks(run);
  for (std::size_t first = 0; first + variants.size() <= run.cells.size();
       first += variants.size()) {
    std::vector<std::string> row = axisTexts(run.experiment, run.cells[first].key);
    std::string launches;
    for (std::size_t v = 0; v < variants.size(); ++v)
      row.push_back(latencyText(run.cells[first + v], unit, marks, kLetters));
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (compared(v)) row.push_back(orDash(speedUpText(run, run.cells[first + v], kLetters)));
      launches += (v ? "/" : "") + orDash(launchText(run.cells[first + v], kLetters));
    }
    row.push_back(launches);
    table.add(row);
  }
  return table;
}

/// One row per cell: for more variants than fit side by side, and for other columns.
Table longTable(const Run& run, const TimeUnit& unit, std::span<const Column* const> columns) {
  std::vector<std::string> header = axisHeads(run.experiment);
  header.push_back(head("variant"));
  for (const Column* column : columns) header.push_back(column->head(unit));
  Table table(header);
  const CellMarks marks(run);
  for (const Cell& cell : run.cells) {
    std::vector<std::string> row = axisTexts(run.experiment, cell.key);
    row.push_back(run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    for (const Column* column : columns) row.push_back(column->text({run, cell, unit, marks}));
    table.add(row);
  }
  return table;
}

}  // namespace

std::vector<std::string> axisHeads(const Experiment& experiment) {
  std::vector<std::string> heads;
  if (!experiment.sweeps()) return heads;
  for (const Axis& axis : experiment.axes) heads.push_back(wording::axisWord(axis.name));
  return heads;
}

std::vector<std::string> axisTexts(const Experiment& experiment, const CellKey& key) {
  std::vector<std::string> texts;
  if (!experiment.sweeps()) return texts;
  for (const std::int64_t value : key.at) texts.push_back(std::to_string(value));
  return texts;
}

std::vector<std::string> columnKeys() {
  std::vector<std::string> keys;
  for (const Column& column : kColumns) keys.emplace_back(column.key);
  return keys;
}

Table resultTable(const Run& run, const std::vector<std::string>& columns) {
  const TimeUnit unit = tableUnit(run);
  const std::vector<std::string> usual = usualColumns(run.experiment);
  if (columns.empty() && usual.size() == 3)
    if (Table table = wideTable(run, unit); table.width() <= kTableColumns) return table;
  std::vector<const Column*> shown;
  for (const std::string& key : columns.empty() ? usual : columns)
    if (const auto found = std::ranges::find(kColumns, key, &Column::key);
        found != std::ranges::end(kColumns))
      shown.push_back(found);
  return longTable(run, unit, shown);
}

}  // namespace fusebench::cli
