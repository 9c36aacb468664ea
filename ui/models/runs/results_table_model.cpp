// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/results_table_model.h"

#include <QStringList>
#include <algorithm>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/curves.h"
#include "ui/models/results/run_words.h"

namespace fusebench {
namespace {

const QString kNothing = QStringLiteral("–");
constexpr double kNotablyApart = 1.1;

/// Null where the cell has none.
const double* deviceTime(const CellSummary& summary, int column) {
  if (!summary.device) return nullptr;
  if (column == ResultsTableModel::hostColumn) return &summary.device->enqueue.value;
  if (column == ResultsTableModel::deviceColumn)
    return summary.device->device.kind == Estimate::Kind::none ? nullptr
                                                               : &summary.device->device.value;
  return column == ResultsTableModel::eventsColumn ? &summary.device->event.value
                                                   : &summary.device->single.value;
}

QString describeStop(const Cell& cell) {
  switch (cell.stop) {
    case Stop::running:
      return uiText("Still being measured.");
    case Stop::converged:
      return uiText("Stopped because the interval was narrow enough.");
    case Stop::cap:
      return uiText("Stopped at the largest number of samples.");
    case Stop::budget:
      return uiText("Stopped because the study's time was used up.");
    case Stop::coarse:
      return uiText("Measured coarsely, with few samples.");
    case Stop::interrupted:
      return uiText("Stopped before it finished.");
    case Stop::unavailable:
    case Stop::failed:
      return QString::fromStdString(cell.error ? saidAgain(*cell.error)
                                               : saying("No reason was given."));
  }
  return {};
}

/// Whether the paired speedup differs notably from the ratio of the two latencies in the table.
bool pairingMatters(const CellSummary& summary) {
  if (!summary.speedUp || !summary.ratioOfMedians) return false;
  const double apart = *summary.ratioOfMedians / summary.speedUp->value;
  return apart > kNotablyApart || apart < 1 / kNotablyApart;
}

/// Not where the interval of the ratio holds 1.
bool toldApart(const Estimate& ratio) {
  return ratio.kind != Estimate::Kind::interval || ratio.low > 1 || ratio.high < 1;
}

/// With the mark that the map has for it.
QString ratioText(const CellSummary& summary) {
  return (toldApart(*summary.speedUp) ? QString() : QStringLiteral("≈ ")) +
         formatRatio(summary.speedUp->value) +
         (pairingMatters(summary) ? QStringLiteral(" *") : QString());
}

QString speedUpToolTip(const CellSummary& summary) {
  QString text =
      uiText(
          "%1 times the baseline's speed (%2 to %3): in each round the two are measured shortly "
          "after each other and divided; this is the median of these ratios.")
          .arg(formatSignificant(summary.speedUp->value), formatSignificant(summary.speedUp->low),
               formatSignificant(summary.speedUp->high));
  if (!toldApart(*summary.speedUp))
    text += uiText(" The interval contains 1: the difference is within noise.");
  if (pairingMatters(summary))
    text += uiText(
                " The ratio of the two latencies is %1: the machine ran at different speeds during "
                "the run, and more samples would help.")
                .arg(formatRatio(*summary.ratioOfMedians));
  return text;
}

/// The chart names the same axis: statements may be layers, for example.
std::string axisHead(const Axis& axis) {
  return wording::axisWord(axis.name == "statements" ? wording::unit(axis) : axis.name);
}

/// The tooltip for the header of a column, which explains its values.
QString columnToolTip(const Run& run, int column, int axes) {
  if (column < 0) {
    const Axis& axis = run.experiment.axes[static_cast<std::size_t>(column + axes)];
    return uiText("The axis \"%1\": the measured point.").arg(text(axisHead(axis)));
  }
  switch (column) {
    case ResultsTableModel::variantColumn:
      return uiText("How the program is run; each variant is one curve in the chart.");
    case ResultsTableModel::latencyColumn:
      return uiText(
          "Wall time of a call: the median over the samples. A sample is the mean "
          "of many calls in a row with one wait at the end.");
    case ResultsTableModel::intervalColumn:
      if (run.modelError()) return QString::fromStdString(wording::modelError(run));
      return uiText(
          "The median latency is in this range with 95% confidence. In brackets: with too few "
          "samples for that, the range of the samples.");
    case ResultsTableModel::speedUpColumn:
      return uiText(
                 "Speedup over %1, computed round by round, so that slowdowns of both cancel out. "
                 "It can therefore differ from the ratio of the two latencies; a star marks "
                 "differences of more than 10%.")
          .arg(QString::fromStdString(run.experiment.baseline));
    case ResultsTableModel::launchesColumn:
      return uiText("Kernels launched per call, counted.");
    case ResultsTableModel::hostColumn:
      return uiText("Host time: until a call returns to the program.");
    case ResultsTableModel::deviceColumn:
      return uiText(
          "Device time of a call, by the device's clock. The calls were enqueued before the device "
          "began, so it never waited for the host.");
    case ResultsTableModel::eventsColumn:
      return uiText(
          "Cadence: time per call by the device's clock, between events around many calls. It "
          "includes the device's waits for the host.");
    case ResultsTableModel::aloneColumn:
      return uiText("Synchronized latency: one call with the wait for it.");
    case ResultsTableModel::errorColumn:
      return uiText(
          "Largest error of an element of the results, relative to its value in double precision, "
          "or for a sum relative to the sum of its terms' magnitudes. Charts and Scatter show the "
          "root mean square over whole results.");
    case ResultsTableModel::stopColumn:
      return uiText(
          "Why sampling stopped, and the number of samples. converged: the interval is as narrow "
          "as requested. cap: the maximum number of samples was reached. budget: the time budget "
          "was used up. coarse: measured by Explore.");
    default:
      return {};
  }
}

QString errorToolTip(const Cell& cell) {
  QString text = uiText(
      "Largest error of an element against the double-precision reference; for a sum, relative to "
      "the sum of its terms' magnitudes.");
  if (cell.torchDifference)
    text += uiText(" It differs by at most %1 from PyTorch's results on the same inputs.")
                .arg(formatError(*cell.torchDifference));
  if (!cell.checkNote.empty())
    text += u' ' + QString::fromStdString(saidAgain(cell.checkNote)) + uiText(".");
  return text;
}

}  // namespace

ResultsTableModel::ResultsTableModel(const RunModel& run, QObject* parent)
    : QAbstractTableModel(parent), run_(run) {
  connect(&run, &RunModel::runAboutToReset, this, &ResultsTableModel::letGo);
  connect(&run, &RunModel::runReset, this, &ResultsTableModel::take);
  connect(&run, &RunModel::cellsChanged, this, &ResultsTableModel::refresh);
  letGo();
  take();
}

void ResultsTableModel::letGo() {
  beginResetModel();
  axes_ = rows_ = 0;
  styles_.clear();
}

void ResultsTableModel::take() {
  if (const Run* run = run_.run()) {
    axes_ = static_cast<int>(run->experiment.axes.size());
    for (const Axis& axis : run->experiment.axes)
      styles_.push_back(wording::placeStyle(axis.values));
    rows_ = static_cast<int>(run->cells.size());
  }
  endResetModel();
}

void ResultsTableModel::refresh(const std::vector<int>& rows) {
  if (rows_ == 0) return;
  const auto tell = [this](int first, int last) {
    emit dataChanged(index(first, 0), index(last, columnCount() - 1));
  };
  // A changed baseline changes all speedups at its place, so all rows of a place are updated.
  const int variants = static_cast<int>(run_.run()->experiment.variants.size());
  int first = -1, last = -1;
  for (const int row : rows) {
    const int begin = row - row % variants, end = std::min(begin + variants, rows_) - 1;
    if (first >= 0 && begin > last + 1) {
      tell(first, last);
      first = -1;
    }
    if (first < 0) first = begin;
    last = end;
  }
  if (first >= 0) tell(first, last);
}

bool ResultsTableModel::hasDeviceTimes() const {
  const Run* run = run_.run();
  return run && std::any_of(run->cells.begin(), run->cells.end(),
                            [](const Cell& cell) { return cell.hasDeviceTimes(); });
}

bool ResultsTableModel::hasDeviceColumn(int column) const {
  return run_.run() && (column == deviceColumn ? hasHeldTimes(*run_.run()) : hasDeviceTimes());
}

bool ResultsTableModel::isBaseline(const Cell& cell) const {
  return !run_.run()->experiment.baselineOf(cell.key.variant);
}

int ResultsTableModel::firstRowAt(std::int64_t value) const {
  if (const Run* run = run_.run())
    for (std::size_t i = 0; i < run->cells.size(); ++i)
      if (!run->cells[i].key.at.empty() && run->cells[i].key.at[0] == value)
        return static_cast<int>(i);
  return -1;
}

int ResultsTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int ResultsTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || rows_ == 0 ? 0 : axes_ + kColumns;
}

