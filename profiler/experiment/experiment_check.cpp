// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "engine/language/parser.h"
#include "engine/language/program_gradients.h"
#include "profiler/experiment/experiment_parameters.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/rank_options.h"

namespace fusebench {
namespace {

/// The value at a pointer, or the nearest around it that the file has: what it
/// leaves out has no place.
[[noreturn]] void failAtPointer(const JsonReader& reader, std::string_view pointer,
                                const std::string& message) {
  if (pointer.empty()) reader.fail(message);
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  const std::string_view part = pointer.substr(1, end - 1);
  const std::string_view rest = pointer.substr(end);
  if (reader.json().is_object() && reader.has(part)) failAtPointer(reader[part], rest, message);
  if (reader.json().is_array()) {
    const std::size_t index = std::stoul(std::string(part));
    if (index < reader.size()) failAtPointer(reader[index], rest, message);
  }
  reader.fail(message);
}

}  // namespace

void checkExperiment(const Experiment& experiment, const JsonReader& root) {
  const std::vector<ExperimentProblem> problems = problemsOf(experiment);
  if (!problems.empty()) failAtPointer(root, problems.front().path, problems.front().message);
}

std::vector<Binding> bindingsFor(const Experiment& experiment, const std::vector<std::int64_t>& at,
                                 std::int64_t i) {
  std::vector<Binding> bindings = {{"i", i}};
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a)
    bindings.push_back({experiment.axes[a].name, at[a]});
  return bindings;
}

ProgramHints hintsAt(const Experiment& experiment, const InputSet& set,
                     const std::vector<std::int64_t>& at, const Variant& variant) {
  ProgramHints hints;
  hints.ranks = ranksAt(experiment, variant, at);
  const std::vector<Binding> bindings = bindingsFor(experiment, at, 0);
  for (const InputSpec& spec : set.inputs) {
    try {
      const Shape shape = shareOf(spec, shapeOf(spec, bindings), variant, hints.ranks);
      hints[spec.name] = {shape, dtypeOf(spec)};
      const std::optional<Strides> strides = inputStrides(spec, shape);
      if (strides && !isContiguous(shape, *strides)) hints.strides[spec.name] = *strides;
    } catch (const std::exception&) {  // said where the experiment is checked
    }
  }
  return hints;
}

Program forwardAt(const Experiment& experiment, const Variant& variant,
                  const std::vector<std::int64_t>& at) {
  const std::string& written = experiment.programTextOf(variant);
  const std::vector<std::string> parameters = numberParameters(written);
  std::string text;
  std::optional<int> statements;
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a) {
    const std::string& name = experiment.axes[a].name;
    if (name == "statements") statements = static_cast<int>(at[a]);
    if (std::find(parameters.begin(), parameters.end(), name) != parameters.end())
      text = withParameter(text.empty() ? written : text, name, at[a]);
  }
  const bool forSizes = experiment.isReadForSizes(variant);
  if (forSizes && text.empty()) text = written;
  const auto readAs = [&](const Variant& as) {
    if (text.empty()) return experiment.programOf(variant);
    return parseProgram(
        text, forSizes ? hintsAt(experiment, inputsOf(experiment, as), at, as) : ProgramHints());
  };
  Program program;
  try {
    program = readAs(variant);
  } catch (const ProgramError&) {
    // A module's weights have the variant's dtype only once the program has been read.
    if (!forSizes || variant.dtype.empty()) throw;
    Variant plain = variant;
    plain.dtype.clear();
    program = readAs(plain);
  }
  if (!variant.gradients.empty()) program = readForGradients(std::move(program));
  if (statements) program = firstStatements(program, *statements);
  return program;
}

Program programAt(const Experiment& experiment, const Variant& variant,
                  const std::vector<std::int64_t>& at) {
  Program program = differentiated(experiment, placed(experiment, variant, at),
                                   forwardAt(experiment, variant, at));
  program.parallel = parallelAt(experiment, variant, at, program);
  return program;
}

Program programAt(const Experiment& experiment, const CellKey& key) {
  return programAt(experiment, experiment.variants.at(static_cast<std::size_t>(key.variant)),
                   key.at);
}

int threadsAt(const Experiment& experiment, const CellKey& key) {
  for (std::size_t a = 0; a < experiment.axes.size() && a < key.at.size(); ++a)
    if (experiment.axes[a].name == "threads") return static_cast<int>(key.at[a]);
  return experiment.variants.at(static_cast<std::size_t>(key.variant)).threads;
}

Shape shapeOf(const InputSpec& spec, std::span<const Binding> bindings) {
  Shape shape;
  for (const std::string& extent : spec.extents) {
    const std::int64_t value = evaluateExtent(extent, bindings);
    if (value < 0)
      throw InputError(
          saying("extent \"{}\" is {}; extents cannot be negative", shownName(extent), value));
    shape.push(value);
  }
  return shape;
}

InputSpec heldSpec(const Program& program, const HeldInput& held) {
  InputSpec spec;
  spec.name = program.inputs[static_cast<std::size_t>(held.input)];
  for (const std::int64_t extent : held.initial.extents)
    spec.extents.push_back(std::to_string(extent));
  spec.initial = held.initial;
  spec.dtype = info(held.initial.dtype).name;
  return spec;
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

bool dependsOn(const Experiment& experiment, std::string_view axis) {
  const auto sweeps = [axis](const std::string& text) {
    const std::vector<std::string> parameters = numberParameters(text);
    return std::find(parameters.begin(), parameters.end(), axis) != parameters.end();
  };
  if (sweeps(experiment.programText)) return true;
  for (const NamedProgram& program : experiment.morePrograms)
    if (sweeps(program.text)) return true;
  for (const InputSet& set : experiment.inputSets)
    for (const InputSpec& spec : set.inputs)
      for (const std::string& extent : spec.extents)
        if (mentions(extent, axis)) return true;
  return false;
}

}  // namespace fusebench
