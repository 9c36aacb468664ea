// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/models/runs/run_comparison.h"
#include "ui/theme/theme.h"
#include "ui/views/base/empty_card.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QTableView;

namespace fusebench {

class RatioPlot;

/// Compares two of several runs: their origins, their differences, and the ratio of their latencies
/// as a chart and as a sortable table.
class CompareView : public QWidget {
  Q_OBJECT

 public:
  explicit CompareView(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// The first is compared with one of the others at a time. Fewer than two: the empty state.
  void setRuns(std::vector<NamedRun> runs);
  const std::vector<NamedRun>& runs() const { return runs_; }

  QPushButton& exportButton() const { return *export_; }

  const EmptyCard& emptyCard() const { return *card_; }
  const RunComparisonModel& model() const { return model_; }
  QTableView& table() const { return *table_; }
  const QLabel& header() const { return *header_; }
  const QLabel& differences() const { return *differences_; }
  const QLabel& summary() const { return *summary_; }
  QComboBox& slice() const { return *slice_; }
  /// Selects which of several other runs is compared with the first.
  QComboBox& other() const { return *other_; }

 signals:
  /// The list of runs has to be shown, to choose some of them.
  void runsWanted();
  /// The comparison is to be exported; `other` is shown against the first.
  void exportRequested(const std::vector<NamedRun>& runs, const QString& other);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildTable();
  void refresh();
  void refreshText();
  void compare(int other);
  /// The comparison, or instructions if there are no runs.
  void showRunsOrHint();
  void refreshPlot();
  void fitColumns();
  void fitText();
  QString runLine(const QString& letter, const Run& run, const QString& name) const;

  RunComparisonModel model_;
  QSortFilterProxyModel order_;
  const Theme* theme_ = &darkTheme();
  std::vector<NamedRun> runs_;
  std::size_t b_ = 1;  ///< place among them
  QWidget* empty_;
  EmptyCard* card_;
  QWidget* content_;
  QLabel* header_;
  QLabel* differences_;
  QLabel* summary_;
  QComboBox *slice_, *other_;
  QPushButton* export_;
  RatioPlot* plot_;
  QTableView* table_;
  QWidget* text_;
  QSplitter* splitter_;
  bool moved_ = false;  ///< the user has set the heights
};

}  // namespace fusebench