QVariant ResultsTableModel::data(const QModelIndex& index, int role) const {
  const Run* run = run_.run();
  if (!index.isValid() || !run || index.row() >= rowCount()) return {};
  const auto at = static_cast<std::size_t>(index.row());
  const Cell& cell = run->cells[at];
  const CellSummary& summary = run_.summaries().at(at);
  const int column = index.column() - axes_;
  if (column == stopColumn && run_.isLent(at)) {
    if (role == Qt::DisplayRole)
      return uiText("from Explore") + QStringLiteral(" · %1").arg(cell.samples.size());
    if (role == Qt::ToolTipRole)
      return uiText("Measured by Explore: the run has fewer samples of this point so far.");
  }
  switch (role) {
    case Qt::DisplayRole:
      return text(cell, summary, index.column());
    case RawRole:
      return raw(cell, summary, index.column());
    case Qt::ToolTipRole:
      return toolTip(cell, summary, index.column());
    case Qt::TextAlignmentRole:
      return static_cast<int>(
          (column == variantColumn || column == stopColumn ? Qt::AlignLeft : Qt::AlignRight) |
          Qt::AlignVCenter);
    case VariantRole:
      return cell.key.variant;
    case SeriesRole:
      return seriesOf(run->experiment, cell.key.variant);
    case GroupStartRole:
      return at == 0 || run->cells[at - 1].key.at != cell.key.at;
    case AxisValueRole:
      return cell.key.at.empty() ? QVariant() : QVariant::fromValue(qlonglong{cell.key.at[0]});
    case MutedRole:
      return column == intervalColumn || column == errorColumn || column == stopColumn ||
             (column == speedUpColumn && isBaseline(cell));
    default:
      return {};
  }
}

