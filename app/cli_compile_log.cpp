// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_compile_log.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "profiler/files/files.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

bool isCompileLog(const std::string&) {
  return false;
}
int analyzeCompileLog(const std::string&, bool, const std::string&) {
  return kWrongInput;  // isCompileLog() says that there is none
}

}  // namespace fusebench::cli

#else

#include "profiler/trace/compile_log.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopRows = 20;

std::string secondsText(double seconds) {
  return timeText(seconds * 1e9);
}

std::string moreRows(std::size_t all) {
  return all > kTopRows ? saying("and {} more\n", all - kTopRows) : std::string();
}

std::string compileLogText(const CompileLog& log) {
  std::string text = log.title + "\n";
  text += saying("{} compilations, {} graph breaks, {} recompilations in {}\n", log.frames.size(),
                 log.breaks.size(), log.recompiles.size(), secondsText(log.covered));
  if (!log.partial.empty()) text += saying("partial: {}\n", log.partial);
  if (log.malformed > 0) text += saying("{} lines are invalid and left out\n", log.malformed);
  for (const std::string& finding : findingsOf(log)) text += "\n" + wrapped(finding, "  ");
  for (const std::string& cache : cacheSentences(log)) text += "\n" + wrapped(cache, "  ");
  if (!log.frames.empty()) {
    Table table({saying("frame"), saying("function"), saying("compile"), saying("backend"),
                 saying("guards"), saying("operations")});
    for (std::size_t i = 0; i < log.frames.size() && i < kTopRows; ++i) {
      const FrameCompile& one = log.frames[i];
      const auto count = [](std::int64_t of) { return of < 0 ? "-" : std::to_string(of); };
      table.add({one.id, placeOf(one.function), secondsText(one.total), secondsText(one.backend),
                 count(one.guards), count(one.operations)});
    }
    text += "\n" + table.text() + moreRows(log.frames.size());
  }
  if (!log.phases.empty()) {
    Table table({saying("phase"), head("count"), head("total"), saying("self")});
    for (std::size_t i = 0; i < log.phases.size() && i < kTopRows; ++i) {
      const CompilePhase& one = log.phases[i];
      table.add(
          {one.name, std::to_string(one.count), secondsText(one.total), secondsText(one.self)});
    }
    text += "\n" + table.text() + moreRows(log.phases.size());
  }
  if (!log.shapes.empty()) {
    Table table({saying("frame"), saying("dynamic size"), saying("symbol"), saying("first value"),
                 saying("value range"), saying("made constant because")});
    table.leftFrom(5);
    for (std::size_t i = 0; i < log.shapes.size() && i < kTopRows; ++i) {
      const DynamicShape& one = log.shapes[i];
      table.add({one.id, one.source, one.symbol, one.value, one.range,
                 one.specialization.empty() ? "-" : one.specialization});
    }
    text += "\n" + table.text() + moreRows(log.shapes.size());
  }
  if (!log.code.empty()) {
    Table table({saying("frame"), saying("generated code"), saying("lines")});
    for (std::size_t i = 0; i < log.code.size() && i < kTopRows; ++i)
      table.add({log.code[i].id, log.code[i].file, std::to_string(log.code[i].lines)});
    text += "\n" + table.text() + moreRows(log.code.size());
  }
  return text;
}

/// Each into a file of its own: "code_2_0.py" is the first code of the third log.
void writeCode(const std::vector<CompileLog>& logs, const std::filesystem::path& folder) {
  for (std::size_t i = 0; i < logs.size(); ++i)
    for (std::size_t k = 0; k < logs[i].code.size(); ++k) {
      const LoggedCode& one = logs[i].code[k];
      if (one.text.empty()) continue;
      writeFile((folder / fmt::format("code_{}_{}.py", i, k)).string(), one.text);
    }
}

}  // namespace

bool isCompileLog(const std::string& path) {
  return looksLikeCompileLog(path);
}

int analyzeCompileLog(const std::string& path, bool json, const std::string& csv) {
  const std::vector<CompileLog> logs = readCompileLogs(path);
  if (!csv.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(csv, ignored);
    const auto into = [&](const char* name) {
      return (std::filesystem::path(csv) / name).string();
    };
    writeFile(into("graph_breaks.csv"), breaksCsv(logs));
    writeFile(into("recompiles.csv"), recompilesCsv(logs));
    writeFile(into("frames.csv"), framesCsv(logs));
    writeFile(into("phases.csv"), phasesCsv(logs));
    writeFile(into("dynamic_shapes.csv"), shapesCsv(logs));
    writeCode(logs, csv);
  }
  if (json) {
    printJson(compileLogsJson(logs));
    return kDone;
  }
  std::string text;
  for (const CompileLog& log : logs) text += (text.empty() ? "" : "\n") + compileLogText(log);
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli

#endif
