// SPDX-License-Identifier: GPL-3.0-or-later
// What TimelineCanvas does with lanes: collapsing, pinning, hiding, moving.
#include <QContextMenuEvent>
#include <QMenu>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {

/// A click on a name: deep rows open or fold, else the lane collapses to one row or comes back.
void TimelineCanvas::clickLane(const QPoint& at) {
  if (const Band* fold = foldAt(at)) return toggleLane(fold->trace, fold->lane);
  const auto place = laneAt(at);
  if (!place) return;
  const Trace& trace = *model_.shown()[place->trace].trace;
  if (trace.rowsOf(place->lane).size() < 2) return;
  model_.changeLanes(
      [&](LaneChoices& lanes) { lanes.setCollapsed(*place, !lanes.collapsed(*place)); });
}

void TimelineCanvas::fillLaneMenu(QMenu& menu, LaneChoices::Place place) {
  const LaneChoices& now = model_.lanes();
  const auto add = [&](const QString& text, const QString& keys, auto change) {
    QAction* action = menu.addAction(keys.isEmpty() ? text : text + u'\t' + keys);
    connect(action, &QAction::triggered, this,
            [this, change] { model_.changeLanes([&](LaneChoices& lanes) { change(lanes); }); });
    return action;
  };
  const bool collapsed = now.collapsed(place), pinned = now.pinned(place);
  add(collapsed ? uiText("Show all rows") : uiText("Collapse to one row"), uiText("C"),
      [=](LaneChoices& lanes) { lanes.setCollapsed(place, !collapsed); });
  add(uiText("Collapse all tracks"), uiText("Shift+C"),
      [](LaneChoices& lanes) { lanes.collapseAll(true); });
  add(uiText("Show all rows of all tracks"), {},
      [](LaneChoices& lanes) { lanes.collapseAll(false); });
  menu.addSeparator();
  add(pinned ? uiText("Unpin") : uiText("Pin to the top"), uiText("T"),
      [=](LaneChoices& lanes) { lanes.setPinned(place, !pinned); });
  add(uiText("Move up"), uiText("Alt+Up"), [=](LaneChoices& lanes) { lanes.move(place, -1); });
  add(uiText("Move down"), uiText("Alt+Down"), [=](LaneChoices& lanes) { lanes.move(place, 1); });
  menu.addSeparator();
  add(uiText("Hide"), uiText("H"), [=](LaneChoices& lanes) { lanes.setHidden(place, true); });
  add(uiText("Hide all others"), {}, [=](LaneChoices& lanes) { lanes.hideOthers(place); });
  const auto left = now.left();
  add(left > 0 ? uiText("Show all tracks (%1 left out)").arg(left) : uiText("Show all tracks"),
      uiText("Shift+H"), [](LaneChoices& lanes) { lanes.showAll(); })
      ->setEnabled(left > 0);
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
  auto place = laneAt(event->pos());
  // The menu key opens the menu for the lane of the current event.
  if (!place) {
    const auto& at = model_.current();
    if (event->reason() == QContextMenuEvent::Mouse || !at)
      return QAbstractScrollArea::contextMenuEvent(event);
    const Trace& trace = *model_.shown()[at->trace].trace;
    place = LaneChoices::Place{at->trace, trace.rows()[trace.rowOf(at->event)].lane};
  }
  QMenu menu(this);
  fillLaneMenu(menu, *place);
  menu.exec(event->globalPos());
}

/// Handles keys for lanes: the lane of the current event or, with Shift, all lanes.
bool TimelineCanvas::laneKey(int key, Qt::KeyboardModifiers modifiers) {
  const bool shift = modifiers & Qt::ShiftModifier, alt = modifiers & Qt::AltModifier;
  if (shift && (key == Qt::Key_H || key == Qt::Key_C)) {
    model_.changeLanes([&](LaneChoices& lanes) {
      if (key == Qt::Key_H) return lanes.showAll();
      const bool all = std::ranges::all_of(lanes.entries(), &LaneChoices::Entry::collapsed);
      lanes.collapseAll(!all);
    });
    return true;
  }
  const bool moves = alt && (key == Qt::Key_Up || key == Qt::Key_Down);
  if (!moves && (modifiers & ~Qt::KeypadModifier ||
                 (key != Qt::Key_C && key != Qt::Key_T && key != Qt::Key_H)))
    return false;
  const auto& current = model_.current();
  if (!current) return moves;
  const Trace& trace = *model_.shown()[current->trace].trace;
  const LaneChoices::Place place{current->trace, trace.rows()[trace.rowOf(current->event)].lane};
  model_.changeLanes([&](LaneChoices& lanes) {
    if (moves) {
      lanes.move(place, key == Qt::Key_Up ? -1 : 1);
    } else if (key == Qt::Key_C) {
      lanes.setCollapsed(place, !lanes.collapsed(place));
    } else if (key == Qt::Key_T) {
      lanes.setPinned(place, !lanes.pinned(place));
    } else {
      lanes.setHidden(place, true);
    }
  });
  return true;
}

}  // namespace fusebench
