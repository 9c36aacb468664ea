// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "profiler/trace/operator_groups.h"
#include "profiler/trace/operator_tree.h"
#include "profiler/trace/roofline.h"
#include "ui/models/timeline/range_figures.h"

namespace fusebench {

/// The position of each call, and of each piece of device work, in a list of figures, by event.
class PlacesByEvent {
 public:
  PlacesByEvent() = default;
  /// `placeOfFrame`: the place of each frame's call; kNoGroup: it has none.
  PlacesByEvent(const OperatorFrames& frames, const std::vector<std::uint32_t>& placeOfFrame);
  /// kNoGroup: the event has none.
  std::uint32_t of(EventId event) const;

 private:
  std::vector<std::pair<EventId, std::uint32_t>> places_;  ///< sorted
};

/// The operators of a trace as groups and trees.
class OperatorFigures : public RangeFigures {
  Q_OBJECT

 public:
  explicit OperatorFigures(TimelineModel& timeline, QObject* parent = nullptr);
  void groupBy(std::vector<OperatorKey> keys);

  struct Made {
    std::shared_ptr<const Trace> trace;
    std::vector<OperatorGroup> groups;
    OperatorTree tree, callers;
    PlacesByEvent placesByEvent;
    /// The group of an event; kNoGroup: it has none.
    std::uint32_t groupOf(EventId event) const { return placesByEvent.of(event); }
  };
  /// Null while they are computed, and without a trace.
  std::shared_ptr<const Made> made() const {
    return std::static_pointer_cast<const Made>(result());
  }

 private:
  Compute computation() const override;

  std::vector<OperatorKey> keys_{OperatorKey::op};
};

/// The operators of a trace on the roofline of its device.
class RooflineFigures : public RangeFigures {
  Q_OBJECT

 public:
  explicit RooflineFigures(TimelineModel& timeline, QObject* parent = nullptr);

  struct Made {
    std::shared_ptr<const Trace> trace;
    Roofline roofline;
    PlacesByEvent placesByEvent;
    Nanoseconds total = 0;  ///< for all points
  };
  /// Null while they are computed, and without a trace.
  std::shared_ptr<const Made> made() const {
    return std::static_pointer_cast<const Made>(result());
  }

 private:
  Compute computation() const override;
};

}  // namespace fusebench
