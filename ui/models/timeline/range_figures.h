// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>

#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

/// Figures of one of the traces on a timeline, in the range that is selected there. They are
/// computed only while they are visible; those of large traces on another thread.
class RangeFigures : public QObject {
  Q_OBJECT

 public:
  void setWanted(bool wanted);
  void setTrace(std::size_t index);
  std::size_t trace() const { return index_; }
  bool busy() const { return busy_; }

 signals:
  void changed();

 protected:
  using Compute =
      std::function<std::shared_ptr<const void>(const std::shared_ptr<const Trace>&, TimeRange)>;
  RangeFigures(TimelineModel& timeline, QObject* parent);
  /// Has copies of everything that it needs, because it may run while this object changes.
  virtual Compute computation() const = 0;
  void refresh();
  /// Null while they are computed, and without a trace.
  const std::shared_ptr<const void>& result() const { return made_; }

 private:
  TimelineModel& timeline_;
  bool wanted_ = false, busy_ = false;
  std::size_t index_ = 0;
  std::shared_ptr<const void> made_;
  int asked_ = 0;
  QThreadPool pool_;  ///< last: its end waits for what still looks at the trace
};

}  // namespace fusebench
