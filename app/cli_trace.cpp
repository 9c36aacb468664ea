// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_operators.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

bool isTraceInput(const std::string&) {
  return false;
}

int analyzeTraces(const std::vector<std::string>&, bool, const std::string&, const std::string&) {
  throw InputError(saying("this build cannot read traces; use one that is built with the window"));
}

}  // namespace fusebench::cli

#else

#include "profiler/trace/kernel_names.h"
#include "profiler/trace/trace_counters.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_report.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopNames = 15, kTopSavings = 10, kTopCounters = 30, kLongestName = 60;

std::string shareText(Nanoseconds part, Nanoseconds whole) {
  return whole > 0
             ? fmt::format("{:.1f}%", 100 * static_cast<double>(part) / static_cast<double>(whole))
             : "-";
}

std::string shortened(std::string name) {
  if (name.size() > kLongestName) name = name.substr(0, kLongestName - 3) + "...";
  return name;
}

std::string timeAndShare(Nanoseconds part, Nanoseconds whole) {
  return timeOf(part) + " " + shareText(part, whole);
}

void addDevices(const TraceReport& report, std::string& text) {
  if (report.devices.empty()) return;
  Table parts({head("device"), head("computing"), head("communication"), head("memory"),
               head("idle"), head("overlap")});
  Table waits({head("device"), saying("host wait"), saying("kernel wait"), saying("other wait"),
               saying("short kernels"), saying("queued, most"), head("mean")});
  for (const DeviceBreakdown& one : report.devices) {
    parts.add({saidAgain(one.device.name), timeAndShare(one.computing, one.total),
               timeAndShare(one.communication, one.total), timeAndShare(one.memory, one.total),
               timeAndShare(one.idle, one.total),
               one.collectives > 0 ? shareText(one.overlap, one.collectives) : "-"});
    const Nanoseconds gaps = one.hostWait + one.kernelWait + one.otherWait;
    waits.add(
        {saidAgain(one.device.name), timeAndShare(one.hostWait, gaps),
         timeAndShare(one.kernelWait, gaps), timeAndShare(one.otherWait, gaps),
         shareText(static_cast<Nanoseconds>(one.shorter), static_cast<Nanoseconds>(one.kernels)),
         std::to_string(one.mostQueued), digits(one.meanQueued)});
  }
  text += saying("\nWhere the time went (overlap: collectives that run during other kernels)\n") +
          parts.text() +
          saying("\nStream gaps, and launch-bound kernels (shorter than their launch call)\n") +
          waits.text();
}

/// The kernels' time by what they compute, in one line.
void addClasses(const TraceReport& report, std::string& text) {
  if (report.classes.empty()) return;
  std::string listed;
  for (const ClassTotal& one : report.classes)
    listed += fmt::format("{}{} {:.1f}%", listed.empty() ? "" : ", ",
                          saidAs("class", nameOf(one.kind)), 100 * one.share);
  text += "\n" + wrapped(saying("Classes of kernels, shares of their time: {}", listed), "");
}

void addCollectives(const std::vector<CollectiveTotal>& collectives, std::string& text) {
  if (collectives.empty()) return;
  Table table({head("collective"), head("count"), head("bytes"), head("ranks"), head("total"),
               saying("waiting"), saying("transfer"), saying("algorithm"), saying("bus")});
  for (std::size_t i = 0; i < collectives.size() && i < kTopNames; ++i) {
    const CollectiveTotal& one = collectives[i];
    const bool met = one.met == one.count;
    const auto rate = [](double value) {
      return value > 0 ? digits(value) + " GB/s" : std::string("-");
    };
    table.add({shortened(one.dtype.empty() ? one.name : one.name + " " + one.dtype),
               std::to_string(one.count), one.bytes < 0 ? "-" : std::to_string(one.bytes),
               one.ranks > 0 ? std::to_string(one.ranks) : "-", timeOf(one.total),
               met ? timeOf(one.waiting) : "-", met ? timeOf(one.transfer) : "-",
               rate(one.algorithmBandwidth), rate(one.busBandwidth)});
  }
  text +=
      saying("\nCollectives (GB/s as in nccl-tests; waiting: for the last rank)\n") + table.text();
}

