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
  giveRoom(dialog);
  const auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
  ASSERT_TRUE(files);
  const QString date = QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat);
  EXPECT_GT(files->header()->sectionSize(3), files->fontMetrics().horizontalAdvance(date));
  int columns = 0;
  for (int i = 0; i < files->header()->count(); ++i) columns += files->header()->sectionSize(i);
  const QSize screen = dialog.screen()->availableSize();
  EXPECT_LE(dialog.width(), screen.width());
  EXPECT_LE(dialog.height(), screen.height());
  if (screen.width() > 1000) {
    EXPECT_GE(dialog.width(), columns);
  }
}

}  // namespace
}  // namespace fusebench
