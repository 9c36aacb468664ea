// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// Which lanes of the traces shown are drawn, in which order, and how: what a person has hidden,
/// collapsed, pinned and moved. Knows lanes by their place in their trace; begins with all of them.
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
    bool collapsed = false;  ///< all of its rows in one
    bool pinned = false;     ///< stays at the top whatever is scrolled
  };

  /// All lanes as the traces have them, nothing hidden; those of a trace that was there before in
  /// the same place, with what was chosen of them.
  void reset(const std::vector<std::shared_ptr<const Trace>>& traces);
  /// In the order of drawing, trace by trace; hidden ones, too.
  const std::vector<Entry>& entries() const { return entries_; }
  /// Only lanes whose full name holds this are drawn, without regard to capitals; empty: all.
  void setFilter(const QString& text) { filter_ = text; }
  const QString& filter() const { return filter_; }
  /// Counters are drawn, too; the filter is about their names as well.
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
  /// All lanes, in the order that they have now; without a filter.
  void showAll();
  /// Changes places with the next lane of its trace that is drawn, or the one before. False at the
  /// end.
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
