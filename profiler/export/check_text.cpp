// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/table_text.h"

namespace fusebench {
namespace {

std::string verdictWord(const CheckedCell& cell) {
  if (cell.before <= 0) return saying("new");
  switch (cell.verdict) {
    case CheckVerdict::within:
      return saying("passed");
    case CheckVerdict::slower:
      return cell.compared ? saying("slower") : saying("failed");
    case CheckVerdict::cannotTell:
      break;
  }
  return saying("cannot tell");
}

std::string timeOrDash(double nanoseconds) {
  return nanoseconds > 0 ? wording::time(nanoseconds) : "-";
}

/// The times that are compared; where nothing is, the medians.
double timeBefore(const CheckedCell& cell) {
  return cell.compared ? cell.fastBefore : cell.before;
}

double timeNow(const CheckedCell& cell) {
  return cell.compared ? cell.fastNow : cell.now;
}

bool needsAttention(const CheckedCell& cell) {
  return cell.before > 0 && cell.verdict != CheckVerdict::within;
}

ExportTable tableOf(const CheckReport& report, bool all) {
  ExportTable table;
  for (const std::string& axis : report.axes) {
    table.header.push_back(wording::axisWord(axis));
    table.numeric.push_back(true);
  }
  for (const std::string& head : {saying("variant"), saying("baseline"), saying("now"),
                                  saying("change [interval]"), saying("result")}) {
    table.header.push_back(head);
    table.numeric.push_back(table.header.size() > report.axes.size() + 1 &&
                            table.header.size() < report.axes.size() + 5);
  }
  for (const CheckedCell& cell : report.cells) {
    if (!all && !needsAttention(cell)) continue;
    std::vector<std::string> row;
    for (const std::int64_t value : cell.at) row.push_back(std::to_string(value));
    row.insert(row.end(), {cell.variant, timeOrDash(timeBefore(cell)), timeOrDash(timeNow(cell)),
                           cell.compared ? changeText(cell) : "-", verdictWord(cell)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// For an attribute or text of XML; control characters, which XML forbids, become spaces.
std::string xmlText(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

/// What a workflow command takes for its own, as GitHub's toolkit encodes it: properties also
/// encode colons and commas.
std::string workflowText(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out;
}

std::string explained(const CheckedCell& cell) {
  if (!cell.compared) return cell.why;
  const std::string text = saying("{} instead of {}: {}", wording::time(timeNow(cell)),
                                  wording::time(timeBefore(cell)), changeText(cell));
  return cell.why.empty() ? text : text + saying("; ") + cell.why;
}

}  // namespace

ExportTable checkTable(const CheckReport& report) {
  return tableOf(report, true);
}

std::string machineLine(const CheckReport& report) {
  if (!report.machine) return "";
  const std::string line = saying(
      "The machine itself: {:+.1f}% [{:+.1f}, {:+.1f}] time for the same work; the "
      "intervals include this.",
      100 * report.machine->value, 100 * report.machine->low, 100 * report.machine->high);
  if (report.machine->common() <= 0) return line;
  return line + " " +
         saying(
             "All of this work took at least {:.1f}% longer; the changes listed here do not "
             "include this part.",
             100 * report.machine->common());
}

std::string timesLine(const CheckReport& report) {
  const auto compared = [](const CheckedCell& cell) { return cell.compared; };
  if (std::none_of(report.cells.begin(), report.cells.end(), compared)) return "";
  return saying(
      "Times are lower deciles of the samples in each session, which other programs disturb "
      "least.");
}

std::string checkMarkdown(const CheckReport& report) {
  std::string text = fmt::format("### Fusebench: {}\n\n", markdown(sentence(report)));
  if (const ExportTable few = tableOf(report, false); !few.rows.empty())
    text += markdownTable(few) + "\n";
  for (const CheckedCell& cell : report.cells)
    if (needsAttention(cell) && !cell.why.empty())
      text += fmt::format("- {}: {}\n", markdown(nameOf(report, cell)), markdown(cell.why));
  for (const std::string& line : {machineLine(report), timesLine(report)})
    if (!line.empty()) text += "\n" + markdown(line) + "\n";
  text += fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n",
                      saying("All {} data points", report.cells.size()),
                      markdownTable(checkTable(report)));
  return text;
}

std::string checkJunit(const CheckReport& report, const std::string& title) {
  const auto shared = [](const CheckedCell& cell) { return cell.before > 0; };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" "
      "errors=\"0\">\n",
      xmlText(title), std::count_if(report.cells.begin(), report.cells.end(), shared),
      report.count(CheckVerdict::slower), report.count(CheckVerdict::cannotTell));
  for (const CheckedCell& cell : report.cells) {
    if (!shared(cell)) continue;
    text += fmt::format("<testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"", xmlText(title),
                        xmlText(nameOf(report, cell)), cell.now * 1e-9);
    if (cell.verdict == CheckVerdict::within)
      text += "/>\n";
    else
      text += fmt::format("><{0} message=\"{1}\"/></testcase>\n",
                          cell.verdict == CheckVerdict::slower ? "failure" : "skipped",
                          xmlText(explained(cell)));
  }
  return text + "</testsuite>\n</testsuites>\n";
}

std::string checkAnnotations(const CheckReport& report) {
  std::string text;
  for (const CheckedCell& cell : report.cells)
    if (needsAttention(cell))
      text += fmt::format("::{} title={}::{}\n",
                          cell.verdict == CheckVerdict::slower ? "error" : "warning",
                          workflowText("Fusebench: " + verdictWord(cell), true),
                          workflowText(nameOf(report, cell) + ": " + explained(cell), false));
  return text;
}

nlohmann::ordered_json checkJson(const CheckReport& report) {
  using nlohmann::ordered_json;
  const auto timed = [](double value) { return value > 0 ? ordered_json(value) : ordered_json(); };
  ordered_json cells = ordered_json::array();
  for (const CheckedCell& cell : report.cells) {
    const auto ifCompared = [&](double value) {
      return cell.compared ? ordered_json(value) : ordered_json();
    };
    cells.push_back({{"variant", cell.variant},
                     {"at", cell.at},
                     {"baseline_ns", timed(cell.before)},
                     {"now_ns", timed(cell.now)},
                     {"change", ifCompared(cell.change)},
                     {"change_low", ifCompared(cell.low)},
                     {"change_high", ifCompared(cell.high)},
                     {"baseline_fast_ns", ifCompared(cell.fastBefore)},
                     {"now_fast_ns", ifCompared(cell.fastNow)},
                     {"quantile", ifCompared(cell.share)},
                     {"median_change", ifCompared(cell.medianChange)},
                     {"median_change_low", ifCompared(cell.medianLow)},
                     {"median_change_high", ifCompared(cell.medianHigh)},
                     {"samples", cell.samples},
                     {"sessions", cell.sessions},
                     {"verdict", cell.before > 0 ? std::string(name(cell.verdict)) : "new"},
                     {"samples_needed",
                      cell.samplesNeeded ? ordered_json(*cell.samplesNeeded) : ordered_json()},
                     {"why", cell.why.empty() ? ordered_json() : ordered_json(cell.why)}});
  }
  ordered_json machine;
  if (report.machine)
    machine = {{"change", report.machine->value},
               {"change_low", report.machine->low},
               {"change_high", report.machine->high},
               {"common", report.machine->common()}};
  return {{"fusebench", "check"},
          {"version", 1},
          {"verdict", name(report.verdict)},
          {"max_slowdown", report.settings.allowed},
          {"ruled_out", report.settings.ruledOut()},
          {"confidence", report.settings.confidence},
          {"axes", report.axes},
          {"cells", std::move(cells)},
          {"machine", std::move(machine)},
          {"only_in_baseline", report.onlyBefore},
          {"summary", sentence(report)}};
}

}  // namespace fusebench
