// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/focus_ring.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kFocusWidth = 1;

class Ring : public QWidget {
 public:
  Ring(QWidget* part, const QColor& color) : QWidget(part), color_(color) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QLatin1String(kFocusRingName));
    setAccessibleName(uiText("Keyboard focus"));
    fit();
    raise();
  }
  void fit() {
    const QRect all = parentWidget()->rect();
    setGeometry(all);
    // The ring covers only the border, so it does not cause the inside to be repainted.
    setMask(QRegion(all) -
            QRegion(all.adjusted(kFocusWidth, kFocusWidth, -kFocusWidth, -kFocusWidth)));
  }

 protected:
  void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), color_); }

 private:
  QColor color_;
};

}  // namespace

FocusRing::FocusRing(QWidget& window) : QObject(&window), window_(window) {
  connect(qApp, &QApplication::focusChanged, this,
          [this](QWidget*, QWidget* focused) { follow(focused); });
}

void FocusRing::setTheme(const Theme& theme) {
  theme_ = &theme;
  QWidget* part = part_;
  part_ = nullptr;
  follow(part);
}

bool FocusRing::needsRing(const QWidget* widget) const {
  // Only large parts of the window need the ring. Small widgets draw their own focus.
  constexpr int kLeastHeight = 48;
  // Who points with the mouse knows where it is: nothing before the keyboard moves on once.
  return widget && widget->window() == &window_ &&
         window_.testAttribute(Qt::WA_KeyboardFocusChange) && widget->height() >= kLeastHeight &&
         (qobject_cast<const QAbstractScrollArea*>(widget) || widget->property("ring").toBool());
}

void FocusRing::follow(QWidget* focused) {
  QWidget* part = needsRing(focused) ? focused : nullptr;
  if (part == part_ && (!part || ring_)) return;
  if (part_) part_->removeEventFilter(this);
  delete ring_;
  part_ = part;
  if (!part) return;
  part->installEventFilter(this);
  ring_ = new Ring(part, theme_->accent);
  // Showing it lays out the window where that is still to be done: the part may be resized here.
  ring_->show();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  if (watched == part_ && ring_ && event->type() == QEvent::Resize)
    static_cast<Ring*>(ring_.data())->fit();
  return QObject::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_focus_ring.cpp"
