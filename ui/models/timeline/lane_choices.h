// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// Which lanes of the shown traces are drawn, in which order, and how: what the user has hidden,
/// collapsed, pinned and moved. Identifies lanes by their index in their trace; initially, all are
/// drawn.
class LaneChoices {
 public:
  struct Place {
    std::size_t trace = 0;
    LaneId lane = 0;
    auto operator<=>(const Place&) const = default;
  };
  struct Entry {
    Place place;
    QString name;            ///< in full: "stream 7 · GPU 0"
    bool hidden = false;     ///< by its tick
    bool collapsed = false;  ///< all of its rows merged into one
    bool pinned = false;     ///< stays at the top when scrolling
  };

  /// All lanes in the order of the traces, none hidden; lanes of a trace that was shown before keep
  /// their position and settings.
  void reset(const std::vector<std::shared_ptr<const Trace>>& traces);
  /// In the order of drawing, trace by trace; hidden ones, too.
  const std::vector<Entry>& entries() const { return entries_; }
  /// Only lanes whose full name contains this are drawn; case does not matter; empty: all.
  void setFilter(const QString& text) { filter_ = text; }
  const QString& filter() const { return filter_; }
  /// Counters are drawn, too; the filter also applies to their names.
  void setCounters(bool drawn) { counters_ = drawn; }
  bool counters() const { return counters_; }
  bool drawsCounter(const QString& name) const {
    return counters_ && (filter_.isEmpty() || name.contains(filter_, Qt::CaseInsensitive));
  }

  bool drawn(const Entry& entry) const;
  bool drawn(Place place) const;
  bool collapsed(Place place) const;
  bool pinned(Place place) const;
  std::size_t left() const;  ///< how many are not drawn

  // Calls for an unknown lane are ignored.
  void setHidden(Place place, bool hidden);
  void setCollapsed(Place place, bool collapsed);
  void setPinned(Place place, bool pinned);
  void hideOthers(Place place);
  void collapseAll(bool collapsed);
  /// All lanes, in their current order, without a filter.
  void showAll();
  /// Swaps it with the next or the previous lane of its trace that is drawn. False at the end.
  bool move(Place place, int by);
  /// Puts it in front of another of the same trace, or behind it if it comes from above.
  bool moveTo(Place place, Place target);

 private:
  Entry* find(Place place);
  const Entry* find(Place place) const;

  std::vector<std::weak_ptr<const Trace>> traces_;  ///< that the entries are of
  std::vector<Entry> entries_;
  QString filter_;
  bool counters_ = true;
};

}  // namespace fusebench
