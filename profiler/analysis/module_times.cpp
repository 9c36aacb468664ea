// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/module_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

#include "engine/base/quantity_text.h"
#include "engine/plan/islands.h"
#include "engine/plan/storages.h"
#include "engine/run/executor.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/module_origins.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {
namespace {

const Variant& variantOf(const Run& run, const Cell& cell) {
  return run.experiment.variants.at(static_cast<std::size_t>(cell.key.variant));
}

/// The modules of a program's statements, and what each has.
class ModuleTree {
 public:
  ModuleTree(const Run& run, const Cell& cell) {
    const Experiment& experiment = run.experiment;
    const Variant& variant = variantOf(run, cell);
    of_ = statementModules(experiment, experiment.programOf(variant),
                           programNumber(experiment, variant));
    moduleAt("");
    for (const std::string& module : of_) ++moduleAt(module).statements;
  }

  bool hasModules() const { return times_.size() > 1; }

  /// Adds a share of something to the module of each of a launch's statements.
  void add(const std::vector<int>& statements,
           const std::function<void(ModuleTime&, double)>& put) {
    const double share = 1 / static_cast<double>(std::max<std::size_t>(1, statements.size()));
    if (statements.empty()) put(times_.front(), 1);
    for (const int statement : statements) {
      const bool known = statement >= 0 && static_cast<std::size_t>(statement) < of_.size();
      put(moduleAt(known ? of_[static_cast<std::size_t>(statement)] : std::string()), share);
    }
  }

  /// In the program's order, with what is within each.
  std::vector<ModuleTime> take() {
    std::vector<ModuleTime> result;
    put(0, result);
    return result;
  }

 private:
  ModuleTime& moduleAt(const std::string& path) { return times_[numberOf(path)]; }

  std::size_t numberOf(const std::string& path) {
    if (const auto found = numbers_.find(path); found != numbers_.end()) return found->second;
    std::optional<std::size_t> parent;
    if (!path.empty()) parent = numberOf(std::string(moduleAround(path)));
    const std::size_t number = times_.size();
    ModuleTime& made = times_.emplace_back();
    made.path = path;
    made.depth = parent ? times_[*parent].depth + 1 : 0;
    within_.emplace_back();
    if (parent) within_[*parent].push_back(number);
    numbers_[path] = number;
    return number;
  }

  ModuleTime put(std::size_t number, std::vector<ModuleTime>& result) {
    const std::size_t at = result.size();
    result.push_back(times_[number]);
    for (const std::size_t inner : within_[number]) {
      const ModuleTime part = put(inner, result);
      ModuleTime& whole = result[at];
      whole.statements += part.statements;
      whole.nanoseconds += part.nanoseconds;
      whole.launches += part.launches;
      const auto sum = [](std::optional<double>& to, const std::optional<double>& more) {
        if (more) to = to.value_or(0) + *more;
      };
      sum(whole.bytes, part.bytes);
      sum(whole.flops, part.flops);
    }
    return result[at];
  }

  std::vector<std::string> of_;  ///< by statement
  std::vector<ModuleTime> times_;
  std::vector<std::vector<std::size_t>> within_;
  std::map<std::string, std::size_t> numbers_;
};

double timeOf(const LaunchAnatomy& launch) {
  return std::accumulate(launch.nanoseconds.begin(), launch.nanoseconds.end(), 0.0);
}

bool hasStatements(const Cell& cell) {
  return cell.anatomy && std::ranges::any_of(cell.anatomy->launches, [](const auto& launch) {
           return !launch.statements.empty();
         });
}

bool addTimes(ModuleTree& tree, const Cell& cell) {
  if (!tree.hasModules() || !hasStatements(cell)) return false;
  for (const LaunchAnatomy& launch : cell.anatomy->launches) {
    const double time = timeOf(launch);
    tree.add(launch.statements, [&](ModuleTime& module, double share) {
      module.nanoseconds += share * time;
      module.launches += share;
    });
  }
  return true;
}

/// The statements that a step computes, each once.
std::vector<int> statementsIn(const Plan& plan, const Step& step) {
  std::vector<int> statements;
  for (const int op : step.group.ops) {
    const int statement = plan.program->ops[static_cast<std::size_t>(op)].statement;
    if (statements.empty() || statements.back() != statement) statements.push_back(statement);
  }
  return statements;
}

void addCosts(ModuleTree& tree, const Run& run, const Cell& cell) {
  const Variant& variant = variantOf(run, cell);
  if (runsInTorch(variant.executor)) return;
  const auto program = std::make_shared<const Program>(programAt(run.experiment, cell.key));
  const std::vector<Form> forms =
      contiguousForms(inputTypesAt(run.experiment, cell.key, *program, 0));
  const Plan plan = makePlan(*program, forms, executorNamed(variant.executor).plan);
  const std::vector<StepCost> costs = costsOf(plan, symbolsOf(plan, forms));
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const double moved = static_cast<double>(std::max<std::int64_t>(0, costs[i].bytes.read)) +
                         static_cast<double>(std::max<std::int64_t>(0, costs[i].bytes.written));
    const auto flops = static_cast<double>(costs[i].flops);
    tree.add(statementsIn(plan, plan.steps[i]), [&](ModuleTime& module, double share) {
      module.bytes = module.bytes.value_or(0) + share * moved;
      module.flops = module.flops.value_or(0) + share * flops;
    });
  }
}

}  // namespace

std::vector<ModuleTime> moduleTimes(const Run& run, const Cell& cell) {
  ModuleTree tree(run, cell);
  return addTimes(tree, cell) ? tree.take() : std::vector<ModuleTime>();
}

std::vector<ModuleTime> moduleCosts(const Run& run, const Cell& cell) {
  ModuleTree tree(run, cell);
  if (!addTimes(tree, cell)) return {};
  addCosts(tree, run, cell);
  return tree.take();
}

std::vector<ModuleTime> modulesByTime(std::vector<ModuleTime> modules) {
  std::ranges::stable_sort(modules, std::ranges::greater(), &ModuleTime::nanoseconds);
  return modules;
}

std::string flopsText(double flops) {
  constexpr std::array<const char*, 6> kUnits = {"FLOP",  "kFLOP", "MFLOP",
                                                 "GFLOP", "TFLOP", "PFLOP"};
  if (flops < 1000) return fmt::format("{:.0f} {}", flops, kUnits[0]);
  std::size_t unit = 0;
  for (; flops >= 999.5 && unit + 1 < kUnits.size(); ++unit) flops /= 1000;
  return fmt::format("{} {}", digits(flops), kUnits.at(unit));
}

std::vector<double> statementTimes(const Run& run, const Cell& cell) {
  if (!hasStatements(cell)) return {};
  std::vector<double> times(run.experiment.programOf(variantOf(run, cell)).statements.size() + 1,
                            0);
  for (const LaunchAnatomy& launch : cell.anatomy->launches)
    for (const int statement : launch.statements) {
      const bool known = statement >= 0 && static_cast<std::size_t>(statement) + 1 < times.size();
      times[known ? static_cast<std::size_t>(statement) : times.size() - 1] +=
          timeOf(launch) / static_cast<double>(launch.statements.size());
    }
  return times;
}

std::string moduleKind(const std::string& path) {
  std::string kind;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t end = std::min(path.find('.', from), path.size());
    const std::string part = path.substr(from, end - from);
    const bool number = std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    kind += (kind.empty() ? "" : ".") + (number ? "*" : part);
    from = end + 1;
  }
  return kind;
}

}  // namespace fusebench
