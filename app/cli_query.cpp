// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_query.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_operators.h"
#include "app/cli_trace.h"
#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/run/recordings.h"

#ifndef FUSEBENCH_WITHOUT_TRACES
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_query.h"
#endif

namespace fusebench::cli {
namespace {

struct QueryOptions {
  std::string trace, sql, saved, range;
  bool schema = false, json = false, csv = false;
};

#ifdef FUSEBENCH_WITHOUT_TRACES

int queryCommand(const QueryOptions&) {
  return analyzeTraces({}, false, {}, {});  // which refuses an empty list
}

#else

constexpr std::size_t kLongestValue = 80;

std::string resultText(const QueryResult& result) {
  Table table(result.columns);
  for (const auto& row : result.rows) {
    std::vector<std::string> cells;
    for (const QueryValue& value : row) {
      std::string cell = fusebench::textOf(value);
      if (cell.size() > kLongestValue) cell = cell.substr(0, kLongestValue - 3) + "...";
      cells.push_back(orDash(std::move(cell)));
    }
    table.add(std::move(cells));
  }
  return table.text();
}

std::string traceFile(const std::string& given) {
  std::error_code ignored;
  if (std::filesystem::exists(given, ignored)) return given;
  for (const Recording& recording : shippedRecordings())
    if (recording.name == given) return recording.path;
  return given;
}

QueryResult answerOf(const std::shared_ptr<const Trace>& trace, const std::string& sql) {
  try {
    return queryTrace(trace, sql);
  } catch (const QueryError& wrong) {
    throw InputError(saying("{}; --schema prints the tables and columns", wrong.what()));
  }
}

int queryCommand(const QueryOptions& options) {
  if (options.schema) {
    printOut(querySchemaText());
    return kDone;
  }
  if (options.trace.empty())
    throw InputError(saying("query: name a trace, then a SELECT; --schema prints the tables"));
  if (options.sql.empty() == options.saved.empty())
    throw InputError(saying("query: give a SELECT, or --saved with the name of a query"));
  const std::string sql =
      options.saved.empty() ? options.sql : std::string(savedQueryNamed(options.saved).sql);
  const std::string path = traceFile(options.trace);
  if (!looksLikeTrace(path) || std::filesystem::is_directory(path))
    throw InputError(path + saying(": this is not a trace; query takes one file"));
  const QueryResult result = answerOf(limitedTrace(importTrace(path), options.range), sql);
  if (options.json)
    printJson(queryJson(result));
  else if (options.csv)
    printOut(queryCsv(result));
  else
    printOut(resultText(result));
  if (!result.cut.empty()) complain(result.cut);
  return kDone;
}

#endif

}  // namespace

void addQueryCommand(CLI::App& app, int& code) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = app.add_subcommand("query", saying("Ask a trace in SQL"));
  command->add_option("TRACE", options->trace,
                      saying("A trace, or the name of a shipped recording"));
  command->add_option("SQL", options->sql, saying("One SELECT over the tables of --schema"));
  command->add_option("--saved", options->saved, saying("Run a shipped query; --schema lists them"))
      ->type_name("NAME");
  command
      ->add_option("--range", options->range,
                   saying("Only what happened within the ranges of this name, from record_function "
                          "or NVTX (default: the whole trace)"))
      ->type_name("NAME");
  command->add_flag("--schema", options->schema,
                    saying("Print the tables, their columns and the saved queries"));
  command->add_flag("--json", options->json, saying("Print one JSON object"));
  command->add_flag("--csv", options->csv, saying("Print a CSV table"));
  command->callback([options, &code] { code = queryCommand(*options); });
}

}  // namespace fusebench::cli
