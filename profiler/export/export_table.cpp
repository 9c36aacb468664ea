// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/saying.h"
#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/cell_marks.h"
#include "profiler/machine/machine.h"

namespace fusebench {
namespace {

struct Unit {
  const char* name;
  double nanoseconds;
};

/// One unit for the whole table: the one that suits the smallest latency.
Unit unitOf(const Run& run) {
  double smallest = INFINITY;
  for (const Cell& cell : run.cells)
    if (!cell.samples.empty()) smallest = std::min(smallest, cell.latency().value);
  if (!std::isfinite(smallest) || smallest < 999.5) return {"ns", 1};
  if (smallest < 999.5e3) return {"µs", 1e3};
  return smallest < 999.5e6 ? Unit{"ms", 1e6} : Unit{"s", 1e9};
}

/// Three significant digits, with as many decimals as the first of the two needs.
std::string figure(double value, double like) {
  const double size = std::abs(like);
  const int decimals =
      size > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6) : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string latencyText(const Cell& cell, Unit unit, const CellMarks& marks) {
  const Estimate e = cell.latency();
  if (e.kind == Estimate::Kind::none) return wording::ended(cell.stop);
  const double like = e.value / unit.nanoseconds;
  const std::string_view form =
      e.kind == Estimate::Kind::interval ? "{}{} ({} – {})" : said("{}{} (range {} – {})");
  return fmt::format(fmt::runtime(form), figure(like, like), marks.of(cell),
                     figure(e.low / unit.nanoseconds, like),
                     figure(e.high / unit.nanoseconds, like));
}

std::string speedUpText(const Run& run, const Cell& cell) {
  if (lacksModel(run, cell)) return saying("not modeled");
  const auto ratio = speedUpOf(run, cell);
  return ratio ? wording::ratio(ratio->value) : "";
}

std::string launchText(const Cell& cell) {
  if (!cell.launches) return "";
  if (cell.launches->minimum == cell.launches->maximum)
    return std::to_string(cell.launches->minimum);
  return fmt::format("{} – {}", cell.launches->minimum, cell.launches->maximum);
}

std::string compileText(const std::optional<CompileTimes>& times) {
  return times ? wording::time(static_cast<double>(times->total())) : "";
}

std::string firstCompile(const Cell& cell) {
  std::vector<double> totals;
  for (const CompileTimes& times : cell.firstCompiles)
    totals.push_back(static_cast<double>(times.total()));
  return totals.empty() ? "" : wording::time(median(totals));
}

void axisHeader(const Run& run, ExportTable& table) {
  for (const Axis& axis : run.experiment.axes) {
    table.header.push_back(wording::axisTitle(axis));
    table.numeric.push_back(true);
  }
}

std::vector<std::string> axisCells(const Run& run, const Cell& cell) {
  std::vector<std::string> row;
  for (std::size_t i = 0; i < cell.key.at.size(); ++i)
    row.push_back(wording::place(run.experiment.axes[i], static_cast<double>(cell.key.at[i])));
  return row;
}

/// What stands over a column, in the chosen language.
std::string head(std::string_view english) {
  return std::string(saidAs("head", english));
}

void addColumn(ExportTable& table, std::string title, bool numeric = true) {
  table.header.push_back(std::move(title));
  table.numeric.push_back(numeric);
}

std::vector<std::string> notesOf(const Run& run, const CellMarks& marks) {
  std::vector<std::string> notes;
  if (std::string simulated = wording::simulated(run); !simulated.empty())
    notes.push_back(std::move(simulated));
  if (const std::string sessions = wording::sessions(run); !sessions.empty())
    notes.push_back(saying("95% intervals hold {}", sessions));
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
  const Unit unit = unitOf(run);
  ExportTable table;
  const CellMarks marks(run);
  table.notes = notesOf(run, marks);
  axisHeader(run, table);
  if (variants.size() > most) {
    addColumn(table, head("variant"), false);
    addColumn(table, wording::closedUp(saying("{}latency, {}", simulatedWord(run), unit.name)));
    addColumn(table, head("speed-up"));
    for (const Cell& cell : run.cells) {
      std::vector<std::string> row = axisCells(run, cell);
      row.insert(row.end(),
                 {variantName(run, cell), latencyText(cell, unit, marks), speedUpText(run, cell)});
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  for (const Variant& variant : variants)
    addColumn(table,
              fmt::format("{}{}{}{}", variant.name, said(", "), simulatedWord(run), unit.name));
  for (std::size_t v = 0; v < variants.size(); ++v)
    if (compared(v)) addColumn(table, variants[v].name + " " + head("speed-up"));
  for (std::size_t first = 0; first + variants.size() <= run.cells.size();
       first += variants.size()) {
    std::vector<std::string> row = axisCells(run, run.cells[first]);
    for (std::size_t v = 0; v < variants.size(); ++v)
      row.push_back(latencyText(run.cells[first + v], unit, marks));
    for (std::size_t v = 0; v < variants.size(); ++v)
      if (compared(v)) row.push_back(speedUpText(run, run.cells[first + v]));
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
  // Of what computes in narrower types: how far from the exact results, and from float32's.
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
    row.insert(row.end(), {variantName(run, cell), launchText(cell), firstCompile(cell),
                           compileText(cell.diskCompile), compileText(cell.memoryCompile),
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
