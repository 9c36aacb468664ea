// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/recolor.h"

#include <QApplication>
#include <QEvent>
#include <QSet>
#include <QStyle>
#include <QWidget>

namespace fusebench {
namespace {

/// Qt reads a role of the palette when a widget is polished, and keeps the color.
void recolor(QWidget& widget) {
  widget.style()->polish(&widget);
}

/// Knows the widgets that were hidden at the last switch.
class HiddenWidgets : public QObject {
 public:
  using QObject::QObject;

  void recolorShown() {
    stale_.clear();
    for (QWidget* widget : QApplication::allWidgets()) {
      if (widget->isVisible())
        recolor(*widget);
      else
        stale_.insert(widget);
    }
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // Windows are shown, too, and one may have the address of a widget that is gone.
    if (event->type() == QEvent::Show && watched->isWidgetType() && stale_.remove(watched))
      recolor(*static_cast<QWidget*>(watched));
    return false;
  }

 private:
  QSet<const QObject*> stale_;  ///< only compared: a widget may be gone
};

}  // namespace

void recolorWidgets(QApplication& application) {
  static const QString kName = QStringLiteral("hiddenWidgets");
  auto* hidden = static_cast<HiddenWidgets*>(application.findChild<QObject*>(kName));
  if (!hidden) {
    hidden = new HiddenWidgets(&application);
    hidden->setObjectName(kName);
    application.installEventFilter(hidden);
  }
  hidden->recolorShown();
}

}  // namespace fusebench
