// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <vector>

#include "profiler/crossings.h"
#include "ui/models/analysis_model.h"

namespace fusebench {

/// What the run says, one finding a row: a figure, and a sentence around it.
struct Insight {
  enum class Kind { breakEven, overhead, payback, published, note, warning };
  Kind kind = Kind::note;
  int variant = -1;  ///< whose colour it wears; -1: nobody's
  QString headline;  ///< "1.4 statements"; empty for notes
  QString text;      ///< one sentence
};

/// Break-evens, overhead per launch and payback at the largest cells, then warnings and the
/// experiment's note.
std::vector<Insight> insightsOf(const Run& run, const Analysis& analysis);

/// What published curves say by themselves: their break-evens, and what their author reads off
/// them.
Insight insightOf(const Reference& reference);

class InsightsModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { KindRole = Qt::UserRole, VariantRole, HeadlineRole };

  InsightsModel(const RunModel& run, const AnalysisModel& analysis, QObject* parent = nullptr);
  const std::vector<Insight>& insights() const { return insights_; }
  /// Published curves to speak of as well; null: none. They must outlive their use here.
  void setReference(const Reference* reference);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void rebuild();

  const RunModel& run_;
  const AnalysisModel& analysis_;
  const Reference* reference_ = nullptr;
  std::vector<Insight> insights_;
};

}  // namespace fusebench
