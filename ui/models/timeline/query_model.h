// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "profiler/trace/trace_query.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

/// The rows of a query's result, as sorted by the user.
class QueryRows : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Null: nothing.
  void setResult(std::shared_ptr<const QueryResult> result);
  const std::shared_ptr<const QueryResult>& result() const { return result_; }
  /// The row of the result that is displayed there.
  std::size_t placeOf(int row) const { return order_[static_cast<std::size_t>(row)]; }
  /// These rows, or all of them, in the order shown, as a CSV table.
  QString csv(const std::vector<int>& rows = {}) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// In SQLite's order: NULL, numbers, texts. Column -1: the order of the query.
  void sort(int column, Qt::SortOrder order) override;

 private:
  std::shared_ptr<const QueryResult> result_;
  std::vector<std::uint32_t> order_;
};

/// One query at a time over one of the traces on a timeline, on another thread.
class QueryModel : public QObject {
  Q_OBJECT

 public:
  explicit QueryModel(TimelineModel& timeline, QObject* parent = nullptr);

  void setTrace(std::size_t index) { index_ = index; }
  std::size_t trace() const { return index_; }
  /// Stops the previous one.
  void run(const QString& sql);
  void cancel();
  bool busy() const { return task_.busy(); }
  const QString& error() const { return error_; }  ///< one line; empty: there is none
  double seconds() const { return seconds_; }      ///< for the last result
  QueryRows& rows() { return rows_; }

  /// A row of the result leads to the event in its column "event", else to the time that begins at
  /// its "from_ns" or "start_ns".
  bool leadsSomewhere() const { return eventColumn_ >= 0 || fromColumn_ >= 0; }
  /// Shows the event or time that a displayed row refers to. False: there is none, or its trace is
  /// no longer open.
  bool goTo(int row);

 signals:
  void changed();

 private:
  struct Answer {
    std::shared_ptr<const QueryResult> result;
    QString error;
    double seconds = 0;
  };
  void take(Answer answer);

  TimelineModel& timeline_;
  std::size_t index_ = 0;
  std::weak_ptr<const Trace> asked_;
  QString error_;
  double seconds_ = 0;
  int eventColumn_ = -1, fromColumn_ = -1, lengthColumn_ = -1;
  QueryRows rows_;
  LatestTask task_;  ///< last: its end waits for what still looks at the trace
};

}  // namespace fusebench
