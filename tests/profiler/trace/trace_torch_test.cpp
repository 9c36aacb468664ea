// SPDX-License-Identifier: GPL-3.0-or-later
// Traces from the profiler of whichever PyTorch is installed, read as people would read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "profiler/trace/trace_import.h"
#include "tests/engine/support/torch_python.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

// Prints how often the file names each op: a sum shared among threads is written once for each.
constexpr const char* kScript = R"(
import json
import torch
from torch.profiler import profile, ProfilerActivity
x = torch.randn(512, 512)
with profile(activities=[ProfilerActivity.CPU]) as profiler:
    for _ in range(5):
        torch.sigmoid(torch.sin(x)).sum()
profiler.export_chrome_trace('%PATH%')
events = json.load(open('%PATH%'))
events = events['traceEvents'] if isinstance(events, dict) else events
for op in ('aten::sin', 'aten::sigmoid', 'aten::sum'):
    print('(%s %d)' % (op, sum(e.get('name') == op and e.get('ph') == 'X' for e in events)))
print('written')
)";

TEST(TracesOfPyTorch, AreReadAsItsProfilerWritesThem) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  const test::TemporaryFolder folder;
  const auto file = folder / "trace.json";
  std::string script = kScript;
  for (std::size_t at; (at = script.find("%PATH%")) != std::string::npos;)
    script.replace(at, 6, file.string());
  const std::string printed = test::runPython(python, script);
  ASSERT_THAT(printed, ::testing::HasSubstr("written"));
  ASSERT_TRUE(looksLikeTrace(file.string()));
  const auto trace = importTrace(file.string());

  EXPECT_EQ(trace->partial(), "");
  EXPECT_EQ(trace->losses().malformed, 0u);
  std::map<std::string, int> times;
  Nanoseconds sines = 0;
  for (EventId e = 0; e < trace->size(); ++e) {
    ++times[std::string(trace->name(e))];
    if (trace->name(e) == "aten::sin") sines += trace->duration(e);
    EXPECT_GE(trace->duration(e), 0);
    EXPECT_LE(trace->end(e), trace->length());
  }
  for (const std::string op : {"aten::sin", "aten::sigmoid", "aten::sum"}) {
    EXPECT_GE(times[op], 5) << op;
    EXPECT_THAT(printed, ::testing::HasSubstr("(" + op + " " + std::to_string(times[op]) + ")"));
  }
  // A quarter of a million sines take longer than the profiler's microsecond.
  EXPECT_GT(sines, 5'000);
  ASSERT_FALSE(trace->lanes().empty());
  for (const Lane& lane : trace->lanes()) EXPECT_EQ(lane.kind, Lane::Kind::host);
}

}  // namespace
}  // namespace fusebench
