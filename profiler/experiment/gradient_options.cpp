// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/gradient_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/language/program_autocast.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_gradients.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {

std::optional<int> checkpointOf(const std::string& option) {
  if (option == "none") return 0;
  if (option == "sqrt") return -1;
  constexpr std::string_view kEvery = "every ";
  if (!option.starts_with(kEvery)) return std::nullopt;
  int every = 0;
  const char* const end = option.data() + option.size();
  const auto [stop, error] = std::from_chars(option.data() + kEvery.size(), end, every);
  if (error != std::errc() || stop != end || every < 1) return std::nullopt;
  return every;
}

std::optional<std::int64_t> checkpointBudgetOf(const std::string& option) {
  constexpr std::string_view kBudget = "budget ";
  if (!option.starts_with(kBudget)) return std::nullopt;
  struct Unit {
    std::string_view name;
    double bytes;
  };
  constexpr std::array<Unit, 6> kUnits = {{{" KB", 1e3},
                                           {" KiB", 1024.0},
                                           {" MB", 1e6},
                                           {" MiB", 1024.0 * 1024},
                                           {" GB", 1e9},
                                           {" GiB", 1024.0 * 1024 * 1024}}};
  double amount = 0;
  const char* const end = option.data() + option.size();
  const auto [stop, error] =
      std::from_chars(option.data() + kBudget.size(), end, amount, std::chars_format::fixed);
  if (error != std::errc() || !(amount > 0) || amount > 1e9) return std::nullopt;
  const auto unit = std::ranges::find(kUnits, std::string_view(stop, end), &Unit::name);
  if (unit == kUnits.end()) return std::nullopt;
  return static_cast<std::int64_t>(std::min(amount * unit->bytes, 1e18));
}

std::optional<std::int64_t> budgetOfCompiler(const Variant& variant) {
  if (!runsInTorch(variant.executor) || variant.executor == kTorchEager) return std::nullopt;
  return checkpointBudgetOf(variant.checkpoint);
}

std::optional<CheckpointAxis> checkpointAxisOf(const Experiment& experiment,
                                               std::string_view axis) {
  const bool budget = axis == "budget";
  if (!budget && axis != "segment") return std::nullopt;
  const bool has = std::ranges::any_of(experiment.variants, [&](const Variant& variant) {
    return budget ? checkpointBudgetOf(variant.checkpoint).has_value()
                  : checkpointOf(variant.checkpoint).has_value();
  });
  if (!has) return std::nullopt;
  return budget ? CheckpointAxis::budget : CheckpointAxis::segment;
}

Variant placed(const Experiment& experiment, const Variant& variant,
               const std::vector<std::int64_t>& at) {
  Variant here = variant;
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a) {
    const auto axis = checkpointAxisOf(experiment, experiment.axes[a].name);
    if (axis == CheckpointAxis::budget && checkpointBudgetOf(variant.checkpoint))
      here.checkpoint = fmt::format("budget {} KB", at[a]);
    if (axis == CheckpointAxis::segment && checkpointOf(variant.checkpoint))
      here.checkpoint = at[a] == 0 ? "none" : fmt::format("every {}", at[a]);
  }
  return here;
}

std::vector<ValueId> differentiatedBy(const Experiment& experiment, const Variant& variant,
                                      const Program& program) {
  std::vector<ValueId> parameters, inputs;
  for (const HeldInput& held : program.held)
    if (held.parameter && isFloat(held.initial.dtype)) parameters.push_back(held.input);
  if (!parameters.empty()) return parameters;
  const InputSet& set = experiment.inputSet(variant.inputs);
  for (std::size_t i = 0; i < program.inputs.size(); ++i)
    for (const InputSpec& spec : set.inputs) {
      if (spec.name != program.inputs[i] || spec.initial || !isFloat(dtypeOf(spec))) continue;
      inputs.push_back(static_cast<ValueId>(i));
      if (spec.parameter) parameters.push_back(static_cast<ValueId>(i));
    }
  return parameters.empty() ? inputs : parameters;
}

std::optional<AutocastOption> autocastOf(const std::string& option) {
  constexpr std::string_view kCuda = "cuda ";
  const bool cuda = option.starts_with(kCuda);
  const std::string_view type = std::string_view(option).substr(cuda ? kCuda.size() : 0);
  if (type != "bfloat16" && type != "float16") return std::nullopt;
  return AutocastOption{type == "bfloat16" ? DType::bfloat16 : DType::float16,
                        cuda ? AutocastMode::List::cuda : AutocastMode::List::cpu};
}

Program withSwitches(const Variant& variant, Program program) {
  if (const std::optional<int> every = checkpointOf(variant.checkpoint))
    setSegments(program, *every);
  if (const std::optional<AutocastOption> option = autocastOf(variant.autocast))
    program = everyWay(std::move(program), [&](Program way) {
      setAutocast(way, option->lower, option->list);
      return way;
    });
  return program;
}

Program differentiated(const Experiment& experiment, const Variant& variant, Program program) {
  program = withSwitches(variant, std::move(program));
  if (variant.gradients.empty()) return program;
  const std::vector<ValueId> by = differentiatedBy(experiment, variant, program);
  if (variant.gradients == "all") return withGradients(program, by, variant.lossScale);
  program.taped = by;
  return program;
}

}  // namespace fusebench
