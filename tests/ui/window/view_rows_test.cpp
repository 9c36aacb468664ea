// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_rows.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/ui/synthetic.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

TEST(ViewRows, EachHasAKeyAndARankOfItsOwn) {
  QSet<QString> keys;
  int rank = 0;
  for (const ViewRow* row : viewsByRank()) {
    EXPECT_EQ(row->rank, ++rank) << row->key;
    EXPECT_TRUE(row->make && row->setTheme) << row->key;
    for (const char* text : {row->key, row->tab, row->title, row->word}) EXPECT_STRNE(text, "");
    keys << QLatin1String(row->key);
  }
  EXPECT_EQ(keys.size(), static_cast<qsizetype>(viewRows().size()));
}

TEST(ViewRows, TheMenuShowsEachAndTheFirstTenHaveKeys) {
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  settings.setExplore(false);
  MainWindow window(settings, test::fakeRunner(std::make_shared<test::FakeStudy>()), {},
                    folder.path());
  window.openMainStudy();
  const auto actionOf = [&](const ViewRow& row) {
    for (QAction* action : window.actions().more->findChildren<QAction*>())
      if (action->text() == QLatin1String(row.title) && action->parent() != &window) return action;
    return static_cast<QAction*>(nullptr);
  };
  for (const ViewRow& row : viewRows()) {
    QAction* action = actionOf(row);
    ASSERT_TRUE(action) << row.key;
    EXPECT_EQ(action->shortcut().isEmpty(), row.rank > 10) << row.key;
    action->trigger();
    EXPECT_TRUE(window.workbench().shows(QLatin1String(row.key))) << row.key;
  }
  // One tab hides another.
  EXPECT_FALSE(window.workbench().shows("chart"));
}

}  // namespace
}  // namespace fusebench
