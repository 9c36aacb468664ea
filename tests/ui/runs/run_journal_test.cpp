// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a study that are kept if the window is killed during it.
#include "ui/models/runs/run_journal.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <string>

#include "tests/ui/synthetic.h"
#include "ui/models/results/comparison.h"
#include "ui/models/runs/run_library.h"
#include "ui/models/runs/study_controller.h"

namespace fusebench {
namespace {

class Journal : public testing::Test {
 protected:
  QString runs() const { return folder.filePath("runs"); }
  QStringList underWay() const {
    return QDir(runs() + "/under-way").entryList(QDir::Files, QDir::Name);
  }
  /// A journal of a study that has come so far.
  std::unique_ptr<RunJournal> begun(int cells) {
    auto journal = std::make_unique<RunJournal>(runs());
    journal->started(test::syntheticHeader());
    for (int i = 0; i < cells; ++i) journal->cellChanged(i, run.cells[static_cast<std::size_t>(i)]);
    return journal;
  }
  QTemporaryDir folder;
  const fusebench::Run run = test::syntheticRun();
};

TEST_F(Journal, OfAKilledWindowBecomesARunWithAllThatWasMeasured) {
  begun(3).reset();
  const QStringList recovered = recoverJournals(runs());
  ASSERT_EQ(recovered.size(), 1);
  EXPECT_TRUE(recovered[0].startsWith(runs() + "/")) << recovered[0].toStdString();
  const fusebench::Run read = loadRun(recovered[0].toStdString());
  EXPECT_EQ(sampleCount(read), 3u * run.cells[0].samples.size());
  EXPECT_TRUE(read.interrupted);
  EXPECT_TRUE(underWay().isEmpty());
  EXPECT_TRUE(recoverJournals(runs()).isEmpty());
}

TEST_F(Journal, OfAnotherWindowThatMeasuresIsLeftAlone) {
  const auto journal = begun(1);
  EXPECT_TRUE(recoverJournals(runs()).isEmpty());
  EXPECT_EQ(underWay().size(), 1);
}

TEST_F(Journal, GoesOnceTheRunIsKept) {
  const auto journal = begun(1);
  journal->discard();
  EXPECT_TRUE(underWay().isEmpty());
  journal->cellChanged(1, run.cells[1]);
  EXPECT_TRUE(underWay().isEmpty());
}

TEST_F(Journal, TwoStudiesOfOneSecondDoNotShareAFile) {
  begun(1).reset();
  begun(2).reset();
  EXPECT_EQ(recoverJournals(runs()).size(), 2);
}

TEST_F(Journal, ThatCannotBeWrittenStopsNothing) {
  QFile inTheWay(runs());
  ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
  const auto journal = begun(2);
  journal->discard();
}

TEST_F(Journal, IsFoundByTheLibraryAndToldOnce) {
  begun(2).reset();
  {
    RunLibrary library(runs());
    QSignalSpy recovered(&library, &RunLibrary::recovered);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recovered.size() == 1; }, 20'000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !library.busy(); }, 20'000));
    ASSERT_EQ(library.rowCount(), 1);
    EXPECT_EQ(library.index(0).data(RunLibrary::ProblemRole).toString(), QString());
    EXPECT_TRUE(library.index(0).data(RunLibrary::ResultRole).toString().contains("stopped early"));
  }
  RunLibrary next(runs());
  QSignalSpy recovered(&next, &RunLibrary::recovered);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !next.busy(); }, 20'000));
  EXPECT_EQ(recovered.size(), 0);
}

TEST_F(Journal, HasWhatAStudyMeasuresUntilItsRunIsInTheLibrary) {
  RunModel shown;
  auto study = std::make_shared<test::FakeStudy>();
  StudyController controller(shown, test::fakeRunner(study));
  controller.setRunsFolder(runs());
  controller.setExperiment(test::syntheticExperiment());
  controller.start(false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.busy(); }, 20'000));
  ASSERT_EQ(underWay().size(), 1);
  QFile file(runs() + "/under-way/" + underWay()[0]);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const std::string text = file.readAll().toStdString();
  EXPECT_EQ(sampleCount(parseRun(text, "journal")), sampleCount(*shown.run()));
  RunLibrary library(runs());
  library.add(shown.shared(), [journal = controller.journal()] { journal->discard(); });
  ASSERT_TRUE(QTest::qWaitFor([&] { return !library.busy(); }, 20'000));
  EXPECT_TRUE(underWay().isEmpty());
  EXPECT_EQ(library.rowCount(), 1);
}

TEST_F(Journal, OfAStudyThatMeasuredNothingGoes) {
  RunModel shown;
  auto study = std::make_shared<test::FakeStudy>();
  study->rounds = 0;
  StudyController controller(shown, test::fakeRunner(study));
  controller.setRunsFolder(runs());
  controller.setExperiment(test::syntheticExperiment());
  controller.start(false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.busy(); }, 20'000));
  EXPECT_TRUE(underWay().isEmpty());
}

}  // namespace
}  // namespace fusebench
