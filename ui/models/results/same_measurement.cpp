// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/same_measurement.h"

#include <algorithm>
#include <string>

namespace fusebench {
namespace {

/// The index of the first item of that name: "0", "1"; or the name if no item has it.
template <typename Items>
std::string placeOf(const Items& items, const std::string& name) {
  const auto found =
      std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  return found == items.end() || name.empty() ? name : std::to_string(found - items.begin());
}

/// Which program is first states only which one is drawn.
void sortPrograms(Experiment& experiment) {
  if (experiment.morePrograms.empty()) return;
  for (Variant& variant : experiment.variants)
    if (variant.program.empty()) variant.program = experiment.programName;
  experiment.putFirst(std::string(std::ranges::min(experiment.programNames())));
  std::ranges::sort(experiment.morePrograms, {}, &NamedProgram::name);
}

std::string measuredParts(Experiment named) {
  Experiment experiment = withoutNames(std::move(named));
  sortPrograms(experiment);
  experiment.title.assign(1, '-');  // a file must have one
  for (std::string* words :
       {&experiment.question, &experiment.note, &experiment.lesson, &experiment.reference})
    words->clear();
  for (Variant& variant : experiment.variants) variant.series = 0;
  const MeasureSettings settings = experiment.measure;
  experiment.measure = {};
  experiment.measure.seed = settings.seed;  // it decides the inputs, so it counts
  experiment.measure.cache = settings.cache;
  experiment.measure.reset = settings.reset;
  return toJson(experiment);
}

}  // namespace

Experiment withoutNames(Experiment experiment) {
  const auto variants = experiment.variants;
  const auto sets = experiment.inputSets;
  for (Variant& variant : experiment.variants) {
    variant.inputs = placeOf(sets, variant.inputs);
    variant.against = placeOf(variants, variant.against);
  }
  experiment.baseline = placeOf(variants, experiment.baseline);
  for (Claim& claim : experiment.claims) {
    claim.variant = placeOf(variants, claim.variant);
    claim.against = placeOf(variants, claim.against);
    if (claim.than)
      claim.than = {placeOf(variants, claim.than->variant), placeOf(variants, claim.than->against)};
  }
  for (std::size_t i = 0; i < variants.size(); ++i) experiment.variants[i].name = std::to_string(i);
  for (std::size_t i = 0; i < sets.size(); ++i) experiment.inputSets[i].name = std::to_string(i);
  return experiment;
}

bool sameMeasurement(const Experiment& a, const Experiment& b) {
  return measuredParts(a) == measuredParts(b);
}

}  // namespace fusebench
