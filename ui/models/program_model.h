// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "profiler/experiment.h"

namespace fusebench {

/// The chain as a list: one row a statement up to the largest n on the `statements` axis (a chain
/// that is shorter cycles), then the return. Rows past the active n are not part of what is
/// measured there.
class ProgramModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    NumberRole = Qt::UserRole,  ///< from 1; 0 for the return
    ActiveRole,                 ///< whether the row runs at the active n
    RepeatedRole,               ///< whether the row is a statement of the first pass again
    ReturnRole
  };
  using QAbstractListModel::QAbstractListModel;

  void setExperiment(const Experiment* experiment);
  /// n in statements; 0: everything is active.
  void setActiveCount(int n);
  int activeCount() const { return active_; }
  int statementCount() const { return static_cast<int>(rows_.size()) - (rows_.empty() ? 0 : 1); }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    QString text;
    int number = 0;
    bool repeated = false;
  };
  std::vector<Row> rows_;
  int active_ = 0;
};

/// One entry an input set: what its variants run on.
struct InputLine {
  QString set;
  QString text;      ///< "x (i % 10 + 4, 16)"
  QString count;     ///< "i = 0 … 299"; empty for a single entry
  QString variants;  ///< "eager, dynamic"
};
std::vector<InputLine> inputLines(const Experiment& experiment);

}  // namespace fusebench
