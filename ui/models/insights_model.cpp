// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/insights_model.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/models/comparison.h"
#include "ui/models/format.h"

namespace fusebench {
namespace {

int variantIndex(const Run& run, const std::string& variant) {
  const auto& variants = run.experiment.variants;
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& v) { return v.name == variant; });
  return found == variants.end() ? -1 : static_cast<int>(found - variants.begin());
}

QString unitOf(const Run& run, const std::string& along) {
  for (const Axis& axis : run.experiment.axes)
    if (axis.name == along)
      return QString::fromStdString(axis.unit.empty() ? axis.name : axis.unit);
  return QString::fromStdString(along);
}

QString headlineOf(const Crossing& crossing, const QString& unit) {
  const QString variant = QString::fromStdString(crossing.variant);
  switch (crossing.status) {
    case CrossingStatus::found:
      return (crossing.kind == Crossing::Kind::payback ? QStringLiteral("%1: repaid after %2 %3")
              : crossing.backwards                     ? QStringLiteral("%1: behind from %2 %3")
                                                       : QStringLiteral("%1: ahead from %2 %3"))
          .arg(variant, formatPlace(crossing.at), unit);
    case CrossingStatus::always:
      return crossing.kind == Crossing::Kind::breakEven
                 ? QStringLiteral("%1: ahead throughout").arg(variant)
                 : QStringLiteral("%1: repaid from the first call").arg(variant);
    case CrossingStatus::never:
      return crossing.kind == Crossing::Kind::breakEven
                 ? QStringLiteral("%1: never ahead").arg(variant)
                 : QStringLiteral("%1: never pays").arg(variant);
    case CrossingStatus::undefined:
      return QStringLiteral("%1: not decided").arg(variant);
  }
  return variant;
}

Insight describe(const Run& run, const Crossing& crossing) {
  const QString unit = unitOf(run, crossing.along);
  const bool breakEven = crossing.kind == Crossing::Kind::breakEven;
  QString text = QString::fromStdString(sentence(crossing, unit.toStdString()));
  if (!text.endsWith(u'.')) text += u'.';
  return {breakEven ? Insight::Kind::breakEven : Insight::Kind::payback,
          variantIndex(run, crossing.variant), headlineOf(crossing, unit), text};
}

Insight describe(const Run& run, const LaunchModel& model) {
  const Estimate& slope = model.fit.slope;
  const Estimate& start = model.fit.intercept;
  const QString variant = QString::fromStdString(model.variant);
  QString text = QStringLiteral("A launch of %1 costs %2, kernel included")
                     .arg(variant, formatTime(slope.value));
  if (slope.kind == Estimate::Kind::interval)
    text += QStringLiteral(" (%1)").arg(formatInterval(slope));
  text += start.value >= 0 ? QStringLiteral(", on top of %1 a call.").arg(formatTime(start.value))
                           : QStringLiteral(".");
  return {Insight::Kind::overhead, variantIndex(run, model.variant),
          QStringLiteral("%1: %2 a launch").arg(variant, formatTime(slope.value)), text};
}

/// Whether a variant's launches grow along the axis: else it has no cost per launch to speak of.
bool launchesGrow(const Run& run, const std::string& variant) {
  double least = 1e300, most = 0;
  for (const Cell& cell : run.cells)
    if (cell.launches && cell.key.variant == variantIndex(run, variant)) {
      least = std::min(least, cell.launches->mean);
      most = std::max(most, cell.launches->mean);
    }
  return most - least >= 2;
}

void appendWarnings(const Run& run, std::vector<Insight>& insights) {
  int drifting = 0;
  for (const Cell& cell : run.cells) {
    if (cell.samples.size() >= 16 && cell.driftedDuring()) ++drifting;
    if ((cell.stop == Stop::unavailable || cell.stop == Stop::failed) && cell.error)
      insights.push_back({Insight::Kind::warning, cell.key.variant,
                          QString::fromUtf8(name(cell.stop).data()),
                          QString::fromStdString(*cell.error)});
  }
  if (drifting > 0)
    insights.push_back(
        {Insight::Kind::warning,
         -1,
         {},
         QStringLiteral(
             "%1 of %2 cells drifted while they were measured: the machine was not quiet.")
             .arg(drifting)
             .arg(run.cells.size())});
}

}  // namespace

