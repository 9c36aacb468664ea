// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_parameters.h"
#include "profiler/experiment/experiment_problems.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {
namespace {

using Place = std::vector<std::int64_t>;

/// The corners of the axes: wrong extents show there, and a file is read in no
/// time however long its axes.
std::vector<Place> corners(const Experiment& experiment) {
  std::vector<Place> places = {{}};
  for (const Axis& axis : experiment.axes) {
    if (axis.values.empty()) return {};
    std::vector<Place> longer;
    for (const auto& place : places)
      for (const std::int64_t value : {axis.values.front(), axis.values.back()}) {
        longer.push_back(place);
        longer.back().push_back(value);
        if (axis.values.size() == 1) break;
      }
    places = std::move(longer);
  }
  return places;
}

/// What is wrong with an extent, at the first corner and entry where something
/// is; empty: nothing.
std::string extentProblem(const Experiment& experiment, const InputSet& set,
                          const std::string& extent, const std::vector<Place>& places) {
  const bool varies = mentions(extent, "i");
  const std::int64_t entries = varies ? std::min<std::int64_t>(set.count, 1000) : 1;
  for (const Place& place : places)
    for (std::int64_t i = 0; i < entries; ++i) {
      try {
        const std::int64_t value = evaluateExtent(extent, bindingsFor(experiment, place, i));
        if (value < 0)
          return saying("the extent is {} for i = {}; extents cannot be negative", value, i);
      } catch (const InputError& error) {
        return error.what();
      }
    }
  return {};
}

/// Values of the axes that the program accepts at no place, or not together with the others' first
/// values: all are tried for parameters of the header, since an op may refuse any of them.
void checkParameterAxes(const Experiment& experiment, const Variant& variant,
                        ProblemList& problems) {
  const std::vector<std::string> parameters = numberParameters(experiment.programTextOf(variant));
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    const Axis& axis = experiment.axes[a];
    if (std::find(parameters.begin(), parameters.end(), axis.name) == parameters.end()) continue;
    Place place;
    for (const Axis& other : experiment.axes) place.push_back(other.values.front());
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      place[a] = axis.values[i];
      try {
        programAt(experiment, variant, place);
      } catch (const ProgramError& error) {
        problems.add(fmt::format("/axes/{}/values/{}", a, i),
                     saying("the program does not accept {} = {}: {}", axis.name, axis.values[i],
                            saidAgain(error.what())));
        break;
      }
    }
  }
}

/// A variant's inputs, including those that belong to its program, at a place.
InputSet inputsAt(const Experiment& experiment, const Variant& variant, const Place& place) {
  InputSet set = experiment.inputSet(variant.inputs);
  setHeld(experiment, variant, place, set);
  return set;
}

std::vector<ValueType> inputTypes(const Experiment& experiment, const Variant& variant,
                                  const InputSet& set, const Program& program, const Place& place,
                                  std::int64_t i) {
  const int ranks = ranksAt(experiment, variant, place);
  const auto bindings = bindingsFor(experiment, place, i);
  std::vector<ValueType> types;
  for (const std::string& name : program.inputs)
    for (const InputSpec& spec : set.inputs)
      if (spec.name == name)
        types.push_back({shareOf(spec, shapeOf(spec, bindings), variant, ranks), dtypeOf(spec)});
  return types;
}

/// Whether at least one number of ranks that is tried divides a variant's inputs evenly: then only
/// the cells of the others report that they cannot, because a curve may continue beyond its rows.
bool isSharedSomewhere(const Experiment& experiment, const Variant& variant, const InputSet& set,
                       Place place) {
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    if (experiment.axes[a].name != "ranks") continue;
    for (const std::int64_t ranks : experiment.axes[a].values) {
      place[a] = ranks;
      const auto bindings = bindingsFor(experiment, place, 0);
      if (ranks > 1 && std::ranges::all_of(set.inputs, [&](const InputSpec& spec) {
            try {
              shareOf(spec, shapeOf(spec, bindings), variant, static_cast<int>(ranks));
              return true;
            } catch (const UnevenShare&) {
              return false;
            }
          }))
        return true;
    }
  }
  return false;
}

/// Why the program does not take the inputs of a variant; empty: it does.
std::string shapeProblem(const Experiment& experiment, const Variant& variant, const Place& place,
                         const Program& program) {
  const InputSet set = inputsAt(experiment, variant, place);
  std::vector<std::vector<ValueType>> tried;
  const auto alike = [](const std::vector<ValueType>& a, const std::vector<ValueType>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const ValueType& x, const ValueType& y) { return x.shape == y.shape; });
  };
  for (std::int64_t i = 0; i < std::min(set.count, 20); ++i) {
    std::vector<ValueType> types;
    try {
      types = inputTypes(experiment, variant, set, program, place, i);
    } catch (const UnevenShare& error) {
      return isSharedSomewhere(experiment, variant, set, place) ? std::string() : error.what();
    } catch (const InputError& error) {
      return error.what();
    }
    if (std::any_of(tried.begin(), tried.end(), [&](const auto& one) { return alike(one, types); }))
      continue;
    try {
      inferTypes(program, types);
    } catch (const ProgramError& error) {
      return saying("the program does not fit the inputs \"{}\" (entry {}): {}",
                    shownName(set.name), i, saidAgain(error.what()));
    }
    tried.push_back(std::move(types));
  }
  return {};
}

