// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_links.h"

#include <QDesktopServices>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

#include "ui/models/base/ui_text.h"
#include "ui/views/lesson/lesson_document.h"

namespace fusebench {
namespace {

bool askInDialog(QWidget* parent, const QString& address) {
  QMessageBox box(QMessageBox::NoIcon, uiText("Open link"),
                  uiText("Open this address outside Fusebench?"), QMessageBox::Cancel, parent);
  box.setTextFormat(Qt::PlainText);
  box.setInformativeText(address);
  const QPushButton* open = box.addButton(uiText("Open link"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == open;
}

}  // namespace

LinkOpening& linkOpening() {
  static LinkOpening opening = {askInDialog,
                                [](const QUrl& address) { QDesktopServices::openUrl(address); }};
  return opening;
}

void followLessonLinks(QTextBrowser& browser) {
  browser.setOpenLinks(false);
  browser.setOpenExternalLinks(false);
  QObject::connect(&browser, &QTextBrowser::anchorClicked, &browser,
                   [&browser](const QUrl& address) {
                     if (!isFollowed(address)) return;
                     if (address.scheme().isEmpty()) {
                       browser.scrollToAnchor(address.fragment());
                       return;
                     }
                     // Encoded, so that no letter of the address looks like another or turns its
                     // direction.
                     constexpr qsizetype kLongestShown = 300;
                     QString shown = address.toString(QUrl::FullyEncoded);
                     if (shown.size() > kLongestShown)
                       shown = shown.left(kLongestShown) + QChar(0x2026);
                     if (linkOpening().ask(&browser, shown)) linkOpening().open(address);
                   });
}

}  // namespace fusebench
