// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

#include "app/cli_bandwidth.h"
#include "app/cli_commands.h"
#include "app/cli_compile_log.h"
#include "app/cli_execution_trace.h"
#include "app/cli_memory.h"
#include "app/cli_modules.h"
#include "app/cli_operators.h"
#include "app/cli_report.h"
#include "app/cli_roofline.h"
#include "app/cli_trace.h"
#include "engine/base/saying.h"
#include "profiler/export/result_json.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "profiler/run/report_runs.h"

namespace fusebench::cli {
namespace {

/// The kind that a Fusebench file states; empty for other files.
std::string kindOf(const std::string& text) {
  const auto whole = jsonOf(text);
  const auto first =
      whole.is_discarded() ? jsonOf(std::string_view(text).substr(0, text.find('\n'))) : whole;
  if (!first.is_object() || !first.contains("fusebench") || !first["fusebench"].is_string())
    return "";
  return first["fusebench"].get<std::string>();
}

/// Throws InputError where nothing is known of it.
void printBandwidth(const Run& run, const std::string& file) {
  const std::string text = bandwidthText(run);
  if (text.empty())
    throw InputError(file + saying(": no data point of this run has byte counts; measure it again "
                                   "(PyTorch's variants never have byte counts)"));
  printOut(text);
}
void printBandwidth(const Reference& /*published*/, const std::string& file) {
  throw InputError(file + saying(": published times have no byte counts; --metric is for runs"));
}

void printModulesOf(const Run& run, const std::string& file, bool json) {
  printModules(run, file, json);
}
void printModulesOf(const Reference& /*published*/, const std::string& file, bool /*json*/) {
  throw InputError(file + saying(": published times have no modules; --modules is for runs"));
}

/// Options for traces, where the file is none.
void refuseTraceOptions(const std::string& file, const AnalyzeOptions& options) {
  if (options.operators || options.roofline)
    throw InputError(file + saying(": not a trace; --operators and --roofline need one"));
  if (!options.range.empty()) throw InputError(file + saying(": not a trace; --range needs one"));
}

template <typename Results>
void print(const Results& results, const std::string& file, const AnalyzeOptions& options) {
  const bool json = options.json;
  if (options.modules) return printModulesOf(results, file, json);
  if (!json && options.metric == "bandwidth") return printBandwidth(results, file);
  const auto crossings = findCrossings(results);
  if (json)
    printJson(resultJson(results, crossings));
  else if constexpr (std::is_same_v<Results, Run>)
    printOut(reportText(results, crossings, options.columns));
  else
    printOut(reportText(results, crossings));
}

}  // namespace

int analyzeCommand(const AnalyzeOptions& options) {
  const std::vector<std::string>& paths = options.paths;
  const bool json = options.json;
  const std::string& csv = options.csv;
  const std::string& given = paths.front();
  const auto traces = [&](const std::vector<std::string>& of) {
    if (!options.columns.empty()) throw InputError(saying("--columns is for runs"));
    if (options.modules)
      throw InputError(saying("--modules is for runs; for a trace use --operators --by module"));
    if (options.metric != "latency")
      throw InputError(
          saying("--metric is for runs; a trace has no plan from which bytes could be counted"));
    if (options.operators)
      return analyzeOperators(of, options.by.empty() ? "operator" : options.by, json, csv,
                              options.range);
    if (options.roofline) return analyzeRoofline(of, json, csv, options.range);
    return analyzeTraces(of, json, csv, options.range);
  };
  if (!options.by.empty() && !options.operators)
    throw InputError(saying("--by groups operators; add --operators"));
  if (options.roofline && options.operators)
    throw InputError(saying("--operators and --roofline are two tables; ask for one of them"));
  std::error_code ignored;
  if (paths.size() == 1 && std::filesystem::exists(given, ignored) && isCompileLog(given)) {
    refuseTraceOptions(given, options);
    return analyzeCompileLog(given, json, csv);
  }
  if (paths.size() == 1 && std::filesystem::exists(given, ignored) && isExecutionTrace(given)) {
    if (options.operators || options.roofline)
      throw InputError(given + saying(": an execution trace has no times; its operators are listed "
                                      "without options"));
    return analyzeExecutionTrace(given, json);
  }
  if (paths.size() == 1 && std::filesystem::is_regular_file(given, ignored) &&
      isMemorySnapshot(given)) {
    refuseTraceOptions(given, options);
    return analyzeMemory(given, json, csv);
  }
  if (std::filesystem::exists(given, ignored) && isTraceInput(given)) return traces(paths);
  if (paths.size() > 1)
    throw InputError(paths[1] + saying(": give one run at a time; only traces can be combined"));
  if (!csv.empty())
    throw InputError(saying("--csv is for traces; for tables of runs, use fusebench --export"));
  if (!std::filesystem::exists(given, ignored))
    if (const auto file = shippedFile(given, "references", shippedReferences())) {
      refuseTraceOptions(given, options);
      print(parseReference(resourceText(*file), *file), given, options);
      return kDone;
    }
  std::string path = given;
  if (!std::filesystem::exists(given, ignored))
    for (const Recording& recording : shippedRecordings())
      if (recording.name == given) path = recording.path;
  if (path != given && isTraceInput(path)) return traces({path});
  refuseTraceOptions(path, options);
  const std::string text = runTextOf(readFile(path), path);
  if (isReportName(path)) {
    const std::vector<std::string> runs = runsInReport(text);
    if (runs.empty())
      throw InputError(
          path +
          saying(": this file contains no run; only reports written by Fusebench contain one"));
    if (json && runs.size() > 1)
      throw InputError(
          path + saying(": this report compares several runs; without --json all are printed"));
    std::size_t silent = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i > 0) printOut("\n");
      try {
        print(parseRun(runs[i], path), path, options);
      } catch (const InputError& wrong) {
        // One that says nothing of what is asked for costs itself only.
        if (++silent == runs.size()) throw;
        printOut(std::string(wrong.what()) + "\n");
      }
    }
    return kDone;
  }
  const std::string kind = kindOf(text);
  if (kind == "reference") {
    print(parseReference(text, path), path, options);
  } else if (kind == "experiment") {
    throw InputError(
        path +
        saying(":1:1: this is an experiment, not results; measure it with: fusebench-cli run {}",
               path));
  } else if (kind.empty() && text.find("\"fusebench\"") == std::string::npos) {
    throw InputError(
        path + saying(":1:1: this is neither a run nor a trace; a run begins with {\"fusebench\": "
                      "\"run\", a trace is JSON with traceEvents, Perfetto's packets or an Nsight "
                      "Systems export"));
  } else {
    print(parseRun(text, path), path, options);
  }
  return kDone;
}

}  // namespace fusebench::cli