/// The names that take most. Slices of a host contain each other: there it is their self time.
void addNames(const TraceReport& report, std::string& text) {
  const bool device = report.work == Work::device;
  std::vector<SpanTotal> totals = report.totals;
  if (!device) std::ranges::stable_sort(totals, std::ranges::greater(), &SpanTotal::self);
  if (totals.size() > kTopNames) totals.resize(kTopNames);
  Table names({device ? head("kernel") : head("slice"), head("count"), head("total"),
               device ? head("mean") : saying("self"), head("share")});
  std::vector<std::string> shown;
  for (const SpanTotal& total : totals) shown.emplace_back(report.trace->nameText(total.name));
  if (device) shown = shortKernelNames(shown);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const SpanTotal& total = totals[i];
    names.add({shortened(shown[i]), std::to_string(total.count), timeOf(total.total),
               timeOf(device ? static_cast<Nanoseconds>(total.mean) : total.self),
               fmt::format("{:.1f}%", 100 * total.share)});
  }
  text += "\n" + names.text();
  if (report.totals.size() > kTopNames)
    text += saying("and {} more names\n", report.totals.size() - kTopNames);
}

void addSavings(const TraceReport& report, std::string& text) {
  const Savings& savings = report.savings;
  text += saying("\nWhat would fusing or a graph save here? (an estimate)\n");
  if (savings.costs.calls == 0) {
    text += "  " + assumptionsOf(savings).front() + "\n";
    return;
  }
  if (savings.ranked.empty() && savings.ifStepGraphs == savings.total) {
    text += saying("  nothing: no sequences of launch-bound kernels\n");
    return;
  }
  text += saying(
      "  now {}; each sequence as one kernel: {}; each sequence as one graph: {}; each step as one "
      "graph: {}\n",
      timeOf(savings.total), timeOf(savings.ifKernels), timeOf(savings.ifGraphs),
      timeOf(savings.ifStepGraphs));
  Table table({saying("sequence of kernels"), head("kernels"), head("runs"), saying("first at"),
               head("now"), saying("one kernel"), saying("one graph"), head("saves")});
  for (std::size_t i = 0; i < savings.ranked.size() && i < kTopSavings; ++i) {
    const Saving& one = savings.ranked[i];
    table.add({shortened(one.kernels), std::to_string(one.count), std::to_string(one.runs.size()),
               timeOf(one.runs.front().time.from), timeOf(one.now),
               one.fusible ? timeOf(one.oneKernel) : "-", timeOf(one.oneGraph),
               timeOf(one.saved())});
  }
  if (!savings.ranked.empty()) text += table.text();
  if (savings.ranked.size() > kTopSavings)
    text += saying("and {} more kinds of sequences\n", savings.ranked.size() - kTopSavings);
  text += saying("Assumed:\n");
  for (const std::string& said : assumptionsOf(savings)) text += wrapped(said, "  ");
}

/// A line for each counter: memory, how busy a device is.
void addCounters(const Trace& trace, std::string& text) {
  if (trace.counters().empty()) return;
  text += "\n";
  Table table({head("counter"), head("samples"), head("min"), head("mean"), head("max")});
  for (std::size_t i = 0; i < trace.counters().size() && i < kTopCounters; ++i) {
    const CounterTrack& counter = trace.counters()[i];
    const auto figures = figuresOf(trace, counter);
    if (!figures) continue;
    table.add({shortened(counter.name), std::to_string(figures->samples),
               valueText(figures->least, counter.unit), valueText(figures->mean, counter.unit),
               valueText(figures->most, counter.unit)});
  }
  text += table.text();
  if (trace.counters().size() > kTopCounters)
    text += saying("and {} more\n", trace.counters().size() - kTopCounters);
}

/// The host time of a call of torch.compile, part by part.
void addCompiled(const TraceReport& report, std::string& text) {
  if (!report.compiled) return;
  const CompiledRegions& compiled = *report.compiled;
  const auto perCall = [&](Nanoseconds time) {
    return timeOf(time / static_cast<Nanoseconds>(compiled.calls));
  };
  text += saying("\ntorch.compile: {} calls of {} on the host", compiled.calls,
                 perCall(compiled.total));
  text += report.work == Work::device
              ? saying("; their kernels take {}\n", perCall(compiled.kernels))
              : "\n";
  Table table({saying("part of a call"), saying("per call"), head("share")});
  for (const auto& [part, time] : partsOf(compiled))
    if (time > 0) table.add({part, perCall(time), shareText(time, compiled.total)});
  text += table.text() + wrapped(graphSentence(compiled), "");
}

