// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/lane_choices.h"

#include <algorithm>

#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

void LaneChoices::reset(const std::vector<std::shared_ptr<const Trace>>& traces) {
  std::size_t same = 0;  // traces in sight that stay where they are
  while (same < std::min(traces.size(), traces_.size()) && traces_[same].lock() == traces[same])
    ++same;
  traces_.assign(traces.begin(), traces.end());
  std::erase_if(entries_, [same](const Entry& entry) { return entry.place.trace >= same; });
  if (same == 0) filter_.clear();
  for (std::size_t t = same; t < traces.size(); ++t)
    for (LaneId lane = 0; lane < traces[t]->lanes().size(); ++lane)
      entries_.push_back({{t, lane}, fullLaneTitle(*traces[t], lane)});
}

LaneChoices::Entry* LaneChoices::find(Place place) {
  const auto found = std::ranges::find(entries_, place, &Entry::place);
  return found == entries_.end() ? nullptr : &*found;
}

const LaneChoices::Entry* LaneChoices::find(Place place) const {
  const auto found = std::ranges::find(entries_, place, &Entry::place);
  return found == entries_.end() ? nullptr : &*found;
}

bool LaneChoices::drawn(const Entry& entry) const {
  return !entry.hidden && (filter_.isEmpty() || entry.name.contains(filter_, Qt::CaseInsensitive));
}

bool LaneChoices::drawn(Place place) const {
  const Entry* entry = find(place);
  return entry && drawn(*entry);
}

bool LaneChoices::collapsed(Place place) const {
  const Entry* entry = find(place);
  return entry && entry->collapsed;
}

bool LaneChoices::pinned(Place place) const {
  const Entry* entry = find(place);
  return entry && entry->pinned;
}

std::size_t LaneChoices::left() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(entries_, [this](const Entry& entry) { return !drawn(entry); }));
}

void LaneChoices::setHidden(Place place, bool hidden) {
  if (Entry* entry = find(place)) entry->hidden = hidden;
}

void LaneChoices::setCollapsed(Place place, bool collapsed) {
  if (Entry* entry = find(place)) entry->collapsed = collapsed;
}

void LaneChoices::setPinned(Place place, bool pinned) {
  if (Entry* entry = find(place)) entry->pinned = pinned;
}

void LaneChoices::hideOthers(Place place) {
  if (!find(place)) return;
  for (Entry& entry : entries_) entry.hidden = entry.place != place;
}

void LaneChoices::collapseAll(bool collapsed) {
  for (Entry& entry : entries_) entry.collapsed = collapsed;
}

void LaneChoices::showAll() {
  filter_.clear();
  counters_ = true;
  for (Entry& entry : entries_) entry.hidden = false;
}

bool LaneChoices::move(Place place, int by) {
  const auto here = std::ranges::find(entries_, place, &Entry::place);
  if (here == entries_.end()) return false;
  auto at = here - entries_.begin();
  const auto count = std::ssize(entries_);
  for (at += by; at >= 0 && at < count; at += by) {
    const Entry& other = entries_[static_cast<std::size_t>(at)];
    if (other.place.trace != place.trace) return false;
    if (drawn(other) && other.pinned == here->pinned) return moveTo(place, other.place);
  }
  return false;
}

bool LaneChoices::moveTo(Place place, Place target) {
  const auto from = std::ranges::find(entries_, place, &Entry::place);
  const auto to = std::ranges::find(entries_, target, &Entry::place);
  if (from == entries_.end() || to == entries_.end() || from == to || place.trace != target.trace)
    return false;
  if (from < to)
    std::rotate(from, from + 1, to + 1);
  else
    std::rotate(to, from, from + 1);
  return true;
}

}  // namespace fusebench
