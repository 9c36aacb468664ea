// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

namespace fusebench {
namespace {
constexpr int kTabsHeight = 38;
}

TabPanel::TabPanel(const QString& accessibleName, QWidget* parent)
    : QFrame(parent),
      tabs_(new QTabBar(this)),
      stack_(new QStackedWidget(this)),
      more_(new QToolButton(this)) {
  setObjectName(QStringLiteral("panel"));
  auto* header = new QFrame(this);
  header->setObjectName(QStringLiteral("panelHeader"));
  header->setFixedHeight(kTabsHeight);
  tabs_->setAccessibleName(accessibleName);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setUsesScrollButtons(false);
  tabs_->setMinimumWidth(1);  // what does not fit goes into the menu
  tabs_->setFocusPolicy(Qt::StrongFocus);
  header_ = new QHBoxLayout(header);
  header_->setContentsMargins(4, 0, 8, 0);
  header_->setSpacing(6);
  header_->addWidget(tabs_, 0, Qt::AlignBottom);
  more_->setObjectName(QStringLiteral("small"));
  more_->setText(QStringLiteral("»"));
  more_->setToolTip(tr("More tabs"));
  more_->setAccessibleName(tr("More tabs"));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  more_->hide();
  header_->addWidget(more_);
  header_->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header);
  layout->addWidget(stack_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, &TabPanel::turnTo);
}

QWidget* TabPanel::pages() const {
  return stack_;
}

QWidget* TabPanel::header() const {
  return header_->parentWidget();
}

void TabPanel::add(const QString& key, const QString& title, QWidget* view, QWidget* controls) {
  if (view->accessibleName().isEmpty()) view->setAccessibleName(title);
  pages_.push_back({key, view, controls});
  stack_->addWidget(view);
  if (controls) {
    header_->addWidget(controls);
    controls->setVisible(pages_.size() == 1);
  }
  tabs_->addTab(title);
  fitTabs();
}

void TabPanel::addToHeader(QWidget* widget) {
  header_->insertWidget(3, widget);
}

void TabPanel::setTitle(const QString& key, const QString& title) {
  const int index = indexOf(key);
  if (index < 0) return;
  tabs_->setTabText(index, title);
  widths_.clear();
  fitTabs();
}

void TabPanel::showView(const QString& key) {
  if (const int index = indexOf(key); index >= 0) tabs_->setCurrentIndex(index);
}

void TabPanel::focusView(const QString& key) {
  showView(key);
  if (const int index = indexOf(key); index >= 0)
    pages_[static_cast<std::size_t>(index)].view->setFocus(Qt::ShortcutFocusReason);
}

QString TabPanel::shown() const {
  const int index = tabs_->currentIndex();
  return index < 0 ? QString() : pages_[static_cast<std::size_t>(index)].key;
}

int TabPanel::indexOf(const QString& key) const {
  for (std::size_t i = 0; i < pages_.size(); ++i)
    if (pages_[i].key == key) return static_cast<int>(i);
  return -1;
}

void TabPanel::turnTo(int index) {
  if (index < 0) return;
  stack_->setCurrentIndex(index);
  for (std::size_t i = 0; i < pages_.size(); ++i)
    if (pages_[i].controls) pages_[i].controls->setVisible(static_cast<int>(i) == index);
  fitTabs();
  emit shownChanged(shown());
}

void TabPanel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fitTabs();
}

bool TabPanel::event(QEvent* event) {
  const bool handled = QFrame::event(event);
  if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) widths_.clear();
  // What stands beside the tabs came or went.
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) fitTabs();
  return handled;
}

/// Only a tab that is seen has a width.
void TabPanel::measureTabs() {
  for (int i = 0; i < tabs_->count(); ++i) tabs_->setTabVisible(i, true);
  for (int i = 0; i < tabs_->count(); ++i) widths_.push_back(tabs_->tabRect(i).width());
}

/// Shows as many tabs as fit, that of the shown view among them; the others go into the menu.
void TabPanel::fitTabs() {
  if (!isVisible() || tabs_->count() == 0) return;
  const QSignalBlocker quiet(tabs_);
  if (widths_.size() != pages_.size()) {
    widths_.clear();
    measureTabs();
  }
  const QMargins margins = header_->contentsMargins();
  int room = header()->width() - margins.left() - margins.right();
  for (int i = 0; i < header_->count(); ++i)
    if (const QWidget* beside = header_->itemAt(i)->widget();
        beside && beside != tabs_ && beside != more_ && !beside->isHidden())
      room -= std::max(beside->sizeHint().width(), beside->minimumWidth()) + header_->spacing();
  const int needed = std::accumulate(widths_.begin(), widths_.end(), 0);
  const bool all = needed <= room;
  if (!all) room -= more_->sizeHint().width() + header_->spacing();
  const int current = tabs_->currentIndex();
  int used = current < 0 ? 0 : widths_[static_cast<std::size_t>(current)];
  more_->menu()->clear();
  for (int i = 0; i < tabs_->count(); ++i) {
    if (i != current) used += widths_[static_cast<std::size_t>(i)];
    const bool shown = all || i == current || used <= room;
    // Only what changes: each of these asks for a new layout.
    if (tabs_->isTabVisible(i) != shown) tabs_->setTabVisible(i, shown);
    if (!shown)
      more_->menu()->addAction(tabs_->tabText(i), this,
                               [this, i] { focusView(pages_[static_cast<std::size_t>(i)].key); });
  }
  if (more_->isHidden() != all) more_->setVisible(!all);
}

}  // namespace fusebench
