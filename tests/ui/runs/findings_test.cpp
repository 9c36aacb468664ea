// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <string>

#include "tests/support/built_paths.h"
#include "tests/ui/synthetic.h"
#include "ui/models/setup/documents.h"
#include "ui/views/runs/findings_view.h"

Q_DECLARE_METATYPE(fusebench::Target)

namespace fusebench {
namespace {

class Shown : public testing::Test {
 protected:
  void show(fusebench::Run shown) {
    run.show(std::move(shown), true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return analysis.upToDate(); }, 20'000));
  }
  RunModel run;
  AnalysisModel analysis{run};
  FindingsModel model{run, analysis};
  FindingsView view{model};
};

TEST_F(Shown, TheAnalysisBringsTheFindingsOffTheWindowsThread) {
  show(test::syntheticRun());
  ASSERT_FALSE(model.findings().empty());
  EXPECT_EQ(analysis.analysis().findings.size(), model.findings().size());
  EXPECT_TRUE(model.findings()[0].headline.startsWith("static: ahead from 5."));
  EXPECT_TRUE(model.toText().contains("per statement"));
}

TEST_F(Shown, AProgramThatAGraphBreakDividesIsAFindingThatLeadsToItsCurve) {
  const Experiment study = std::get<Experiment>(openDocument(QString::fromStdString(
      fusebench::test::sourcePath("/resources/experiments/graph_breaks.json"))));
  fusebench::Run measured = test::syntheticHeader(study);
  for (Cell& cell : measured.cells) cell = test::syntheticCell(cell.key);
  show(std::move(measured));
  const ShownFinding* found = nullptr;
  for (const ShownFinding& finding : model.findings())
    if (finding.headline == QLatin1String("static, branch: split in line 3")) found = &finding;
  ASSERT_TRUE(found) << model.toText().toStdString();
  EXPECT_TRUE(found->text.contains("the host waits for its condition"))
      << found->text.toStdString();
  EXPECT_TRUE(found->shows);
  EXPECT_EQ(study.variants[static_cast<std::size_t>(found->variant)].name, "static, branch");
}

TEST_F(Shown, AClickOrEnterAsksToSeeIt) {
  show(test::syntheticRun());
  view.resize(320, 600);
  view.show();
  QList<Target> picked;
  QObject::connect(&view, &FindingsView::picked, [&](const Target& target) { picked << target; });
  const auto entries = view.findChildren<FindingEntry*>();
  ASSERT_GE(entries.size(), 4);
  QTest::mouseClick(entries[0], Qt::LeftButton);
  ASSERT_EQ(picked.size(), 1);
  EXPECT_EQ(picked[0].metric, Metric::latency);
  EXPECT_EQ(picked[0].variant, 1);
  ASSERT_TRUE(picked[0].x);
  EXPECT_NEAR(*picked[0].x, 5.2, 0.2);
  for (FindingEntry* entry : entries)
    if (entry->finding().kind == ShownFinding::Kind::speedUp)
      QTest::keyClick(entry, Qt::Key_Return);
  ASSERT_EQ(picked.size(), 2);
  EXPECT_EQ(picked[1].metric, Metric::speedUp);
}

TEST_F(Shown, ANoteLeadsNowhereAndTakesNoFocus) {
  show(test::syntheticRun());
  for (const FindingEntry* entry : view.findChildren<FindingEntry*>())
    if (entry->finding().kind == ShownFinding::Kind::note) {
      EXPECT_EQ(entry->focusPolicy(), Qt::NoFocus);
    }
}

TEST_F(Shown, TheReferenceBringsTheRecordingOfItsStudyToARunOnACpu) {
  Reference reference;
  reference.name = "torch_compile_2025";
  const auto recorded = [&] {
    model.setReference(&reference);
    return std::ranges::any_of(model.findings(), [](const ShownFinding& finding) {
      return finding.headline.startsWith(QStringLiteral("Recorded on a GPU: ")) &&
             finding.text.contains(QStringLiteral("3.64 statements or more"));
    });
  };
  show(test::syntheticRun());
  EXPECT_TRUE(recorded());
  reference.name = "quantisation_2025";
  EXPECT_FALSE(recorded());
  reference.name = "torch_compile_2025";
  fusebench::Run gpu = test::syntheticRun();
  gpu.device = "cuda:0";
  show(std::move(gpu));
  EXPECT_FALSE(recorded());
  model.setReference(nullptr);
}

TEST_F(Shown, ALongListIsOpenedOnDemand) {
  fusebench::Run broken = test::syntheticRun();
  for (std::size_t i = 0; i < 12; ++i) {
    broken.cells[i].stop = Stop::failed;
    broken.cells[i].error = "reason " + std::to_string(i);
  }
  show(broken);
  const auto count = [this] { return view.findChildren<FindingEntry*>().size(); };
  const auto all = static_cast<qsizetype>(model.findings().size());
  ASSERT_GT(all, count());
  view.findChild<QPushButton*>()->click();
  EXPECT_TRUE(QTest::qWaitFor([&] { return count() == all; }, 2'000));
}

}  // namespace
}  // namespace fusebench
