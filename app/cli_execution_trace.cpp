// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_execution_trace.h"

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "profiler/files/input_error.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

bool isExecutionTrace(const std::string&) {
  return false;
}
int analyzeExecutionTrace(const std::string&, bool) {
  return kWrongInput;  // isExecutionTrace() says that there is none
}
bool isTraceToCut(const std::string&) {
  return false;
}
int cutTraceCommand(const CutTraceOptions&) {
  return kWrongInput;
}

}  // namespace fusebench::cli

#else

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli_format.h"
#include "engine/base/shown_text.h"
#include "profiler/trace/recorded_operators.h"
#include "profiler/trace/recorded_tensors.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/traced_call.h"
#include "profiler/trace/traced_experiment.h"

namespace fusebench::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTopOperators = 40, kTopRanges = 20, kLongestShapes = 60;

std::string shapesOf(const ExecutionTrace& trace, OperatorIndex at) {
  std::vector<RecordedTensor> tensors;
  forEachTensor(trace.operators[at].inputs, [&](std::uint32_t index) {
    tensors.push_back({trace.tensors[index].extents, trace.tensors[index].dtype, 0});
  });
  std::string text = shapesText(tensors);
  if (text.size() > kLongestShapes) text = text.substr(0, kLongestShapes - 3) + "...";
  return text;
}

/// Operators of one name.
struct NamedOperators {
  std::string name, why;
  std::size_t calls = 0;
  OperatorIndex first = 0;
};

std::vector<NamedOperators> byName(const ExecutionTrace& trace, const TracedProgram& outline) {
  std::map<std::string, NamedOperators> all;
  const auto take = [&](OperatorIndex at, const std::string& why) {
    const auto [found, isNew] = all.try_emplace(std::string(trace.nameOf(at)));
    if (isNew) found->second = {found->first, why, 0, at};
    ++found->second.calls;
  };
  for (const TracedProgram::Line& line : outline.lines) take(line.op, "");
  for (const TracedProgram::Unknown& each : outline.unknown) take(each.op, each.why);
  std::vector<NamedOperators> sorted;
  for (auto& [name, each] : all) sorted.push_back(each);
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const NamedOperators& a, const NamedOperators& b) { return a.calls > b.calls; });
  return sorted;
}

struct TraceRangeRow {
  std::string path;
  std::int64_t id = 0;
  std::size_t operations = 0;
};

std::vector<TraceRangeRow> rangesOf(const ExecutionTrace& trace, const TracedProgram& outline) {
  std::vector<std::size_t> lines(trace.operators.size());
  for (const TracedProgram::Line& line : outline.lines)
    for (OperatorIndex up = trace.operators[line.op].parent; up != kNoOperator;
         up = trace.operators[up].parent)
      ++lines[up];
  std::vector<TraceRangeRow> rows;
  for (OperatorIndex i = 0; i < trace.operators.size(); ++i)
    if (isUserRange(trace, i) && lines[i] > 0)
      rows.push_back({rangeName(trace.nameOf(i)), trace.operators[i].id, lines[i]});
  return rows;
}

int listTrace(const CutTraceOptions& given, const ExecutionTrace& trace) {
  const TracedProgram outline = tracedProgram(trace, wholeTrace(trace));
  const std::vector<TraceRangeRow> ranges = rangesOf(trace, outline);
  if (given.json) {
    Json listed = Json::array(), operators = Json::array(), unknown = Json::array();
    for (const TraceRangeRow& each : ranges)
      listed.push_back({{"range", each.path}, {"id", each.id}, {"operations", each.operations}});
    for (const TracedProgram::Line& line : outline.lines)
      operators.push_back({{"id", trace.operators[line.op].id},
                           {"name", trace.nameOf(line.op)},
                           {"range", rangesAround(trace, line.op)},
                           {"shapes", shapesOf(trace, line.op)}});
    for (const TracedProgram::Unknown& each : outline.unknown)
      unknown.push_back({{"id", trace.operators[each.op].id},
                         {"name", trace.nameOf(each.op)},
                         {"why", each.why}});
    printJson({{"fusebench", "trace operators"},
               {"version", 1},
               {"ranges", listed},
               {"operators", operators},
               {"unknown", unknown}});
    return kDone;
  }
  std::string text;
  if (!ranges.empty()) {
    Table table({saying("number"), head("operations"), saying("range")});
    table.leftFrom(2);
    for (std::size_t i = 0; i < ranges.size() && i < kTopRanges; ++i)
      table.add({std::to_string(ranges[i].id), std::to_string(ranges[i].operations),
                 shownText(ranges[i].path)});
    text += table.text();
    if (ranges.size() > kTopRanges) text += saying("and {} more\n", ranges.size() - kTopRanges);
    text += "\n";
  }
  Table table({saying("number"), head("operator"), saying("shapes")});
  table.leftFrom(1);
  for (std::size_t i = 0; i < outline.lines.size() && i < kTopOperators; ++i) {
    const OperatorIndex at = outline.lines[i].op;
    table.add(
        {std::to_string(trace.operators[at].id), shownText(trace.nameOf(at)), shapesOf(trace, at)});
  }
  text += table.text();
  if (outline.lines.size() > kTopOperators)
    text += saying("and {} more\n", outline.lines.size() - kTopOperators);
  if (!outline.unknown.empty())
    text += saying("{} operators cannot be measured; fusebench-cli analyze {} lists them\n",
                   outline.unknown.size(), given.trace);
  printOut(text);
  return kDone;
}

