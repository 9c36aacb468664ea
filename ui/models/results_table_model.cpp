// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results_table_model.h"

#include <QStringList>
#include <cmath>
#include <limits>

#include "ui/models/comparison.h"
#include "ui/models/format.h"

namespace fusebench {
namespace {

const QString kDash = QStringLiteral("–");
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QString describeStop(const Cell& cell) {
  switch (cell.stop) {
    case Stop::running:
      return QStringLiteral("Still being measured.");
    case Stop::converged:
      return QStringLiteral("Stopped because the interval was narrow enough.");
    case Stop::cap:
      return QStringLiteral("Stopped at the largest number of samples.");
    case Stop::budget:
      return QStringLiteral("Stopped because the study's time was used up.");
    case Stop::coarse:
      return QStringLiteral("Measured coarsely, with few samples.");
    case Stop::interrupted:
      return QStringLiteral("Stopped before it was done.");
    case Stop::unavailable:
    case Stop::failed:
      return QString::fromStdString(cell.error.value_or("No reason was given."));
  }
  return {};
}

}  // namespace

QString stopText(const Cell& cell) {
  if (cell.stop == Stop::running)
    return cell.samples.empty() ? QStringLiteral("waiting") : QStringLiteral("measuring");
  const std::string_view text = name(cell.stop);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

ResultsTableModel::ResultsTableModel(const RunModel& run, QObject* parent)
    : QAbstractTableModel(parent), run_(run) {
  connect(&run, &RunModel::runReset, this, &ResultsTableModel::reset);
  connect(&run, &RunModel::cellsChanged, this, &ResultsTableModel::refresh);
  reset();
}

void ResultsTableModel::reset() {
  beginResetModel();
  rows_.clear();
  axes_ = 0;
  if (const Run* run = run_.run()) {
    axes_ = static_cast<int>(run->experiment.axes.size());
    for (const Cell& cell : run->cells) rows_.push_back(describe(*run, cell));
  }
  endResetModel();
}

void ResultsTableModel::refresh() {
  const Run* run = run_.run();
  if (!run || rows_.empty()) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = describe(*run, run->cells[i]);
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

ResultsTableModel::Row ResultsTableModel::describe(const Run& run, const Cell& cell) const {
  Row row;
  row.latency =
      cell.samples.empty() ? Estimate{kNone, kNone, kNone, Estimate::Kind::none} : cell.latency();
  row.isBaseline = cell.key.variant == run.experiment.baselineIndex();
  row.drifted = cell.samples.size() >= 16 && cell.driftedDuring();
  row.speedUp = {kNone, kNone, kNone, Estimate::Kind::none};
  if (const Cell* baseline = baselineOf(run, cell); baseline && !row.isBaseline)
    if (const auto ratio = speedUp(*baseline, cell)) row.speedUp = *ratio;
  return row;
}

int ResultsTableModel::firstRowAt(std::int64_t value) const {
  if (const Run* run = run_.run())
    for (std::size_t i = 0; i < run->cells.size(); ++i)
      if (!run->cells[i].key.at.empty() && run->cells[i].key.at[0] == value)
        return static_cast<int>(i);
  return -1;
}

QString ResultsTableModel::toText() const {
  QStringList lines, fields;
  for (int c = 0; c < columnCount(); ++c)
    fields << headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
  lines << fields.join(u'\t');
  for (int r = 0; r < rowCount(); ++r) {
    fields.clear();
    for (int c = 0; c < columnCount(); ++c) {
      const QVariant value = data(index(r, c), RawRole);
      const bool none = value.typeId() == QMetaType::Double && !std::isfinite(value.toDouble());
      fields << (none ? QString() : value.toString());
    }
    lines << fields.join(u'\t');
  }
  return lines.join(u'\n') + u'\n';
}

int ResultsTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ResultsTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || rows_.empty() ? 0 : axes_ + kColumns;
}

QVariant ResultsTableModel::data(const QModelIndex& index, int role) const {
  const Run* run = run_.run();
  if (!index.isValid() || !run || index.row() >= rowCount()) return {};
  const auto at = static_cast<std::size_t>(index.row());
  const Cell& cell = run->cells[at];
  const Row& row = rows_[at];
  const int column = index.column() - axes_;
  switch (role) {
    case Qt::DisplayRole:
      return text(cell, row, index.column());
    case RawRole:
      return raw(cell, row, index.column());
    case Qt::ToolTipRole:
      return toolTip(cell, row, index.column());
    case Qt::TextAlignmentRole:
      return static_cast<int>(
          (column == variantColumn || column == stopColumn ? Qt::AlignLeft : Qt::AlignRight) |
          Qt::AlignVCenter);
    case VariantRole:
      return cell.key.variant;
    case GroupStartRole:
      return at == 0 || run->cells[at - 1].key.at != cell.key.at;
    case AxisValueRole:
      return cell.key.at.empty() ? QVariant() : QVariant::fromValue(qlonglong{cell.key.at[0]});
    case MutedRole:
      return column == intervalColumn || column == errorColumn || column == stopColumn ||
             (column == speedUpColumn && row.isBaseline);
    default:
      return {};
  }
}

QVariant ResultsTableModel::text(const Cell& cell, const Row& row, int section) const {
  if (section < axes_) return formatCount(cell.key.at[static_cast<std::size_t>(section)]);
  switch (section - axes_) {
    case variantColumn:
      return raw(cell, row, section);
    case latencyColumn:
      return formatTime(row.latency.value);
    case intervalColumn:
      return formatInterval(row.latency);
    case speedUpColumn:
      return row.isBaseline ? QStringLiteral("baseline") : formatRatio(row.speedUp.value);
    case launchesColumn:
      return cell.launches ? formatMean(cell.launches->mean) : kDash;
    case errorColumn:
      return cell.relativeError ? formatError(*cell.relativeError) : kDash;
    case stopColumn: {
      QString text = stopText(cell);
      if (!cell.samples.empty()) text += QStringLiteral(" · %1").arg(cell.samples.size());
      return row.drifted ? text + QStringLiteral(" · drift") : text;
    }
    default:
      return {};
  }
}

QVariant ResultsTableModel::raw(const Cell& cell, const Row& row, int section) const {
  if (section < axes_)
    return QVariant::fromValue(qlonglong{cell.key.at[static_cast<std::size_t>(section)]});
  switch (section - axes_) {
    case variantColumn:
      return QString::fromStdString(
          run_.run()->experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    case latencyColumn:
      return row.latency.value;
    case intervalColumn:
      return row.latency.kind == Estimate::Kind::none
                 ? QString()
                 : QStringLiteral("%1..%2").arg(row.latency.low).arg(row.latency.high);
    case speedUpColumn:
      return row.isBaseline ? 1.0 : row.speedUp.value;
    case launchesColumn:
      return cell.launches ? cell.launches->mean : kNone;
    case errorColumn:
      return cell.relativeError.value_or(kNone);
    case stopColumn:
      return stopText(cell);
    default:
      return {};
  }
}

QVariant ResultsTableModel::toolTip(const Cell& cell, const Row& row, int section) const {
  switch (section - axes_) {
    case latencyColumn:
    case intervalColumn:
      if (row.latency.kind == Estimate::Kind::range)
        return QStringLiteral(
                   "Median of %1 samples: too few for an interval, so the range is "
                   "shown in brackets.")
            .arg(cell.samples.size());
      return cell.samples.empty()
                 ? QVariant()
                 : QStringLiteral("Median of %1 samples with its 95% interval, per call.")
                       .arg(cell.samples.size());
    case speedUpColumn:
      if (row.isBaseline || !std::isfinite(row.speedUp.value)) return {};
      return QStringLiteral(
                 "%1 times the baseline's speed, 95% interval %2 to %3, paired by round.")
          .arg(formatSignificant(row.speedUp.value), formatSignificant(row.speedUp.low),
               formatSignificant(row.speedUp.high));
    case launchesColumn:
      if (!cell.launches) return {};
      return QStringLiteral("Kernel launches per call, counted: %1 to %2.")
          .arg(cell.launches->minimum)
          .arg(cell.launches->maximum);
    case errorColumn:
      return QStringLiteral("Largest relative error against the double-precision reference.");
    case stopColumn: {
      QString text = describeStop(cell);
      if (row.drifted)
        text += QStringLiteral(" The first and second half of the samples differ: it drifted.");
      if (cell.eagerShare.value_or(0) > 0)
        text += QStringLiteral(" %1% of the calls fell back to eager.")
                    .arg(formatSignificant(100 * *cell.eagerShare));
      return text;
    }
    default:
      return {};
  }
}

QVariant ResultsTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !run_.run()) return {};
  const int column = section - axes_;
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(
        (column == variantColumn || column == stopColumn ? Qt::AlignLeft : Qt::AlignRight) |
        Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (section < axes_)
    return QString::fromStdString(
        run_.run()->experiment.axes[static_cast<std::size_t>(section)].name);
  switch (column) {
    case variantColumn:
      return QStringLiteral("variant");
    case latencyColumn:
      return QStringLiteral("latency");
    case intervalColumn:
      return QStringLiteral("95% interval");
    case speedUpColumn:
      return QStringLiteral("speed-up");
    case launchesColumn:
      return QStringLiteral("launches");
    case errorColumn:
      return QStringLiteral("rel. error");
    case stopColumn:
      return QStringLiteral("stopped");
    default:
      return {};
  }
}

}  // namespace fusebench
