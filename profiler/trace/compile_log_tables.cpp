// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "profiler/files/csv_text.h"
#include "profiler/trace/compile_log.h"

namespace fusebench {
namespace {

std::string csvOf(const CompiledFunction& function) {
  return fmt::format("{},{},{}", csvField(function.name), csvField(function.file), function.line);
}

std::string csvCount(std::int64_t count) {
  return count < 0 ? std::string() : std::to_string(count);
}

nlohmann::ordered_json jsonOfFunction(const CompiledFunction& function) {
  return {{"name", function.name}, {"file", function.file}, {"line", function.line}};
}

}  // namespace

std::string breaksCsv(const std::vector<CompileLog>& logs) {
  std::string text = "log,frame,file,line,reason,explanation,hint\n";
  for (const CompileLog& log : logs)
    for (const GraphBreak& one : log.breaks)
      text += fmt::format("{},{},{},{},{},{},{}\n", csvField(log.title), csvField(one.id),
                          csvField(one.file), one.line, csvField(one.reason),
                          csvField(one.explanation), csvField(one.hint));
  return text;
}

std::string recompilesCsv(const std::vector<CompileLog>& logs) {
  std::string text = "log,frame,function,file,line,guard\n";
  for (const CompileLog& log : logs)
    for (const Recompile& one : log.recompiles)
      for (const std::string& guard : one.guards)
        text += fmt::format("{},{},{},{}\n", csvField(log.title), csvField(one.id),
                            csvOf(one.function), csvField(guard));
  return text;
}

std::string framesCsv(const std::vector<CompileLog>& logs) {
  std::string text = "log,frame,function,file,line,total_s,backend_s,guards,operations,failure\n";
  for (const CompileLog& log : logs)
    for (const FrameCompile& one : log.frames)
      text += fmt::format("{},{},{},{:.6f},{:.6f},{},{},{}\n", csvField(log.title),
                          csvField(one.id), csvOf(one.function), one.total, one.backend,
                          csvCount(one.guards), csvCount(one.operations), csvField(one.failure));
  return text;
}

std::string phasesCsv(const std::vector<CompileLog>& logs) {
  std::string text = "log,phase,count,total_s,self_s\n";
  for (const CompileLog& log : logs)
    for (const CompilePhase& one : log.phases)
      text += fmt::format("{},{},{},{:.6f},{:.6f}\n", csvField(log.title), csvField(one.name),
                          one.count, one.total, one.self);
  return text;
}

std::string shapesCsv(const std::vector<CompileLog>& logs) {
  std::string text = "log,frame,source,symbol,first_value,range,specialization\n";
  for (const CompileLog& log : logs)
    for (const DynamicShape& one : log.shapes)
      text += fmt::format("{},{},{},{},{},{},{}\n", csvField(log.title), csvField(one.id),
                          csvField(one.source), csvField(one.symbol), csvField(one.value),
                          csvField(one.range), csvField(one.specialization));
  return text;
}

nlohmann::ordered_json compileLogsJson(const std::vector<CompileLog>& logs) {
  using Json = nlohmann::ordered_json;
  Json object = {{"fusebench", "compile log"}};
  object["logs"] = Json::array();
  const auto known = [](std::int64_t count) { return count < 0 ? Json() : Json(count); };
  for (const CompileLog& log : logs) {
    Json one = {{"title", log.title},           {"covered_s", log.covered},
                {"compiling_s", log.compiling}, {"malformed", log.malformed},
                {"partial", log.partial},       {"findings", findingsOf(log)}};
    for (const char* list : {"frames", "graph_breaks", "recompiles", "phases"})
      one[list] = Json::array();
    for (const FrameCompile& frame : log.frames)
      one["frames"].push_back({{"id", frame.id},
                               {"function", jsonOfFunction(frame.function)},
                               {"total_s", frame.total},
                               {"backend_s", frame.backend},
                               {"guards", known(frame.guards)},
                               {"operations", known(frame.operations)},
                               {"failure", frame.failure}});
    for (const GraphBreak& each : log.breaks)
      one["graph_breaks"].push_back({{"id", each.id},
                                     {"file", each.file},
                                     {"line", each.line},
                                     {"reason", each.reason},
                                     {"explanation", each.explanation},
                                     {"hint", each.hint}});
    for (const Recompile& each : log.recompiles)
      one["recompiles"].push_back(
          {{"id", each.id}, {"function", jsonOfFunction(each.function)}, {"guards", each.guards}});
    for (const CompilePhase& phase : log.phases)
      one["phases"].push_back({{"name", phase.name},
                               {"count", phase.count},
                               {"total_s", phase.total},
                               {"self_s", phase.self}});
    one["caches"] = Json::array();
    for (const CompileCache& cache : log.caches)
      one["caches"].push_back({{"name", cache.name},
                               {"hits", cache.hits},
                               {"misses", cache.misses},
                               {"bypasses", cache.bypasses}});
    one["dynamic_shapes"] = Json::array();
    for (const DynamicShape& shape : log.shapes)
      one["dynamic_shapes"].push_back({{"id", shape.id},
                                       {"source", shape.source},
                                       {"symbol", shape.symbol},
                                       {"first_value", shape.value},
                                       {"range", shape.range},
                                       {"specialization", shape.specialization}});
    one["generated_code"] = Json::array();
    for (const LoggedCode& code : log.code)
      one["generated_code"].push_back(
          {{"id", code.id}, {"file", code.file}, {"lines", code.lines}, {"text", code.text}});
    object["logs"].push_back(std::move(one));
  }
  return object;
}

}  // namespace fusebench
