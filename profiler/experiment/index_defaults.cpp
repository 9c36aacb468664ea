// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/index_defaults.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/indexed_inputs.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

bool takesDefault(const InputSpec& spec) {
  const DType dtype = dtypeOf(spec);
  return !isFloat(dtype) && dtype != DType::boolean && !spec.initial && spec.fill == "normal" &&
         (!spec.range || spec.rangeByDefault) && spec.data.empty() && spec.code.empty() &&
         spec.values.empty();
}

/// The first and the last values of the axes.
std::vector<std::vector<std::int64_t>> endsOfAxes(const Experiment& experiment) {
  std::vector<std::int64_t> first, last;
  for (const Axis& axis : experiment.axes) {
    if (axis.values.empty()) return {};
    first.push_back(axis.values.front());
    last.push_back(axis.values.back());
  }
  if (first == last) return {first};
  return {first, last};
}

/// Places from the first up to, but not, the second.
using PlacesByInput = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

/// Keeps the places of all that the inputs of a cell's program index.
void addPlaces(const Experiment& experiment, const CellKey& key, PlacesByInput& places) {
  try {
    const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
    const Program program = forwardAt(experiment, variant, key.at);
    const std::vector<ValueType> types =
        inferTypes(program, inputTypesAt(experiment, key, program, 0));
    for (const IndexedInput& range : indexedInputs(program, types)) {
      const std::string& name = program.inputs[static_cast<std::size_t>(range.input)];
      const auto known = places.emplace(name, std::pair(range.low, range.end)).first;
      known->second.first = std::max(known->second.first, range.low);
      known->second.second = std::min(known->second.second, range.end);
    }
  } catch (const std::exception&) {  // reported where the experiment is checked
  }
}

}  // namespace

void setIndexRanges(Experiment& experiment) {
  for (InputSet& set : experiment.inputSets) {
    if (std::ranges::none_of(set.inputs, takesDefault)) continue;
    PlacesByInput places;
    std::set<std::string> seen;  // variants of one program index the same
    for (std::size_t v = 0; v < experiment.variants.size(); ++v)
      if (const Variant& variant = experiment.variants[v];
          variant.inputs == set.name && seen.insert(variant.program).second)
        for (const std::vector<std::int64_t>& at : endsOfAxes(experiment))
          addPlaces(experiment, {static_cast<int>(v), at}, places);
    for (InputSpec& spec : set.inputs) {
      if (!takesDefault(spec)) continue;
      const auto found = places.find(spec.name);
      spec.rangeByDefault = found != places.end() && found->second.first < found->second.second;
      if (spec.rangeByDefault)
        spec.range = {static_cast<double>(found->second.first),
                      static_cast<double>(found->second.second - 1)};
      else
        spec.range.reset();
    }
  }
}

}  // namespace fusebench
