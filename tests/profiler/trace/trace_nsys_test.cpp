// SPDX-License-Identifier: GPL-3.0-or-later
// Databases made by the published schema of nsys export.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_statistics.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kTables = R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, graphId INTEGER, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  streamId INTEGER, correlationId INTEGER, bytes INTEGER, copyKind INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER);
CREATE TABLE TARGET_INFO_GPU (name TEXT);
INSERT INTO StringIds VALUES (1,'void sin_kernel<float>(float*)'),(2,'sin_kernel'),(3,'cudaLaunchKernel_v7000'),
  (4,'cudaGraphLaunch_v10000'),(5,'step'),(6,'cuLaunchKernel');
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000,3000,0,1,7,10,99,1,2,32,4,1,1,128,1,1,0,1024,NULL,NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5000,5500,0,1,7,11,99,1,2,32,4,1,1,128,1,1,0,0,3,100);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5600,6000,0,1,7,11,99,1,2,32,4,1,1,128,1,1,0,0,3,101);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (6000,0,0,1,7,12,99,1,2,32,4,1,1,128,1,1,0,0,3,102);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000,1500,0,(77<<24)+78,10,3,0),(4000,4400,0,(77<<24)+78,11,4,0),
  (4500,4600,0,(77<<24)+78,12,6,0);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (7000,7100,0,1,8,13,4096,1);
INSERT INTO NVTX_EVENTS VALUES (900,8000,59,NULL,(77<<24)+78,5),(950,NULL,34,'mark',(77<<24)+78,NULL);
INSERT INTO TARGET_INFO_GPU VALUES ('A card');
)";