QVariant ResultsTableModel::text(const Cell& cell, const CellSummary& summary, int section) const {
  if (section < axes_) {
    const auto axis = static_cast<std::size_t>(section);
    return axisValueText(static_cast<double>(cell.key.at[axis]), styles_[axis]);
  }
  switch (section - axes_) {
    case variantColumn:
      return raw(cell, summary, section);
    case latencyColumn:
      return cell.samples.empty() ? kNothing : formatTime(summary.latency.value);
    case intervalColumn:
      return formatInterval(summary.latency);
    case speedUpColumn:
      if (isBaseline(cell)) return uiText("baseline");
      if (lacksModel(*run_.run(), cell)) return uiText("not modeled");
      return summary.speedUp ? ratioText(summary) : kNothing;
    case launchesColumn:
      return cell.launches ? formatMean(cell.launches->mean) : kNothing;
    case hostColumn:
    case deviceColumn:
    case eventsColumn:
    case aloneColumn: {
      const double* const time = deviceTime(summary, section - axes_);
      return time ? formatTime(*time) : kNothing;
    }
    case errorColumn:
      return cell.relativeError ? formatError(*cell.relativeError) : kNothing;
    case stopColumn: {
      QString text = stopText(cell);
      if (!cell.samples.empty()) text += QStringLiteral(" · %1").arg(cell.samples.size());
      if (cell.dropped > 0) text += uiText(" · %1 dropped").arg(cell.dropped);
      return summary.drifted ? text + uiText(" · drift") : text;
    }
    default:
      return {};
  }
}

