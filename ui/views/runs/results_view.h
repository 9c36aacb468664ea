// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/models/runs/results_filter_model.h"
#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace fusebench {

/// The table of results, grouped by point; a line of text before there are any. Clicking a column
/// header sorts by it in ascending, then descending, then the original order. The field above
/// filters. Ctrl+C copies the selected rows (or all if none is selected) for a spreadsheet, Ctrl+F
/// goes to the filter, Enter shows the row's point in the chart.
class ResultsView : public QWidget {
  Q_OBJECT

 public:
  explicit ResultsView(ResultsTableModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Marks the rows at a point; with `scroll`, makes the first one visible. Empty: marks none.
  void mark(std::optional<double> x, bool scroll);
  /// Puts the whole table on the clipboard, as tab-separated text.
  void copyAll() const;
  /// The selected rows in the order shown; all rows shown if none is selected.
  void copySelection() const;
  QTableView& table() const { return *table_; }
  QLineEdit& filter() const { return *filter_; }
  ResultsFilterModel& shown() const { return *shown_; }

 signals:
  void picked(double x);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildTable();
  void fitColumns(bool anew);
  void setPadding(int padding);
  void stretchLast();
  void refreshCount();

  QTimer refit_;
  ResultsTableModel& model_;
  ResultsFilterModel* shown_;
  const Theme* theme_ = &darkTheme();
  std::optional<double> marked_;
  QTableView* table_;
  QLineEdit* filter_;
  QLabel* count_;
  QLabel* empty_;
  QStackedLayout* stack_;
  std::vector<int> widths_;  ///< that the columns need
  int padding_ = 0;          ///< of the cells
};

}  // namespace fusebench
