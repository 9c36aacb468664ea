// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Trace> torchTrace(const std::string& name = "torch_2_11_h100_eager") {
  return importTrace(test::sourcePath("/tests/profiler/traces/" + name + ".json.gz"));
}

/// The rows, their values joined with "|".
std::vector<std::string> rowsOf(const Trace& trace, const std::string& sql) {
  std::vector<std::string> rows;
  for (const auto& row :
       queryTrace(std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace), sql).rows) {
    std::string text;
    for (const QueryValue& value : row) text += (text.empty() ? "" : "|") + textOf(value);
    rows.push_back(text);
  }
  return rows;
}

std::string refusalOf(const std::string& sql, const QueryLimits& limits = {}) {
  try {
    queryTrace(torchTrace(), sql, {}, limits);
  } catch (const InputError& wrong) {
    return wrong.what();
  }
  return "taken";
}

TEST(TraceQuery, SeesWhatTheTraceHolds) {
  const auto trace = torchTrace();
  EXPECT_THAT(rowsOf(*trace, "select count(*), sum(dur_ns) from kernels"), ElementsAre("27|38656"));
  EXPECT_THAT(rowsOf(*trace, "select count(*) from events"),
              ElementsAre(std::to_string(trace->size())));
  EXPECT_THAT(rowsOf(*trace, "select count(*) from tracks"),
              ElementsAre(std::to_string(trace->lanes().size())));
  for (const std::string& row : rowsOf(
           *trace, "select event, name, start_ns, end_ns - start_ns, link from events limit 40")) {
    const auto event = static_cast<EventId>(std::stoul(row));
    EXPECT_THAT(
        row, HasSubstr(std::string(trace->name(event)) + "|" + std::to_string(trace->start(event)) +
                       "|" + std::to_string(trace->duration(event))));
  }
}

TEST(TraceQuery, JoinsKernelsWithTheirCalls) {
  const auto trace = torchTrace();
  EXPECT_THAT(rowsOf(*trace,
                     "select count(*), sum(c.start_ns + k.delay_ns = k.start_ns) from "
                     "kernels k join events c on c.event = k.call"),
              ElementsAre("27|27"));
  // A key that is not a number, or that no row has.
  EXPECT_THAT(rowsOf(*trace, "select count(*) from events where event = 'x'"), ElementsAre("0"));
  EXPECT_THAT(rowsOf(*trace, "select count(*) from events where event = -1"), ElementsAre("0"));
  EXPECT_THAT(rowsOf(*trace, "select count(*) from events where event = 1.5"), ElementsAre("0"));
  EXPECT_THAT(rowsOf(*trace, "select count(*) from events where event is null"), ElementsAre("0"));
}

TEST(TraceQuery, HasOperatorsWithModulesAndShapes) {
  const auto trace = torchTrace("torch_2_15_modules");
  EXPECT_THAT(rowsOf(*trace,
                     "select distinct module, shapes, dtypes from operators "
                     "where name = 'aten::conv2d'"),
              ElementsAre("Net_0/Conv2d_0|(4, 3, 16, 16) (8, 3, 3, 3) (8)|float32"));
  // A parent's time holds that of its children.
  EXPECT_THAT(rowsOf(*trace,
                     "select count(*) from operators o join operators p on p.call = "
                     "o.parent where p.host_total_ns < o.host_total_ns"),
              ElementsAre("0"));
}

TEST(TraceQuery, SavedOnesRun) {
  for (const SavedQuery& query : savedQueries()) {
    EXPECT_NO_THROW(queryTrace(torchTrace(), query.sql)) << query.name;
    EXPECT_EQ(&savedQueryNamed(query.name), &query);
  }
  EXPECT_FALSE(queryTrace(torchTrace(), savedQueryNamed("longest-kernels").sql).rows.empty());
  EXPECT_FALSE(
      queryTrace(torchTrace("torch_2_15_modules"), savedQueryNamed("modules").sql).rows.empty());
  EXPECT_THROW(savedQueryNamed("longest"), InputError);
}

