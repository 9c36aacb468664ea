// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/command_palette.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <string>
#include <vector>

#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/canvas/palette_model.h"
#include "ui/models/setup/presets_model.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

Command named(const char* name, const char* group = "Menu", const char* about = "") {
  return {name, group, {}, about, [] {}};
}

TEST(CommandRank, PrefersBeginningsToWordsToLetters) {
  const Command exported = named("Export…"), timeline = named("Timeline", "Show");
  EXPECT_EQ(commandRank(exported, ""), 0);
  EXPECT_LT(commandRank(exported, "exp"), commandRank(named("logaddexp"), "exp"));
  EXPECT_LT(commandRank(named("layer_norm"), "norm"), commandRank(named("enormous"), "norm"));
  EXPECT_GE(commandRank(timeline, "tmln"), 0) << "letters in this order";
  EXPECT_GE(commandRank(timeline, "show time"), 0) << "the group counts";
  EXPECT_LT(commandRank(timeline, "zebra"), 0);
  EXPECT_LT(commandRank(timeline, "time zebra"), 0) << "every word is needed";
}

class CommandsOfTheWindow : public testing::Test {
 protected:
  CommandsOfTheWindow() {
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                          folder.filePath("data"));
    window->openMainStudy();
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
  }
  ~CommandsOfTheWindow() override { study->rounds = 0; }

  void open() {
    window->actions().findCommand->trigger();
    palette = window->findChild<CommandPalette*>();
    ASSERT_NE(palette, nullptr);
  }
  /// Types and presses Enter, and waits until the palette is gone.
  void choose(const char* typed) {
    open();
    QTest::keyClicks(&palette->search(), typed);
    QTest::keyClick(&palette->search(), Qt::Key_Return);
    ASSERT_TRUE(gone());
    test::handleEvents();
  }
  bool gone() {
    return QTest::qWaitFor([this] { return palette.isNull(); }, 10'000);
  }
  bool lists(const QString& name) {
    palette->search().setText(name);
    for (const Command* const each : palette->listed())
      if (each->name == name) return true;
    return false;
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  QPointer<CommandPalette> palette;
  std::unique_ptr<MainWindow> window;
};

TEST_F(CommandsOfTheWindow, ListsWhateverCanBeChosen) {
  settings.addRecentFile(folder.filePath("of-late.json"));
  open();
  EXPECT_TRUE(lists("of-late.json"));
  for (const ViewRow* row : viewsByRank()) EXPECT_TRUE(lists(row->title)) << row->title;
  const PaletteModel ops;
  for (int i = 0; i < ops.rowCount(); ++i)
    if (ops.at(i)) {
      const QString op = ops.index(i).data(PaletteModel::NameRole).toString();
      EXPECT_TRUE(lists(op)) << op.toStdString();
    }
  const PresetsModel studies;
  for (int i = 0; i < studies.rowCount(); ++i) {
    const QString title = studies.index(i).data().toString();
    EXPECT_TRUE(lists(title)) << title.toStdString();
  }
  for (const char* action : {"Run", "New", "Save as…", "Dark or light", "Focus mode", "Quit"})
    EXPECT_TRUE(lists(action)) << action;
  EXPECT_TRUE(lists("How do you measure a program?"));
  palette->search().setText("save as");
  EXPECT_EQ(palette->listed().front()->keys, "Ctrl+Shift+S");
}

TEST_F(CommandsOfTheWindow, RunsWhatIsChosen) {
  choose("timelin");
  EXPECT_TRUE(window->workbench().shows("timeline"));
  const std::size_t before = window->document().sketch().program.ops.size();
  choose("tanh");
  EXPECT_EQ(window->document().sketch().program.ops.size(), before + 1);
  const bool dark = settings.dark();
  choose("dark light");
  EXPECT_NE(settings.dark(), dark);
}

TEST_F(CommandsOfTheWindow, EscapeLeavesEverythingAsItIs) {
  open();
  QTest::keyClicks(&palette->search(), "tanh");
  QTest::keyClick(&palette->search(), Qt::Key_Escape);
  ASSERT_TRUE(gone());
  EXPECT_FALSE(window->document().modified());
}

}  // namespace
}  // namespace fusebench
