// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/results_table_model.h"
#include "ui/theme.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace fusebench {

/// The table of results, grouped by place on the axis; a line of text before there are any.
class ResultsView : public QWidget {
  Q_OBJECT

 public:
  explicit ResultsView(ResultsTableModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Brings the rows at a place into view and marks them.
  void mark(std::optional<double> x, bool scroll);
  /// Puts the whole table on the clipboard, as tab-separated text.
  void copyAll() const;
  QTableView& table() const { return *table_; }

 signals:
  void picked(double x);

 private:
  void fitColumns(bool anew);

  ResultsTableModel& model_;
  const Theme* theme_ = &darkTheme();
  std::optional<double> marked_;
  QTableView* table_;
  QLabel* empty_;
  QStackedLayout* stack_;
};

}  // namespace fusebench
