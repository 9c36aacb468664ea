// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_extents.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/models/setup/document_problems.h"

namespace fusebench {
namespace {

using SketchTypes = std::vector<std::optional<ValueType>>;

bool isNumberText(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::isdigit(letter) != 0;
  });
}

SketchTypes typesWhereAxesEnd(Experiment experiment, const Sketch& sketch, const InputSet& set) {
  for (Axis& axis : experiment.axes)
    if (!axis.values.empty()) axis.values = {axis.values.back()};
  std::vector<SketchProblem> ignored;
  return sketchTypes(experiment, sketch, set, ignored);
}

}  // namespace

KnownValues knownValues(const Experiment& experiment, const Sketch& sketch, const InputSet& set) {
  std::vector<SketchProblem> ignored;
  const SketchTypes types = sketchTypes(experiment, sketch, set, ignored);
  // The inputs' expressions by their value at the axes' first values, and the literal numbers.
  std::map<std::int64_t, std::string> expressions;
  std::set<std::string> numbers;
  for (std::size_t i = 0; i < sketch.program.inputs.size() && i < types.size(); ++i)
    for (const InputSpec& spec : set.inputs) {
      if (spec.name != sketch.program.inputs[i] || !types[i]) continue;
      const std::size_t rank =
          std::min(spec.extents.size(), static_cast<std::size_t>(types[i]->shape.rank()));
      for (std::size_t d = 0; d < rank; ++d)
        if (isNumberText(spec.extents[d]))
          numbers.insert(spec.extents[d]);
        else
          expressions.emplace(types[i]->shape[static_cast<int>(d)], spec.extents[d]);
    }
  const SketchTypes later =
      expressions.empty() ? SketchTypes() : typesWhereAxesEnd(experiment, sketch, set);
  KnownValues known(types.size());
  for (std::size_t v = 0; v < types.size(); ++v) {
    if (!types[v]) continue;
    KnownValue value;
    value.dtype = types[v]->dtype;
    value.shape = types[v]->shape;
    for (int d = 0; d < types[v]->shape.rank(); ++d) {
      const std::int64_t extent = types[v]->shape[d];
      const auto expression = expressions.find(extent);
      // A number that an expression happens to be where the axes begin stays as it is.
      const bool same = v < later.size() && later[v] && later[v]->shape.rank() > d &&
                        later[v]->shape[d] == extent;
      const bool number =
          expression == expressions.end() || (numbers.contains(std::to_string(extent)) && same);
      value.extents.push_back(number ? std::to_string(extent) : expression->second);
    }
    known[v] = std::move(value);
  }
  return known;
}

void addInputs(Experiment& experiment, const std::vector<NewInput>& inputs) {
  for (InputSet& set : experiment.inputSets)
    for (const NewInput& input : inputs) {
      const bool there =
          std::any_of(set.inputs.begin(), set.inputs.end(),
                      [&](const InputSpec& spec) { return spec.name == input.name; });
      if (there || !input.extents) continue;
      InputSpec spec;
      spec.name = input.name;
      spec.extents = *input.extents;
      spec.dtype = info(input.dtype).name;
      spec.fill = input.fill;
      spec.deviation = input.deviation;
      spec.held = spec.parameter = input.weight;
      set.inputs.push_back(std::move(spec));
    }
}

}  // namespace fusebench
