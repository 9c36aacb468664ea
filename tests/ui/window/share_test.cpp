// SPDX-License-Identifier: GPL-3.0-or-later
// One file with experiment, run, notes and view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "profiler/experiment/experiment.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "tests/ui/events.h"
#include "tests/ui/synthetic.h"
#include "ui/models/setup/documents.h"
#include "ui/views/base/banner.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

class Share : public testing::Test {
 protected:
  Share() {
    dialogs.saveFile = [this](QWidget*, const QString&, const QString&) { return path(); };
    dialogs.unsaved = [](QWidget*, const QString&) { return Dialogs::Unsaved::discard; };
    window = make("first");
  }
  ~Share() override { study->rounds = 0; }
  QString path() const { return folder.filePath("shared.fusebench"); }
  std::unique_ptr<MainWindow> make(const char* data) {
    auto made = std::make_unique<MainWindow>(settings, test::fakeRunner(study), dialogs,
                                             folder.filePath(data));
    made->resize(1280, 800);
    made->openMainStudy();
    made->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(made.get()));
    return made;
  }
  void measure() {
    window->run();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->controller().busy(); }, 20'000));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->analysisModel().upToDate(); }, 20'000));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->library().busy(); }, 20'000));
  }
  void open() {
    ASSERT_TRUE(window->openFile(path()));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->files().opening(); }, 20'000));
    test::handleEvents();
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("settings.ini")};
  std::shared_ptr<test::FakeStudy> study = std::make_shared<test::FakeStudy>();
  Dialogs dialogs;
  std::unique_ptr<MainWindow> window;
};

TEST_F(Share, OpensWhereItWasLeftInAnotherWindow) {
  measure();
  Workbench& views = window->workbench();
  ASSERT_EQ(window->library().rowCount(), 1);
  const QString kept = window->library().index(0).data(RunLibrary::PathRole).toString();
  window->library().setNotes(kept, QStringLiteral("Look at 10 statements."));
  views.showView("scatter", true);
  views.split(Qt::Vertical);
  views.showView("chart");
  views.view<ChartView>().setMetric(Metric::speedUp);
  emit views.view<ChartView>().picked(10);
  ASSERT_TRUE(views.view<ChartView>().pin());
  const std::string title = window->document().experiment().title;
  const auto run = window->runModel().measured();
  window->actions().share->trigger();
  ASSERT_TRUE(QFile::exists(path()));
  const Bundle bundle = parseBundle(readFile(path().toStdString()), "f");
  EXPECT_EQ(bundle.notes, "Look at 10 statements.");
  EXPECT_EQ(parseExperiment(bundle.experiment, "f").title, title);
  EXPECT_EQ(bundle.run, runText(*run));

  window.reset();
  settings.setPlace(QStringLiteral("layout/experiment"), QByteArray());
  settings.setPlace(QStringLiteral("layout/run"), QByteArray());
  window = make("second");
  EXPECT_FALSE(window->workbench().groups().besideShown());
  open();
  ASSERT_TRUE(window->runModel().run());
  EXPECT_EQ(runText(*window->runModel().measured()), runText(*run));
  EXPECT_EQ(window->document().experiment().title, title);
  EXPECT_EQ(window->workbench().view<ChartView>().metric(), Metric::speedUp);
  EXPECT_EQ(window->workbench().view<ChartView>().pin(), 10);
  ASSERT_TRUE(window->workbench().groups().besideShown());
  EXPECT_EQ(window->workbench().groups().beside()->keys(), QStringList{"scatter"});
  EXPECT_TRUE(window->workbench().shows("chart"));
  EXPECT_THAT(window->banner().text().toStdString(), testing::HasSubstr("Look at 10 statements."));
  // Shared again, it still has them.
  window->actions().share->trigger();
  EXPECT_EQ(parseBundle(readFile(path().toStdString()), "f").notes, "Look at 10 statements.");
}

TEST_F(Share, AnExperimentThatWasNotRunIsSharedToo) {
  window->actions().share->trigger();
  const Bundle bundle = parseBundle(readFile(path().toStdString()), "f");
  EXPECT_TRUE(bundle.run.empty());
  EXPECT_FALSE(bundle.experiment.empty());
  window->newChain();
  open();
  EXPECT_EQ(window->document().experiment().title, parseExperiment(bundle.experiment, "f").title);
  // Saving the experiment alone must not replace the file that holds more.
  EXPECT_TRUE(window->document().path().isEmpty());
}

TEST_F(Share, AViewThatDoesNotFitChangesNothing) {
  measure();
  window->actions().share->trigger();
  Bundle bundle = parseBundle(readFile(path().toStdString()), "f");
  bundle.view =
      R"({"shown": [1, "nonsense", {}], "metric": "speed of light", "place": 1e300, "slice": -7,
          "variant": 99, "layout": {"beside": ["nothing", "chart", 3], "windows": {"no": "AAAA"},
          "splitters": {"columns": "AAAA"}}})";
  writeFile(path().toStdString(), toText(bundle));
  open();
  EXPECT_TRUE(window->runModel().run());
  EXPECT_FALSE(window->workbench().view<ChartView>().pin());
  EXPECT_TRUE(window->workbench().view<ChartView>().isVisible());
}

TEST_F(Share, ADamagedFileIsRefusedAndWhatIsShownStays) {
  const std::string title = window->document().experiment().title;
  writeFile(path().toStdString(), R"({"fusebench": "bundle", "version": 1, "run": "nonsense"})");
  EXPECT_FALSE(window->openFile(path()));
  EXPECT_EQ(window->document().experiment().title, title);
  EXPECT_FALSE(window->banner().text().contains(u'\n'));
  EXPECT_THAT(window->banner().text().toStdString(), testing::HasSubstr("shared.fusebench"));
}

}  // namespace
}  // namespace fusebench
