// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <memory>
#include <vector>

#include "profiler/files/csv_text.h"
#include "profiler/trace/report_columns.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

/// A line for each row of each report.
template <class Row, class RowsOf>
std::string linesOf(std::span<const TraceReport> reports,
                    std::span<const ReportColumn<Row>> columns, const RowsOf& rowsOf) {
  std::string text = csvHeader(columns);
  for (const TraceReport& report : reports)
    for (const Row& row : rowsOf(report))
      text += csvLine(columns, csvField(report.title), report, row);
  return text;
}

template <class Row>
Json rowsJson(const TraceReport& report, std::span<const ReportColumn<Row>> columns,
              const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(jsonRow(columns, report, row));
  return list;
}

Json compiledJson(const CompiledRegions& one) {
  return {{"calls", one.calls},
          {"graphs", one.graphs},
          {"total_ns", one.total},
          {"lookup_ns", one.lookup},
          {"wrapper_ns", one.wrapper},
          {"code_ns", one.code},
          {"graph_checks_ns", one.checks},
          {"operators_ns", one.operators},
          {"launches_ns", one.launches},
          {"graph_launch_ns", one.graphLaunch},
          {"kernels_ns", one.kernels}};
}

Json countsJson(const WorkCounts& counts) {
  return {{"launching_calls", counts.calls},
          {"kernels", counts.kernels},
          {"graph_nodes", counts.graphNodes},
          {"copies", counts.copies},
          {"fills", counts.fills},
          {"whole_graphs", counts.graphs},
          {"spans", counts.spans}};
}

Json oneReportJson(const TraceReport& report) {
  const Trace& trace = *report.trace;
  Json object = {{"title", report.title},
                 {"device", trace.device()},
                 {"events", trace.size()},
                 {"recorded_ns", report.statistics.counted}};
  const bool device = report.work == Work::device;
  object["busy_ns"] = device ? Json(report.statistics.busy) : Json();
  object["counts"] = countsJson(report.statistics.counts);
  object["delays"] = {{"joined", report.delays.times.size()},
                      {"executions", report.delays.executions},
                      {"before_their_call", report.delays.before},
                      {"from", "begin of the call"}};
  object["lost"] = sentenceOf(trace.losses());
  object["remarks"] = sentenceOf(trace.remarks());
  object["partial"] = trace.partial();
  for (const char* list : {"devices", "classes", "names", "savings", "assumptions", "collectives"})
    object[list] = Json::array();
  object["devices"] = rowsJson(report, deviceColumns(), report.devices);
  object["classes"] = rowsJson(report, classColumns(), report.classes);
  object["unknown_share"] = report.classes.empty() ? Json() : Json(unknownShareOf(report.classes));
  object["names"] = rowsJson(report, nameColumns(), report.totals);
  object["savings"] = rowsJson(report, savingColumns(), report.savings.ranked);
  object["collectives"] = rowsJson(report, collectiveColumns(), report.collectives);
  object["counters"] = Json::array();
  for (const CounterTrack& counter : trace.counters())
    if (const auto figures = figuresOf(trace, counter))
      object["counters"].push_back({{"name", counter.name},
                                    {"unit", counter.unit.empty() ? Json() : Json(counter.unit)},
                                    {"process", counter.processName},
                                    {"samples", figures->samples},
                                    {"min", figures->least},
                                    {"mean", figures->mean},
                                    {"max", figures->most}});
  object["compiled"] = report.compiled ? compiledJson(*report.compiled) : Json();
  object["compiles"] = report.compiles ? Json{{"count", report.compiles->count},
                                              {"total_ns", report.compiles->total},
                                              {"longest_ns", report.compiles->longest.length()}}
                                       : Json();
  object["if_kernels_ns"] = report.savings.ifKernels;
  object["if_graphs_ns"] = report.savings.ifGraphs;
  object["if_step_graphs_ns"] = report.savings.ifStepGraphs;
  object["steps"] = report.savings.steps;
  for (const std::string& said : assumptionsOf(report.savings))
    object["assumptions"].push_back(said);
  return object;
}

}  // namespace

TraceReport reportOf(std::shared_ptr<const Trace> trace, const std::string& title) {
  TraceReport report;
  report.title = title;
  report.work = workOf(*trace);
  const TimeRange range = recordedOf(*trace);
  report.statistics = statisticsOf(*trace, report.work, range);
  report.delays = launchDelaysOf(*trace, range);
  report.totals = totalsByName(*trace, report.work, range);
  report.devices = breakdownOf(*trace);
  report.classes = classesOf(*trace);
  report.savings = savingsOf(*trace);
  report.collectives = collectivesOf(*trace);
  report.compiled = compiledRegionsOf(*trace);
  report.compiles = compilesWithin(*trace);
  report.trace = std::move(trace);
  return report;
}

std::string breakdownCsv(std::span<const TraceReport> reports) {
  return linesOf(
      reports, deviceColumns(),
      [](const TraceReport& report) -> const auto& { return report.devices; });
}

std::string namesCsv(std::span<const TraceReport> reports) {
  return linesOf(
      reports, nameColumns(),
      [](const TraceReport& report) -> const auto& { return report.totals; });
}

std::string classesCsv(std::span<const TraceReport> reports) {
  return linesOf(
      reports, classColumns(),
      [](const TraceReport& report) -> const auto& { return report.classes; });
}

std::string savingsCsv(std::span<const TraceReport> reports) {
  return linesOf(
      reports, savingColumns(),
      [](const TraceReport& report) -> const auto& { return report.savings.ranked; });
}

std::string collectivesCsv(std::span<const TraceReport> reports) {
  return linesOf(
      reports, collectiveColumns(),
      [](const TraceReport& report) -> const auto& { return report.collectives; });
}

std::string ranksCsv(const TraceRanks& ranks) {
  std::string text = "rank,file,clock_shift_ns,collectives,mean_lateness_ns,last_of_all\n";
  for (const TraceRank& rank : ranks.ranks)
    text += fmt::format("{},{},{},{},{:.1f},{}\n", rank.number, csvField(rank.file), rank.shift,
                        ranks.collectives, rank.lateness, rank.last);
  return text;
}

nlohmann::ordered_json reportJson(std::span<const TraceReport> reports, const TraceRanks* ranks) {
  Json object = {{"fusebench", "trace report"}};
  object["traces"] = Json::array();
  for (const TraceReport& report : reports) object["traces"].push_back(oneReportJson(report));
  if (!ranks) return object;
  object["related"] = ranks->related;
  object["clocks"] = ranks->aligned;
  object["collectives"] = ranks->collectives;
  object["ranks"] = Json::array();
  for (const TraceRank& rank : ranks->ranks)
    object["ranks"].push_back({{"rank", rank.number},
                               {"file", rank.file},
                               {"clock_shift_ns", rank.shift},
                               {"mean_lateness_ns", rank.lateness},
                               {"last_of_all", rank.last}});
  object["skipped"] = ranks->skipped;
  return object;
}

}  // namespace fusebench
