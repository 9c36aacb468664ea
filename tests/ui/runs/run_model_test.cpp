// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_model.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/synthetic.h"
#include "ui/models/results/analysis_model.h"

namespace fusebench {
namespace {

class CompleteRun : public testing::Test {
 protected:
  CompleteRun() { run.show(test::syntheticRun(3), false); }
  fusebench::Run ended() {
    fusebench::Run whole = test::syntheticRun(31);
    whole.startedAt = run.run()->startedAt;
    return whole;
  }
  RunModel run;
};

TEST_F(CompleteRun, KeepsWhatShowsItAndTellsOfEveryCell) {
  QSignalSpy resets(&run, &RunModel::runReset), changes(&run, &RunModel::cellsChanged),
      ends(&run, &RunModel::completed);
  run.complete(ended());
  EXPECT_EQ(resets.count(), 0);
  ASSERT_EQ(changes.count(), 1);
  EXPECT_EQ(changes[0][0].value<std::vector<int>>().size(), 21u);
  EXPECT_EQ(ends.count(), 1);
  EXPECT_EQ(run.run()->cells[5].samples.size(), 31u);
  EXPECT_EQ(run.summaries().at(5).latency.kind, Estimate::Kind::interval);
  EXPECT_TRUE(run.unsaved());
}

TEST_F(CompleteRun, ShowsAnotherRunInstead) {
  fusebench::Run other = ended();
  other.startedAt = "another time";
  QSignalSpy resets(&run, &RunModel::runReset), ends(&run, &RunModel::completed);
  run.complete(other);
  EXPECT_EQ(resets.count(), 1);
  EXPECT_EQ(ends.count(), 1);
}

TEST_F(CompleteRun, IsSharedAsItIsAndLeftAloneByLaterChanges) {
  const std::shared_ptr<const fusebench::Run> before = run.shared();
  EXPECT_EQ(before.get(), run.run());
  fusebench::Cell changed = run.run()->cells[5];
  changed.samples.resize(1);
  run.update({{5, changed}});
  EXPECT_EQ(before->cells[5].samples.size(), 3u);
  EXPECT_EQ(run.run()->cells[5].samples.size(), 1u);
  const fusebench::Run* own = run.run();
  run.update({{6, changed}});
  EXPECT_EQ(run.run(), own);  // nobody else holds it: changed in place
  const std::shared_ptr<const fusebench::Run> held = run.shared();
  run.interrupt();
  EXPECT_FALSE(held->interrupted);
}

TEST_F(CompleteRun, IsAnalysedAtOnce) {
  AnalysisModel analysis(run);
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  QSignalSpy analysed(&analysis, &AnalysisModel::changed);
  run.complete(ended());
  EXPECT_FALSE(analysis.upToDate());
  ASSERT_TRUE(QTest::qWaitFor([&] { return analysis.upToDate(); }, 20'000));
  EXPECT_GE(analysed.count(), 1);
}

}  // namespace
}  // namespace fusebench
