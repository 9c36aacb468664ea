// SPDX-License-Identifier: GPL-3.0-or-later
// Notes on a TimelineModel, and its ruler.
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {

void TimelineModel::addNote() {
  if (empty()) return;
  TraceNote note;
  const std::size_t t = current_ ? current_->trace : 0;
  const Trace& trace = *shown_[t].trace;
  const auto middle = static_cast<Nanoseconds>((from_ + to_) / 2);
  const Nanoseconds moment = std::clamp<Nanoseconds>(middle, 0, trace.length());
  note.time = selection_ ? *selection_
              : current_ ? TimeRange{trace.start(current_->event), trace.end(current_->event)}
                         : TimeRange{moment, moment};
  // The current event may be far from the selected range.
  if (current_ && trace.start(current_->event) < note.time.to + 1 &&
      trace.end(current_->event) >= note.time.from)
    note.about = text(labelOf(trace, current_->event));
  note.text = !note.about.isEmpty() ? note.about
              : selection_          ? uiText("Selected %1").arg(exactTime(note.time.length()))
                                    : uiText("Bookmark");
  notes_.add(t, std::move(note));
}

void TimelineModel::showNote(TraceNotes::Place place) {
  const auto& notes = notes_.of(place.trace);
  if (place.note >= notes.size()) return;
  const TimeRange time = notes[place.note].time;
  if (time.length() > 0) {
    showTime(time);
  } else {
    const auto at = static_cast<double>(time.from);
    const double half = (to_ - from_) / 2;
    if (at < from_ || at > to_) setView(at - half, at + half);
  }
  stepped_ = SteppedNote{time.from, from_, to_};
}

bool TimelineModel::stepNote(bool backwards) {
  // At the ends of a trace a note is not in the middle of what is seen.
  const bool there = stepped_ && stepped_->from == from_ && stepped_->to == to_;
  const Nanoseconds here = there       ? stepped_->time
                           : backwards ? static_cast<Nanoseconds>(to_)
                                       : static_cast<Nanoseconds>(from_) - 1;
  auto found = notes_.next(here, backwards);
  // Around the end.
  constexpr Nanoseconds kBeyondAll = Nanoseconds{1} << 62;
  if (!found) found = notes_.next(backwards ? kBeyondAll : -kBeyondAll, backwards);
  if (!found) return false;
  showNote(*found);
  return true;
}

void TimelineModel::setRuler(std::optional<Ruler> ruler) {
  if (ruler == ruler_) return;
  ruler_ = ruler;
  emit rulerChanged();
}

QStringList TimelineModel::rulerFacts() const {
  if (!ruler_) return {};
  const auto end = [this](const std::optional<Place>& at, bool isEnd, Nanoseconds time) {
    if (!at || at->trace >= shown_.size()) return exactTime(time);
    const QString name = text(labelOf(*shown_[at->trace].trace, at->event));
    return isEnd ? uiText("the end of %1").arg(name) : uiText("the start of %1").arg(name);
  };
  QStringList facts{exactTime(ruler_->time.length())};
  facts << uiText("from %1").arg(end(ruler_->from, ruler_->fromEnd, ruler_->time.from));
  facts << uiText("to %1").arg(end(ruler_->to, ruler_->toEnd, ruler_->time.to));
  return facts;
}

}  // namespace fusebench
