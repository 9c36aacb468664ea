// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/same_measurement.h"

namespace fusebench {
namespace {

std::string measuredParts(Experiment experiment) {
  experiment.title.assign(1, '-');  // a file must have one
  for (std::string* words :
       {&experiment.question, &experiment.note, &experiment.lesson, &experiment.reference})
    words->clear();
  for (Variant& variant : experiment.variants) variant.series = 0;
  const MeasureSettings settings = experiment.measure;
  experiment.measure = {};
  experiment.measure.seed = settings.seed;  // of the inputs
  experiment.measure.cache = settings.cache;
  return toJson(experiment);
}

}  // namespace

bool sameMeasurement(const Experiment& a, const Experiment& b) {
  return measuredParts(a) == measuredParts(b);
}

}  // namespace fusebench
