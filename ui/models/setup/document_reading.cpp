// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/document_reading.h"

#include <set>
#include <utility>
#include <vector>

#include "engine/base/work_limit.h"
#include "profiler/experiment/experiment_check.h"

namespace fusebench {
namespace {

/// Bytes of text that are read within a moment, unless the text is hostile.
constexpr std::size_t kSmallText = 1 << 14;
/// All variants are planned for the problems, some with texts of their own.
constexpr double kProblemsSeconds = 5 * WorkLimit::kUsualSeconds;

/// Reads a text for its inputs' sizes, if it cannot be read without them.
Sketch sketchOf(const Experiment& experiment) {
  Sketch general = sketch(experiment.programText);
  if (general.valid() || experiment.variants.empty()) return general;
  std::vector<std::int64_t> at;
  for (const Axis& axis : experiment.axes) at.push_back(axis.values.empty() ? 1 : axis.values[0]);
  for (const InputSet& set : experiment.inputSets) {
    if (set.name != experiment.variants.front().inputs) continue;
    Sketch sized = sketch(experiment.programText, hintsAt(experiment, set, at));
    if (sized.valid()) return sized;
  }
  return general;
}

}  // namespace

bool ReadingRequest::isSmall() const {
  std::size_t bytes = experiment.programText.size();
  for (const NamedProgram& each : experiment.morePrograms) bytes += each.text.size();
  return bytes <= kSmallText;
}

DocumentReading readDocument(ReadingRequest request, const std::stop_token& stop) {
  const bool textChanged = request.textChanged();
  DocumentReading reading;
  reading.sketch = request.before;
  reading.experiment = std::move(request.experiment);
  reading.parked = std::move(request.parked);
  if (textChanged) {
    const WorkLimit limit(WorkLimit::kUsualSeconds, stop);
    reading.sketch = std::make_shared<const Sketch>(sketchOf(reading.experiment));
    reading.opsNow =
        request.opsNow ? std::move(*request.opsNow) : matchOps(*request.before, *reading.sketch);
  }
  const Sketch& read = *reading.sketch;
  const std::size_t length = read.program.statements.size();
  if (request.follow) followInputs(reading.experiment, read, reading.parked);
  if (read.valid()) {
    if (request.lengthBefore) followLength(reading.experiment, *request.lengthBefore, length);
    reading.experiment.program = read.program;
  }
  const WorkLimit limit(kProblemsSeconds, stop);
  reading.problems = documentProblems(reading.experiment, read);
  std::set<std::string> used;
  for (const Variant& variant : reading.experiment.variants) used.insert(variant.inputs);
  for (const InputSet& set : reading.experiment.inputSets) {
    if (!used.contains(set.name) || reading.types.contains(set.name)) continue;
    std::vector<SketchProblem> mismatches;
    reading.types[set.name] = sketchTypes(reading.experiment, read, set, mismatches);
    reading.layouts[set.name] = sketchLayouts(reading.experiment, read, set);
  }
  return reading;
}

}  // namespace fusebench
