// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_roofline.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "app/cli_trace.h"
#include "engine/base/saying.h"
#include "profiler/files/files.h"

#ifdef FUSEBENCH_WITHOUT_TRACES

namespace fusebench::cli {

int analyzeRoofline(const std::vector<std::string>& paths, bool json, const std::string& csv,
                    const std::string& range) {
  return analyzeTraces(paths, json, csv, range);  // which refuses an empty list
}

}  // namespace fusebench::cli

#else

#include "app/cli_operators.h"
#include "profiler/trace/roofline.h"
#include "profiler/trace/trace_savings.h"

namespace fusebench::cli {
namespace {

constexpr std::size_t kTopPoints = 30, kLongestCall = 70;

std::string rooflineText(const RooflineReport& report) {
  const Roofline& roofline = report.roofline;
  std::string text = report.title + "\n";
  if (roofline.peak)
    text +=
        wrapped(saying("{}: {} GB/s, {} TFLOP/s for 16-bit floats, {} for float32 ({})",
                       report.device, digits(roofline.peak->bandwidth), digits(roofline.peak->half),
                       digits(roofline.peak->float32), roofline.peak->source));
  else
    text += saying(
        "The peak rates of this device are not known, so only launch-bound operators are "
        "identified.\n");
  Table table({head("operator"), head("calls"), head("total"), saying("TFLOP/s"), saying("GB/s"),
               saying("FLOP/byte"), saying("share of peak"), saying("bound by")});
  for (std::size_t i = 0; i < roofline.points.size() && i < kTopPoints; ++i) {
    const RooflinePoint& one = roofline.points[i];
    std::string title = one.op + (one.shapes.empty() ? "" : " " + one.shapes) +
                        (one.dtypes.empty() ? "" : " " + one.dtypes);
    if (title.size() > kLongestCall) title = title.substr(0, kLongestCall - 3) + "...";
    const auto known = [](double value) { return value > 0 ? digits(value) : std::string("-"); };
    table.add({std::move(title), std::to_string(one.calls), timeOf(one.time), known(one.tflops),
               known(one.bandwidth), known(one.intensity),
               one.reached > 0 ? fmt::format("{:.1f}%", 100 * one.reached) : "-",
               std::string(saidAs("bound", nameOf(one.bound)))});
  }
  text += table.text();
  if (roofline.points.size() > kTopPoints)
    text += saying("and {} more\n", roofline.points.size() - kTopPoints);
  return text;
}

}  // namespace

int analyzeRoofline(const std::vector<std::string>& paths, bool json, const std::string& csv,
                    const std::string& range) {
  std::vector<RooflineReport> reports;
  for (const TitledTrace& one : titledTraces(paths, range))
    reports.push_back({one.title, one.trace->device(),
                       rooflineOf(*one.trace, operatorFrames(*one.trace, recordedOf(*one.trace)))});
  if (!csv.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(csv, ignored);
    writeFile((std::filesystem::path(csv) / "roofline.csv").string(), rooflineCsv(reports));
  }
  if (json) {
    printJson(rooflineJson(reports));
    return kDone;
  }
  std::string text;
  for (const RooflineReport& report : reports)
    text += (text.empty() ? "" : "\n") + rooflineText(report);
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli

#endif
