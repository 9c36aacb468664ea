// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/top_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>

namespace fusebench {

TopBar::TopBar(const WindowActions& actions, QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("topBar"));
  setFixedHeight(48);
  auto* layout = new QHBoxLayout(this);
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
    return button;
  };
  const auto separate = [&] {
    auto* separator = new QFrame(this);
    separator->setObjectName(QStringLiteral("separator"));
    separator->setFixedSize(1, 22);
    layout->addSpacing(6);
    layout->addWidget(separator);
    layout->addSpacing(6);
  };
  add(actions.run, "primary", Qt::ToolButtonTextBesideIcon);
  add(actions.stop, "action", Qt::ToolButtonTextBesideIcon);
  layout->addSpacing(4);
  add(actions.explore, "small", Qt::ToolButtonTextOnly);
  add(actions.quick, "small", Qt::ToolButtonTextOnly);
  separate();
  add(actions.newChain, "action", Qt::ToolButtonTextBesideIcon);
  add(actions.open, "action", Qt::ToolButtonTextBesideIcon);
  add(actions.save, "action", Qt::ToolButtonTextBesideIcon);
  separate();
  add(actions.undo, "iconOnly", Qt::ToolButtonIconOnly);
  add(actions.redo, "iconOnly", Qt::ToolButtonIconOnly);
  layout->addStretch(1);
  add(actions.lesson, "action", Qt::ToolButtonTextBesideIcon);
  add(actions.theme, "iconOnly", Qt::ToolButtonIconOnly);
  QToolButton* more = add(actions.more->menuAction(), "iconOnly", Qt::ToolButtonIconOnly);
  more->setPopupMode(QToolButton::InstantPopup);
  auto* key = new QShortcut(QKeySequence(Qt::Key_F10), this);
  connect(key, &QShortcut::activated, more, &QToolButton::showMenu);
}

}  // namespace fusebench
