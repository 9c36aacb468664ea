// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli_anatomy.h"
#include "app/cli_device.h"
#include "app/cli_format.h"
#include "app/cli_passing.h"
#include "app/cli_result_table.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/comparison_notes.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/inputs.h"
#include "profiler/export/cell_marks.h"
#include "profiler/machine/environment.h"

namespace fusebench::cli {
namespace {

constexpr double kSuspiciousError = 1e-3;  ///< far beyond what float32 rounding explains

std::string unitOfFirstAxis(const Experiment& experiment) {
  return experiment.axes.empty() ? "" : experiment.axes[0].unit;
}

std::string unitAlong(const Experiment& experiment, const std::string& axisName) {
  for (const Axis& axis : experiment.axes)
    if (axis.name == axisName) return axis.unit;
  return unitOfFirstAxis(experiment);
}

/// Explains the marks after latencies.
std::string legend(const CellMarks& marks) {
  const std::vector<std::string> notes = marks.notes();
  return notes.empty() ? "" : fmt::format("{}\n", fmt::join(notes, "  "));
}

std::string cellName(const Run& run, const Cell& cell) {
  const std::string& name =
      run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
  std::string at;
  for (const std::string& value : axisTexts(run.experiment, cell.key))
    at += (at.empty() ? "" : saying(", ")) + value;
  return at.empty() ? name : saying("{} at {}", name, at);
}

/// "torch at 1, 5 to 30 statements"-like names would mislead where axes are two: the cells by name,
/// or how many they are.
std::string cellNames(const Run& run, const std::vector<const Cell*>& cells) {
  if (cells.size() <= 3) {
    std::string names;
    for (const Cell* cell : cells)
      names += (names.empty() ? "" : saying(", ")) + cellName(run, *cell);
    return names;
  }
  std::vector<std::string> variants;
  for (const Cell* cell : cells) {
    const auto& name = run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name;
    if (std::find(variants.begin(), variants.end(), name) == variants.end())
      variants.push_back(name);
  }
  return saying("{} ({} data points)", fmt::join(variants, said(", ")), cells.size());
}

/// Lists the cells that have an error, those with the same error together.
std::string troubles(const Run& run) {
  std::vector<std::pair<std::string, std::vector<const Cell*>>> found;
  for (const Cell& cell : run.cells) {
    if (!cell.error) continue;
    const std::string what = saying("{}: {}", wording::ended(cell.stop), saidAgain(*cell.error));
    auto same = std::find_if(found.begin(), found.end(),
                             [&](const auto& entry) { return entry.first == what; });
    if (same == found.end()) same = found.insert(found.end(), {what, {}});
    same->second.push_back(&cell);
  }
  std::string text;
  for (const auto& [what, cells] : found)
    text += wrapped(saying("{}: {}", cellNames(run, cells), what), "  ");
  return text.empty() ? "" : saying("Not measured, or only in part\n") + text + "\n";
}

bool measured(const Run& run, const std::string& variant) {
  return std::any_of(run.cells.begin(), run.cells.end(), [&](const Cell& cell) {
    return !cell.samples.empty() &&
           run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name == variant;
  });
}

/// Whether a break-even can be stated: both the variant and its baseline were measured.
bool telling(const Run& run, const Crossing& crossing) {
  return measured(run, crossing.variant) && measured(run, crossing.baseline);
}

std::string breakEvens(const Run& run, const std::vector<Crossing>& crossings) {
  if (!measured(run, run.experiment.baseline))
    return wrapped(saying("No break-evens: the baseline, {}, was not measured.",
                          run.experiment.baseline)) +
           "\n";
  std::string text;
  for (const Crossing& crossing : crossings)
    if (crossing.kind == Crossing::Kind::breakEven && telling(run, crossing))
      text += wrapped(sentence(crossing, unitAlong(run.experiment, crossing.along)), "  ");
  return text.empty() ? "" : saying("Break-even\n") + text + "\n";
}

/// Payback at the far end of the axes, where fusing has most to gain; --json has every cell's.
std::string paybacks(const Run& run, const std::vector<Crossing>& crossings) {
  std::vector<std::int64_t> last;
  for (const Axis& axis : run.experiment.axes) last.push_back(axis.values.back());
  std::string text;
  for (const Crossing& crossing : crossings) {
    if (crossing.kind != Crossing::Kind::payback || crossing.cell != last ||
        !telling(run, crossing))
      continue;
    const auto isOf = [&](const Cell& cell) {
      const auto variant = static_cast<std::size_t>(cell.key.variant);
      return cell.key.at == last && run.experiment.variants[variant].name == crossing.variant;
    };
    const auto cell = std::ranges::find_if(run.cells, isOf);
    if (cell != run.cells.end() && hasPayback(run, crossing, *cell))
      text += wrapped(sentence(crossing, "calls"), "  ");
  }
  return text.empty() ? "" : saying("Compile payback (no cache)\n") + text + "\n";
}

/// The published claims, each compared with this run.
std::string claimsText(const Run& run, const std::vector<Crossing>& crossings) {
  if (run.experiment.claims.empty()) return "";
  const std::size_t slices =
      run.experiment.axes.size() > 1 ? run.experiment.axes[1].values.size() : 1;
  std::string text;
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (const Finding& finding : findingsOf(run, crossings, slice))
      if (finding.kind == Finding::Kind::claim)
        text += wrapped(saying("{}. {}", finding.headline, finding.text), "  ");
  return text.empty() ? "" : saying("Claims\n") + text + "\n";
}

std::string launchLines(const Run& run) {
  std::string text;
  for (const LaunchModel& model : launchModels(run))
    text +=
        wrapped(saying("Each additional launch costs {} {} per call, including its kernel (fit of "
                       "T = a + b x launches).",
                       model.variant, timeEstimateText(model.fit.slope)));
  return text;
}

std::string accuracyLine(const Run& run) {
  const Cell* worst = nullptr;
  for (const Cell& cell : run.cells)
    if (cell.relativeError && (!worst || !(*cell.relativeError <= *worst->relativeError)))
      worst = &cell;
  if (!worst) return "";
  const double unit = roundingUnit(
      run.experiment, run.experiment.variants[static_cast<std::size_t>(worst->key.variant)]);
  const bool notable =
      !(*worst->relativeError <= std::max(kSuspiciousError, kNotableRoundings * unit));
  const bool rounded = notable && isOfRounding(run, *worst, *worst->relativeError);
  std::string text = wrapped(saying(
      "Largest relative error against the double-precision reference: {:.2g} ({}).{}",
      *worst->relativeError, cellName(run, *worst),
      rounded   ? saying(" A reference that rounds each operation has the same error: the program "
                           "amplifies rounding, or a comparison, a cast to integers or an index comes "
                           "out differently. The results cannot be checked more closely.")
      : notable ? saying(" This is a wrong result: do not trust the times, and report it.")
                : ""));
  if (const Cell* off = mostDifferentFromTorch(run))
    text +=
        wrapped(saying("Largest relative difference from PyTorch's results on the same "
                       "inputs: {:.2g} ({}).",
                       *off->torchDifference, cellName(run, *off)));
  for (const ComparisonNote& note : comparisonNotes(run)) text += wrapped(note.text);
  return text;
}

std::string compileLine(const Run& run) {
  std::string text;
  const std::size_t variants = run.experiment.variants.size();
  for (std::size_t i = run.cells.size() - std::min(variants, run.cells.size());
       i < run.cells.size(); ++i) {
    const Cell& cell = run.cells[i];
    if (cell.firstCompiles.empty()) continue;
    std::vector<double> totals;
    for (const CompileTimes& times : cell.firstCompiles)
      totals.push_back(static_cast<double>(times.total()));
    const auto once = [](const std::optional<CompileTimes>& times) {
      return times ? timeText(static_cast<double>(times->total())) : std::string("-");
    };
    text += (text.empty() ? "" : saying("; ")) +
            saying("{} {} / {} / {}", cellName(run, cell), timeText(median(totals)),
                   once(cell.diskCompile), once(cell.memoryCompile));
  }
  return text.empty()
             ? ""
             : wrapped(saying("Compile time without a cache / from disk / in memory: {}.", text));
}

std::string shortened(const Run& run) {
  for (const Cell& cell : run.cells) {
    const auto& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
    const int wanted = run.experiment.inputSet(variant.inputs).count;
    if (cell.inputsUsed > 0 && cell.inputsUsed < wanted)
      return saying("Input lists were shortened to fit memory (e.g. {} of {} for {}).\n",
                    cell.inputsUsed, wanted, cellName(run, cell));
  }
  return "";
}

/// The points that a quick run left out to keep to its time.
std::string quickLine(const Run& run) {
  const auto left = std::ranges::count_if(run.cells, [](const Cell& cell) {
    return cell.stop == Stop::budget && cell.samples.empty() && !cell.error;
  });
  if (!run.quick || left == 0) return "";
  return saying("A quick run: {} of {} data points measured; leave out --quick for the rest.\n",
                run.cells.size() - static_cast<std::size_t>(left), run.cells.size());
}

/// The meaning of a metric's letter.
std::string timedText(const std::string& metric) {
  if (metric == "E") return saying("from one event on the device to another");
  if (metric == "W") return saying("whole calls");
  if (metric == "H") return saying("until the call returns");
  if (metric == "D") return saying("the kernels alone");
  return metric;
}

}  // namespace

std::string reportText(const Run& run, const std::vector<Crossing>& crossings,
                       const std::vector<std::string>& columns) {
  std::string text = std::string(said(run.experiment.title)) + "\n";
  if (!run.experiment.question.empty()) text += wrapped(std::string(said(run.experiment.question)));
  if (!run.experiment.note.empty())
    text += "\n" + wrapped(saying("Note: {}", said(run.experiment.note)));
  if (const std::string simulated = wording::simulated(run); !simulated.empty())
    text += "\n" + wrapped(simulated);
  const std::string sessions = wording::sessions(run);
  const Table table = resultTable(run, columns);
  const std::string error = wording::modelError(run);
  text +=
      "\n" +
      wrapped(wording::closedUp(
          run.modelError() ? saying("Simulated time per call; speedup over {}; launches per call",
                                    wording::baselines(run.experiment))
                           : saying("Median {}time per call with its 95% interval; speedup over "
                                    "{}, paired by round; launches per call",
                                    run.isSimulated() ? saying("simulated ") : "",
                                    wording::baselines(run.experiment)))) +
      table.text();
  if (!error.empty())
    text += wrapped(error + saying("."));
  else if (!sessions.empty())
    text += saying("Intervals cover the noise {}.\n", sessions);
  text += quickLine(run);
  text += legend(CellMarks(run)) + "\n" + troubles(run) + claimsText(run, crossings) +
          breakEvens(run, crossings) + paybacks(run, crossings) + passingText(run) +
          deviceText(run) + anatomyText(run);
  text += launchLines(run) + accuracyLine(run) + compileLine(run) + shortened(run);
  text += wrapped((run.isSimulated() ? saying("Simulated on: ") : saying("Measured on: ")) +
                  environmentLine(run.environment));
  return text;
}

std::string reportText(const Reference& reference, const std::vector<Crossing>& crossings) {
  std::string text = fmt::format("{}\n", said(reference.title));
  text += wrapped(saying("Source: {}; device: {}; what was timed: {}.", said(reference.source),
                         said(reference.device), timedText(reference.metric)));
  if (!reference.note.empty()) text += wrapped(said(reference.note));
  double smallest = INFINITY;
  std::vector<std::string> header = {wording::axisWord(reference.axis)};
  for (const ReferenceCurve& curve : reference.curves)
    for (const double value : curve.nanoseconds) smallest = std::min(smallest, value);
  const TimeUnit unit = unitOfTime(smallest);
  const ReferenceCurve* baseline = nullptr;
  for (const ReferenceCurve& curve : reference.curves) {
    header.push_back(fmt::format("{} {}", curve.variant, unit.plain));
    if (curve.variant == reference.baseline) baseline = &curve;
  }
  for (const ReferenceCurve& curve : reference.curves)
    if (baseline && &curve != baseline) header.push_back(curve.variant + " x");
  Table table(header);
  for (std::size_t i = 0; i < reference.curves.front().x.size(); ++i) {
    std::vector<std::string> row = {digits(reference.curves.front().x[i])};
    if (const double x = reference.curves.front().x[i]; x == std::floor(x))
      row[0] = fmt::format("{:.0f}", x);
    for (const ReferenceCurve& curve : reference.curves)
      row.push_back(fmt::format("{:.2f}", curve.nanoseconds[i] / unit.nanoseconds));
    for (const ReferenceCurve& curve : reference.curves)
      if (baseline && &curve != baseline)
        row.push_back(ratioText(baseline->nanoseconds[i] / curve.nanoseconds[i]));
    table.add(row);
  }
  text += "\n" + table.text() + saying("\nBreak-even\n");
  for (const Crossing& crossing : crossings)
    text += wrapped(sentence(crossing, reference.unit), "  ");
  if (reference.statedBreakEven)
    text += wrapped(saying("The author reads about {} {} off the chart.",
                           digits(*reference.statedBreakEven, 2), said(reference.unit)),
                    "  ");
  text += "\n";
  for (const LaunchModel& model : launchModels(reference))
    if (model.variant == reference.baseline)
      text += wrapped(saying("Slope of {} along {}: {} per call (least squares).", model.variant,
                             wording::axisWord(reference.axis), timeEstimateText(model.fit.slope)));
  return text;
}

std::string comparisonText(const std::vector<std::pair<std::string, Run>>& runs) {
  if (runs.size() < 2) return "";
  const Run& first = runs.front().second;
  TimeUnit unit = tableUnit(first);
  for (const auto& [name, run] : runs)
    if (tableUnit(run).nanoseconds < unit.nanoseconds) unit = tableUnit(run);
  std::vector<std::string> header = axisHeads(first.experiment);
  header.push_back(head("variant"));
  for (const auto& [name, run] : runs) header.push_back(fmt::format("{} {}", name, unit.plain));
  Table table(header);
  for (const Cell& cell : first.cells) {
    std::vector<std::string> row = axisTexts(first.experiment, cell.key);
    row.push_back(first.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    for (const auto& [name, run] : runs) {
      const Cell* there = run.find(cell.key);
      row.push_back(there ? latencyText(*there, unit, CellMarks(run), Letters::plain) : "-");
    }
    table.add(row);
  }
  std::string text = saying("Side by side\n") + table.text() + "\n";
  for (const auto& [name, run] : runs)
    for (const Crossing& crossing : findCrossings(run))
      if (crossing.kind == Crossing::Kind::breakEven)
        text += wrapped(
            saying("{}: {}", name, sentence(crossing, unitAlong(run.experiment, crossing.along))));
  return text;
}

}  // namespace fusebench::cli
