// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_groups.h"

#include <QSplitter>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/panel.h"
#include "ui/views/window/drop_places.h"
#include "ui/views/window/view_window.h"

namespace fusebench {
namespace {

constexpr int kBesideLeastWidth = 240, kBesideLeastHeight = 120;
/// From the pointer to the corner of a window that a tab was dropped into.
constexpr QPoint kIntoTitle(60, 20);

/// The place of a part in `owner`; empty where it is not in sight.
QRect placeOf(const QWidget* part, const QWidget& owner) {
  if (!part || !part->isVisible() || !owner.isAncestorOf(part)) return {};
  return {part->mapTo(&owner, QPoint()), part->size()};
}

}  // namespace

ViewGroups::ViewGroups(QSplitter& room, QWidget& owner)
    : QObject(&owner), room_(room), owner_(owner) {}

void ViewGroups::addHome(TabPanel& tabs) {
  Home home;
  home.tabs = &tabs;
  home.order = tabs.keys();
  homes_.push_back(std::move(home));
  followDrags(tabs);
}

void ViewGroups::addHome(Panel& panel, const QString& key, const QString& title, QWidget* view) {
  Home home;
  home.panel = &panel;
  home.key = key;
  home.title = title;
  home.view = view;
  homes_.push_back(std::move(home));
}

const ViewGroups::Home* ViewGroups::homeOf(const QString& key) const {
  for (const Home& home : homes_)
    if (home.tabs ? home.order.contains(key) : home.key == key) return &home;
  return nullptr;
}

ViewWindow* ViewGroups::windowOf(const QString& key) const {
  const auto found = windows_.find(key);
  return found == windows_.end() ? nullptr : found->second;
}

ViewGroups::Spot ViewGroups::spotOf(const QString& key) const {
  if (windowOf(key)) return Spot::window;
  return beside_ && beside_->has(key) ? Spot::beside : Spot::home;
}

bool ViewGroups::mayLeave(const QString& key) const {
  const Home* home = homeOf(key);
  if (!home) return false;
  return spotOf(key) != Spot::home || !home->tabs || home->tabs->count() > 1;
}

/// Out of wherever it is.
TabPanel::Page ViewGroups::take(const QString& key) {
  if (ViewWindow* window = windowOf(key)) {
    windows_.erase(key);
    TabPanel::Page page = window->release();
    window->hide();
    window->deleteLater();
    return page;
  }
  if (beside_ && beside_->has(key)) {
    TabPanel::Page page = beside_->take(key);
    beside_->setVisible(beside_->count() > 0);
    return page;
  }
  const Home& home = *homeOf(key);
  if (home.tabs) return home.tabs->take(key);
  home.panel->hide();
  return {home.key, home.title, home.view, nullptr};
}

void ViewGroups::makeBeside() {
  if (beside_) return;
  beside_ = new TabPanel(uiText("Views next to the results"), &room_);
  beside_->setObjectName(QStringLiteral("besideTabs"));
  beside_->setMinimumSize(kBesideLeastWidth, kBesideLeastHeight);
  connect(beside_, &TabPanel::shownChanged, this, &ViewGroups::shownChanged);
  connect(beside_, &TabPanel::menuWanted, this, &ViewGroups::menuWanted);
  followDrags(*beside_);
}

void ViewGroups::followDrags(TabPanel& tabs) {
  connect(&tabs, &TabPanel::dragMoved, this, &ViewGroups::drag);
  connect(&tabs, &TabPanel::dropped, this, &ViewGroups::drop);
  connect(&tabs, &TabPanel::dragCanceled, this, [this] {
    if (hint_) hint_->hide();
  });
}

DropPlaces ViewGroups::placesFor(const QString& key) const {
  const Home& home = *homeOf(key);
  const QRect frame = owner_.window()->frameGeometry();
  DropPlaces places;
  places.window = {owner_.mapFromGlobal(frame.topLeft()), frame.size()};
  places.room = placeOf(&room_, owner_);
  if (besideShown()) places.second = placeOf(beside_, owner_);
  places.home = placeOf(home.tabs ? static_cast<QWidget*>(home.tabs) : home.panel, owner_);
  places.homeIsRoom = home.tabs && home.tabs->parentWidget() == &room_;
  places.away = spotOf(key) != Spot::home;
  places.inSecond = spotOf(key) == Spot::beside;
  places.inWindow = spotOf(key) == Spot::window;
  places.narrow = narrow_;
  return places;
}

void ViewGroups::drag(const QString& key, QPoint screen) {
  if (!hint_) hint_ = new DropHint(owner_);
  const QPoint at = owner_.mapFromGlobal(screen);
  hint_->show(mayLeave(key) ? dropAt(placesFor(key), at) : TabDrop(), at);
}

void ViewGroups::drop(const QString& key, QPoint screen) {
  if (hint_) hint_->hide();
  if (!mayLeave(key)) return;
  switch (dropAt(placesFor(key), owner_.mapFromGlobal(screen)).to) {
    case TabDrop::To::nothing:
      return;
    case TabDrop::To::right:
      putBeside(key, Qt::Horizontal);
      break;
    case TabDrop::To::below:
      putBeside(key, Qt::Vertical);
      break;
    case TabDrop::To::otherGroup:
      putBeside(key, orientation_);
      break;
    case TabDrop::To::home:
      putHome(key);
      break;
    case TabDrop::To::window:
      detach(key);
      if (ViewWindow* window = windowOf(key)) window->move(screen - kIntoTitle);
      break;
  }
  emit dropped(key);
}

void ViewGroups::turn() {
  room_.setOrientation(narrow_ ? Qt::Vertical : orientation_);
}

void ViewGroups::setNarrow(bool narrow) {
  narrow_ = narrow;
  turn();
}

void ViewGroups::putBeside(const QString& key, Qt::Orientation orientation) {
  if (!mayLeave(key)) return;
  const bool first = !besideShown();
  orientation_ = orientation;
  turn();
  if (spotOf(key) != Spot::beside) {
    makeBeside();
    beside_->put(take(key), beside_->count());
  }
  beside_->show();
  // Half of the room for each, until the person decides otherwise.
  if (first) {
    const int all = room_.orientation() == Qt::Horizontal ? room_.width() : room_.height();
    room_.setSizes({all / 2, all / 2});
  }
  beside_->showView(key);
  emit moved();
}

void ViewGroups::detach(const QString& key, const QByteArray& geometry) {
  if (!mayLeave(key) || spotOf(key) == Spot::window) return;
  auto* window = new ViewWindow(take(key), owner_, *theme_);
  windows_[key] = window;
  if (!geometry.isEmpty()) window->restoreGeometry(geometry);
  connect(window, &ViewWindow::closed, this, [this, key] { putHome(key); });
  window->show();
  emit moved();
}

void ViewGroups::putHome(const QString& key) {
  const Home* home = homeOf(key);
  if (!home || spotOf(key) == Spot::home) return;
  TabPanel::Page page = take(key);
  if (home->panel) {
    home->panel->setContent(page.view);
    page.view->show();
    home->panel->show();
  } else {
    // Where it was: behind those that were before it.
    const QStringList there = home->tabs->keys();
    const auto place = std::count_if(there.begin(), there.end(), [&](const QString& each) {
      return home->order.indexOf(each) < home->order.indexOf(key);
    });
    home->tabs->put(std::move(page), static_cast<int>(place));
    home->tabs->showView(key);
  }
  emit moved();
}

void ViewGroups::putAllHome() {
  QStringList away = beside_ ? beside_->keys() : QStringList();
  for (const auto& [key, window] : windows_) away << key;
  for (const QString& key : away) putHome(key);
}

bool ViewGroups::showView(const QString& key, bool focus) {
  switch (spotOf(key)) {
    case Spot::home:
      return false;
    case Spot::beside:
      focus ? beside_->focusView(key) : beside_->showView(key);
      return true;
    case Spot::window: {
      ViewWindow& window = *windowOf(key);
      if (window.isMinimized()) window.showNormal();
      window.raise();
      if (!focus) return true;
      window.activateWindow();
      window.view().setFocus(Qt::ShortcutFocusReason);
      return true;
    }
  }
  return false;
}

bool ViewGroups::shows(const QString& key) const {
  switch (spotOf(key)) {
    case Spot::home:
      return false;
    case Spot::beside:
      return beside_->shown() == key;
    case Spot::window:
      return true;
  }
  return false;
}

void ViewGroups::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (const auto& [key, window] : windows_) window->setTheme(theme);
}

void ViewGroups::save(WindowLayout& layout) const {
  layout.beside = beside_ ? beside_->keys() : QStringList();
  layout.shown = besideShown() ? beside_->shown() : QString();
  layout.below = orientation_ == Qt::Vertical;
  for (const auto& [key, window] : windows_) layout.windows[key] = window->saveGeometry();
}

void ViewGroups::restore(const WindowLayout& layout) {
  // What stays where it is is not touched: moving a view has its style worked out again.
  QStringList away = beside_ ? beside_->keys() : QStringList();
  for (const auto& [key, window] : windows_) away << key;
  for (const QString& key : away)
    if (!layout.beside.contains(key) && !layout.windows.contains(key)) putHome(key);
  for (const QString& key : layout.beside)
    putBeside(key, layout.below ? Qt::Vertical : Qt::Horizontal);
  for (const auto& [key, geometry] : layout.windows) detach(key, geometry);
  if (beside_ && beside_->has(layout.shown)) beside_->showView(layout.shown);
}

}  // namespace fusebench

#include "moc_view_groups.cpp"
