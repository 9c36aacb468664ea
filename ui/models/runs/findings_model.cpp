// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/findings_model.h"

#include <QStringList>

#include "engine/base/saying.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

ShownFinding::Kind kindOf(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::claim:
    case Finding::Kind::breakEven:
      return ShownFinding::Kind::breakEven;
    case Finding::Kind::speedUp:
      return ShownFinding::Kind::speedUp;
    case Finding::Kind::anatomy:
      return ShownFinding::Kind::anatomy;
    case Finding::Kind::growth:
      return ShownFinding::Kind::overhead;
    case Finding::Kind::payback:
      return ShownFinding::Kind::payback;
    case Finding::Kind::simulated:
    case Finding::Kind::comparability:
      return ShownFinding::Kind::note;
    default:
      return ShownFinding::Kind::warning;
  }
}

std::vector<ShownFinding> toShown(const Run& run, const std::vector<Finding>& findings) {
  std::vector<ShownFinding> shown;
  for (const Finding& finding : findings) {
    shown.push_back(
        {kindOf(finding.kind),
         finding.variant,
         QString::fromStdString(finding.headline),
         QString::fromStdString(finding.text),
         {finding.shownBy, finding.at, finding.variant, finding.kind == Finding::Kind::anatomy},
         finding.variant >= 0 ? seriesOf(run.experiment, finding.variant) : -1,
         finding.kind != Finding::Kind::comparability});
  }
  return shown;
}

}  // namespace

std::vector<ShownFinding> shownFindings(const Run& run, const Analysis& analysis) {
  return toShown(
      run, analysis.findings.empty() ? findingsOf(run, analysis.crossings) : analysis.findings);
}

ShownFinding publishedFinding(const Reference& reference) {
  const QString unit = text(said(reference.unit)), device = text(said(reference.device)),
                title = text(said(reference.title));
  QStringList places;
  for (const Crossing& crossing : findCrossings(reference))
    if (crossing.kind == Crossing::Kind::breakEven && crossing.status == CrossingStatus::found)
      places << uiText("%1 %2 from %3")
                    .arg(QString::fromStdString(crossing.variant),
                         crossing.backwards ? uiText("falls behind") : uiText("is ahead"),
                         formatPlace(crossing.at));
  QString text = places.isEmpty()
                     ? uiText("Its curves do not cross.")
                     : uiText("On another machine, %1: by interpolation of the table %2 %3.")
                           .arg(device, places.join(QStringLiteral(", ")), unit);
  if (reference.statedBreakEven)
    text += uiText(" The author reads a break-even of about %1 off the chart.")
                .arg(formatPlace(*reference.statedBreakEven));
  return {
      ShownFinding::Kind::published, -1, uiText("Published: %1").arg(title), text, {}, -1, false};
}

ShownFinding recordedFinding(const Recording& recording) {
  return {ShownFinding::Kind::published,
          -1,
          uiText("Recorded on a GPU: %1").arg(text(said(recording.title))),
          text(said(recording.crossings)) + uiText(" To see it, open Menu, Recorded on a GPU."),
          {},
          -1,
          false};
}

void FindingsModel::setReference(const Reference* reference) {
  reference_ = reference;
  recording_ = reference ? recordingOf(reference->name) : std::nullopt;
  rebuild();
}

FindingsModel::FindingsModel(const RunModel& run, const AnalysisModel& analysis, QObject* parent)
    : QAbstractListModel(parent), run_(run), analysis_(analysis) {
  connect(&analysis, &AnalysisModel::changed, this, &FindingsModel::rebuild);
  connect(&run, &RunModel::runReset, this, &FindingsModel::rebuild);
  rebuild();
}

void FindingsModel::rebuild() {
  std::vector<ShownFinding> findings;
  if (const Run* run = run_.run()) findings = toShown(*run, analysis_.analysis().findings);
  if (reference_ && run_.run()) findings.push_back(publishedFinding(*reference_));
  if (recording_ && run_.run() && !run_.run()->isOfGpu())
    findings.push_back(recordedFinding(*recording_));
  if (findings == findings_) return;
  beginResetModel();
  findings_ = std::move(findings);
  endResetModel();
}

QString FindingsModel::toText() const {
  QStringList lines;
  for (const ShownFinding& finding : findings_)
    lines << (finding.headline.isEmpty()
                  ? finding.text
                  : QStringLiteral("%1. %2").arg(finding.headline, finding.text));
  return lines.join(u'\n');
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(findings_.size());
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ShownFinding& finding = findings_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return finding.text;
    case KindRole:
      return static_cast<int>(finding.kind);
    case VariantRole:
      return finding.variant;
    case HeadlineRole:
      return finding.headline;
    default:
      return {};
  }
}

}  // namespace fusebench

#include "moc_findings_model.cpp"