/// "block.json" and operators 3..40 become block_3_40.json in the current folder.
std::string usualOutput(const CutTraceOptions& given) {
  std::string name = std::filesystem::path(given.trace).filename().string();
  name = name.substr(0, name.find('.'));
  name += "_" + given.range + given.operators + given.op;
  std::string made;
  for (const char c : name) {
    const bool isKept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (isKept)
      made += c;
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  return made + ".json";
}

TraceSelection selectionOf(const CutTraceOptions& given, const ExecutionTrace& trace) {
  const int ways =
      int{!given.range.empty()} + int{!given.operators.empty()} + int{!given.op.empty()};
  if (ways > 1)
    throw InputError(
        saying("a range, --operators and --operator are three ways to choose; give one of them"));
  if (!given.range.empty()) return rangeNamed(trace, given.range);
  return selectionIn(trace, given.operators.empty() ? given.op : given.operators);
}

}  // namespace

bool isExecutionTrace(const std::string& path) {
  return looksLikeExecutionTrace(path);
}

int analyzeExecutionTrace(const std::string& path, bool json) {
  const ExecutionTrace trace = readExecutionTrace(path);
  const TracedProgram outline = tracedProgram(trace, wholeTrace(trace));
  const std::vector<NamedOperators> operators = byName(trace, outline);
  if (json) {
    Json listed = Json::array();
    for (const NamedOperators& each : operators)
      listed.push_back({{"name", each.name},
                        {"calls", each.calls},
                        {"first", trace.operators[each.first].id},
                        {"measurable", each.why.empty()},
                        {"why", each.why.empty() ? Json() : Json(each.why)}});
    printJson({{"fusebench", "execution trace"},
               {"version", 1},
               {"title", trace.title},
               {"schema", trace.schema},
               {"nodes", trace.operators.size()},
               {"operations", outline.lines.size()},
               {"partial", trace.partial.empty() ? Json() : Json(trace.partial)},
               {"operators", listed}});
    return kDone;
  }
  std::string text = saying("{}: PyTorch execution trace, {} operations, {} nodes; no times\n",
                            trace.title, outline.lines.size(), trace.operators.size());
  if (!trace.partial.empty()) text += saying("partial: {}\n", trace.partial);
  Table table({head("calls"), saying("first"), head("operator"), saying("can be measured")});
  table.leftFrom(2);
  for (std::size_t i = 0; i < operators.size() && i < kTopOperators; ++i)
    table.add({std::to_string(operators[i].calls),
               std::to_string(trace.operators[operators[i].first].id), shownText(operators[i].name),
               operators[i].why.empty() ? saying("yes") : saying("no: {}", operators[i].why)});
  text += table.text();
  if (operators.size() > kTopOperators)
    text += saying("and {} more names\n", operators.size() - kTopOperators);
  text += saying("measure operators: fusebench-cli cut {} --operators FIRST..LAST\n", path);
  printOut(text);
  return kDone;
}

bool isTraceToCut(const std::string& path) {
  return looksLikeExecutionTrace(path) || looksLikeTrace(path);
}

int cutTraceCommand(const CutTraceOptions& given) {
  const ExecutionTrace trace = looksLikeExecutionTrace(given.trace)
                                   ? readExecutionTrace(given.trace)
                                   : readRecordedOperators(given.trace);
  if (given.isWhole()) return listTrace(given, trace);
  const TraceSelection selection = selectionOf(given, trace);
  std::string title = given.range;
  if (title.empty())
    title = saying("operators {}", given.operators.empty() ? given.op : given.operators);
  const Experiment part = trace.hasIdentities ? tracedExperiment(trace, selection, title)
                                              : recordedExperiment(trace, selection, title);
  const std::string out = given.out.empty() ? usualOutput(given) : given.out;
  if (!out.ends_with(".json"))
    throw InputError(saying("--out {}: an experiment's name ends in .json", out));
  std::error_code error;
  if (std::filesystem::equivalent(out, given.trace, error))
    throw InputError(saying("--out {}: that is the trace itself; give another name", out));
  saveExperiment(part, out);
  const std::size_t operations = part.capture ? part.capture->nodes.size() : 0;
  const std::size_t inputs = part.inputSets.front().inputs.size();
  if (given.json)
    printJson({{"fusebench", "cut"},
               {"version", 1},
               {"out", out},
               {"title", part.title},
               {"operations", operations},
               {"inputs", inputs}});
  else
    printOut(saying("{}: {} operations, {} inputs\nmeasure it: fusebench-cli run {}\n", out,
                    operations, inputs, out));
  return kDone;
}

}  // namespace fusebench::cli

#endif
