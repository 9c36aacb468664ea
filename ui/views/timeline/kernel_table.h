// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTableView>
#include <vector>

class QStandardItem;
class QStandardItemModel;

namespace fusebench {

/// Time by kernel: each row has a kernel's name, then figures.
class KernelTable : public QTableView {
 public:
  explicit KernelTable(QWidget* parent = nullptr);

  /// Total, share, count, mean, min and max, after the name.
  static QStringList usualTitles();
  /// Clears it; the first title is that of the names. `texts`: columns of text, which are
  /// left-aligned. A table that has some keeps its columns together instead of widening the names.
  void begin(const QStringList& titles, std::vector<int> texts = {});
  /// The least width in which no column scrolls.
  int leastWidth() const;
  /// A square before a title, in the color that represents this column in drawings.
  void markTitle(int column, const QColor& color);
  /// Sets the tool tip of a column's title, which describes its figures.
  void explainTitle(int column, const QString& words);
  /// Its item of the name.
  QStandardItem* addKernel(const QString& name, const QStringList& figures);
  /// The name of a row as it is drawn: shortened to the column's width in a way that keeps
  /// different names different.
  QString shownName(int row) const;
  /// Columns as wide as their figures; the names take the rest of the width.
  void fitColumns();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void widenNames();

  bool isText(int column) const;

  std::vector<int> texts_;
  int namesWidth_ = 0;                  ///< that shows the names in full
  int textWidth_ = 0;                   ///< of the last column of text, without room that is left
  mutable std::vector<QString> shown_;  ///< for each row, in a column of that width
  mutable int shownFor_ = -1;
  QStandardItemModel* rows_;
};

}  // namespace fusebench
