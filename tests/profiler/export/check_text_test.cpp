// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/check_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

CheckReport threeResults() {
  CheckReport report;
  report.axes = {"batch"};
  report.cells.resize(4);
  for (std::size_t i = 0; i < 4; ++i) {
    CheckedCell& cell = report.cells[i];
    cell.variant = "a|b <c>, 50%";
    cell.at = {static_cast<std::int64_t>(i)};
    cell.before = i < 3 ? 1000 : 0;
    cell.now = 1100;
    cell.compared = i < 3;
    cell.fastBefore = 900;
    cell.fastNow = 990;
    cell.share = 0.1;
    cell.change = 0.1;
    cell.low = 0.08;
    cell.high = 0.12;
  }
  report.cells[0].verdict = CheckVerdict::within;
  report.cells[1].verdict = CheckVerdict::slower;
  report.cells[2].why = "too noisy";
  report.cells[2].samplesNeeded = 400;
  report.verdict = CheckVerdict::slower;
  return report;
}

TEST(CheckText, MarkdownShowsFirstWhatNeedsAttention) {
  const std::string text = checkMarkdown(threeResults());
  const std::string head = text.substr(0, text.find("<details>"));
  EXPECT_THAT(head, HasSubstr("a\\|b &lt;c>"));
  EXPECT_THAT(head, HasSubstr("+10.0% \\[+8.0, +12.0]"));
  EXPECT_THAT(head, HasSubstr("slower"));
  EXPECT_THAT(head, HasSubstr("too noisy"));
  EXPECT_THAT(head, Not(HasSubstr("passed")));
  EXPECT_THAT(text, HasSubstr("passed"));
}

TEST(CheckText, JunitCountsFailuresAndSkips) {
  const std::string text = checkJunit(threeResults(), "a & b");
  EXPECT_THAT(text, HasSubstr("name=\"a &amp; b\" tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"a|b &lt;c&gt;, 50% at batch = 1\""));
  EXPECT_THAT(text, HasSubstr("<failure message="));
  EXPECT_THAT(text, HasSubstr("<skipped message="));
}

TEST(CheckText, AnnotationsEncodeWhatACommandWouldTakeForItsOwn) {
  const std::string text = checkAnnotations(threeResults());
  EXPECT_THAT(text, HasSubstr("::error title=Fusebench%3A slower::a|b <c>, 50%25 at batch = 1: "));
  EXPECT_THAT(text, HasSubstr("::warning title=Fusebench%3A cannot tell::"));
}

TEST(CheckText, JsonHasNullForWhatWasNotMeasured) {
  const auto json = checkJson(threeResults());
  EXPECT_EQ(json["verdict"], "slower");
  EXPECT_EQ(json["cells"][2]["samples_needed"], 400);
  EXPECT_EQ(json["cells"][3]["verdict"], "new");
  EXPECT_TRUE(json["cells"][3]["change"].is_null());
  EXPECT_TRUE(json["machine"].is_null());
}

TEST(CheckText, JsonKeepsTheMediansNextToTheTimesThatAreCompared) {
  const auto json = checkJson(threeResults());
  const auto& cell = json["cells"][1];
  EXPECT_EQ(cell["baseline_ns"], 1000);
  EXPECT_EQ(cell["now_ns"], 1100);
  EXPECT_EQ(cell["baseline_fast_ns"], 900);
  EXPECT_EQ(cell["now_fast_ns"], 990);
  EXPECT_EQ(cell["quantile"], 0.1);
  EXPECT_EQ(cell["median_change"], 0);
  EXPECT_TRUE(json["cells"][3]["now_fast_ns"].is_null());
}

TEST(CheckText, TablesShowTheTimesThatAreComparedAndSayWhichTheyAre) {
  const ExportTable table = checkTable(threeResults());
  EXPECT_THAT(table.rows[1], testing::Contains("990\u202fns"));
  EXPECT_THAT(table.rows[3], testing::Contains("1.10\u202fµs")) << "not compared: its median";
  EXPECT_THAT(checkMarkdown(threeResults()), HasSubstr("lower deciles"));
  EXPECT_EQ(timesLine(CheckReport{}), "");
}

TEST(CheckText, NamesWhatAllOfTheMachinesWorkBecameSlowerBy) {
  CheckReport report = threeResults();
  report.machine = MachineChange{0.2, 0.1, 0.3, 0.15, 0.2};
  EXPECT_THAT(machineLine(report), HasSubstr("at least 15.0% longer"));
  EXPECT_EQ(checkJson(report)["machine"]["common"], 0.15);
  report.machine->least = -0.01;
  EXPECT_THAT(machineLine(report), Not(HasSubstr("at least")));
}

}  // namespace
}  // namespace fusebench
