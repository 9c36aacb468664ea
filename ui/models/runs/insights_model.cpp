// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/insights_model.h"

#include <QStringList>

#include "ui/models/base/format.h"

namespace fusebench {
namespace {

Insight::Kind kindOf(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::breakEven:
      return Insight::Kind::breakEven;
    case Finding::Kind::speedUp:
      return Insight::Kind::speedUp;
    case Finding::Kind::anatomy:
      return Insight::Kind::anatomy;
    case Finding::Kind::growth:
      return Insight::Kind::overhead;
    case Finding::Kind::payback:
      return Insight::Kind::payback;
    case Finding::Kind::comparability:
      return Insight::Kind::note;
    default:
      return Insight::Kind::warning;
  }
}

std::vector<Insight> toInsights(const Run& run, const std::vector<Finding>& findings) {
  std::vector<Insight> insights;
  for (const Finding& finding : findings) {
    Insight insight{
        kindOf(finding.kind),
        finding.variant,
        QString::fromStdString(finding.headline),
        QString::fromStdString(finding.text),
        {finding.shownBy, finding.at, finding.variant, finding.kind == Finding::Kind::anatomy},
        finding.variant >= 0 ? seriesOf(run.experiment, finding.variant) : -1,
        finding.kind != Finding::Kind::comparability};
    insights.push_back(std::move(insight));
  }
  return insights;
}

}  // namespace

std::vector<Insight> insightsOf(const Run& run, const Analysis& analysis) {
  return toInsights(
      run, analysis.findings.empty() ? findingsOf(run, analysis.crossings) : analysis.findings);
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
  return {Insight::Kind::published,
          -1,
          QStringLiteral("Published: %1").arg(QString::fromStdString(reference.title)),
          text,
          {},
          -1,
          false};
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
  std::vector<Insight> insights;
  if (const Run* run = run_.run()) insights = toInsights(*run, analysis_.analysis().findings);
  if (reference_ && run_.run()) insights.push_back(insightOf(*reference_));
  if (insights == insights_) return;
  beginResetModel();
  insights_ = std::move(insights);
  endResetModel();
}

QString InsightsModel::toText() const {
  QStringList lines;
  for (const Insight& insight : insights_)
    lines << (insight.headline.isEmpty()
                  ? insight.text
                  : QStringLiteral("%1. %2").arg(insight.headline, insight.text));
  return lines.join(u'\n');
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
