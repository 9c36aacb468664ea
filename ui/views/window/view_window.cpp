// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"
#include "ui/theme/theme.h"
#include "ui/views/base/focus_ring.h"
#include "ui/views/base/tab_order.h"

namespace fusebench {
namespace {

constexpr QSize kViewWindowSize(900, 640);

}  // namespace

ViewWindow::ViewWindow(TabPanel::Page page, QWidget& owner, const Theme& theme)
    : QWidget(&owner, Qt::Window), page_(std::move(page)), ring_(new FocusRing(*this)) {
  setObjectName(QStringLiteral("viewWindow"));
  setAttribute(Qt::WA_StyledBackground);
  setWindowTitle(uiText("%1 – Fusebench").arg(page_.title));
  setWindowIcon(owner.window()->windowIcon());
  setAccessibleName(page_.title);
  addActions(owner.window()->actions());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  if (page_.controls) {
    bar_ = new QFrame(this);
    bar_->setObjectName(QStringLiteral("panelHeader"));
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(8, 4, 8, 4);
    row->addStretch(1);
    row->addWidget(page_.controls);
    page_.controls->show();
    layout->addWidget(bar_);
  }
  layout->addWidget(page_.view, 1);
  page_.view->show();
  resize(kViewWindowSize);
  setTheme(theme);
}

void ViewWindow::setTheme(const Theme& theme) {
  ring_->setTheme(theme);
}

TabPanel::Page ViewWindow::release() {
  return std::exchange(page_, TabPanel::Page());
}

void ViewWindow::closeEvent(QCloseEvent* event) {
  event->accept();
  emit closed();
}

bool ViewWindow::focusNextPrevChild(bool next) {
  return followTabOrder(*this, next);
}

}  // namespace fusebench

#include "moc_view_window.cpp"
