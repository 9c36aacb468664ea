// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about single cells: what failed, fell back, drifted or is uncertain, and what else
// differs between the curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/ops/copies.h"
#include "profiler/analysis/comparison_notes.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench::findings {
namespace {

using Kind = Finding::Kind;
constexpr std::size_t kFewSamples = 6;     ///< below: no interval
constexpr std::size_t kDriftSamples = 16;  ///< fewer do not tell drift from noise

std::string where(const Context& context, const Cell& cell) {
  const auto& axes = context.run.experiment.axes;
  std::string text;
  for (std::size_t i = 0; i < cell.key.at.size() && i < axes.size(); ++i)
    text +=
        (i == 0 ? "" : saying(", ")) + wording::at(axes[i], static_cast<double>(cell.key.at[i]));
  return text;
}

std::string title(const Context& context, const Cell& cell) {
  return saying("{} at {}", context.name(cell.key.variant), where(context, cell));
}

std::optional<double> placeOf(const Cell& cell) {
  if (cell.key.at.empty()) return std::nullopt;
  return static_cast<double>(cell.key.at[0]);
}

double relativeHalfWidth(const Cell& cell) {
  const Estimate latency = cell.latency();
  return (latency.high - latency.low) / 2 / latency.value;
}

std::string cellsOf(const Context& context, std::size_t count) {
  return saying("{} of {} data points", count, context.run.cells.size());
}

/// Why sampling stopped at cells that are still uncertain, and what would help.
std::string remedy(const Context& context, const std::map<Stop, std::size_t>& stops) {
  const auto most = std::max_element(
      stops.begin(), stops.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const MeasureSettings& measure = context.run.experiment.measure;
  switch (most->first) {
    case Stop::cap:
      return saying(
          "They reached the maximum number of samples, {}: increase \"Maximum samples\" in Setup, "
          "or reduce the load on the machine.",
          measure.maximumSamples);
    case Stop::budget:
      return saying("The time budget of {} s was used up: {}.",
                    wording::number(measure.budgetSeconds * (context.run.quick ? 0.1 : 1)),
                    context.run.quick ? saying("run without Quick") : saying("increase Budget"));
    case Stop::coarse:
      return saying("They were measured coarsely: let the run continue, or press Run.");
    default:
      return saying("The run was stopped: \"Resume\" adds samples.");
  }
}

/// Whether a variant's program, or the memory of its inputs, involves the host's memory.
bool speaksOfMemory(const Experiment& experiment, const Variant& variant) {
  const auto asks = [](const Op& op) {
    return op.row && op.row->kind == OpKind::copy && moveOf(*op.row) != Move::again;
  };
  if (std::ranges::any_of(experiment.programOf(variant).ops, asks)) return true;
  const auto set = std::ranges::find(experiment.inputSets, variant.inputs, &InputSet::name);
  return set != experiment.inputSets.end() &&
         std::ranges::any_of(set->inputs, [](const InputSpec& spec) { return spec.onHost; });
}

}  // namespace

/// A program for a device with memory of its own runs on one without, too, and copies nothing.
Findings oneMemory(const Context& context) {
  if (context.run.device != "cpu") return {};
  const Experiment& experiment = context.run.experiment;
  for (const Variant& variant : experiment.variants)
    if (!runsInTorch(variant.executor) && speaksOfMemory(experiment, variant))
      return {{Kind::comparability,
               -1,
               saying("One memory"),
               saying("On the CPU, host and device share one memory: .cuda(), .cpu(), "
                      ".pin_memory() and .item() copy nothing and wait for nothing here, and "
                      "inputs \"on the host\" are already where the program computes. A GPU, or a "
                      "simulated one, shows what they cost."),
               Metric::latency,
               {}}};
  return {};
}

Findings failures(const Context& context) {
  // One reason often explains many cells of a variant: they are put together.
  struct Failed {
    const Cell* first;
    std::size_t count = 0;
  };
  std::map<std::tuple<int, Stop, std::string>, Failed> byReason;
  for (const Cell& cell : context.run.cells)
    if (cell.stop == Stop::unavailable || cell.stop == Stop::failed) {
      Failed& failed =
          byReason[{cell.key.variant, cell.stop,
                    cell.error ? saidAgain(*cell.error) : saying("no reason was given")}];
      if (failed.count++ == 0) failed.first = &cell;
    }
  Findings findings;
  for (const auto& [key, failed] : byReason) {
    const auto& [variant, stop, reason] = key;
    const std::string what(said(name(stop)));
    findings.push_back({Kind::failure, variant,
                        failed.count == 1 ? saying("{}: {}", title(context, *failed.first), what)
                                          : saying("{}: {} data points {}", context.name(variant),
                                                   failed.count, what),
                        reason, Metric::latency, placeOf(*failed.first)});
  }
  if (findings.size() > 2 * kMany) {
    const std::size_t more = findings.size() - (2 * kMany - 1);
    findings.resize(2 * kMany - 1);
    findings.push_back({Kind::failure,
                        -1,
                        saying("{} more failures", more),
                        saying("The table lists every data point with its reason."),
                        Metric::latency,
                        {}});
  }
  return findings;
}

Findings fallbacks(const Context& context) {
  Findings findings;
  for (std::size_t v = 0; v < context.run.experiment.variants.size(); ++v) {
    const ExecutorInfo* executor = findVariantExecutor(context.run.experiment.variants[v].executor);
    if (executor && executor->runsEveryOp()) continue;  // all its calls are eager's
    const Cell *eager = nullptr, *compiled = nullptr;
    for (const Cell& cell : context.run.cells) {
      if (cell.key.variant != static_cast<int>(v) || !inSlice(context.run, cell, context.slice))
        continue;
      if (cell.eagerShare.value_or(0) > (eager ? *eager->eagerShare : 0)) eager = &cell;
      if (cell.recompiles.value_or(0) > (compiled ? *compiled->recompiles : 0)) compiled = &cell;
    }
    const Cell* cell = eager ? eager : compiled;
    if (!cell) continue;
    const std::string& variant = context.name(static_cast<int>(v));
    const std::string reason =
        cell->recompileReasons.empty()
            ? ""
            : saying(" The last reason: {}.", saidAgain(cell->recompileReasons.back()));
    const int times = cell->recompiles.value_or(0);
    const std::string again =
        times == 0 ? "" : saying("{} recompile{}", times, times == 1 ? "" : "s");
    if (eager)
      findings.push_back(
          {Kind::fallback, static_cast<int>(v),
           saying("{}: {}% of calls eager", variant, wording::number(100 * *cell->eagerShare)),
           saying("At {} {}% of {}'s calls fell back to eager{}: its curve is partly eager's.{}",
                  where(context, *cell), wording::number(100 * *cell->eagerShare), variant,
                  again.empty() ? "" : saying(" after ") + again, reason),
           Metric::latency, placeOf(*cell)});
    else
      findings.push_back({Kind::fallback, static_cast<int>(v), saying("{}: {}", variant, again),
                          saying("{} needed {} at {}, outside of the times shown.{}", variant,
                                 again, where(context, *cell), reason),
                          Metric::compile, placeOf(*cell)});
  }
  return findings;
}

double notableError(const Run& run, const Cell& cell) {
  const Variant& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
  const double unit = roundingUnit(run.experiment, variant);
  return unit > 0x1p-24 ? std::max(kNotableError, kNotableRoundings * unit) : kNotableError;
}

Findings accuracy(const Context& context) {
  const auto shown = [](double error) {
    return std::isfinite(error) ? fmt::format("{:.1e}", error) : saying("not a number");
  };
  Findings findings;
  const Cell *worst = nullptr, *rounded = nullptr;
  std::size_t count = 0;
  for (const Cell& cell : context.run.cells) {
    // Not a number is worse than any number.
    if (!cell.relativeError || *cell.relativeError <= notableError(context.run, cell)) continue;
    if (isOfRounding(context.run, cell, *cell.relativeError)) {
      if (!rounded || *cell.relativeError > *rounded->relativeError) rounded = &cell;
      continue;
    }
    ++count;
    if (!worst || !(*cell.relativeError <= *worst->relativeError)) worst = &cell;
  }
  if (worst)
    findings.push_back(
        {Kind::accuracy, worst->key.variant,
         saying("Relative error {}", shown(*worst->relativeError)),
         saying("The results of {} are off by {} relative to the double-precision reference"
                "{}. Times of wrong results mean nothing.",
                title(context, *worst), shown(*worst->relativeError),
                count > 1
                    ? saying(", the worst of {} data points above {:.0e}", count, kNotableError)
                    : ""),
         Metric::latency, placeOf(*worst)});
  if (rounded)
    findings.push_back(
        {Kind::accuracy, rounded->key.variant,
         saying("Rounding changes the results by {}", shown(*rounded->relativeError)),
         saying("The results of {} are off by {} relative to the double-precision reference, and "
                "so are those of a reference that rounds each operation. The program amplifies "
                "rounding, or a comparison, a cast to integers or an index comes out differently. "
                "The results cannot be checked more closely.",
                title(context, *rounded), shown(*rounded->relativeError)),
         Metric::latency, placeOf(*rounded)});
  const Cell* off = mostDifferentFromTorch(context.run);
  if (off && !(*off->torchDifference <= kNotableError) &&
      !isOfRounding(context.run, *off, *off->torchDifference))
    findings.push_back({Kind::accuracy, off->key.variant,
                        saying("{} from PyTorch's results", shown(*off->torchDifference)),
                        saying("The results of {} differ by {} from PyTorch's on the same inputs, "
                               "computed there in double precision where possible.",
                               title(context, *off), shown(*off->torchDifference)),
                        Metric::latency, placeOf(*off)});
  return findings;
}

Findings comparisons(const Context& context) {
  Findings findings;
  for (ComparisonNote& note : comparisonNotes(context.run))
    findings.push_back({Kind::comparability,
                        -1,
                        std::move(note.headline),
                        std::move(note.text),
                        Metric::latency,
                        {}});
  return findings;
}

Findings noise(const Context& context) {
  std::size_t drifting = 0, few = 0, wide = 0, empty = 0;
  std::map<Stop, std::size_t> emptyStops;
  std::map<Stop, std::size_t> stops;  // how often each stop of the wide ones
  const Cell *firstDrift = nullptr, *firstFew = nullptr, *widest = nullptr;
  for (const Cell& cell : context.run.cells) {
    if (cell.samples.size() >= kDriftSamples && cell.driftedDuring() && drifting++ == 0)
      firstDrift = &cell;
    if (context.measuring) continue;
    if (cell.samples.empty()) {
      // Cells that failed or cannot run are reported separately.
      const bool told = cell.stop == Stop::failed || cell.stop == Stop::unavailable;
      empty += !told;
      if (!told) ++emptyStops[cell.stop];
      continue;
    }
    if (cell.modelError && context.run.isExact()) continue;  // one sample says all
    if (cell.samples.size() < kFewSamples) {
      if (few++ == 0) firstFew = &cell;
    } else if (relativeHalfWidth(cell) > context.run.experiment.measure.precision) {
      ++wide;
      ++stops[cell.stop];
      if (!widest || relativeHalfWidth(cell) > relativeHalfWidth(*widest)) widest = &cell;
    }
  }
  Findings findings;
  const auto percent = [](double share) { return wording::number(100 * share); };
  if (drifting > 0)
    findings.push_back({Kind::noise, -1, saying("Drift in {}", cellsOf(context, drifting)),
                        saying("In {}, first {}, the two halves of the samples differ by more than "
                               "their intervals allow: the machine was not idle.",
                               cellsOf(context, drifting), title(context, *firstDrift)),
                        Metric::latency, placeOf(*firstDrift)});
  if (empty > 0)
    findings.push_back({Kind::noise,
                        -1,
                        saying("{} not measured", cellsOf(context, empty)),
                        saying("{} {} not measured, so a result for {} is missing. {}",
                               cellsOf(context, empty), empty == 1 ? "was" : "were",
                               empty == 1 ? "it" : "them", remedy(context, emptyStops)),
                        Metric::latency,
                        {}});
  if (few > 0)
    findings.push_back({Kind::noise, -1, saying("Too few samples"),
                        saying("{} {} fewer than {} samples: a range is drawn there, not an "
                               "interval.",
                               cellsOf(context, few), few == 1 ? "has" : "have", kFewSamples),
                        Metric::latency, placeOf(*firstFew)});
  if (wide > 0)
    findings.push_back(
        {Kind::noise, -1, saying("Interval too wide at {}", cellsOf(context, wide)),
         saying("{} stopped before their interval was within ±{}%; the widest is {} with "
                "±{}%. {}",
                cellsOf(context, wide), percent(context.run.experiment.measure.precision),
                title(context, *widest), percent(relativeHalfWidth(*widest)),
                remedy(context, stops)),
         Metric::latency, placeOf(*widest)});
  return findings;
}

Findings comparability(const Context& context) {
  const Experiment& experiment = context.run.experiment;
  const auto& baseline = experiment.variants[static_cast<std::size_t>(context.baseline)];
  std::vector<std::string> others;
  for (const Variant& variant : experiment.variants)
    if (variant.inputs != baseline.inputs)
      others.push_back(fmt::format("{} ({})", variant.name, variant.inputs));
  if (others.empty() && experiment.note.empty()) return {};
  Finding finding{Kind::comparability, -1, {}, std::string(said(experiment.note)),
                  Metric::latency,     {}};
  if (!others.empty()) {
    finding.headline = saying("The inputs differ");
    if (experiment.note.empty())
      finding.text = saying(
          "{} and {} do not run on the same inputs, so their curves differ in more than how the "
          "program runs.",
          wording::list(others), fmt::format("{} ({})", baseline.name, baseline.inputs));
  }
  return {finding};
}

}  // namespace fusebench::findings
