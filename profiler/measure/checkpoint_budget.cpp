// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/checkpoint_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "engine/device/memory_use.h"
#include "engine/language/program_gradients.h"
#include "engine/plan/islands.h"
#include "engine/plan/storages.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/cell_runner.h"

namespace fusebench {
namespace {

/// A way to divide a program: its first statements in segments of `every`.
struct Division {
  int every = 1;
  int first = 0;
  CallNeeds needs;
};

/// Tries divisions of one program out.
class BudgetSearch {
 public:
  BudgetSearch(const Experiment& experiment, const Variant& variant,
               const std::vector<std::int64_t>& at, Program forward,
               const std::function<CallNeeds(const Program&)>& needsOf)
      : experiment_(experiment),
        variant_(variant),
        at_(at),
        forward_(std::move(forward)),
        needsOf_(needsOf) {}

  Program divided(const Division& division) const {
    Program program = forward_;
    setFirstSegments(program, division.every, division.first);
    return program;
  }
  Program whole(Program forward) const {
    Program program = differentiated(experiment_, variant_, std::move(forward));
    program.parallel = parallelAt(experiment_, variant_, at_, program);
    return program;
  }

  /// The division that recomputes least within the budget. Throws Unavailable where there is none.
  Division find(std::int64_t budget) const {
    const int count = static_cast<int>(forward_.statements.size());
    std::optional<Division> best, least;
    const auto tried = [&](int every, int first) {
      Division division{every, first, {}};
      division.needs = needsOf_(whole(divided(division)));
      if (!least || division.needs.peakBytes < least->needs.peakBytes) least = division;
      if (division.needs.peakBytes <= budget &&
          (!best || std::pair(division.needs.flops, division.needs.peakBytes) <
                        std::pair(best->needs.flops, best->needs.peakBytes)))
        best = division;
      return division.needs.peakBytes <= budget;
    };
    if (tried(1, 0)) return *best;
    for (int every = 1; every < std::max(count, 2); every += std::max(1, every / 4)) {
      // With fewer statements in segments, less is recomputed: as few as possible.
      int low = 0, high = (count + every - 1) / every;
      if (!tried(every, std::min(high * every, count))) {
        // The last of them need not be recomputed to be used at once.
        if (!tried(every, std::max(0, (high - 1) * every))) continue;
        --high;
      }
      while (low + 1 < high) {
        const int middle = (low + high) / 2;
        (tried(every, middle * every) ? high : low) = middle;
      }
    }
    if (best) return *best;
    throw Unavailable(
        saying("no choice of segments meets the budget of {}: the smallest peak is {}, with the "
               "first {} statements in segments of {}; give a budget of {} or more",
               bytesText(static_cast<double>(budget)),
               bytesText(static_cast<double>(least->needs.peakBytes)), least->first, least->every,
               // Rounded up, so that this is enough.
               fmt::format("{} KB", (least->needs.peakBytes + 999) / 1000)));
  }

 private:
  const Experiment& experiment_;
  const Variant& variant_;
  const std::vector<std::int64_t>& at_;
  Program forward_;
  const std::function<CallNeeds(const Program&)>& needsOf_;
};

Variant variantAt(const Experiment& experiment, const CellKey& key) {
  return placed(experiment, experiment.variants.at(static_cast<std::size_t>(key.variant)), key.at);
}

}  // namespace

Program withinBudget(const Experiment& experiment, const CellKey& key,
                     const std::function<CallNeeds(const Program&)>& needsOf) {
  const Variant variant = variantAt(experiment, key);
  const std::optional<std::int64_t> budget = checkpointBudgetOf(variant.checkpoint);
  if (!budget) return programAt(experiment, key);
  const BudgetSearch search(experiment, variant, key.at, forwardAt(experiment, variant, key.at),
                            needsOf);
  return search.whole(search.divided(search.find(*budget)));
}

Program programOf(Backend& backend, const Experiment& experiment, const CellKey& key) {
  const Variant variant = variantAt(experiment, key);
  if (!checkpointBudgetOf(variant.checkpoint) || runsInTorch(variant.executor))
    return programAt(experiment, key);
  const std::vector<Form> forms =
      contiguousForms(inputTypesAt(experiment, key, forwardAt(experiment, variant, key.at), 0));
  return withinBudget(experiment, key, [&](const Program& program) {
    const auto executor = makeExecutor(variant.executor, backend, program, variant.options);
    return needsOfPlan(executor->plan(forms), forms, &backend);
  });
}

Program forwardWithinBudget(const Experiment& experiment, const CellKey& key) {
  const Variant variant = variantAt(experiment, key);
  Program forward = forwardAt(experiment, variant, key.at);
  const std::optional<std::int64_t> budget = checkpointBudgetOf(variant.checkpoint);
  if (!budget) return forward;
  const std::vector<Form> forms = contiguousForms(inputTypesAt(experiment, key, forward, 0));
  // PyTorch copies what the program says it copies, on any device.
  const PlanOptions options =
      planOptionsFor({.grouping = PlanOptions::Grouping::perOp}, {.hasOwnMemory = true}, {});
  const std::function<CallNeeds(const Program&)> needsOf = [&](const Program& program) {
    return needsOfPlan(makePlan(program, forms, options), forms, nullptr);
  };
  const BudgetSearch search(experiment, variant, key.at, std::move(forward), needsOf);
  return search.divided(search.find(*budget));
}

CallNeeds needsOfPlan(const Plan& plan, Forms inputs, Backend* backend) {
  const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
  CallNeeds needs;
  needs.peakBytes = static_cast<std::int64_t>(memoryUseOf(plan, symbols, backend).peakBytes);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    needs.peakBytes += static_cast<std::int64_t>(spanBytes(inputs[i]));
  for (const StepCost& cost : costsOf(plan, symbols)) needs.flops += cost.flops;
  return needs;
}

}  // namespace fusebench
