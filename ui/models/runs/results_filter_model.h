// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

#include "ui/models/runs/results_table_model.h"

namespace fusebench {

/// The results in another order, or only some of them. Sorting uses the values behind the text;
/// rows without a value are last in either direction. A filter consists of words that must all
/// match a row: part of the variant's name or of the reason why it stopped, a value on an axis
/// ("30"), or a condition on an axis ("elements>=4096", "n<10" with any prefix of the axis' name,
/// or "n" for the first axis).
class ResultsFilterModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ResultsFilterModel(ResultsTableModel& table, QObject* parent = nullptr);

  void setFilterText(const QString& text);
  ResultsTableModel& table() const { return table_; }
  bool sorted() const { return sortColumn() >= 0; }
  QVariant data(const QModelIndex& index, int role) const override;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  bool fits(const QString& word, const Run& run, const Cell& cell) const;

  ResultsTableModel& table_;
  QStringList words_;
};

}  // namespace fusebench
