// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/index_defaults.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/language/indexed_inputs.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

bool takesDefault(const InputSpec& spec) {
  const DType dtype = dtypeOf(spec);
  return !isFloat(dtype) && dtype != DType::boolean && !spec.initial && spec.fill == "normal" &&
         (!spec.range || spec.rangeByDefault) && spec.data.empty() && spec.values.empty();
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

/// Keeps the smallest extents that the inputs of a cell's program index.
void addExtents(const Experiment& experiment, const CellKey& key,
                std::map<std::string, std::int64_t>& extents) {
  try {
    const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
    const Program program = forwardAt(experiment, variant, key.at);
    const std::vector<ValueType> types =
        inferTypes(program, inputTypesAt(experiment, key, program, 0));
    for (const IndexedInput& range : indexedInputs(program, types)) {
      const std::string& name = program.inputs[static_cast<std::size_t>(range.input)];
      const auto known = extents.emplace(name, range.extent).first;
      known->second = std::min(known->second, range.extent);
    }
  } catch (const std::exception&) {  // reported where the experiment is checked
  }
}

}  // namespace

void setIndexRanges(Experiment& experiment) {
  for (InputSet& set : experiment.inputSets) {
    if (std::ranges::none_of(set.inputs, takesDefault)) continue;
    std::map<std::string, std::int64_t> extents;
    std::set<std::string> seen;  // variants of one program index the same
    for (std::size_t v = 0; v < experiment.variants.size(); ++v)
      if (const Variant& variant = experiment.variants[v];
          variant.inputs == set.name && seen.insert(variant.program).second)
        for (const std::vector<std::int64_t>& at : endsOfAxes(experiment))
          addExtents(experiment, {static_cast<int>(v), at}, extents);
    for (InputSpec& spec : set.inputs) {
      if (!takesDefault(spec)) continue;
      const auto found = extents.find(spec.name);
      spec.rangeByDefault = found != extents.end() && found->second > 0;
      if (spec.rangeByDefault)
        spec.range = {0, static_cast<double>(found->second - 1)};
      else
        spec.range.reset();
    }
  }
}

}  // namespace fusebench
