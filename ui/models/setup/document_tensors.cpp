// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_tensors.h"

#include <algorithm>
#include <optional>

#include "profiler/experiment/experiment_check.h"

namespace fusebench {
namespace {

/// More than a person would wait for; typing a name letter by letter parks one for each letter.
constexpr std::size_t kMostParked = 200;
constexpr std::int64_t kMostSingleSteps = 12;
constexpr std::int64_t kWantedSteps = 8;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const InputSpec* find(const std::vector<InputSpec>& specs, const std::string& name) {
  const auto found = std::find_if(specs.begin(), specs.end(),
                                  [&](const InputSpec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

/// Takes the tensor parked under this name; nothing if there is none.
std::optional<InputSpec> unpark(std::vector<ParkedTensor>& parked, const std::string& set,
                                const std::string& name) {
  for (std::size_t p = parked.size(); p-- > 0;)
    if (parked[p].set == set && parked[p].spec.name == name) {
      InputSpec spec = std::move(parked[p].spec);
      parked.erase(parked.begin() + static_cast<std::ptrdiff_t>(p));
      return spec;
    }
  return std::nullopt;
}

/// A tensor for the input number `position`, which the set has none for.
InputSpec newTensor(const InputSet& set, const std::vector<std::string>& inputs,
                    std::size_t position, const std::vector<ParkedTensor>& parked) {
  InputSpec spec;
  spec.extents = {"8", "16"};
  if (position < set.inputs.size() && !contains(inputs, set.inputs[position].name)) {
    spec = set.inputs[position];  // renamed: the previous tensor is gone
  } else if (!set.inputs.empty()) {
    spec.extents = set.inputs.front().extents;
  } else {
    for (const ParkedTensor& one : parked)
      if (one.set == set.name) spec = one.spec;
  }
  spec.name = inputs[position];
  return spec;
}

void followInputs(InputSet& set, const Sketch& sketch, const std::vector<std::string>& others,
                  std::vector<ParkedTensor>& parked) {
  const std::vector<std::string>& inputs = sketch.program.inputs;
  std::vector<InputSpec> specs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto held =
        std::find_if(sketch.program.held.begin(), sketch.program.held.end(),
                     [&](const HeldInput& each) { return each.input == static_cast<int>(i); });
    const InputSpec* const there = find(set.inputs, inputs[i]);
    if (held != sketch.program.held.end() && (!there || there->initial)) {
      specs.push_back(heldSpec(sketch.program, *held));  // a module's weight, as its text makes it
    } else if (there) {
      specs.push_back(*there);
    } else if (auto back = unpark(parked, set.name, inputs[i])) {
      specs.push_back(std::move(*back));
    } else {
      specs.push_back(newTensor(set, inputs, i, parked));
    }
  }
  for (InputSpec& spec : set.inputs) {
    if (contains(inputs, spec.name)) continue;
    if (sketch.valid() && !contains(others, spec.name))
      parked.push_back({set.name, std::move(spec)});
    else
      specs.push_back(std::move(spec));
  }
  set.inputs = std::move(specs);
}

}  // namespace

void followInputs(Experiment& experiment, const Sketch& sketch, std::vector<ParkedTensor>& parked) {
  std::vector<std::string> others;  // inputs of programs that are not on the canvas
  for (const NamedProgram& each : experiment.morePrograms)
    others.insert(others.end(), each.program.inputs.begin(), each.program.inputs.end());
  for (InputSet& set : experiment.inputSets) followInputs(set, sketch, others, parked);
  if (parked.size() > kMostParked)
    parked.erase(parked.begin(), parked.end() - static_cast<std::ptrdiff_t>(kMostParked));
}

std::vector<std::int64_t> statementValues(std::int64_t length) {
  std::int64_t step = 1;
  if (length > kMostSingleSteps)
    for (std::int64_t unit = 1; step * kWantedSteps < length; unit *= 10)
      for (const std::int64_t round : {2, 5, 10})
        if (step * kWantedSteps < length) step = round * unit;
  std::vector<std::int64_t> values = {1};
  for (std::int64_t n = step == 1 ? 2 : step; n < length; n += step) values.push_back(n);
  if (length > 1) values.push_back(length);
  return values;
}

void followLength(Experiment& experiment, std::size_t before, std::size_t now) {
  const auto from = static_cast<std::int64_t>(std::max<std::size_t>(before, 1));
  const auto to = static_cast<std::int64_t>(std::max<std::size_t>(now, 1));
  for (Axis& axis : experiment.axes) {
    std::vector<std::int64_t>& values = axis.values;
    if (from == to || axis.name != "statements" || values.empty() || values.back() != from)
      continue;
    if (values == statementValues(from)) {
      values = statementValues(to);
      continue;
    }
    // Chosen by hand: the steps stay, only the end moves. An end that fits the steps is one.
    const std::size_t n = values.size();
    const bool onStep = n < 3 || values[n - 1] - values[n - 2] == values[n - 2] - values[n - 3];
    if (!onStep) values.pop_back();
    while (!values.empty() && values.back() >= to) values.pop_back();
    values.push_back(to);
  }
}

}  // namespace fusebench
