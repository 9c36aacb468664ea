// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "profiler/analysis/wording.h"
#include "ui/models/results/run_model.h"

namespace fusebench {

/// The run as a table: one row a cell, in the order of Run::cells (variants innermost).
class ResultsTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Role {
    VariantRole = Qt::UserRole,  ///< index of the row's variant
    SeriesRole,                  ///< the series that it is drawn in
    GroupStartRole,              ///< whether the row is the first at its place on the axes
    AxisValueRole,               ///< value on the first axis
    RawRole,   ///< the value behind the text, to sort by; invalid if there is none
    MutedRole  ///< whether the text is secondary
  };
  /// Columns after those of the axes.
  enum Column {
    variantColumn,
    latencyColumn,
    intervalColumn,
    speedUpColumn,
    launchesColumn,
    hostColumn,  ///< this and the next three: for asynchronous devices
    deviceColumn,
    eventsColumn,
    aloneColumn,
    errorColumn,
    stopColumn,
    kColumns
  };

  explicit ResultsTableModel(const RunModel& run, QObject* parent = nullptr);

  int axisCount() const { return axes_; }
  /// Whether any cell has separate device times: without them, their columns are empty.
  bool hasDeviceTimes() const;
  /// Whether this column has anything to show of the run's device.
  bool hasDeviceColumn(int column) const;
  const Run* run() const { return run_.run(); }
  /// Row of the first cell at `value` on the first axis, or -1.
  int firstRowAt(std::int64_t value) const;
  /// For a spreadsheet: tab-separated, a header with units, plain numbers, empty where there is
  /// none. All rows, or these.
  QString toText() const;
  QString toText(const std::vector<int>& rows) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void letGo();
  void take();
  void refresh(const std::vector<int>& rows);
  bool isBaseline(const Cell& cell) const;
  QVariant text(const Cell& cell, const CellSummary& summary, int section) const;
  QVariant raw(const Cell& cell, const CellSummary& summary, int section) const;
  QVariant toolTip(const Cell& cell, const CellSummary& summary, int section) const;

  const RunModel& run_;
  int rows_ = 0;
  int axes_ = 0;
  std::vector<wording::PlaceStyle> styles_;  ///< one per axis
};

}  // namespace fusebench
