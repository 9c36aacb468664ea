// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "profiler/files/files.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_query.h"
#include "profiler/trace/trace_report.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

class TraceCounters : public testing::Test {
 protected:
  std::shared_ptr<const Trace> read(const std::string& text) const {
    writeFile(folder_.path("t.json"), text);
    return importTrace(folder_.path("t.json"));
  }
  test::TemporaryFolder folder_;
};

constexpr const char* kSpan = R"({"ph":"X","name":"work","pid":1,"tid":1,"ts":10,"dur":90},)";

/// The pairs of a counter as text: "10:3 20:5".
std::string samplesOf(const CounterTrack& counter) {
  std::string text;
  for (std::size_t i = 0; i < counter.times.size(); ++i)
    text += (i > 0 ? " " : "") + std::to_string(counter.times[i]) + ":" +
            valueText(counter.values[i], {});
  return text;
}

TEST_F(TraceCounters, AreReadFromChromeTracesSeriesBySeries) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}},
    {"args":{"value":7},"ph":"C","name":"Power [W]","pid":1,"ts":30},
    {"ph":"C","name":"Power [W]","pid":1,"ts":20,"args":{"value":5}},
    {"ph":"C","name":"Queue","id":3,"pid":1,"ts":20,"args":{"in":1,"out":2.5,"who":"x"}},
    {"ph":"C","name":"Queue","id":3,"pid":1,"ts":20,"args":{"in":4}}])");
  ASSERT_EQ(trace->counters().size(), 3u);
  const auto counters = trace->counters();
  EXPECT_EQ(counters[0].name, "Power");
  EXPECT_EQ(counters[0].unit, "W");
  EXPECT_EQ(counters[0].processName, "python");
  EXPECT_EQ(samplesOf(counters[0]), "10000:5 20000:7");  // sorted, from the begin of the span
  EXPECT_EQ(counters[1].name, "Queue 3: in");
  EXPECT_EQ(samplesOf(counters[1]), "10000:4");  // the last of one time
  EXPECT_EQ(counters[2].name, "Queue 3: out");
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(trace->size(), 1u);
}

TEST_F(TraceCounters, OfMemoryAreTheTotalsAtEachAllocation) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":20,"args":
      {"Total Reserved":0,"Total Allocated":131072,"Bytes":131072,"Device Id":-1,"Device Type":0}},
    {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":30,"args":
      {"Total Reserved":2097152,"Total Allocated":512,"Bytes":512,"Device Id":1,"Device Type":1}},
    {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":40,"args":
      {"Total Reserved":0,"Total Allocated":0,"Bytes":-131072,"Device Id":-1,"Device Type":0}},
    {"ph":"i","name":"another mark","pid":1,"tid":1,"ts":41}])");
  ASSERT_EQ(trace->counters().size(), 3u);
  EXPECT_EQ(trace->counters()[0].name, "Memory allocated, CPU");
  EXPECT_EQ(trace->counters()[0].unit, "bytes");
  EXPECT_EQ(samplesOf(trace->counters()[0]), "10000:131072 30000:0");
  EXPECT_EQ(trace->counters()[1].name, "Memory allocated, GPU 1");
  EXPECT_EQ(trace->counters()[2].name, "Memory reserved, GPU 1");
  EXPECT_EQ(trace->remarks().marks, 1u);
}

TEST_F(TraceCounters, OfMemoryAddUpChangesWhereTotalsAreNotRecorded) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":40,"args":
      {"Device Type":1,"Device Id":0,"Bytes":-1024}},
    {"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":20,"args":
      {"Device Type":1,"Device Id":0,"Bytes":512}},
    {"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":20,"args":
      {"Device Type":1,"Device Id":0,"Bytes":256}},
    {"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":30,"args":
      {"Device Type":0,"Device Id":-1,"Bytes":4}},
    {"ph":"i","s":"t","name":"[memory]","pid":1,"tid":1,"ts":31,"args":{"Bytes":"many"}}])");
  ASSERT_EQ(trace->counters().size(), 2u);
  EXPECT_EQ(trace->counters()[0].name, "Memory change since the start, CPU");
  EXPECT_EQ(samplesOf(trace->counters()[0]), "20000:4");
  EXPECT_EQ(trace->counters()[1].name, "Memory change since the start, GPU 0");
  EXPECT_EQ(trace->counters()[1].unit, "bytes");
  EXPECT_EQ(samplesOf(trace->counters()[1]), "10000:768 30000:-256");
  EXPECT_EQ(trace->remarks().marks, 1u);
}

TEST_F(TraceCounters, WithoutANumberOrATimeAreCountedAsMalformed) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"C","name":"a","pid":1,"ts":20,"args":{"value":"many"}},
    {"ph":"C","name":"a","pid":1,"ts":"never","args":{"value":1}},
    {"ph":"C","name":"a","pid":1,"ts":20}])");
  EXPECT_TRUE(trace->counters().empty());
  EXPECT_EQ(trace->losses().malformed, 3u);
  TraceBuilder builder("t");
  const std::size_t counter = builder.counter({.name = "a"});
  builder.addCount(counter, kNoTime, 1);
  builder.addCount(counter, 5, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(builder.losses().malformed, 2u);
}