TEST(TraceQuery, OnlyReads) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("made.db");
  for (const std::string& hostile :
       {"attach database '" + file + "' as a", std::string("create table t(a)"),
        std::string("insert into events(name) values ('x')"), std::string("delete from events"),
        std::string("pragma temp_store_directory"), std::string("vacuum into '") + file + "'",
        std::string("create temp table t as select * from events"),
        std::string("select load_extension('x')"), std::string("drop table events"),
        std::string("begin"), std::string("select * from pragma_database_list")})
    EXPECT_THAT(refusalOf(hostile), testing::AnyOf(HasSubstr("not allowed in a query"),
                                                   HasSubstr("the query is wrong")))
        << hostile;
  EXPECT_FALSE(std::filesystem::exists(file));
  for (const char* function : {"readfile('/etc/passwd')", "writefile('x', 'y')", "edit('x')"})
    EXPECT_THAT(refusalOf(std::string("select ") + function), HasSubstr("no such function"));
}

TEST(TraceQuery, SaysWhatIsWrong) {
  EXPECT_THAT(refusalOf("selekt 1"),
              HasSubstr("the query is wrong: near \"selekt\": syntax error"));
  EXPECT_THAT(refusalOf("select absent from events"), HasSubstr("no such column: absent"));
  EXPECT_THAT(refusalOf("select 1; select 2"), HasSubstr("more than one statement"));
  EXPECT_THAT(refusalOf("  "), HasSubstr("the query is empty"));
  EXPECT_THAT(refusalOf(std::string("select 1\0, 2", 12)), HasSubstr("NUL character"));
  EXPECT_EQ(refusalOf("select 1 ; \n"), "taken");
}

TEST(TraceQuery, IsBounded) {
  EXPECT_THAT(refusalOf("with recursive r(n) as (select 1 union all select n + 1 from r) "
                        "select count(*) from r",
                        {.operations = 1'000'000}),
              HasSubstr("took too long"));
  EXPECT_THAT(refusalOf("with recursive r(n, t) as (select 1, zeroblob(1000000) union all select n "
                        "+ 1, zeroblob(1000000) from r limit 1000) select * from r order by n desc",
                        {.memoryBytes = 16 << 20}),
              HasSubstr("needs more than 16 MiB"));
  const QueryResult few = queryTrace(torchTrace(), "select event from events", {}, {.rows = 3});
  EXPECT_EQ(few.rows.size(), 3u);
  EXPECT_THAT(few.cut, HasSubstr("only the first 3 rows"));
  const QueryResult exact =
      queryTrace(torchTrace(), "select event from events limit 3", {}, {.rows = 3});
  EXPECT_EQ(exact.cut, "");
  EXPECT_THROW(queryTrace(torchTrace(),
                          "with recursive r(n) as (select 1 union all select n + 1 from r) "
                          "select count(*) from r",
                          [] { return false; }),
               Canceled);
  // The limit of memory does not outlast the query.
  EXPECT_EQ(sqlite3_hard_heap_limit64(-1), 0);
}

TEST(TraceQuery, WritesTablesAndAnObject) {
  const QueryResult result =
      queryTrace(torchTrace(), "select 1 as a, 'x, y' as b, null as c, 0.5 as d");
  EXPECT_EQ(queryCsv(result), "a,b,c,d\n1,\"x, y\",,0.5\n");
  const auto object = queryJson(result);
  EXPECT_EQ(object["rows"], nlohmann::json::parse(R"([[1, "x, y", null, 0.5]])"));
  EXPECT_TRUE(object["cut"].is_null());
}

TEST(TraceQuery, TheDocumentedSchemaIsTheRealOne) {
  const std::string page = readFile(test::sourcePath("/docs/query.md"));
  EXPECT_THAT(page, HasSubstr(querySchemaText()));
  for (const QuerySchema& schema : querySchemas())
    for (const QueryColumn& column : schema.columns)
      EXPECT_NO_THROW(queryTrace(torchTrace(), std::string("select \"") + column.name + "\" from " +
                                                   schema.name + " limit 1"));
}

}  // namespace
}  // namespace fusebench
