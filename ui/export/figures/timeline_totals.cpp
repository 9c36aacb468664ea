// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/timeline_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/export/table_text.h"
#include "profiler/files/csv_text.h"
#include "profiler/trace/kernel_names.h"
#include "ui/models/base/format.h"

namespace fusebench {
namespace {

/// One name's figures, and whose they are.
struct Row {
  const TimelineModel::Shown* shown;
  std::string device;  ///< empty: the trace shows one only
  TimeRange range;
  SpanTotal total;
  std::string name() const { return std::string(shown->trace->nameText(total.name)); }
};

std::vector<Row> rowsOf(const TimelineSubject& subject) {
  std::vector<Row> rows;
  for (std::size_t t = 0; t < subject.traces.size(); ++t) {
    const TimelineModel::Shown& shown = subject.traces[t];
    const TimeRange range = subject.selection.value_or(recordedOf(*shown.trace));
    const auto add = [&](const std::vector<SpanTotal>& totals, const std::string& device) {
      for (const SpanTotal& total : totals) rows.push_back({&shown, device, range, total});
    };
    const std::vector<TraceDevice> devices = devicesOf(*shown.trace);
    const TimelineModel::Summary* summary =
        t < subject.summaries.size() ? &subject.summaries[t] : nullptr;
    // The summary does not list devices one by one if there are very many.
    if (summary && (devices.size() < 2 || !summary->devices.empty())) {
      if (summary->devices.empty()) add(summary->totals, "");
      for (const auto& device : summary->devices)
        add(device.figures.totals, device.name.toStdString());
      continue;
    }
    if (devices.size() < 2) add(totalsByName(*shown.trace, shown.work, range), "");
    for (const TraceDevice& device : devices)
      if (devices.size() > 1)
        add(totalsByName(*shown.trace, shown.work, range, device.process), device.name);
  }
  return rows;
}

std::string known(std::int64_t bytes) {
  return bytes < 0 ? "" : std::to_string(bytes);
}

std::string csvOf(const std::vector<Row>& rows) {
  std::string text =
      "trace,device,name,kind,count,total_ns,self_ns,share_ratio,mean_ns,min_ns,max_ns,read_bytes,"
      "written_bytes,from_ns,to_ns\n";
  for (const Row& row : rows) {
    const SpanTotal& total = row.total;
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(row.shown->title.toStdString()),
        csvField(row.device), csvField(row.name()), csvField(std::string(nameOf(total.kind))),
        total.count, total.total, total.self, total.share, total.mean, total.least, total.most,
        known(total.bytesRead), known(total.bytesWritten), row.range.from, row.range.to);
  }
  return text;
}

ExportTable tableOf(const TimelineSubject& subject, const std::vector<Row>& rows) {
  const bool traces = subject.traces.size() > 1;
  const bool devices =
      std::ranges::any_of(rows, [](const Row& row) { return !row.device.empty(); });
  const bool nest = std::ranges::any_of(
      subject.traces, [](const TimelineModel::Shown& shown) { return shown.work == Work::host; });
  ExportTable table;
  const auto column = [&](const std::string& title, bool numeric) {
    table.header.push_back(title);
    table.numeric.push_back(numeric);
  };
  if (traces) column("trace", false);
  if (devices) column("device", false);
  column(nest ? "span" : "kernel", false);
  column("count", true);
  // One unit, so that rows can be compared: that of the longest mean.
  double longest = 0;
  for (const Row& row : rows) longest = std::max(longest, row.total.mean);
  const ShownUnit unit = timeUnit(longest);
  const auto time = [&](double nanoseconds) {
    return formatSignificant(nanoseconds / unit.nanoseconds).toStdString();
  };
  std::vector<std::string> times = {"total", "mean", "min", "max"};
  if (nest) times.insert(times.begin() + 1, "self");
  for (const std::string& title : times)
    column(fmt::format("{}, {}", title, unit.symbol.toStdString()), true);
  column("share", true);
  for (const Row& row : rows) {
    const SpanTotal& total = row.total;
    std::vector<std::string> cells;
    if (traces) cells.push_back(row.shown->title.toStdString());
    if (devices) cells.push_back(row.device);
    cells.push_back(row.name());
    cells.push_back(std::to_string(total.count));
    cells.push_back(time(static_cast<double>(total.total)));
    if (nest) cells.push_back(time(static_cast<double>(total.self)));
    cells.push_back(time(total.mean));
    cells.push_back(time(static_cast<double>(total.least)));
    cells.push_back(time(static_cast<double>(total.most)));
    cells.push_back(fmt::format("{:.1f}%", 100 * total.share));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// A sentence that describes the content of the table.
std::string about(const TimelineSubject& subject) {
  std::string text = saying("Time by kernel of ");
  for (std::size_t t = 0; t < subject.traces.size(); ++t)
    text += (t > 0 ? ", " : "") + subject.traces[t].title.toStdString();
  if (subject.selection)
    text += saying(", of the part from {} to {}",
                   formatTime(static_cast<double>(subject.selection->from)).toStdString(),
                   formatTime(static_cast<double>(subject.selection->to)).toStdString());
  return text;
}

}  // namespace

std::string kernelsCsv(const TimelineSubject& subject) {
  return csvOf(rowsOf(subject));
}

std::string kernelsMarkdown(const TimelineSubject& subject) {
  return fmt::format("{}.\n\n{}", markdown(about(subject)),
                     markdownTable(tableOf(subject, rowsOf(subject))));
}

ExportTable kernelsTable(const TimelineSubject& subject, std::size_t most, std::string& caption) {
  std::vector<Row> rows = rowsOf(subject);
  const std::size_t all = rows.size();
  std::ranges::stable_sort(rows, std::greater{}, [](const Row& row) { return row.total.total; });
  if (rows.size() > most) rows.resize(most);
  ExportTable table = tableOf(subject, rows);
  const auto names =
      static_cast<std::size_t>(std::ranges::find_if(table.header,
                                                    [](const std::string& title) {
                                                      return title == "kernel" || title == "span";
                                                    }) -
                               table.header.begin());
  std::vector<std::string> whole;
  for (const auto& row : table.rows) whole.push_back(row[names]);
  const std::vector<std::string> shorter = shortKernelNames(whole);
  for (std::size_t r = 0; r < shorter.size(); ++r) table.rows[r][names] = shorter[r];
  caption = about(subject);
  if (all > rows.size())
    caption += saying("; the {} of {} names that take the most time; the CSV lists the others",
                      rows.size(), all);
  return table;
}

std::string kernelsLatex(const TimelineSubject& subject) {
  // What fits a page: the names that take the most time, without their templates' arguments.
  constexpr std::size_t kMostRowsOfAPage = 20;
  std::string caption;
  const ExportTable table = kernelsTable(subject, kMostRowsOfAPage, caption);
  return fmt::format(
      "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}.}}\n"
      "  \\label{{tab:fusebench-kernels}}\n{}\\end{{table}}\n",
      latex(caption), latexTable(table));
}

}  // namespace fusebench
