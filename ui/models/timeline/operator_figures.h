// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>
#include <utility>
#include <vector>

#include "profiler/trace/operator_groups.h"
#include "profiler/trace/operator_tree.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

/// The operators of one of the traces on a timeline, in what is selected there. They are computed
/// only while something shows them, those of large traces on another thread.
class OperatorFigures : public QObject {
  Q_OBJECT

 public:
  explicit OperatorFigures(TimelineModel& timeline, QObject* parent = nullptr);

  void setWanted(bool wanted);
  void setTrace(std::size_t index);
  std::size_t trace() const { return index_; }
  void groupBy(std::vector<OperatorKey> keys);

  /// Null while they are computed, and without a trace.
  struct Made {
    std::shared_ptr<const Trace> trace;
    std::vector<OperatorGroup> groups;
    OperatorTree tree, callers;
    /// The group of every call and of every piece of device work, by event.
    std::vector<std::pair<EventId, std::uint32_t>> groupsByEvent;
    /// The group of an event; kNoGroup: it has none.
    std::uint32_t groupOf(EventId event) const;
  };
  const std::shared_ptr<const Made>& made() const { return made_; }
  bool busy() const { return busy_; }

 signals:
  void changed();

 private:
  void refresh();

  TimelineModel& timeline_;
  bool wanted_ = false;
  std::size_t index_ = 0;
  std::vector<OperatorKey> keys_{OperatorKey::op};
  std::shared_ptr<const Made> made_;
  int asked_ = 0;
  bool busy_ = false;
  QThreadPool pool_;  ///< last: its end waits for what still looks at the trace
};

}  // namespace fusebench
