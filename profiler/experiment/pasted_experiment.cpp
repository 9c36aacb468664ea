// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/pasted_experiment.h"

#include <algorithm>
#include <cmath>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/run/executor.h"
#include "profiler/experiment/computed_fill.h"
#include "profiler/experiment/experiment_check.h"

namespace fusebench {

namespace {

/// Longest list of numbers that is written into an experiment.
constexpr std::size_t kMostNumbersKept = 4096;

/// The elements as the lines around the program make them; what an experiment cannot say is left as
/// it is.
void fillAsCalled(const InitialValues& initial, InputSpec& spec) {
  const bool isFloating = isFloat(initial.dtype);
  switch (initial.kind) {
    case InitialValues::Kind::numbers:
      if (!isFloating && initial.areDrawn())
        spec.range = {initial.low, initial.high - 1};
      else if (initial.numbers == std::vector<double>{0} ||
               initial.numbers == std::vector<double>{1})
        spec.fill = initial.numbers[0] == 0 ? "zeros" : "ones";
      else if (initial.numbers.size() == 1 && isFloating)
        spec.mean = initial.numbers[0], spec.deviation = 0;
      else if (initial.numbers.size() == 1)
        spec.range = {initial.numbers[0], initial.numbers[0]};
      else if (initial.numbers.size() <= kMostNumbersKept)
        spec.data = initial.numbers;
      return;
    case InitialValues::Kind::uniform:
      if (!isFloating && initial.high > initial.low)
        spec.range = {std::ceil(initial.low), std::ceil(initial.high) - 1};
      if (isFloating && initial.low == 0 && initial.high == 1) spec.fill = "uniform";
      return;
    case InitialValues::Kind::normal:
      if (!isFloating) return;
      spec.mean = initial.low;
      spec.deviation = initial.high;
      return;
  }
}

/// Whether an input can be filled by the lines that compute it.
bool canCompute(const std::string& code, const InputSpec& spec) {
  if (code.empty()) return false;
  try {
    return typeOfFill(programOfFill(code)).shape.rank() == static_cast<int>(spec.extents.size());
  } catch (const InputError&) {  // more than is evaluated for an input
    return false;
  }
}

}  // namespace

InputSpec specOf(const ChosenInput& input) {
  InputSpec spec;
  spec.name = input.name;
  for (const std::int64_t extent : input.type.shape) spec.extents.push_back(std::to_string(extent));
  spec.dtype = info(input.type.dtype).name;
  if (input.high > input.low)
    spec.range = {static_cast<double>(input.low), static_cast<double>(input.high - 1)};
  if (input.initial) fillAsCalled(*input.initial, spec);
  const bool isFilled = !spec.data.empty() || spec.range || spec.fill != InputSpec().fill;
  if (!isFilled && canCompute(input.code, spec)) {
    spec.code = input.code;
    spec.mean = 0, spec.deviation = 1;
  }
  return spec;
}

std::vector<std::string> notesOf(const PastedProgram& pasted) {
  std::vector<std::string> notes;
  for (const ProgramNote& note : pasted.notes)
    notes.push_back(note.line > 0 && !note.text.starts_with("line")
                        ? saying("line {}: {}", note.line, saidAgain(note.text))
                        : saidAgain(note.text));
  return notes;
}

std::vector<std::string> notesOf(const Experiment& experiment) {
  std::vector<std::string> notes;
  const auto add = [&](const Program& program) {
    for (const ProgramNote& note : program.notes)
      if (std::string said = saidAgain(note.text);
          note.line == 0 && std::ranges::find(notes, said) == notes.end())
        notes.push_back(std::move(said));
  };
  add(experiment.program);
  for (const NamedProgram& each : experiment.morePrograms) add(each.program);
  for (const InputSet& set : experiment.inputSets)
    for (const InputSpec& spec : set.inputs)
      if (spec.rangeByDefault)
        notes.push_back(saying(
            "{}: integers from {} to {}, because the program uses it as an index; choose others by "
            "\"fill\": {{\"integers\": [low, high]}}",
            spec.name, static_cast<std::int64_t>((*spec.range)[0]),
            static_cast<std::int64_t>((*spec.range)[1])));
  return notes;
}

Experiment experimentOf(const PastedProgram& pasted, const std::string& title) {
  Experiment experiment;
  experiment.title = title;
  experiment.programText = pasted.text;
  InputSet set{"inputs", 1, {}};
  ProgramHints hints;
  for (const ChosenInput& input : pasted.inputs) {
    set.inputs.push_back(specOf(input));
    hints[input.name] = input.type;
  }
  experiment.program = parseProgram(pasted.text, hints);
  try {
    const Program general = parseProgram(pasted.text, {});
    experiment.readForSizes = general.asksDtypes || general.inputs != experiment.program.inputs;
  } catch (const ProgramError&) {
    experiment.readForSizes = true;
  }
  for (const HeldInput& held : experiment.program.held)
    set.inputs.push_back(heldSpec(experiment.program, held));
  experiment.inputSets = {set};
  for (const ExecutorInfo& executor : executorTable()) {
    if (executor.captures) continue;
    Variant variant;
    variant.name = variant.executor = executor.name;
    variant.inputs = set.name;
    experiment.variants.push_back(variant);
  }
  experiment.baseline = experiment.variants.front().name;
  experiment.axes = {{"threads", "threads", {1}}};
  return experiment;
}

}  // namespace fusebench
