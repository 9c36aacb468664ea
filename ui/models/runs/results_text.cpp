// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ResultsTableModel that writes text for spreadsheets.
#include <QStringList>
#include <cmath>
#include <string>
#include <vector>

#include "ui/models/results/run_words.h"
#include "ui/models/runs/results_table_model.h"

namespace fusebench {
namespace {

/// Enough digits to get the number back, and never a comma: spreadsheets read it as it is.
QString plain(double value) {
  return std::isfinite(value) ? QString::number(value, 'g', 10) : QString();
}

/// No tab and no line break within a field.
QString field(const std::string& text) {
  return QString::fromStdString(text).simplified();
}

QStringList header(const Experiment& experiment) {
  QStringList fields;
  for (const Axis& axis : experiment.axes)
    fields << (axis.unit.empty() || axis.unit == axis.name
                   ? field(axis.name)
                   : QStringLiteral("%1 [%2]").arg(field(axis.name), field(axis.unit)));
  for (const char* name : {"variant", "latency [ns]", "latency low [ns]", "latency high [ns]",
                           "interval", "speedup", "speed-up low", "speed-up high", "launches",
                           "host [ns]", "device [ns]", "cadence [ns]", "alone [ns]", "rel. error",
                           "first compile [ns]", "samples", "dropped", "stopped", "reason"})
    fields << QLatin1String(name);
  return fields;
}

void addEstimate(QStringList& fields, const Estimate& estimate) {
  const bool none = estimate.kind == Estimate::Kind::none;
  fields << plain(estimate.value) << (none ? QString() : plain(estimate.low))
         << (none ? QString() : plain(estimate.high));
}

QStringList rowOf(const Run& run, const Cell& cell, const CellSummary& summary) {
  QStringList fields;
  for (const std::int64_t value : cell.key.at) fields << QString::number(value);
  fields << field(run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
  const QStringList none{{}, {}, {}};
  if (cell.samples.empty())
    fields << none << QString();
  else {
    addEstimate(fields, summary.latency);
    fields << (run.modelError()                                   ? QStringLiteral("model")
               : summary.latency.kind == Estimate::Kind::interval ? QStringLiteral("95%")
               : summary.latency.kind == Estimate::Kind::range    ? QStringLiteral("range")
                                                                  : QString());
  }
  if (summary.speedUp)
    addEstimate(fields, *summary.speedUp);
  else
    fields << none;
  std::vector<double> compiles;
  for (const CompileTimes& times : cell.firstCompiles)
    compiles.push_back(static_cast<double>(times.total()));
  fields << (cell.launches ? plain(cell.launches->mean) : QString());
  for (Estimate DeviceEstimates::*which : {&DeviceEstimates::enqueue, &DeviceEstimates::device,
                                           &DeviceEstimates::event, &DeviceEstimates::single}) {
    const Estimate* const time = summary.device ? &((*summary.device).*which) : nullptr;
    fields << (time && time->value > 0 ? plain(time->value) : QString());
  }
  fields << (cell.relativeError ? plain(*cell.relativeError) : QString())
         << (compiles.empty() ? QString() : plain(median(compiles)))
         << QString::number(cell.samples.size()) << QString::number(cell.dropped) << stopText(cell)
         << field(cell.error.value_or(std::string()));
  return fields;
}

}  // namespace

QString ResultsTableModel::toText() const {
  std::vector<int> all(static_cast<std::size_t>(rows_));
  for (int row = 0; row < rows_; ++row) all[static_cast<std::size_t>(row)] = row;
  return toText(all);
}

QString ResultsTableModel::toText(const std::vector<int>& rows) const {
  const Run* run = run_.run();
  if (!run) return {};
  QStringList lines{header(run->experiment).join(u'\t')};
  for (const int row : rows) {
    if (row < 0 || row >= rows_) continue;
    const auto at = static_cast<std::size_t>(row);
    lines << rowOf(*run, run->cells[at], run_.summaries().at(at)).join(u'\t');
  }
  return lines.join(u'\n') + u'\n';
}

}  // namespace fusebench
