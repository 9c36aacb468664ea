// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>
#include <functional>

class QUrl;

namespace fusebench {

/// How a link leaves the window; replaced in tests.
struct LinkOpening {
  std::function<bool(QWidget* parent, const QString& address)> ask;
  std::function<void(const QUrl& address)> open;
};
LinkOpening& linkOpening();

/// Makes a text browser follow links as lessons do: positions in the text immediately, http, https
/// and mailto after the reader has seen the address and agreed, and nothing else.
void followLessonLinks(QTextBrowser& browser);

}  // namespace fusebench
