// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/first_paint.h"

#include <time.h>
#include <unistd.h>

#include <QEvent>
#include <QFile>
#include <QTimer>
#include <QWidget>

namespace fusebench {

FirstPaint::FirstPaint(QWidget& window, std::function<void()> then)
    : QObject(&window), window_(window), then_(std::move(then)) {
  window_.installEventFilter(this);
}

bool FirstPaint::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Expose ||
      event->type() == QEvent::Paint) {
    // The event is about to be handled: the window and all in it are drawn when the loop is back.
    window_.removeEventFilter(this);
    QTimer::singleShot(0, this, [this] { then_(); });
  }
  return QObject::eventFilter(watched, event);
}

double millisecondsSinceStart() {
  QFile file(QStringLiteral("/proc/self/stat"));
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const QByteArray text = file.readAll();
  // The program's name, in brackets, may hold spaces; the start is the 20th field after it.
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  constexpr qsizetype kStart = 19;
  if (fields.size() <= kStart) return -1;
  timespec now{};
  if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  const double ticks = fields[kStart].toDouble();
  const double started = 1000 * ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  return 1000 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec) - started;
}

}  // namespace fusebench

#include "moc_first_paint.cpp"
