// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workbench that moves views about and keeps layouts.
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSplitter>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/panel.h"
#include "ui/views/base/tab_panel.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/view_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

const ViewRow* Workbench::rowOf(const QString& key) const {
  for (const auto& [row, view] : views_)
    if (key == QLatin1String(row->key)) return row;
  return nullptr;
}

void Workbench::noteCurrent(const QString& key) {
  const ViewRow* row = rowOf(key);
  if (!row) return;
  current_ = key;
  if (row->place == ViewPlace::center) result_ = key;
}

/// Notes which view has the keyboard.
void Workbench::follow(QWidget* focused) {
  if (!focused) return;
  for (const auto& [row, view] : views_)
    if (view == focused || view->isAncestorOf(focused)) noteCurrent(QLatin1String(row->key));
}

QString Workbench::currentView() const {
  return !current_.isEmpty() && shows(current_) ? current_ : currentResult();
}

QString Workbench::currentResult() const {
  if (!result_.isEmpty() && shows(result_)) return result_;
  return parts_[static_cast<std::size_t>(ViewPlace::center)].tabs->shown();
}

void Workbench::split(Qt::Orientation orientation) {
  // Asked for again, it turns the second group, or fills it with the next view of the results.
  const QString key = currentView();
  groups_->putBeside(key, orientation);
  showView(key, true);
}

void Workbench::moveToOtherGroup() {
  const QString key = currentView();
  if (groups_->spotOf(key) == ViewGroups::Spot::home)
    groups_->putBeside(key, groups_->orientation());
  else
    groups_->putHome(key);
  showView(key, true);
}

void Workbench::detachOrReturn() {
  const QString key = currentView();
  if (groups_->spotOf(key) == ViewGroups::Spot::window)
    groups_->putHome(key);
  else
    groups_->detach(key);
  showView(key, true);
}

void Workbench::openTabMenu(const QString& key, QPoint place) {
  using Spot = ViewGroups::Spot;
  const Spot spot = groups_->spotOf(key);
  QMenu menu(this);
  const auto add = [&](const QString& text, bool possible, auto&& task) {
    QAction* action = menu.addAction(text, this, task);
    action->setEnabled(possible && groups_->mayLeave(key));
  };
  add(uiText("Split right"), true, [&] { groups_->putBeside(key, Qt::Horizontal); });
  add(uiText("Split below"), true, [&] { groups_->putBeside(key, Qt::Vertical); });
  add(uiText("Move back to the main window"), spot != Spot::home, [&] { groups_->putHome(key); });
  add(uiText("Own window"), spot != Spot::window, [&] { groups_->detach(key); });
  menu.exec(place);
}

WindowLayout Workbench::layout() const {
  WindowLayout layout;
  layout.leftHidden = chosenHidden(Region::left);
  layout.rightHidden = chosenHidden(Region::right);
  layout.tableHidden = chosenHidden(Region::table);
  groups_->save(layout);
  for (const QSplitter* each : splitters_) layout.splitters[each->objectName()] = each->saveState();
  return layout;
}

void Workbench::takeLayout(const WindowLayout& layout) {
  focusMode_ = false;
  hidden_ = {layout.leftHidden, layout.rightHidden, layout.tableHidden};
  groups_->restore(layout);
  for (QSplitter* each : splitters_)
    if (const auto state = layout.splitters.find(each->objectName());
        state != layout.splitters.end())
      each->restoreState(state->second);
  // A splitter's state has its direction, too, which is the groups' to know.
  groups_->setNarrow(narrow_);
  applyRegions();
  emit regionsChanged();
}

void Workbench::saveLayout() {
  models_.settings.setPlace(QStringLiteral("layout/") + QLatin1String(nameOf(kind_)),
                            toJson(layout()));
}

void Workbench::setKind(FileKind kind) {
  if (kind == kind_) return;
  saveLayout();
  kind_ = kind;
  const auto kept = [this](FileKind of) {
    return models_.settings.place(QStringLiteral("layout/") + QLatin1String(nameOf(of)))
        .toByteArray();
  };
  if (const QByteArray own = kept(kind); !own.isEmpty()) return takeLayout(windowLayout(own));
  // The first time: as for an experiment, but a trace has nothing to do with the chain, and a file
  // that is a table alone has no findings next to it either.
  WindowLayout layout = windowLayout(kept(FileKind::experiment));
  const bool isTable = kind == FileKind::executionTrace || kind == FileKind::compileLog;
  if (isTable || kind == FileKind::trace) {
    const bool right = layout.rightHidden;
    layout = this->layout();
    layout.leftHidden = true;
    // A lesson that asks for such a file stays next to it.
    layout.rightHidden = right || (isTable && !models_.course.lesson());
  }
  takeLayout(layout);
}

}  // namespace fusebench
