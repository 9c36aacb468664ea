// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for documents: Markdown and LaTeX.
#include <fmt/format.h>

#include <span>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/export_data.h"
#include "profiler/export/export_table.h"
#include "profiler/export/table_text.h"
#include "profiler/machine/environment.h"

namespace fusebench {
namespace {

std::string unitAlong(const Experiment& experiment, const std::string& axisName) {
  for (const Axis& axis : experiment.axes)
    if (axis.name == axisName) return wording::unit(axis);
  return axisName;
}

std::string measuredOn(const Run& run) {
  return saying("Measured {}with Fusebench on {}.",
                run.startedAt.empty() ? "" : run.startedAt + " ", environmentLine(run.environment));
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts)
    all += fmt::format("{}{}", all.empty() ? "" : between, text);
  return all;
}

std::string oneMarkdown(const ExportedRun& exported, bool named) {
  const Run& run = *exported.run;
  const ExportTable table = latencyTable(run);
  std::string text = fmt::format("## {}\n\n", markdown(std::string(said(run.experiment.title))));
  if (named) text += saying("Run: {}\n\n", markdown(exported.name));
  if (!run.experiment.question.empty())
    text += markdown(std::string(said(run.experiment.question))) + "\n\n";
  text += run.modelError()
              ? saying("Simulated time per call; speedup over {}.\n\n",
                       markdown(wording::baselines(run.experiment)))
              : saying("Median time per call (95% interval); speedup over {}, paired by round.\n\n",
                       markdown(wording::baselines(run.experiment)));
  text += markdownTable(table);
  if (!table.notes.empty())
    text += fmt::format("\n{}{}\n", markdown(joined(table.notes, said("; "))), said("."));
  std::string breakEvens;
  for (const Crossing& crossing : exported.crossings)
    if (crossing.kind == Crossing::Kind::breakEven)
      breakEvens += fmt::format(
          "- {}{}\n", markdown(sentence(crossing, unitAlong(run.experiment, crossing.along))),
          said("."));
  if (!breakEvens.empty()) text += fmt::format("\n{}", breakEvens);
  // Wrong results and results that cannot be compared: the figures mean less there.
  std::string doubts;
  for (const Finding& finding : findingsOf(run, exported.crossings))
    if (finding.kind == Finding::Kind::accuracy || finding.kind == Finding::Kind::comparability)
      doubts += fmt::format("- {}\n", markdown(finding.text));
  if (!doubts.empty()) text += fmt::format("\n{}", doubts);
  return text + fmt::format("\n{}\n", markdown(measuredOn(run)));
}

std::string oneLatex(const ExportedRun& exported, std::size_t number) {
  const Run& run = *exported.run;
  const ExportTable table = latencyTable(run);
  std::string text = saying(
      "% {}: needs \\usepackage{{booktabs}}\n\\begin{{table}}\n  \\centering\n  \\caption{{{}: "
      "median time per call with its 95\\% interval; speedup over {}, paired by round.}}\n  "
      "\\label{{tab:fusebench-{}}}\n",
      latex(exported.name), latex(std::string(said(run.experiment.title))),
      latex(wording::baselines(run.experiment)), number);
  text += latexTable(table);
  std::vector<std::string> below = table.notes;
  below.push_back(measuredOn(run));
  return text +
         fmt::format("\n  \\footnotesize {}\n\\end{{table}}\n", latex(joined(below, said("; "))));
}

}  // namespace

std::string toMarkdown(std::span<const ExportedRun> runs) {
  std::string text;
  for (const ExportedRun& run : runs)
    text += fmt::format("{}{}", text.empty() ? "" : "\n", oneMarkdown(run, runs.size() > 1));
  return text;
}

std::string toLatex(std::span<const ExportedRun> runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i)
    text += fmt::format("{}{}", text.empty() ? "" : "\n", oneLatex(runs[i], i + 1));
  return text;
}

}  // namespace fusebench
