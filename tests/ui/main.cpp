// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "tests/support/built_paths.h"
#include "tests/ui/patience.h"
#include "ui/views/base/plain_texts.h"

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("FUSEBENCH_RESOURCES", fusebench::test::sourcePath("/resources").c_str());
  QStandardPaths::setTestModeEnabled(true);
  testing::InitGoogleTest(&argc, argv);
  QApplication application(argc, argv);
  fusebench::keepTextsPlain(application);
  QApplication::setOrganizationName(QStringLiteral("fusebench-tests"));
  // The last window of one test is not the end of the next.
  QApplication::setQuitOnLastWindowClosed(false);
  testing::UnitTest::GetInstance()->listeners().Append(new fusebench::test::PatienceForEachTest);
  return RUN_ALL_TESTS();
}
