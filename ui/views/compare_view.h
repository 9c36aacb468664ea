// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <memory>

#include "ui/models/run_comparison.h"
#include "ui/theme.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QTableView;

namespace fusebench {

class RatioPlot;

/// Two runs beside each other: where they come from and how they differ, the ratio of their
/// latencies as a chart and as a table that can be sorted.
class CompareView : public QWidget {
  Q_OBJECT

 public:
  explicit CompareView(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Null for either: the empty state.
  void setRuns(std::shared_ptr<const Run> a, const QString& nameA, std::shared_ptr<const Run> b,
               const QString& nameB);

  QPushButton& exportButton() const { return *export_; }

  const RunComparisonModel& model() const { return model_; }
  QTableView& table() const { return *table_; }
  const QLabel& header() const { return *header_; }
  const QLabel& differences() const { return *differences_; }
  const QLabel& summary() const { return *summary_; }
  QComboBox& slice() const { return *slice_; }

 signals:
  /// The comparison shown is to be exported.
  void exportRequested(std::shared_ptr<const Run> a, const QString& nameA,
                       std::shared_ptr<const Run> b, const QString& nameB);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildTable();
  void refresh();
  void refreshText();
  void refreshPlot();
  void fitColumns();
  void fitText();
  QString runLine(const QString& letter, const Run& run, const QString& name) const;

  RunComparisonModel model_;
  QSortFilterProxyModel order_;
  const Theme* theme_ = &darkTheme();
  std::shared_ptr<const Run> a_, b_;
  QString nameA_, nameB_;
  QLabel* empty_;
  QWidget* content_;
  QLabel* header_;
  QLabel* differences_;
  QLabel* summary_;
  QComboBox* slice_;
  QPushButton* export_;
  RatioPlot* plot_;
  QTableView* table_;
  QWidget* text_;
  QSplitter* splitter_;
  bool moved_ = false;  ///< the person has set the heights
};

}  // namespace fusebench
