// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_operators.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_trace.h"
#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

int analyzeOperators(const std::vector<std::string>& paths, const std::string&, bool json,
                     const std::string& csv, const std::string& range) {
  return analyzeTraces(paths, json, csv, range);  // which refuses an empty list
}

}  // namespace fusebench::cli

#else

#include "profiler/trace/kernel_names.h"
#include "profiler/trace/operator_groups.h"
#include "profiler/trace/operator_tree.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_ranks.h"
#include "profiler/trace/trace_savings.h"
#include "profiler/trace/trace_within.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopGroups = 30, kTopNodes = 60, kMostChildren = 8, kLongestTitle = 70;
constexpr std::size_t kDeepestShown = 24;  // levels; modules of large models nest about ten

std::string endShown(std::string title) {
  // The end says more: "…/Linear_1 · aten::addmm".
  if (title.size() > kLongestTitle)
    title = "..." + title.substr(title.size() - (kLongestTitle - 3));
  return title;
}

std::string groupsText(const OperatorReport& report) {
  std::vector<std::string> heads = {head("operator"), head("calls"), saying("host"),
                                    saying("host, self")};
  if (report.device)
    for (const std::string& name : {head("kernels"), head("device"), saying("device, self")})
      heads.push_back(name);
  heads.push_back(head("share"));
  Table table(heads);
  for (std::size_t i = 0; i < report.groups.size() && i < kTopGroups; ++i) {
    const OperatorGroup& one = report.groups[i];
    std::vector<std::string> row = {endShown(titleOf(one)), std::to_string(one.calls),
                                    timeOf(one.hostTotal), timeOf(one.hostSelf)};
    if (report.device)
      for (const std::string& cell :
           {std::to_string(one.kernels), timeOf(one.deviceTotal), timeOf(one.deviceSelf)})
        row.push_back(cell);
    row.push_back(fmt::format("{:.1f}%", 100 * one.share));
    table.add(row);
  }
  std::string text = report.title + "\n" + table.text();
  if (report.groups.size() > kTopGroups)
    text += saying("and {} more groups\n", report.groups.size() - kTopGroups);
  return text;
}

/// The longest branches, indented.
std::string treeText(const Trace& trace, const OperatorTree& tree) {
  std::string text;
  std::size_t left = kTopNodes;
  const double whole = std::max<double>(1, static_cast<double>(tree.timeOf(0)));
  const std::function<void(std::uint32_t, std::size_t)> print = [&](std::uint32_t at,
                                                                    std::size_t depth) {
    std::size_t shown = 0;
    for (const std::uint32_t child : tree.nodes[at].children) {
      if (left == 0 || shown++ == kMostChildren || depth == kDeepestShown) return;
      --left;
      const OperatorNode& node = tree.nodes[child];
      std::string name(nodeName(trace, node));
      if (node.kind == OperatorNode::Kind::kernel) name = shortKernelName(name);
      text += fmt::format("{:>10}  {:>5.1f}%  {:>7}  {:{}}{}\n", timeOf(tree.timeOf(child)),
                          100 * static_cast<double>(tree.timeOf(child)) / whole, node.calls, "",
                          2 * depth, endShown(std::move(name)));
      print(child, depth + 1);
    }
  };
  print(0, 0);
  return text;
}

nlohmann::ordered_json treeJson(const Trace& trace, const OperatorTree& tree) {
  // A list with parents: nesting as deep as calls do would be more than readers take.
  constexpr std::array<const char*, 5> kKinds = {"all", "module", "range", "operator", "kernel"};
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const OperatorNode& node = tree.nodes[i];
    list.push_back(
        {{"parent", i == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(node.parent)},
         {"kind", kKinds.at(static_cast<std::size_t>(node.kind))},
         {"name", nodeName(trace, node)},
         {"calls", node.calls},
         {"host_total_ns", node.hostTotal},
         {"host_self_ns", node.hostSelf},
         {"device_total_ns", node.deviceTotal},
         {"device_self_ns", node.deviceSelf}});
  }
  return list;
}

int printTrees(const std::vector<TitledTrace>& traces, bool json) {
  nlohmann::ordered_json object = {{"fusebench", "trace operators"}, {"by", {"tree"}}};
  std::string text;
  for (const TitledTrace& one : traces) {
    const OperatorTree tree =
        operatorTree(*one.trace, operatorFrames(*one.trace, recordedOf(*one.trace)));
    if (json) {
      object["traces"].push_back({{"title", one.title},
                                  {"complete", tree.complete},
                                  {"tree", treeJson(*one.trace, tree)}});
      continue;
    }
    text += (text.empty() ? "" : "\n") + one.title + "\n" +
            (tree.device ? saying("Device time, share, calls; the longest branches\n")
                         : saying("Host time, share, calls; the longest branches\n")) +
            treeText(*one.trace, tree);
  }
  if (json)
    printJson(object);
  else
    printOut(text);
  return kDone;
}

}  // namespace

std::shared_ptr<const Trace> limitedTrace(std::shared_ptr<const Trace> trace,
                                          const std::string& range) {
  if (range.empty()) return trace;
  try {
    return traceWithin(*trace, range);
  } catch (const InputError& wrong) {
    throw InputError(trace->title() + ": " + wrong.what());
  }
}

std::vector<TitledTrace> titledTraces(const std::vector<std::string>& paths,
                                      const std::string& range) {
  std::vector<TitledTrace> traces;
  std::error_code ignored;
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path, ignored)) {
      const TraceRanks ranks = importRanks(path);
      for (const TraceRank& rank : ranks.ranks)
        traces.push_back({rank.file, limitedTrace(rank.trace, range)});
      continue;
    }
    if (!looksLikeTrace(path))
      throw InputError(
          path + saying(": this is not a trace; open traces and results of runs one at a time"));
    for (const auto& part : partsOf(importTrace(path)))
      traces.push_back({part->title(), limitedTrace(part, range)});
  }
  return traces;
}

int analyzeOperators(const std::vector<std::string>& paths, const std::string& by, bool json,
                     const std::string& csv, const std::string& range) {
  const bool asTree = by == "tree";
  if (asTree && !csv.empty())
    throw InputError(saying("--by tree has no table; use --json, or another grouping"));
  const auto keys = asTree ? std::vector<OperatorKey>() : operatorKeysNamed(by);
  const std::vector<TitledTrace> traces = titledTraces(paths, range);
  if (asTree) return printTrees(traces, json);
  std::vector<OperatorReport> reports;
  for (const TitledTrace& one : traces) {
    const OperatorFrames frames = operatorFrames(*one.trace, recordedOf(*one.trace));
    reports.push_back({one.title, frames.device, operatorGroups(*one.trace, frames, keys)});
  }
  if (!csv.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(csv, ignored);
    writeFile((std::filesystem::path(csv) / "operators.csv").string(), operatorsCsv(reports));
  }
  if (json) {
    printJson(operatorsJson(reports, keys));
    return kDone;
  }
  std::string text;
  for (const OperatorReport& report : reports)
    text += (text.empty() ? "" : "\n") + groupsText(report);
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli

#endif
