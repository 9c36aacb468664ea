// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <memory>

#include "profiler/files/csv_text.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

using Json = nlohmann::ordered_json;

double shareOf(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Json breakdownJson(const DeviceBreakdown& one) {
  return {{"device", one.device.name},
          {"total_ns", one.total},
          {"computing_ns", one.computing},
          {"communication_ns", one.communication},
          {"memory_ns", one.memory},
          {"idle_ns", one.idle},
          {"collectives_ns", one.collectives},
          {"overlap_ns", one.overlap},
          {"host_wait_ns", one.hostWait},
          {"kernel_wait_ns", one.kernelWait},
          {"other_wait_ns", one.otherWait},
          {"kernels", one.kernels},
          {"shorter_than_launch", one.shorter},
          {"most_queued", one.mostQueued},
          {"mean_queued", one.meanQueued}};
}

Json savingJson(const Trace& trace, const Saving& one) {
  return {{"lane", trace.lanes()[one.lane].name},
          {"process", trace.lanes()[one.lane].processName},
          {"kernels", one.kernels},
          {"count", one.count},
          {"runs", one.runs.size()},
          {"first_at_ns", one.runs.front().time.from},
          {"now_ns", one.now},
          {"busy_ns", one.busy},
          {"one_kernel_ns", one.fusible ? Json(one.oneKernel) : Json()},
          {"one_graph_ns", one.oneGraph},
          {"saved_ns", one.saved()}};
}

Json collectiveJson(const CollectiveTotal& one) {
  const auto known = [](double value) { return value > 0 ? Json(value) : Json(); };
  const bool met = one.met == one.count;
  return {{"name", one.name},
          {"dtype", one.dtype.empty() ? Json() : Json(one.dtype)},
          {"bytes", one.bytes < 0 ? Json() : Json(one.bytes)},
          {"ranks", one.ranks > 0 ? Json(one.ranks) : Json()},
          {"count", one.count},
          {"total_ns", one.total},
          {"waiting_ns", met ? Json(one.waiting) : Json()},
          {"transfer_ns", met ? Json(one.transfer) : Json()},
          {"algorithm_gb_per_s", known(one.algorithmBandwidth)},
          {"bus_gb_per_s", known(one.busBandwidth)}};
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
  for (const DeviceBreakdown& one : report.devices) object["devices"].push_back(breakdownJson(one));
  for (const ClassTotal& one : report.classes)
    object["classes"].push_back({{"class", nameOf(one.kind)},
                                 {"count", one.count},
                                 {"total_ns", one.total},
                                 {"share", one.share}});
  object["unknown_share"] = report.classes.empty() ? Json() : Json(unknownShareOf(report.classes));
  for (const SpanTotal& total : report.totals)
    object["names"].push_back({{"name", trace.nameText(total.name)},
                               {"kind", nameOf(total.kind)},
                               {"count", total.count},
                               {"total_ns", total.total},
                               {"self_ns", total.self},
                               {"share", total.share}});
  for (const Saving& saving : report.savings.ranked)
    object["savings"].push_back(savingJson(trace, saving));
  for (const CollectiveTotal& one : report.collectives)
    object["collectives"].push_back(collectiveJson(one));
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
  report.trace = std::move(trace);
  return report;
}

std::string breakdownCsv(std::span<const TraceReport> reports) {
  std::string text =
      "trace,device,total_ns,computing_ns,communication_ns,memory_ns,idle_ns,collectives_ns,"
      "overlap_ns,host_wait_ns,kernel_wait_ns,other_wait_ns,kernels,shorter_than_launch,"
      "launch_bound_share,most_queued,mean_queued\n";
  for (const TraceReport& report : reports)
    for (const DeviceBreakdown& one : report.devices)
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g},{},{:.6g}\n", csvField(report.title),
          csvField(one.device.name), one.total, one.computing, one.communication, one.memory,
          one.idle, one.collectives, one.overlap, one.hostWait, one.kernelWait, one.otherWait,
          one.kernels, one.shorter,
          shareOf(static_cast<Nanoseconds>(one.shorter), static_cast<Nanoseconds>(one.kernels)),
          one.mostQueued, one.meanQueued);
  return text;
}

std::string namesCsv(std::span<const TraceReport> reports) {
  std::string text = "trace,name,kind,count,total_ns,self_ns,share,mean_ns,min_ns,max_ns\n";
  for (const TraceReport& report : reports)
    for (const SpanTotal& total : report.totals)
      text +=
          fmt::format("{},{},{},{},{},{},{:.6g},{:.1f},{},{}\n", csvField(report.title),
                      csvField(report.trace->nameText(total.name)), nameOf(total.kind), total.count,
                      total.total, total.self, total.share, total.mean, total.least, total.most);
  return text;
}

std::string classesCsv(std::span<const TraceReport> reports) {
  std::string text = "trace,class,count,total_ns,share\n";
  for (const TraceReport& report : reports)
    for (const ClassTotal& one : report.classes)
      text += fmt::format("{},{},{},{},{:.6g}\n", csvField(report.title), nameOf(one.kind),
                          one.count, one.total, one.share);
  return text;
}

std::string savingsCsv(std::span<const TraceReport> reports) {
  std::string text =
      "trace,process,lane,kernels,count,runs,first_at_ns,now_ns,busy_ns,one_kernel_ns,one_graph_ns,"
      "saved_ns\n";
  for (const TraceReport& report : reports)
    for (const Saving& one : report.savings.ranked) {
      const Lane& lane = report.trace->lanes()[one.lane];
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(report.title),
                      csvField(lane.processName), csvField(lane.name), csvField(one.kernels),
                      one.count, one.runs.size(), one.runs.front().time.from, one.now, one.busy,
                      one.fusible ? std::to_string(one.oneKernel) : "", one.oneGraph, one.saved());
    }
  return text;
}

std::string collectivesCsv(std::span<const TraceReport> reports) {
  std::string text =
      "trace,collective,dtype,bytes,ranks,count,total_ns,waiting_ns,transfer_ns,"
      "algorithm_gb_per_s,bus_gb_per_s\n";
  const auto known = [](bool is, auto value) { return is ? fmt::format("{}", value) : ""; };
  for (const TraceReport& report : reports)
    for (const CollectiveTotal& one : report.collectives) {
      const bool met = one.met == one.count;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{:.6g},{:.6g}\n", csvField(report.title),
                          csvField(one.name), one.dtype, known(one.bytes >= 0, one.bytes),
                          known(one.ranks > 0, one.ranks), one.count, one.total,
                          known(met, one.waiting), known(met, one.transfer), one.algorithmBandwidth,
                          one.busBandwidth);
    }
  return text;
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
