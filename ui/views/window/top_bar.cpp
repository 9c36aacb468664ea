// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/top_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <utility>

namespace fusebench {

TopBar::TopBar(const WindowActions& actions, QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("topBar"));
  setFixedHeight(48);
  auto* layout = bar_ = new QHBoxLayout(this);
  layout->setContentsMargins(12, 0, 10, 0);
  layout->setSpacing(4);
  const auto add = [&](QAction* action, const char* name, Qt::ToolButtonStyle style) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setObjectName(QLatin1String(name));
    button->setToolButtonStyle(style);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(action->text());
    layout->addWidget(button);
    if (style == Qt::ToolButtonTextBesideIcon && action != actions.run) worded_.push_back(button);
    return button;
  };
  const auto separate = [&] {
    auto* separator = new QFrame(this);
    separator->setObjectName(QStringLiteral("separator"));
    separator->setFixedSize(1, 22);
    layout->addSpacing(6);
    layout->addWidget(separator);
    layout->addSpacing(6);
    spared_.push_back(separator);
  };
  left_ = add(actions.left, "iconOnly", Qt::ToolButtonIconOnly);
  run_ = add(actions.run, "primary", Qt::ToolButtonTextBesideIcon);
  add(actions.stop, "action", Qt::ToolButtonTextBesideIcon);
  layout->addSpacing(4);
  spared_.push_back(add(actions.device, "small", Qt::ToolButtonTextOnly));
  add(actions.explore, "small", Qt::ToolButtonTextOnly);
  add(actions.quick, "small", Qt::ToolButtonTextOnly);
  separate();
  add(actions.newChain, "action", Qt::ToolButtonTextBesideIcon);
  add(actions.open, "action", Qt::ToolButtonTextBesideIcon);
  add(actions.save, "action", Qt::ToolButtonTextBesideIcon);
  separate();
  for (QAction* action : {actions.undo, actions.redo})
    spared_.push_back(add(action, "iconOnly", Qt::ToolButtonIconOnly));
  layout->addStretch(1);
  add(actions.lesson, "action", Qt::ToolButtonTextBesideIcon);
  spared_.push_back(add(actions.theme, "iconOnly", Qt::ToolButtonIconOnly));
  QToolButton* more = add(actions.more->menuAction(), "iconOnly", Qt::ToolButtonIconOnly);
  more->setPopupMode(QToolButton::InstantPopup);
  table_ = add(actions.table, "iconOnly", Qt::ToolButtonIconOnly);
  right_ = add(actions.right, "iconOnly", Qt::ToolButtonIconOnly);
  offer(false, false);
  auto* key = new QShortcut(QKeySequence(Qt::Key_F10), this);
  connect(key, &QShortcut::activated, more, &QToolButton::showMenu);
}

void TopBar::offer(bool columns, bool table) {
  left_->setVisible(columns);
  right_->setVisible(columns);
  table_->setVisible(table);
  fit();
}

void TopBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void TopBar::fit() {
  for (const auto& [style, all] : {std::pair(Qt::ToolButtonTextBesideIcon, true),
                                   {Qt::ToolButtonIconOnly, true},
                                   {Qt::ToolButtonIconOnly, false}}) {
    for (QToolButton* button : worded_) button->setToolButtonStyle(style);
    for (QWidget* widget : spared_) widget->setVisible(all);
    run_->setToolButtonStyle(all ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    bar_->invalidate();
    if (bar_->sizeHint().width() <= width()) return;
  }
}

}  // namespace fusebench

#include "moc_top_bar.cpp"