QVariant ResultsTableModel::raw(const Cell& cell, const CellSummary& summary, int section) const {
  if (section < axes_)
    return QVariant::fromValue(qlonglong{cell.key.at[static_cast<std::size_t>(section)]});
  switch (section - axes_) {
    case variantColumn:
      return QString::fromStdString(
          run_.run()->experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    case latencyColumn:
      return cell.samples.empty() ? QVariant() : summary.latency.value;
    case intervalColumn:  // by how wide it is for its value
      return summary.latency.kind == Estimate::Kind::none
                 ? QVariant()
                 : (summary.latency.high - summary.latency.low) / summary.latency.value;
    case speedUpColumn:
      if (isBaseline(cell)) return cell.samples.empty() ? QVariant() : 1.0;
      return summary.speedUp ? QVariant(summary.speedUp->value) : QVariant();
    case launchesColumn:
      return cell.launches ? QVariant(cell.launches->mean) : QVariant();
    case hostColumn:
    case deviceColumn:
    case eventsColumn:
    case aloneColumn: {
      const double* const time = deviceTime(summary, section - axes_);
      return time ? QVariant(*time) : QVariant();
    }
    case errorColumn:
      return cell.relativeError ? QVariant(*cell.relativeError) : QVariant();
    case stopColumn:
      return stopText(cell);
    default:
      return {};
  }
}

QVariant ResultsTableModel::toolTip(const Cell& cell, const CellSummary& summary,
                                    int section) const {
  switch (section - axes_) {
    case latencyColumn:
    case intervalColumn:
      if (summary.latency.kind == Estimate::Kind::range)
        return cell.samples.size() == 1
                   ? uiText("One sample: too few for an interval or a range.")
                   : uiText(
                         "Median of %1 samples: too few for an interval, so the range is "
                         "shown in brackets.")
                         .arg(cell.samples.size());
      if (cell.modelError)
        return uiText(
            "The model's time, with its error. One sample is enough: another one would be "
            "the same.");
      return cell.samples.empty()
                 ? QVariant()
                 : uiText("Median of %1 samples with its 95% interval %2, per call.")
                       .arg(cell.samples.size())
                       .arg(cell.sessionCount() == 1
                                ? uiText("within one process")
                                : uiText("over %1 sessions").arg(cell.sessionCount()));
    case speedUpColumn:
      if (isBaseline(cell)) return {};
      if (lacksModel(*run_.run(), cell))
        return uiText(
            "The simulated device does not model what determines this time; see the findings.");
      return summary.speedUp ? speedUpToolTip(summary) : QVariant();
    case launchesColumn:
      if (!cell.launches) return {};
      return uiText("Kernel launches per call, counted: %1 to %2.")
          .arg(cell.launches->minimum)
          .arg(cell.launches->maximum);
    case hostColumn:
    case deviceColumn:
    case eventsColumn:
    case aloneColumn:
      return summary.device ? columnToolTip(*run_.run(), section - axes_, axes_) : QVariant();
    case errorColumn:
      return errorToolTip(cell);
    case stopColumn: {
      QString text = describeStop(cell);
      if (summary.drifted)
        text += uiText(" The first and second halves of the samples differ: the latency drifted.");
      if (cell.dropped > 0)
        text += uiText(" %1 samples were dropped: the device was %2.")
                    .arg(cell.dropped)
                    .arg(QString::fromStdString(saidAgain(cell.droppedWhy)));
      if (cell.eagerShare.value_or(0) > 0)
        text += uiText(" %1% of the calls fell back to eager.")
                    .arg(formatSignificant(100 * *cell.eagerShare));
      if (cell.graphs.value_or(1) > 1)
        text += uiText(" The program is compiled in %1 pieces (graphs).").arg(*cell.graphs);
      if (cell.memoryShare)
        text += uiText(" An activation_memory_budget of %1 keeps it within its budget.")
                    .arg(formatSignificant(*cell.memoryShare));
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
  if (role == Qt::ToolTipRole) return columnToolTip(*run_.run(), column, axes_);
  if (role != Qt::DisplayRole) return {};
  if (section < axes_)
    return QString::fromStdString(
        axisHead(run_.run()->experiment.axes[static_cast<std::size_t>(section)]));
  const bool simulated = run_.run()->isSimulated();
  switch (column) {
    case variantColumn:
      return uiText("variant");
    case latencyColumn:
      return simulated ? uiText("simulated latency") : uiText("latency");
    case intervalColumn:
      return run_.run()->modelError() ? uiText("model's error") : uiText("95% interval");
    case speedUpColumn:
      return uiText("speedup");
    case launchesColumn:
      return uiText("launches");
    case hostColumn:
      return simulated ? uiText("simulated host") : uiText("host");
    case deviceColumn:
      return simulated ? uiText("simulated device") : uiText("device");
    case eventsColumn:
      return simulated ? uiText("simulated cadence") : uiText("cadence");
    case aloneColumn:
      return simulated ? uiText("simulated synchronized") : uiText("synchronized");
    case errorColumn:
      return uiText("rel. error");
    case stopColumn:
      return uiText("ended");
    default:
      return {};
  }
}

}  // namespace fusebench

#include "moc_results_table_model.cpp"
