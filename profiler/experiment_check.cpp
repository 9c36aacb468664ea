// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace fusebench {
namespace {

template <typename Items>
std::vector<std::string_view> namesOf(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

template <typename Items>
void checkDistinct(const Items& items, const JsonReader& list, std::string_view what) {
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (items[i].name == items[j].name)
        list[i]["name"].fail(
            fmt::format("there is a second {} \"{}\"; names must differ", what, items[i].name));
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void checkInputNames(const Experiment& experiment, const JsonReader& root) {
  std::vector<std::string_view> wanted(experiment.program.inputs.begin(),
                                       experiment.program.inputs.end());
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s) {
    const JsonReader tensors = root["inputs"][s]["tensors"];
    const auto& specs = experiment.inputSets[s].inputs;
    checkDistinct(specs, tensors, "tensor");
    for (std::size_t t = 0; t < specs.size(); ++t)
      if (!contains(wanted, specs[t].name))
        tensors[t]["name"].fail(fmt::format("the program has no input \"{}\"; {}", specs[t].name,
                                            suggestion(specs[t].name, wanted)));
    const auto given = namesOf(specs);
    for (const std::string_view name : wanted)
      if (!contains(given, name))
        tensors.fail(
            fmt::format("the program's input \"{}\" has no tensor; add {{\"name\": \"{}\", "
                        "\"extents\": [...]}}",
                        name, name));
  }
}

void checkVariants(const Experiment& experiment, const JsonReader& root) {
  checkDistinct(experiment.variants, root["variants"], "variant");
  const auto sets = namesOf(experiment.inputSets);
  std::vector<std::string_view> executors;
  for (const ExecutorInfo& executor : executorNames()) executors.push_back(executor.name);
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    const Variant& variant = experiment.variants[v];
    const JsonReader entry = root["variants"][v];
    if (!contains(executors, variant.executor))
      entry["executor"].fail(fmt::format("there is no executor \"{}\"; {}", variant.executor,
                                         suggestion(variant.executor, executors)));
    if (!contains(sets, variant.inputs))
      (entry.has("inputs") ? entry["inputs"] : entry)
          .fail(fmt::format("there is no input set \"{}\"; {}", variant.inputs,
                            suggestion(variant.inputs, sets)));
  }
  const auto variants = namesOf(experiment.variants);
  if (!contains(variants, experiment.baseline))
    root["baseline"].fail(fmt::format("there is no variant \"{}\"; {}", experiment.baseline,
                                      suggestion(experiment.baseline, variants)));
}

void checkStatements(const Experiment& experiment, const Axis& axis, const JsonReader& values) {
  if (axis.values.front() < 1)
    values[0].fail("statements are counted from 1; give whole numbers from 1");
  const auto length = static_cast<std::int64_t>(experiment.program.statements.size());
  if (!experiment.program.isChain() && axis.values.back() > length)
    values[axis.values.size() - 1].fail(fmt::format(
        "the program branches, so it cannot cycle past its {} statements; give at most {}", length,
        length));
}

bool mentions(const std::string& expression, std::string_view name) {
  std::string word;
  for (const char c : expression + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    if (word == name) return true;
    word.clear();
  }
  return false;
}

bool usedByExtents(const Experiment& experiment, std::string_view axis) {
  for (const InputSet& set : experiment.inputSets)
    for (const InputSpec& spec : set.inputs)
      for (const std::string& extent : spec.extents)
        if (mentions(extent, axis)) return true;
  return false;
}

void checkAxes(const Experiment& experiment, const JsonReader& root) {
  checkDistinct(experiment.axes, root["axes"], "axis");
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) {
    const Axis& axis = experiment.axes[a];
    const JsonReader entry = root["axes"][a];
    if (axis.name == "i")
      entry["name"].fail("i already means the position in the input list; choose another name");
    if (axis.name == "statements") {
      checkStatements(experiment, axis, entry["values"]);
    } else if (axis.name == "threads") {
      if (axis.values.front() < 1 || axis.values.back() > 1024)
        entry["values"].fail("threads go from 1 to 1024; change the values");
    } else if (!usedByExtents(experiment, axis.name)) {
      entry["name"].fail(
          fmt::format("nothing depends on the axis \"{}\"; name it in an extent, or sweep "
                      "statements or threads",
                      axis.name));
    }
  }
}

