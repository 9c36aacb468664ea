// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/dialogs.h"

#include <gtest/gtest.h>

#include <QDateTime>
#include <QFileDialog>
#include <QHeaderView>
#include <QLocale>
#include <QScreen>
#include <QTreeView>

namespace fusebench {
namespace {

TEST(FileDialogs, HaveRoomForWhatTheirColumnsSay) {
  QFileDialog dialog;
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  dialog.setStyleSheet(QStringLiteral("QTreeView { font-size: 18pt; }"));
  auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
  ASSERT_TRUE(files);
  // As narrow as another language's dates and a dialog of before may have left them. The last one
  // takes what the others leave, else.
  files->header()->setStretchLastSection(false);
  for (int column = 1; column < 4; ++column) files->header()->resizeSection(column, 40);
  giveRoom(dialog);
  const QString date = QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat);
  const QString said[] = {{}, QStringLiteral("1 023.99 KiB"), QStringLiteral("Gzip archive"), date};
  for (int column = 1; column < 4; ++column)
    EXPECT_GT(files->header()->sectionSize(column),
              files->fontMetrics().horizontalAdvance(said[column]))
        << column;
  const QSize screen = dialog.screen()->availableSize();
  EXPECT_LE(dialog.width(), screen.width());
  EXPECT_LE(dialog.height(), screen.height());
}

}  // namespace
}  // namespace fusebench
