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

}  // namespace
}  // namespace fusebench
