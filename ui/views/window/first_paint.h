// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace fusebench {

/// Calls back once, right after a window drew itself for the first time.
class FirstPaint : public QObject {
  Q_OBJECT

 public:
  FirstPaint(QWidget& window, std::function<void()> then);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget& window_;
  std::function<void()> then_;
};

/// Milliseconds since this process was started, at the kernel's resolution of its start time
/// (usually 10 ms); -1 if the kernel does not report it.
double millisecondsSinceStart();

}  // namespace fusebench
