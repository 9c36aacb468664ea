// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/models/run_model.h"

namespace fusebench {

/// The run as a table: one row a cell, in the order of Run::cells (variants innermost).
class ResultsTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    VariantRole = Qt::UserRole,  ///< index of the row's variant
    GroupStartRole,              ///< whether the row is the first at its place on the axes
    AxisValueRole,               ///< value on the first axis
    RawRole,                     ///< the number behind the text, for sorting and copying
    MutedRole                    ///< whether the text is secondary
  };
  /// Columns after those of the axes.
  enum Column {
    variantColumn,
    latencyColumn,
    intervalColumn,
    speedUpColumn,
    launchesColumn,
    errorColumn,
    stopColumn,
    kColumns
  };

  explicit ResultsTableModel(const RunModel& run, QObject* parent = nullptr);

  int axisCount() const { return axes_; }
  /// Row of the first cell at `value` on the first axis, or -1.
  int firstRowAt(std::int64_t value) const;
  /// The whole table as tab-separated text with a header line.
  QString toText() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    Estimate latency;
    Estimate speedUp;
    bool isBaseline = false;
    bool drifted = false;
  };
  void reset();
  void refresh();
  Row describe(const Run& run, const Cell& cell) const;
  QVariant text(const Cell& cell, const Row& row, int section) const;
  QVariant raw(const Cell& cell, const Row& row, int section) const;
  QVariant toolTip(const Cell& cell, const Row& row, int section) const;

  const RunModel& run_;
  std::vector<Row> rows_;
  int axes_ = 0;
};

/// Why sampling of a cell ended, in a word or two.
QString stopText(const Cell& cell);

}  // namespace fusebench