/// Programs that choose by what tensors hold: what a variant's options make of them.
void checkChoices(const Experiment& experiment, ProblemList& problems) {
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    const Variant& variant = experiment.variants[v];
    const Program& program = experiment.programOf(variant);
    if (program.branches.empty()) continue;
    const auto add = [&](std::string_view option, std::string what) {
      problems.add(fmt::format("/variants/{}/{}", v, option), std::move(what));
    };
    if (!variant.gradients.empty())
      add("gradients", saying("gradients do not propagate through an 'if' on a tensor's values; "
                              "write torch.where(condition, a, b)"));
    if (!variant.quantize.empty())
      add("quantise", saying("layers are not quantized in a program with an 'if' on a tensor's "
                             "values; write torch.where(condition, a, b)"));
    if (variant.ranks != 1)
      add("ranks", saying("ranks could take different branches at an 'if' on a tensor's values; "
                          "write torch.where(condition, a, b)"));
    const ExecutorInfo* const own = findVariantExecutor(variant.executor);
    if (variant.options.graphBreaks || variant.executor == kTorchEager ||
        (own && own->dividesFreely()))
      continue;
    add("executor", saying("{} only runs programs without an 'if' on a tensor's values (line {}): "
                           "write torch.where(condition, a, b), or give the variant "
                           "\"graphBreaks\": true, which splits the program there",
                           variant.executor, program.branches.front().place.line));
  }
}

}  // namespace

std::vector<ValueType> inputTypesAt(const Experiment& experiment, const CellKey& key,
                                    const Program& program, std::int64_t entry) {
  const Variant& variant = experiment.variants.at(static_cast<std::size_t>(key.variant));
  std::vector<ValueType> types = inputTypes(
      experiment, variant, inputsAt(experiment, variant, key.at), program, key.at, entry);
  if (const DType* const own = findDType(variant.dtype))
    for (ValueType& type : types)
      if (isFloat(type.dtype)) type.dtype = *own;
  return types;
}

void checkExtents(const Experiment& experiment, ProblemList& problems) {
  const std::vector<Place> places = corners(experiment);
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s) {
    const InputSet& set = experiment.inputSets[s];
    for (std::size_t t = 0; t < set.inputs.size(); ++t)
      for (std::size_t e = 0; e < set.inputs[t].extents.size(); ++e)
        if (std::string what = extentProblem(experiment, set, set.inputs[t].extents[e], places);
            !what.empty())
          problems.add(fmt::format("/inputs/{}/tensors/{}/extents/{}", s, t, e), std::move(what));
  }
}

void checkShapes(const Experiment& experiment, ProblemList& problems) {
  const auto isKnown = [&](const Variant& variant) {
    return !experiment.programOf(variant).ops.empty();
  };
  // Variants of one program over one set fit or do not fit alike.
  using Kind = std::tuple<std::string, std::string, int, bool>;
  const auto kindOf = [](const Variant& variant) {
    return Kind(variant.program, variant.inputs, variant.ranks, variant.weak);
  };
  std::set<std::string> programs;
  for (const Variant& variant : experiment.variants)
    if (isKnown(variant) && programs.insert(variant.program).second)
      checkParameterAxes(experiment, variant, problems);
  if (!problems.empty()) return;
  checkChoices(experiment, problems);
  if (!problems.empty()) return;
  std::map<Kind, std::string> found;
  for (const Place& place : corners(experiment)) {
    std::set<Kind> tried;
    for (const Variant& variant : experiment.variants) {
      if (!isKnown(variant) || !tried.insert(kindOf(variant)).second) continue;
      const auto entry = found.try_emplace(kindOf(variant)).first;
      if (!entry->second.empty()) continue;
      try {
        entry->second =
            shapeProblem(experiment, variant, place, programAt(experiment, variant, place));
      } catch (const ProgramError& error) {
        return problems.add("/axes", saying("the program does not accept these values: {}",
                                            saidAgain(error.what())));
      }
    }
  }
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (const auto entry = found.find(kindOf(experiment.variants[v]));
        entry != found.end() && !entry->second.empty())
      problems.add(fmt::format("/variants/{}", v), entry->second);
}

}  // namespace fusebench
