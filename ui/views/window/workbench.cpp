// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/workbench.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/focus_ring.h"
#include "ui/views/base/panel.h"
#include "ui/views/base/tab_panel.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/view_links.h"

namespace fusebench {
namespace {

constexpr int kLeftWidth = 314, kRightWidth = 290;
/// The least that the columns and, in the middle, what is over the table and it can do with.
constexpr int kLeftLeast = 260, kMiddleLeast = 354, kRightLeast = 280;
constexpr int kRoomyMiddle = 420;  ///< with both columns shown
constexpr int kCenterLeast = 240, kTableLeast = 150;

constexpr std::pair<Workbench::Region, const char*> kRegions[] = {
    {Workbench::Region::left, "leftHidden"},
    {Workbench::Region::right, "rightHidden"},
    {Workbench::Region::table, "tableHidden"}};

/// The key of a layout in the settings.
QString layoutName(FileKind kind) {
  return QStringLiteral("layout/") + QLatin1String(nameOf(kind));
}

}  // namespace

// Every part is made with its parent, from the outside in: a part that gets another parent takes
// its style again, with all that is in it.
Workbench::Workbench(WindowModels& models, QWidget* parent) : QWidget(parent), models_(models) {
  QSplitter* columns = splitter(Qt::Horizontal, "columns", {kLeftWidth, 676, kRightWidth}, this);

  QSplitter* left = splitter(Qt::Vertical, "left", {430, 292}, columns);
  left_ = left;
  chain_ = addPanel(ViewPlace::chain, left);
  chain_->setMinimumSize(kLeftLeast, 160);
  addTabs(ViewPlace::edit, uiText("Ways to edit the chain"), "editTabs", left)
      ->setMinimumSize(kLeftLeast, 140);

  QSplitter* middle = splitter(Qt::Vertical, "middle", {462, 260}, columns);
  room_ = splitter(Qt::Horizontal, "room", {}, middle);
  TabPanel* center = addTabs(ViewPlace::center, uiText("Results"), "centerTabs", room_);
  notice_ = new QLabel(center);
  notice_->setObjectName(QStringLiteral("notice"));
  notice_->setWordWrap(true);
  notice_->hide();
  center->addBelowHeader(notice_);
  focus_ = new QToolButton(center->header());
  focus_->setObjectName(QStringLiteral("small"));
  focus_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  center->addToHeader(focus_);
  center->setMinimumSize(kMiddleLeast, kCenterLeast);
  table_ = addPanel(ViewPlace::table, middle);
  table_->setMinimumHeight(kTableLeast);

  right_ = addTabs(ViewPlace::side, uiText("Findings, setup, runs, guide and course"), "sideTabs",
                   columns);
  right_->setMinimumWidth(kRightLeast);

  for (QSplitter* both : {left, middle}) {
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
  }
  // The sides grow with the window, too, if less than the middle.
  for (const int column : {0, 1, 2}) columns->setStretchFactor(column, column == 1 ? 3 : 1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(columns);
  const Settings& settings = models_.settings;
  for (QSplitter* each : splitters_) {
    const QByteArray state = settings.place(each->objectName()).toByteArray();
    if (!state.isEmpty()) each->restoreState(state);
  }
  groups_ = new ViewGroups(*room_, *this);
  for (const Part& each : parts_) {
    if (!each.tabs) continue;
    groups_->addHome(*each.tabs);
    each.tabs->showView(settings.place(each.tabs->objectName()).toString());
    connect(each.tabs, &TabPanel::menuWanted, this, &Workbench::openTabMenu);
  }
  for (const auto& [panel, place] :
       {std::pair(chain_, ViewPlace::chain), {table_, ViewPlace::table}})
    groups_->addHome(*panel, part(place).only, uiText(rowOf(part(place).only)->tab),
                     part(place).widget);
  connect(groups_, &ViewGroups::menuWanted, this, &Workbench::openTabMenu);
  connect(groups_, &ViewGroups::dropped, this, [this](const QString& key) { showView(key, true); });
  connect(groups_, &ViewGroups::shownChanged, this, [this](const QString& key) {
    noteCurrent(key);
    applyRegions();
    emit middleChanged(key);
  });
  connect(groups_, &ViewGroups::moved, this, [this] {
    applyRegions();
    emit middleChanged(currentView());
    emit regionsChanged();
  });
  connect(qApp, &QApplication::focusChanged, this,
          [this](QWidget*, QWidget* focused) { follow(focused); });
  for (const auto& [region, name] : kRegions)
    hidden_[static_cast<std::size_t>(region)] = settings.place(QLatin1String(name)).toBool();
  connect(center, &TabPanel::shownChanged, this, [this](const QString& key) {
    noteCurrent(key);
    applyRegions();
    emit middleChanged(key);
  });
  applyRegions();
  // Views that were moved come back to where they were once the window is there: until then they
  // would be given a style that they lose again.
  const QByteArray kept = settings.place(layoutName(kind_)).toByteArray();
  if (const WindowLayout last = windowLayout(kept); !last.beside.isEmpty() || !last.windows.empty())
    QMetaObject::invokeMethod(
        this, [this, last] { groups_->restore(last); }, Qt::QueuedConnection);
}

void Workbench::setHidden(Region region, bool hidden) {
  if (focusMode_) focusMode_ = false;
  const bool table = region == Region::table, noRoom = table ? low_ : narrow_;
  // What is done for want of room ends with it: what gives way is not hidden.
  if (noRoom && table)
    tableInFront_ = !hidden;
  else if (noRoom && !hidden)
    aside_ = region;
  else if (noRoom && aside_ == region)
    aside_.reset();
  if (!noRoom || !hidden) hidden_[static_cast<std::size_t>(region)] = hidden;
  applyRegions();
  emit regionsChanged();
}

void Workbench::setFocusMode(bool on) {
  if (on == focusMode_) return;
  focusMode_ = on;
  applyRegions();
  emit regionsChanged();
}

void Workbench::setOwnTable(const QString& key, bool own) {
  if (own)
    ownTables_.insert(key);
  else
    ownTables_.erase(key);
  applyRegions();
}

void Workbench::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool narrow = width() < kLeftLeast + kRoomyMiddle + kRightLeast;
  const bool low = height() < kCenterLeast + kTableLeast;
  if (narrow == narrow_ && low == low_) return;
  // The region that has the keyboard stays visible.
  const auto hasKeyboard = [](const QWidget& part) {
    const QWidget* keyboard = QApplication::focusWidget();
    return keyboard && (keyboard == &part || part.isAncestorOf(keyboard));
  };
  if (std::exchange(narrow_, narrow) != narrow)
    aside_ = hasKeyboard(*left_) ? Region::left : Region::right;
  groups_->setNarrow(narrow);
  if (std::exchange(low_, low) != low) tableInFront_ = hasKeyboard(*part(ViewPlace::table).widget);
  applyRegions();
  emit regionsChanged();
}

bool Workbench::ownTable() const {
  return std::ranges::any_of(ownTables_, [this](const QString& key) { return shows(key); });
}

/// The table is of a run: a trace or a comparison in the middle needs the room, and has its own.
void Workbench::applyRegions() {
  left_->setVisible(!focusMode_ && !hidden(Region::left));
  right_->setVisible(!focusMode_ && !hidden(Region::right));
  const bool away = groups_->spotOf(part(ViewPlace::table).only) != ViewGroups::Spot::home;
  const bool shown = !focusMode_ && !ownTable() && !hidden(Region::table) && !away;
  table_->setVisible(shown);
  room_->setVisible(!shown || !low_);
}

/// A view that is asked for is shown, whatever was hidden.
void Workbench::bringBack(const QString& key) {
  for (const auto& [row, view] : views_) {
    if (key != QLatin1String(row->key)) continue;
    if (row->place == ViewPlace::center) {
      if (low_ && tableInFront_) setHidden(Region::table, true);
      continue;
    }
    const Region region = row->place == ViewPlace::table  ? Region::table
                          : row->place == ViewPlace::side ? Region::right
                                                          : Region::left;
    if (focusMode_ || hidden(region)) setHidden(region, false);
  }
}

QSplitter* Workbench::splitter(Qt::Orientation orientation, const char* name, QList<int> sizes,
                               QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setObjectName(QLatin1String(name));
  made->setHandleWidth(1);
  made->setChildrenCollapsible(false);
  splitters_.push_back(made);
  // Sizes count only once the parts are there.
  QMetaObject::invokeMethod(
      made,
      [this, made, sizes] {
        if (models_.settings.place(made->objectName()).toByteArray().isEmpty())
          made->setSizes(sizes);
      },
      Qt::QueuedConnection);
  return made;
}

QWidget* Workbench::make(const ViewRow& row, QWidget* parent) {
  QWidget* view = row.make(models_, parent);
  views_.emplace_back(&row, view);
  made_.push_back(view);
  return view;
}

Panel* Workbench::addPanel(ViewPlace place, QWidget* parent) {
  Panel* panel = nullptr;
  for (const ViewRow& row : viewRows()) {
    if (row.place != place) continue;
    panel = new Panel(uiText(row.tab), parent);
    QWidget* view = make(row, panel);
    panel->setContent(view);
    part(place) = {view, nullptr, QLatin1String(row.key)};
  }
  return panel;
}

TabPanel* Workbench::addTabs(ViewPlace place, const QString& accessibleName, const char* name,
                             QWidget* parent) {
  auto* tabs = new TabPanel(accessibleName, parent);
  tabs->setObjectName(QLatin1String(name));
  part(place) = {tabs, tabs, {}};
  for (const ViewRow& row : viewRows()) {
    if (row.place != place) continue;
    QWidget* view = make(row, tabs->pages());
    QWidget* controls = row.makeControls ? row.makeControls(tabs->header()) : nullptr;
    if (controls) made_.push_back(controls);
    tabs->add(QLatin1String(row.key), uiText(row.tab), view, controls);
  }
  return tabs;
}

void Workbench::link(WindowParts& parts, QAction* exportAction) {
  focus_->setDefaultAction(parts.actions.focus);
  for (const auto& [row, view] : views_) {
    if (row->figure) {
      view->setContextMenuPolicy(Qt::ActionsContextMenu);
      view->addAction(exportAction);
    }
    if (row->link) row->link(*view, parts);
  }
}

void Workbench::setTheme(const Theme& theme) {
  groups_->setTheme(theme);
  // The ring is made here, because the workbench is in its window by now.
  if (!ring_) ring_ = new FocusRing(*window());
  ring_->setTheme(theme);
  for (const auto& [row, view] : views_) row->setTheme(*view, theme);
}

const Workbench::Part* Workbench::partOf(const QString& key) const {
  for (const Part& each : parts_)
    if (each.tabs ? each.tabs->has(key) : each.only == key) return &each;
  return nullptr;
}

void Workbench::showView(const QString& key, bool focus) {
  // Another tab may have come into sight before, and a window may not have the keyboard yet.
  if (focus) noteCurrent(key);
  if (groups_->showView(key, focus)) return;
  const Part* there = partOf(key);
  if (!there) return;
  bringBack(key);
  if (there->tabs)
    focus ? there->tabs->focusView(key) : there->tabs->showView(key);
  else if (focus)
    there->widget->setFocus(Qt::ShortcutFocusReason);
}

bool Workbench::shows(const QString& key) const {
  if (groups_->spotOf(key) != ViewGroups::Spot::home) return groups_->shows(key);
  const Part* there = partOf(key);
  return !there || !there->tabs || there->tabs->shown() == key;
}

void Workbench::nextPart(bool backwards) {
  std::vector<std::pair<Part, ViewPlace>> parts;
  for (std::size_t i = 0; i < kViewPlaces; ++i) {
    parts.emplace_back(parts_[i], static_cast<ViewPlace>(i));
    // The second group comes after the first.
    TabPanel* const beside = groups_->besideShown() ? groups_->beside() : nullptr;
    if (parts.back().second == ViewPlace::center && beside)
      parts.emplace_back(Part{beside, beside, {}}, ViewPlace::center);
  }
  std::size_t now = backwards ? 0 : parts.size() - 1;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (QWidget* focused = QApplication::focusWidget();
        focused &&
        (focused == parts[i].first.widget || parts[i].first.widget->isAncestorOf(focused)))
      now = i;
  const std::size_t step = backwards ? parts.size() - 1 : 1;
  std::size_t place = (now + step) % parts.size();
  // A region that folded for lack of room unfolds when its turn comes.
  const auto within = [&](std::size_t i) {
    const auto& [each, at] = parts[i];
    if (each.widget->isVisibleTo(this) || at == ViewPlace::center) return true;
    const Region region = at == ViewPlace::side    ? Region::right
                          : at == ViewPlace::table ? Region::table
                                                   : Region::left;
    return !focusMode_ && folded(region) && !chosenHidden(region) &&
           !(at == ViewPlace::table && ownTable());
  };
  while (place != now && !within(place)) place = (place + step) % parts.size();
  const Part& next = parts[place].first;
  showView(next.tabs ? next.tabs->shown() : next.only, true);
}

void Workbench::setNotice(const QString& notice, const QString& why) {
  notice_->setText(notice);
  notice_->setToolTip(why);
  notice_->setVisible(!notice.isEmpty());
}

void Workbench::savePlaces() {
  Settings& settings = models_.settings;
  for (QSplitter* each : splitters_) settings.setPlace(each->objectName(), each->saveState());
  for (const Part& each : parts_)
    if (each.tabs) settings.setPlace(each.tabs->objectName(), each.tabs->shown());
  for (const auto& [region, name] : kRegions)
    settings.setPlace(QLatin1String(name), hidden(region));
  saveLayout();
  // The next window begins with an experiment.
  if (kind_ == FileKind::experiment) return;
  const WindowLayout first =
      windowLayout(settings.place(layoutName(FileKind::experiment)).toByteArray());
  const bool kept[] = {first.leftHidden, first.rightHidden, first.tableHidden};
  for (std::size_t i = 0; i < std::size(kRegions); ++i)
    settings.setPlace(QLatin1String(kRegions[i].second), kept[i]);
  for (QSplitter* each : splitters_)
    if (const auto state = first.splitters.find(each->objectName()); state != first.splitters.end())
      settings.setPlace(each->objectName(), state->second);
}

}  // namespace fusebench

#include "moc_workbench.cpp"
