// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/report_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "profiler/run/run.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string packed(const std::string& text) {
  std::string made(compressBound(text.size()), '\0');
  uLongf size = made.size();
  compress(reinterpret_cast<Bytef*>(made.data()), &size,
           reinterpret_cast<const Bytef*>(text.data()), text.size());
  made.resize(size);
  return made;
}

TEST(ReportRuns, AreTheScriptsOfAPage) {
  EXPECT_THAT(runsInReport("<html><script type=\"application/x-fusebench-run\" id=\"a\">\none\n"
                           "</script><script type=\"application/x-fusebench-run\">\ntwo</script>"),
              ElementsAre("one\n", "two"));
  EXPECT_THAT(runsInReport("<html>nothing</html>"), IsEmpty());
}

TEST(ReportRuns, AreTheAttachmentsOfAPdf) {
  fusebench::Run small;
  small.environment = {{"backend", "a CPU"}};  // keys are sorted: "fusebench" is not the first
  const std::string run = runText(small);
  const std::string content = "%PDF-1.6\n1 0 obj\n<<>>\nstream\n" + packed("q 1 0 0 1 cm Q") +
                              "endstream\nendobj\n2 0 obj\n<</Type /EmbeddedFile>>\nstream\r\n" +
                              packed(run) + "\nendstream\nendobj\nstream\nbroken\nendstream";
  EXPECT_THAT(runsInReport(content), ElementsAre(run));
}

TEST(ReportRuns, AreLookedForByTheNamesEnding) {
  EXPECT_TRUE(isReportName("a.html"));
  EXPECT_TRUE(isReportName("A.PDF"));
  EXPECT_FALSE(isReportName("a.jsonl"));
  EXPECT_FALSE(isReportName("pdf"));
}

}  // namespace
}  // namespace fusebench