/// The corners of the axes: wrong extents show there, and a file is read in no time however long
/// its axes.
std::vector<std::vector<std::int64_t>> corners(const Experiment& experiment) {
  std::vector<std::vector<std::int64_t>> places = {{}};
  for (const Axis& axis : experiment.axes) {
    std::vector<std::vector<std::int64_t>> longer;
    for (const auto& place : places)
      for (const std::int64_t value : {axis.values.front(), axis.values.back()}) {
        longer.push_back(place);
        longer.back().push_back(value);
      }
    places = std::move(longer);
  }
  return places;
}

void checkExtents(const Experiment& experiment, std::size_t set, const JsonReader& tensors) {
  const InputSet& inputs = experiment.inputSets[set];
  for (const auto& place : corners(experiment))
    for (std::int64_t i = 0; i < std::min<std::int64_t>(inputs.count, 1000); ++i) {
      const auto bindings = bindingsFor(experiment, place, i);
      for (std::size_t t = 0; t < inputs.inputs.size(); ++t)
        for (std::size_t e = 0; e < inputs.inputs[t].extents.size(); ++e) {
          try {
            const std::int64_t extent = evaluateExtent(inputs.inputs[t].extents[e], bindings);
            if (extent < 0)
              throw InputError(fmt::format(
                  "the extent is {} for i = {}; extents cannot be negative", extent, i));
          } catch (const InputError& error) {
            tensors[t]["extents"][e].fail(error.what());
          }
        }
    }
}

/// Whether the program accepts the shapes, at the corners of the axes and for the first entries.
void checkShapes(const Experiment& experiment, const JsonReader& root) {
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    const InputSet& set = experiment.inputSet(experiment.variants[v].inputs);
    for (const auto& place : corners(experiment))
      for (std::int64_t i = 0; i < std::min(set.count, 20); ++i) {
        const auto bindings = bindingsFor(experiment, place, i);
        std::vector<ValueType> types;
        for (const std::string& name : experiment.program.inputs)
          for (const InputSpec& spec : set.inputs)
            if (spec.name == name) types.push_back({shapeOf(spec, bindings), DType::float32});
        try {
          inferTypes(programAt(experiment, place), types);
        } catch (const ProgramError& error) {
          root["variants"][v].fail(
              fmt::format("the program does not fit the inputs \"{}\" (entry {}): {}", set.name, i,
                          error.what()));
        }
      }
  }
}

}  // namespace

std::vector<Binding> bindingsFor(const Experiment& experiment, const std::vector<std::int64_t>& at,
                                 std::int64_t i) {
  std::vector<Binding> bindings = {{"i", i}};
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a)
    bindings.push_back({experiment.axes[a].name, at[a]});
  return bindings;
}

Program programAt(const Experiment& experiment, const std::vector<std::int64_t>& at) {
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a)
    if (experiment.axes[a].name == "statements")
      return firstStatements(experiment.program, static_cast<int>(at[a]));
  return experiment.program;
}

Shape shapeOf(const InputSpec& spec, std::span<const Binding> bindings) {
  Shape shape;
  for (const std::string& extent : spec.extents) {
    const std::int64_t value = evaluateExtent(extent, bindings);
    if (value < 0)
      throw InputError(
          fmt::format("extent \"{}\" is {}; extents cannot be negative", extent, value));
    shape.push(value);
  }
  return shape;
}

void checkExperiment(const Experiment& experiment, const JsonReader& root) {
  checkDistinct(experiment.inputSets, root["inputs"], "input set");
  checkInputNames(experiment, root);
  checkVariants(experiment, root);
  checkAxes(experiment, root);
  for (std::size_t s = 0; s < experiment.inputSets.size(); ++s)
    checkExtents(experiment, s, root["inputs"][s]["tensors"]);
  checkShapes(experiment, root);
}

}  // namespace fusebench