std::vector<Insight> insightsOf(const Run& run, const Analysis& analysis) {
  std::vector<Insight> insights;
  const bool measuring = std::any_of(run.cells.begin(), run.cells.end(),
                                     [](const Cell& cell) { return cell.stop == Stop::running; });
  const auto worthSaying = [&](const Crossing& crossing, Crossing::Kind kind) {
    // What is not decided yet is no finding; what is not decided at the end is.
    return crossing.kind == kind && !(measuring && crossing.status == CrossingStatus::undefined);
  };
  for (const Crossing& crossing : analysis.crossings)
    if (worthSaying(crossing, Crossing::Kind::breakEven))
      insights.push_back(describe(run, crossing));
  for (const LaunchModel& model : analysis.launches)
    if (launchesGrow(run, model.variant) && model.fit.slope.value > 0)
      insights.push_back(describe(run, model));
  // A payback for every cell would bury the rest: the last place on the axes stands for them.
  std::vector<std::int64_t> last;
  for (const Axis& axis : run.experiment.axes)
    if (!axis.values.empty()) last.push_back(axis.values.back());
  for (const Crossing& crossing : analysis.crossings)
    if (worthSaying(crossing, Crossing::Kind::payback) && crossing.cell == last)
      insights.push_back(describe(run, crossing));
  appendWarnings(run, insights);
  if (!run.experiment.note.empty())
    insights.push_back({Insight::Kind::note, -1, {}, QString::fromStdString(run.experiment.note)});
  return insights;
}

Insight insightOf(const Reference& reference) {
  const QString unit = QString::fromStdString(reference.unit);
  QStringList places;
  for (const Crossing& crossing : findCrossings(reference))
    if (crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found)
      places << QStringLiteral("%1 %2 from %3")
                    .arg(QString::fromStdString(crossing.variant),
                         crossing.backwards ? QStringLiteral("falls behind")
                                            : QStringLiteral("is ahead"),
                         formatPlace(crossing.at));
  QString text =
      places.isEmpty()
          ? QStringLiteral("Its curves do not cross.")
          : QStringLiteral("On another machine, %1: by interpolation of the table %2 %3.")
                .arg(QString::fromStdString(reference.device), places.join(QStringLiteral(", ")),
                     unit);
  if (reference.statedBreakEven)
    text += QStringLiteral(" The author reads the turning point off the chart as about %1.")
                .arg(formatPlace(*reference.statedBreakEven));
  return {Insight::Kind::published, -1,
          QStringLiteral("Published: %1").arg(QString::fromStdString(reference.title)), text};
}

void InsightsModel::setReference(const Reference* reference) {
  reference_ = reference;
  rebuild();
}

InsightsModel::InsightsModel(const RunModel& run, const AnalysisModel& analysis, QObject* parent)
    : QAbstractListModel(parent), run_(run), analysis_(analysis) {
  connect(&analysis, &AnalysisModel::changed, this, &InsightsModel::rebuild);
  connect(&run, &RunModel::runReset, this, &InsightsModel::rebuild);
  rebuild();
}

void InsightsModel::rebuild() {
  beginResetModel();
  insights_.clear();
  if (const Run* run = run_.run()) insights_ = insightsOf(*run, analysis_.analysis());
  if (reference_ && run_.run()) insights_.push_back(insightOf(*reference_));
  endResetModel();
}

int InsightsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(insights_.size());
}

QVariant InsightsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Insight& insight = insights_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return insight.text;
    case KindRole:
      return static_cast<int>(insight.kind);
    case VariantRole:
      return insight.variant;
    case HeadlineRole:
      return insight.headline;
    default:
      return {};
  }
}

}  // namespace fusebench
