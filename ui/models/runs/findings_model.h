// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <optional>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/recordings.h"
#include "profiler/trace/trace_statistics.h"
#include "ui/models/chart/chart_series.h"
#include "ui/models/results/analysis_model.h"

namespace fusebench {

/// A finding of the run, one per row: a number, a sentence around it, and where it is shown.
struct ShownFinding {
  enum class Kind { breakEven, overhead, payback, published, note, warning, speedUp, anatomy };
  Kind kind = Kind::note;
  int variant = -1;    ///< variant that it is about; -1: none in particular
  QString headline;    ///< "static: ahead from 1.4 statements"; empty for notes
  QString text;        ///< a sentence or two
  Target target;       ///< where the chart shows it
  int series = -1;     ///< index of the variant whose color it has; -1: none
  bool shows = false;  ///< whether the chart, or the timeline, has something to show for it
  std::optional<TimeRange> time = {};  ///< of a trace: where the timeline shows it

  friend bool operator==(const ShownFinding&, const ShownFinding&) = default;
};

/// The findings of a run, most important first: those of the analysis, or, if it has none, computed
/// here.
std::vector<ShownFinding> shownFindings(const Run& run, const Analysis& analysis);

/// The finding for published curves: their break-evens, and their author's conclusions.
ShownFinding publishedFinding(const Reference& reference);
/// The finding for a recording of the same study on a GPU: where its curves cross.
ShownFinding recordedFinding(const Recording& recording);

class FindingsModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { KindRole = Qt::UserRole, VariantRole, HeadlineRole };

  FindingsModel(const RunModel& run, const AnalysisModel& analysis, QObject* parent = nullptr);
  const std::vector<ShownFinding>& findings() const { return findings_; }
  /// Published curves to speak of as well; null: none. They must outlive their use here.
  void setReference(const Reference* reference);
  /// All of it as lines of text, headline and sentence.
  QString toText() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void rebuild();

  const RunModel& run_;
  const AnalysisModel& analysis_;
  const Reference* reference_ = nullptr;
  std::optional<Recording> recording_;  ///< repeats the reference's study on a GPU
  std::vector<ShownFinding> findings_;
};

}  // namespace fusebench