class NsysTraces : public testing::Test {
 protected:
  std::string make(const std::string& sql) const {
    const std::string path = folder_.path("t.sqlite");
    std::filesystem::remove(path);
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
        << (message ? message : "");
    sqlite3_close(database);
    return path;
  }
  std::string errorOf(const std::string& path) const {
    try {
      importTrace(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  test::TemporaryFolder folder_;
};

EventId find(const Trace& trace, std::string_view name) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.name(e) == name) return e;
  return kNoEvent;
}

TEST_F(NsysTraces, AreRead) {
  const std::string path = make(kTables);
  EXPECT_TRUE(looksLikeTrace(path));
  const auto trace = importTrace(path);
  EXPECT_EQ(trace->device(), "A card");
  EXPECT_EQ(trace->origin(), 900);
  EXPECT_EQ(trace->size(), 8u);
  EXPECT_EQ(trace->losses().inverted, 1u);
  ASSERT_EQ(trace->lanes().size(), 3u);
  EXPECT_EQ(trace->lanes()[0].process, 77);
  EXPECT_EQ(trace->lanes()[0].thread, 78);
  const EventId kernel = find(*trace, "void sin_kernel<float>(float*)");
  EXPECT_EQ(trace->start(kernel), 1'100);
  EXPECT_EQ(trace->duration(kernel), 1'000);
  EXPECT_EQ(trace->name(trace->link(kernel)), "cudaLaunchKernel_v7000");
  EXPECT_EQ(trace->details(kernel)->dynamicShared, 1'024u);
  EXPECT_EQ(trace->details(kernel)->registers, 32u);
  const EventId graph = find(*trace, "cudaGraphLaunch_v10000");
  int executions = 0;
  for (EventId e = trace->link(graph); e != kNoEvent; e = trace->details(e)->sibling) {
    ++executions;
    EXPECT_EQ(trace->details(e)->graph, 3u);
  }
  EXPECT_EQ(executions, 2);
  EXPECT_EQ(trace->details(find(*trace, "Memcpy HtoD"))->bytesWritten, 4'096);
  EXPECT_EQ(trace->kind(find(*trace, "step")), SpanKind::annotation);
  EXPECT_EQ(trace->kind(find(*trace, "cuLaunchKernel")), SpanKind::driver);
}

TEST_F(NsysTraces, OfWholeGraphsShowTheirTime) {
  // What the profiler records by default: 5 us of a kernel, 800 us of a graph.
  const auto trace = importTrace(make(
      std::string(kTables) +
      "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000,7000,0,1,7,10,77<<24,1,2,32,4,1,1,128,"
      "1,1,0,0,NULL,NULL);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, "
      "contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, "
      "globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (10000,810000,0,1,0,7,11,77<<24,3,5);"));
  const EventId graph = find(*trace, "graph 3");
  ASSERT_NE(graph, kNoEvent);
  EXPECT_EQ(trace->kind(graph), SpanKind::graph);
  EXPECT_EQ(trace->name(trace->link(graph)), "cudaGraphLaunch_v10000");
  const RangeStatistics found = statisticsOf(*trace, workOf(*trace), recordedOf(*trace));
  EXPECT_EQ(found.busy, 805'000);
  EXPECT_EQ(found.counts, (WorkCounts{.calls = 2, .kernels = 1, .graphs = 1}));
}

TEST_F(NsysTraces, OfTwoProcessesAreJoinedEachWithItsOwn) {
  const auto trace = importTrace(make(
      std::string(kTables) +
      "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL; DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME;"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000,1100,0,(77<<24)+78,10,3,0),"
      "(6000,6100,0,(88<<24)+89,10,3,0);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (11000,12000,0,1,7,10,77<<24,1,2,32,4,1,1,128,"
      "1,1,0,0,NULL,NULL),(16000,17000,0,1,7,10,88<<24,1,2,32,4,1,1,128,1,1,0,0,NULL,NULL);"));
  EXPECT_EQ(launchDelaysOf(*trace, wholeOf(*trace)).times,
            (std::vector<Nanoseconds>{10'000, 10'000}));
  // And each has a stream 7 of its own.
  std::vector<std::string> streams;
  for (const Lane& lane : trace->lanes())
    if (lane.kind == Lane::Kind::device && lane.name.starts_with("stream 7"))
      streams.push_back(lane.name);
  EXPECT_EQ(streams, (std::vector<std::string>{"stream 7, process 77", "stream 7, process 88"}));
}

TEST_F(NsysTraces, ShowAWaitOnTheDeviceOfItsContext) {
  const auto trace = importTrace(make(
      std::string(kTables) +
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
      "(7000,7500,1,2,7,20,99,1,2,32,4,1,1,128,1,1,0,0,NULL,NULL);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId "
      "INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
      "syncType INTEGER, eventId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (7600,7700,0,2,7,5,99,4,0);"));
  int waits = 0;
  for (EventId e = 0; e < trace->size(); ++e)
    if (trace->kind(e) == SpanKind::sync) {
      ++waits;
      EXPECT_EQ(trace->laneOf(e).process, 1) << "not the device that the row names";
    }
  EXPECT_EQ(waits, 1);
}

TEST_F(NsysTraces, SayOfARocpdDatabaseHowToMakeAPerfettoFileOfIt) {
  try {
    importTrace(
        make("CREATE TABLE rocpd_metadata_1a2b (id INTEGER, tag TEXT, value TEXT);"
             "CREATE TABLE rocpd_kernel_dispatch_1a2b (id INTEGER, start BIGINT);"));
    FAIL() << "opened";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("rocpd convert"));
    EXPECT_THAT(error.what(), HasSubstr("--output-format pftrace"));
  }
}

TEST_F(NsysTraces, ShowWaitsAndCallsOfLibrariesAndCountWhatTheyLeaveOut) {
  const auto trace = importTrace(make(
      std::string(kTables) +
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId "
      "INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "
      "syncType INTEGER, eventId INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1,2,0,1,7,5,99,3,0);"
      "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
      "INSERT INTO OSRT_API VALUES (1,2,(77<<24)+78,5);"
      "CREATE TABLE CUDNN_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
      "INSERT INTO CUDNN_EVENTS VALUES (3,4,(77<<24)+78,5);"
      "CREATE TABLE VULKAN_API (start INTEGER, end INTEGER);"
      "INSERT INTO VULKAN_API VALUES (1,2),(2,3);"));
  std::map<SpanKind, int> kinds;
  for (EventId e = 0; e < trace->size(); ++e) ++kinds[trace->kind(e)];
  EXPECT_EQ(kinds[SpanKind::sync], 1);
  EXPECT_EQ(kinds[SpanKind::other], 1);
  EXPECT_EQ(kinds[SpanKind::op], 1);
  EXPECT_EQ(trace->remarks().marks, 1u);
  EXPECT_EQ(trace->remarks().foreignRows, 2u);
}

TEST_F(NsysTraces, HaveTheMetricsOfEachGpuAsCounters) {
  const auto trace = importTrace(
      make(std::string(kTables) +
           "CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, "
           "metricId INTEGER, value INTEGER);"
           "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, "
           "metricId INTEGER, metricName TEXT);"
           "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0x1001,1,'GPU',7,'SMs Active [Throughput "
           "%]');"
           "INSERT INTO GPU_METRICS VALUES (0,3000,0x1001,7,40),(0,2000,0x1001,7,30),"
           "(0,2000,0x1000,7,5),(0,2500,0x1000,8,6);"));
  ASSERT_EQ(trace->counters().size(), 3u);
  EXPECT_EQ(trace->counters()[0].name, "SMs Active, GPU 0");
  EXPECT_EQ(trace->counters()[0].unit, "%");
  EXPECT_EQ(trace->counters()[1].name, "metric 8, GPU 0");
  EXPECT_EQ(trace->counters()[2].processName, "GPU 1");
  EXPECT_THAT(trace->counters()[2].values, testing::ElementsAre(30, 40));
  EXPECT_THAT(trace->counters()[2].times, testing::ElementsAre(1100, 2100));
}

TEST_F(NsysTraces, NameAllUnlikeDevices) {
  const auto trace =
      importTrace(make(std::string(kTables) + "INSERT INTO TARGET_INFO_GPU VALUES ('B card');"));
  EXPECT_EQ(trace->device(), "A card, B card");
}

TEST_F(NsysTraces, OfOlderVersionsLackColumnsAndTables) {
  const auto trace = importTrace(
      make("CREATE TABLE StringIds (id INTEGER, value TEXT); INSERT INTO StringIds VALUES (1,'k');"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
           "contextId INTEGER, streamId INTEGER, correlationId INTEGER, shortName INTEGER);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5,9,0,1,2,3,1);"));
  ASSERT_EQ(trace->size(), 1u);
  EXPECT_EQ(trace->name(0), "k");
}

TEST_F(NsysTraces, ThatAreNoneAreRefused) {
  EXPECT_THAT(errorOf(make("CREATE TABLE t (a);")), HasSubstr("is no export of Nsight Systems"));
  EXPECT_THAT(errorOf(make("CREATE TABLE StringIds (id, value);")), HasSubstr("holds no kernels"));
}

/// Rows without end.
constexpr const char* kEndless =
    "AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id";

TEST_F(NsysTraces, ViewsAreNotRun) {
  EXPECT_THAT(
      errorOf(make(std::string("CREATE VIEW StringIds ") + kEndless + ", 'x' AS value FROM n;")),
      HasSubstr("is no export of Nsight Systems"));
  const auto trace = importTrace(make(
      "CREATE TABLE StringIds (id INTEGER, value TEXT); INSERT INTO StringIds VALUES (1,'k');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
      "contextId INTEGER, streamId INTEGER, correlationId INTEGER, shortName INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5,9,0,1,2,3,1);"
      "CREATE VIEW NVTX_EVENTS " +
      std::string(kEndless) + " AS start, id + 1 AS end, 'x' AS text, 59 AS eventType FROM n;"));
  EXPECT_EQ(trace->size(), 1u);
}

TEST_F(NsysTraces, ComputedColumnsAreNotComputed) {
  const auto trace = importTrace(
      make("CREATE TABLE StringIds (id INTEGER, value TEXT AS (hex(zeroblob(100000000))));"
           "INSERT INTO StringIds (id) VALUES (1);"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
           "contextId INTEGER, streamId INTEGER, correlationId INTEGER, shortName INTEGER);"
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5,9,0,1,2,3,1);"));
  ASSERT_EQ(trace->size(), 1u);
  EXPECT_LT(trace->name(0).size(), 100u);
}

TEST_F(NsysTraces, CancelStopsAStatementThatWorksOn) {
  // A million rows of work before the first row comes: a table whose pages are read in vain.
  std::string sql = kTables;
  sql +=
      "WITH RECURSIVE n(id) AS (SELECT 100 UNION ALL SELECT id + 1 FROM n WHERE id < 300000) "
      "INSERT INTO StringIds SELECT id, 'text' FROM n;";
  int asked = 0;
  EXPECT_THROW(importTrace(make(sql), [&](double) { return ++asked < 2; }), Canceled);
  EXPECT_EQ(asked, 2);
}

TEST_F(NsysTraces, ThatUseABudgetUpGiveWhatCameBeforeAndSayWhichItWas) {
  const std::string path =
      make(std::string(kTables) +
           "WITH RECURSIVE n(id) AS (SELECT 100 UNION ALL SELECT id + 1 FROM n WHERE id < 300000) "
           "INSERT INTO NVTX_EVENTS SELECT id, id + 1, 59, 'text', 5, NULL FROM n;");
  const auto partOf = [&](const DatabaseBudget& budget) {
    const auto trace = importNsysTrace(path, {}, budget);
    EXPECT_NE(find(*trace, "cudaLaunchKernel_v7000"), kNoEvent);
    EXPECT_LT(trace->size(), 300'000u);
    return trace->partial();
  };
  const auto whole = importNsysTrace(path);
  EXPECT_GT(whole->size(), 299'900u);
  EXPECT_EQ(whole->partial(), "");
  EXPECT_THAT(partOf({.rows = 1'000}),
              AllOf(HasSubstr("table NVTX_EVENTS"), HasSubstr("more than 1000 rows")));
  EXPECT_THAT(partOf({.operations = 1'000'000}),
              AllOf(HasSubstr("table NVTX_EVENTS"), HasSubstr("more than 1000000 operations")));
}

TEST_F(NsysTraces, TextBeyondItsBudgetIsNotHeld) {
  const std::string path =
      make(std::string(kTables) +
           "WITH RECURSIVE n(id) AS (SELECT 100 UNION ALL SELECT id + 1 FROM n WHERE id < 1000) "
           "INSERT INTO StringIds SELECT id, hex(zeroblob(1000)) FROM n;");
  const auto trace = importNsysTrace(path, {}, {.textBytes = 100'000});
  EXPECT_THAT(trace->partial(),
              AllOf(HasSubstr("table StringIds"), HasSubstr("more than 100000 bytes of text")));
  EXPECT_NE(find(*trace, "cudaLaunchKernel_v7000"), kNoEvent);
  EXPECT_EQ(importNsysTrace(path)->partial(), "");
}

TEST_F(NsysTraces, ThatAreDamagedDoNoHarm) {
  const std::string whole = readFile(make(kTables));
  unsigned state = 1;
  const auto random = [&state] { return state = state * 1'664'525u + 1'013'904'223u, state >> 8; };
  for (int round = 0; round < 200; ++round) {
    std::string changed = whole;
    if (round % 2) changed.resize(100 + random() % changed.size() % (changed.size() - 100));
    for (int i = 0; i < 20; ++i) changed[16 + random() % (changed.size() - 16)] = char(random());
    writeFile(folder_.path("d.sqlite"), changed);
    try {
      importTrace(folder_.path("d.sqlite"));
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace fusebench
