// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_panel.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace fusebench {
namespace {
constexpr int kTabsHeight = 38;
}

TabPanel::TabPanel(const QString& accessibleName, QWidget* parent)
    : QFrame(parent), tabs_(new QTabBar(this)), stack_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("panel"));
  auto* header = new QFrame(this);
  header->setObjectName(QStringLiteral("panelHeader"));
  header->setFixedHeight(kTabsHeight);
  tabs_->setAccessibleName(accessibleName);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);
  tabs_->setUsesScrollButtons(false);
  tabs_->setFocusPolicy(Qt::StrongFocus);
  header_ = new QHBoxLayout(header);
  header_->setContentsMargins(4, 0, 8, 0);
  header_->setSpacing(6);
  header_->addWidget(tabs_, 0, Qt::AlignBottom);
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
}

void TabPanel::addToHeader(QWidget* widget) {
  header_->insertWidget(2, widget);
}

void TabPanel::setTitle(const QString& key, const QString& title) {
  if (const int index = indexOf(key); index >= 0) tabs_->setTabText(index, title);
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
  emit shownChanged(shown());
}

}  // namespace fusebench