std::string textOf(const TraceReport& report) {
  const Trace& trace = *report.trace;
  std::string text = report.title;
  if (!trace.device().empty()) text += ", " + trace.device();
  text += saying("\n{} events over {}: ", trace.size(), timeOf(report.statistics.counted));
  if (report.work == Work::device)
    text += saying("busy {}, {}", timeAndShare(report.statistics.busy, report.statistics.counted),
                   sentenceOf(report.statistics.counts));
  else
    text += saying("no device activity is recorded; {}", sentenceOf(report.statistics.counts));
  text += "\n";
  if (report.work == Work::device)
    text += saying("launch delays {}", sentenceOf(report.delays)) + "\n";
  if (!trace.partial().empty()) text += saying("partial: {}\n", saidAgain(trace.partial()));
  if (const auto lost = sentenceOf(trace.losses()); !lost.empty())
    text += saying("lost: {}\n", lost);
  if (const auto said = sentenceOf(trace.remarks()); !said.empty())
    text += saying("also: {}\n", said);
  addDevices(report, text);
  addClasses(report, text);
  addCollectives(report.collectives, text);
  addCounters(trace, text);
  addCompiled(report, text);
  if (report.compiles) text += "\n" + wrapped(compilesSentence(*report.compiles), "");
  addNames(report, text);
  if (report.work == Work::device) addSavings(report, text);
  return text;
}

std::string textOf(const TraceRanks& ranks) {
  if (!ranks.related) {
    std::string text = saying("{} traces, {}\n", ranks.ranks.size(), ranks.aligned);
    for (const std::string& skipped : ranks.skipped) text += saying("not read: {}", skipped) + "\n";
    return text + "\n";
  }
  std::string text = saying("{} ranks, {}\n", ranks.ranks.size(), ranks.aligned);
  Table table(
      {head("rank"), head("file"), head("clock"), saying("mean delay"), saying("times last")});
  for (const TraceRank& rank : ranks.ranks)
    table.add({std::to_string(rank.number), shortened(rank.file), "+" + timeOf(rank.shift),
               ranks.collectives > 0 ? timeOf(static_cast<Nanoseconds>(rank.lateness)) : "-",
               ranks.collectives > 0 ? saying("{} of {}", rank.last, ranks.collectives) : "-"});
  text += table.text();
  for (const std::string& skipped : ranks.skipped) text += saying("not read: {}", skipped) + "\n";
  return text + "\n";
}

}  // namespace

bool isTraceInput(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) || looksLikeTrace(path);
}

int analyzeTraces(const std::vector<std::string>& paths, bool json, const std::string& csv,
                  const std::string& range) {
  std::vector<TraceReport> reports;
  std::optional<TraceRanks> ranks;
  std::error_code ignored;
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path, ignored)) {
      if (ranks) throw InputError(path + saying(": give one directory of ranks at a time"));
      ranks = importRanks(path);
      for (TraceRank& rank : ranks->ranks) {
        rank.trace = limitedTrace(std::move(rank.trace), range);
        reports.push_back(reportOf(rank.trace, ranks->related
                                                   ? saying("rank {}: {}", rank.number, rank.file)
                                                   : rank.file));
      }
      continue;
    }
    if (!looksLikeTrace(path))
      throw InputError(
          path + saying(": this is not a trace; open traces and results of runs one at a time"));
    for (const auto& part : partsOf(importTrace(path)))
      reports.push_back(reportOf(limitedTrace(part, range), part->title()));
  }
  if (!csv.empty()) {
    std::filesystem::create_directories(csv, ignored);
    const auto into = [&](const char* name) {
      return (std::filesystem::path(csv) / name).string();
    };
    writeFile(into("breakdown.csv"), breakdownCsv(reports));
    writeFile(into("kernels.csv"), namesCsv(reports));
    writeFile(into("classes.csv"), classesCsv(reports));
    writeFile(into("savings.csv"), savingsCsv(reports));
    writeFile(into("collectives.csv"), collectivesCsv(reports));
    if (ranks && ranks->related) writeFile(into("ranks.csv"), ranksCsv(*ranks));
  }
  if (json) {
    printJson(reportJson(reports, ranks ? &*ranks : nullptr));
    return kDone;
  }
  std::string text = ranks ? textOf(*ranks) : "";
  // On one clock it is known who waited for whom.
  if (ranks && ranks->related) addCollectives(collectivesOf(*joinedRanks(*ranks, "ranks")), text);
  for (std::size_t i = 0; i < reports.size(); ++i) text += (i > 0 ? "\n" : "") + textOf(reports[i]);
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli

#endif
