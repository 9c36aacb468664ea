// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/events.h"

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QEvent>

namespace fusebench::test {

void handleEvents() {
  // A window that is animated always has one more event.
  constexpr int kMostRounds = 100;
  auto* dispatcher = QAbstractEventDispatcher::instance();
  for (int round = 0; round < kMostRounds; ++round) {
    QCoreApplication::sendPostedEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    if (!dispatcher->processEvents(QEventLoop::AllEvents)) return;
  }
}

}  // namespace fusebench::test