TEST_F(TraceCounters, MakeATraceLongerButNotItsRecordedWork) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"C","name":"a","pid":1,"ts":0,"args":{"value":1}},
    {"ph":"C","name":"a","pid":1,"ts":200,"args":{"value":2}}])");
  EXPECT_EQ(trace->length(), 200'000);
  EXPECT_EQ(trace->start(0), 10'000);
  EXPECT_EQ(recordedOf(*trace).from, 10'000);
  EXPECT_EQ(recordedOf(*trace).to, 100'000);
}

TEST_F(TraceCounters, SurviveAnExport) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}},
    {"ph":"C","name":"Power [W]","pid":1,"ts":20,"args":{"value":0.1}},
    {"ph":"C","name":"used bytes","pid":1,"ts":30,"args":{"value":12345678901}},
    {"ph":"C","name":"plain","pid":2,"ts":30,"args":{"value":-1}}])");
  exportTrace(*trace, folder_.path("again.json"));
  const auto again = importTrace(folder_.path("again.json"));
  EXPECT_EQ(differenceOf(*trace, *again), "");
}

TEST_F(TraceCounters, GoWithThePartsOfATrace) {
  const auto one = read(std::string("[") + kSpan +
                        R"({"ph":"C","name":"Power [W]","pid":1,"ts":20,"args":{"value":3}}])");
  const std::shared_ptr<const Trace> both[] = {one, one};
  const auto joined = joinedTrace(both, "two");
  ASSERT_EQ(joined->counters().size(), 2u);
  EXPECT_NE(joined->counters()[0].process, joined->counters()[1].process);
  const auto parts = partsOf(joined);
  ASSERT_EQ(parts.size(), 2u);
  for (const auto& part : parts) {
    ASSERT_EQ(part->counters().size(), 1u);
    EXPECT_EQ(samplesOf(part->counters()[0]), "10000:3");
  }
}

TEST_F(TraceCounters, CanBeQueriedAndAreInTheReport) {
  const auto trace = read(std::string("[") + kSpan + R"(
    {"ph":"C","name":"Power [W]","pid":1,"ts":20,"args":{"value":1}},
    {"ph":"C","name":"Power [W]","pid":1,"ts":80,"args":{"value":4}}])");
  const auto firstRow = [&](const char* sql) {
    std::string text;
    const QueryResult result = queryTrace(trace, sql);
    for (const QueryValue& value : result.rows.at(0)) text += textOf(value) + "|";
    return text;
  };
  EXPECT_EQ(firstRow("select name, unit, samples, min, max from counters"), "Power|W|2|1|4|");
  EXPECT_EQ(firstRow("select max(time_ns), sum(value) from samples join counters using (counter) "
                     "where name = 'Power'"),
            "70000|5|");
  const TraceReport report = reportOf(trace, "t");
  const auto object = reportJson({&report, 1}, nullptr);
  EXPECT_EQ(object["traces"][0]["counters"][0]["max"], 4.0);
}

TEST_F(TraceCounters, HoldAValueUntilTheNext) {
  const CounterTrack counter{.name = "a", .times = {10, 20}, .values = {1, 4}};
  EXPECT_FALSE(valueAt(counter, 9));
  EXPECT_EQ(valueAt(counter, 10), 1);
  EXPECT_EQ(valueAt(counter, 19), 1);
  EXPECT_EQ(valueAt(counter, 1000), 4);
  const auto figures = figuresOf(counter, {15, 25});
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->samples, 1u);
  EXPECT_EQ(figures->least, 1);
  EXPECT_EQ(figures->mean, 2.5);
  EXPECT_FALSE(figuresOf(counter, {0, 10}));
}

TEST_F(TraceCounters, HaveTheUnitThatTheirNameSays) {
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(nameAndUnit("SMs Active [Throughput %]"), Pair("SMs Active", "%"));
  EXPECT_EQ(nameAndUnit("GPC Clock Frequency [MHz]"), Pair("GPC Clock Frequency", "MHz"));
  EXPECT_EQ(nameAndUnit("Power (W)"), Pair("Power", "W"));
  EXPECT_EQ(nameAndUnit("bytes in flight"), Pair("bytes in flight", "bytes"));
  EXPECT_EQ(nameAndUnit("queue [3]"), Pair("queue [3]", ""));
  EXPECT_EQ(nameAndUnit("[W]"), Pair("[W]", ""));
  EXPECT_EQ(valueText(1610612736, "bytes"), "1.50 GiB");
  EXPECT_EQ(valueText(87.5, "%"), "87.5 %");
}

}  // namespace
}  // namespace fusebench
