// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/cell_marks.h"
#include "profiler/export/cell_text.h"
#include "profiler/machine/machine.h"

namespace fusebench {
namespace {

constexpr Letters kLetters = Letters::page;

std::string compileText(const std::optional<CompileTimes>& times) {
  return times ? timeText(static_cast<double>(times->total()), kLetters) : "";
}

void axisHeader(const Run& run, ExportTable& table) {
  if (!run.experiment.sweeps()) return;
  for (const Axis& axis : run.experiment.axes) {
    table.header.push_back(wording::axisTitle(axis));
    table.numeric.push_back(true);
  }
}

std::vector<std::string> axisCells(const Run& run, const Cell& cell) {
  std::vector<std::string> row;
  for (std::size_t i = 0; run.experiment.sweeps() && i < cell.key.at.size(); ++i)
    row.push_back(wording::place(run.experiment.axes[i], static_cast<double>(cell.key.at[i])));
  return row;
}

void addColumn(ExportTable& table, std::string title, bool numeric = true) {
  table.header.push_back(std::move(title));
  table.numeric.push_back(numeric);
}

std::vector<std::string> notesOf(const Run& run, const CellMarks& marks) {
  std::vector<std::string> notes;
  if (std::string simulated = wording::simulated(run); !simulated.empty())
    notes.push_back(std::move(simulated));
  if (std::string error = wording::modelError(run); !error.empty())
    notes.push_back(std::move(error));
  else if (const std::string sessions = wording::sessions(run); !sessions.empty())
    notes.push_back(saying("95% intervals are valid {}", sessions));
  const std::vector<std::string> marked = marks.notes();
  notes.insert(notes.end(), marked.begin(), marked.end());
  return notes;
}

/// Before the name of a time.
std::string simulatedWord(const Run& run) {
  return run.isSimulated() ? saying("simulated ") : "";
}

const std::string& variantName(const Run& run, const Cell& cell) {
  return run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
}

}  // namespace

ExportTable latencyTable(const Run& run, std::size_t most) {
  const auto& variants = run.experiment.variants;
  const auto compared = [&](std::size_t v) {
    return run.experiment.baselineOf(static_cast<int>(v)).has_value();
  };
  const TimeUnit unit = tableUnit(run);
  ExportTable table;
  const CellMarks marks(run);
  table.notes = notesOf(run, marks);
  axisHeader(run, table);
  if (variants.size() > most) {
    addColumn(table, head("variant"), false);
    addColumn(table, wording::closedUp(saying("{}latency, {}", simulatedWord(run), unit.page)));
    addColumn(table, head("speedup"));
    for (const Cell& cell : run.cells) {
      std::vector<std::string> row = axisCells(run, cell);
      row.insert(row.end(), {variantName(run, cell), latencyText(cell, unit, marks, kLetters),
                             speedUpText(run, cell, kLetters)});
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  for (const Variant& variant : variants)
    addColumn(table,
              fmt::format("{}{}{}{}", variant.name, said(", "), simulatedWord(run), unit.page));
  for (std::size_t v = 0; v < variants.size(); ++v)
    if (compared(v)) addColumn(table, variants[v].name + " " + head("speedup"));
  for (std::size_t first = 0; first + variants.size() <= run.cells.size();
       first += variants.size()) {
    std::vector<std::string> row = axisCells(run, run.cells[first]);
    for (std::size_t v = 0; v < variants.size(); ++v)
      row.push_back(latencyText(run.cells[first + v], unit, marks, kLetters));
    for (std::size_t v = 0; v < variants.size(); ++v)
      if (compared(v)) row.push_back(speedUpText(run, run.cells[first + v], kLetters));
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

std::string errorText(const std::optional<double>& error) {
  return error ? fmt::format("{:.1e}", *error) : "";
}

void addAccuracy(const std::optional<Accuracy>& accuracy, std::vector<std::string>& row) {
  const double error = accuracy ? accuracy->relative : 0;
  row.push_back(accuracy ? errorText(error) : "");
  row.push_back(error > 0 && std::isfinite(error) ? fmt::format("{:.1f}", -20 * std::log10(error))
                                                  : "");
  row.push_back(accuracy ? errorText(accuracy->fromFloat32) : "");
  row.push_back(accuracy && accuracy->sameClass ? fmt::format("{:.0f}%", 100 * *accuracy->sameClass)
                                                : "");
}

void addBandwidth(const Run& run, const Cell& cell, std::vector<std::string>& row) {
  constexpr double kGiga = 1e-9;
  const auto bytes = movedBytesOf(run, cell);
  const auto bandwidth = bandwidthOf(run, cell);
  row.push_back(bytes ? bytesText(*bytes) : "");
  row.push_back(bandwidth ? wording::number(kGiga * bandwidth->value) : "");
}

}  // namespace

ExportTable cellTable(const Run& run) {
  ExportTable table;
  axisHeader(run, table);
  addColumn(table, head("variant"), false);
  for (const std::string& title : {head("launches"), head("compile, no cache"), head("from disk"),
                                   head("in memory"), head("peak memory"), head("relative error")})
    addColumn(table, title);
  const bool compared = mostDifferentFromTorch(run) != nullptr;
  const auto anyCell = [&](auto&& has) { return std::ranges::any_of(run.cells, has); };
  // Where nothing is divided all are one.
  const bool divided = anyCell([](const Cell& cell) { return cell.graphs.value_or(1) > 1; });
  const bool shared = anyCell([](const Cell& cell) { return cell.memoryShare.has_value(); });
  const bool moved = anyCell([&](const Cell& cell) { return bandwidthOf(run, cell).has_value(); });
  if (moved)
    for (const std::string& title : {head("bytes moved"), std::string("GB/s")})
      addColumn(table, title);
  // For narrower types: how far from the exact results, and from float32's.
  const bool narrow = std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& cell) {
    return cell.accuracy && cell.accuracy->fromFloat32;
  });
  if (narrow)
    for (const std::string& title :
         {head("error, rms"), head("SQNR, dB"), head("from float32's"), head("same class")})
      addColumn(table, title);
  if (compared) addColumn(table, head("from PyTorch's"));
  if (divided) addColumn(table, head("graphs"));
  if (shared) addColumn(table, head("activation memory budget"));
  addColumn(table, head("samples"));
  addColumn(table, head("sessions"));
  addColumn(table, head("stopped"), false);
  for (const Cell& cell : run.cells) {
    std::vector<std::string> row = axisCells(run, cell);
    row.insert(row.end(), {variantName(run, cell), launchText(cell, kLetters),
                           firstCompileText(cell, kLetters), compileText(cell.diskCompile),
                           compileText(cell.memoryCompile),
                           cell.peakBytes ? bytesText(static_cast<double>(*cell.peakBytes)) : "",
                           errorText(cell.relativeError)});
    if (moved) addBandwidth(run, cell, row);
    if (narrow) addAccuracy(cell.accuracy, row);
    if (compared) row.push_back(errorText(cell.torchDifference));
    if (divided) row.push_back(cell.graphs ? std::to_string(*cell.graphs) : "");
    if (shared) row.push_back(cell.memoryShare ? fmt::format("{:g}", *cell.memoryShare) : "");
    row.insert(row.end(), {std::to_string(cell.samples.size()), std::to_string(cell.sessionCount()),
                           wording::ended(cell.stop)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace fusebench
