// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>

#include "engine/parser.h"
#include "profiler/experiment.h"
#include "profiler/experiment_check.h"
#include "profiler/files.h"
#include "profiler/json_reader.h"

namespace fusebench {
namespace {

constexpr std::array<std::string_view, 4> kFills = {"normal", "uniform", "zeros", "ones"};
constexpr std::array<std::string_view, 3> kLayouts = {"contiguous", "transposed", "strided"};

std::string oneOf(const JsonReader& reader, std::span<const std::string_view> known,
                  std::string_view what) {
  const std::string text = reader.string();
  for (const std::string_view candidate : known)
    if (candidate == text) return text;
  reader.fail(fmt::format("there is no {} \"{}\"; {}", what, text, suggestion(text, known)));
}

std::string textOr(const JsonReader& object, std::string_view key) {
  return object.has(key) ? object[key].string() : std::string();
}

std::string programText(const JsonReader& program) {
  if (program.json().is_string()) return program.string();
  if (!program.json().is_array())
    program.fail("the program is a text or a list of its lines; put each line in \"quotes\"");
  std::string text;
  for (std::size_t i = 0; i < program.size(); ++i) text += (i ? "\n" : "") + program[i].string();
  return text;
}

/// The place in the file of a place in the program. Exact where the lines stand in a list and hold
/// no escapes; in one text all lines share the file's line.
[[noreturn]] void failInProgram(const JsonReader& program, const ProgramError& error) {
  const auto line = static_cast<std::size_t>(std::max(error.place().line, 1));
  const std::string message = fmt::format("line {} of the program: {}", line, error.what());
  if (!program.json().is_array() || line > program.size()) program.fail(message);
  TextPlace place = program[line - 1].place();
  place.column += std::max(error.place().column, 1);  // past the opening quote
  program.failAt(place, message);
}

Program readProgram(const JsonReader& reader, const std::string& text) {
  try {
    Program program = parseProgram(text);
    if (program.ops.empty())
      throw ProgramError({1, 1}, "the program computes nothing; add a statement");
    return program;
  } catch (const ProgramError& error) {
    failInProgram(reader, error);
  }
}

std::string readExtent(const JsonReader& extent) {
  if (extent.json().is_string()) return extent.string();
  if (extent.json().is_number_integer())
    return std::to_string(extent.integer(0, std::int64_t{1} << 40));
  extent.fail("an extent is a whole number or an expression in \"quotes\", as \"i % 10 + 4\"");
}

InputSpec readTensor(const JsonReader& tensor) {
  tensor.expectObject({"name", "extents"}, {"fill", "layout"});
  InputSpec spec;
  spec.name = tensor["name"].name();
  const JsonReader extents = tensor["extents"];
  extents.expectArray(0, kMaxRank, "extents");
  for (std::size_t e = 0; e < extents.size(); ++e) spec.extents.push_back(readExtent(extents[e]));
  if (tensor.has("fill")) spec.fill = oneOf(tensor["fill"], kFills, "fill");
  if (tensor.has("layout")) spec.layout = oneOf(tensor["layout"], kLayouts, "layout");
  if (spec.layout == "transposed" && spec.extents.size() < 2)
    tensor["layout"].fail(
        "only a tensor of two or more dimensions can be transposed; use \"contiguous\"");
  if (spec.layout == "strided" && spec.extents.empty())
    tensor["layout"].fail("a tensor without dimensions cannot be strided; use \"contiguous\"");
  return spec;
}

InputSet readInputSet(const JsonReader& entry) {
  entry.expectObject({"name", "tensors"}, {"count"});
  InputSet set;
  set.name = entry["name"].name();
  if (entry.has("count")) set.count = static_cast<int>(entry["count"].integer(1, kMaxInputCount));
  const JsonReader tensors = entry["tensors"];
  tensors.expectArray(0, 64, "tensors");
  for (std::size_t t = 0; t < tensors.size(); ++t) set.inputs.push_back(readTensor(tensors[t]));
  return set;
}

Variant readVariant(const JsonReader& entry, const std::string& onlySet) {
  entry.expectObject({"name", "executor"}, {"inputs", "threads", "recompileLimit", "contract"});
  Variant variant;
  variant.name = entry["name"].name();
  variant.executor = entry["executor"].string();
  if (!entry.has("inputs") && onlySet.empty())
    entry.fail("the key \"inputs\" is missing; name one of the input sets");
  variant.inputs = entry.has("inputs") ? entry["inputs"].string() : onlySet;
  if (entry.has("threads")) variant.threads = static_cast<int>(entry["threads"].integer(1, 1024));
  if (entry.has("recompileLimit"))
    variant.options.recompileLimit = static_cast<int>(entry["recompileLimit"].integer(1, 10'000));
  if (entry.has("contract")) variant.options.contract = entry["contract"].boolean();
  return variant;
}

Axis readAxis(const JsonReader& entry) {
  entry.expectObject({"name", "values"}, {"unit"});
  Axis axis;
  axis.name = entry["name"].name();
  axis.unit = entry.has("unit") ? entry["unit"].string() : axis.name;
  const JsonReader values = entry["values"];
  values.expectArray(1, 1000, "values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    axis.values.push_back(values[i].integer(0, std::int64_t{1} << 40));
    if (i > 0 && axis.values[i] <= axis.values[i - 1])
      values[i].fail(
          fmt::format("{} does not come after {}; sort the values from small to large, each once",
                      axis.values[i], axis.values[i - 1]));
  }
  return axis;
}

MeasureSettings readMeasure(const JsonReader& entry) {
  entry.expectObject({}, {"budgetSeconds", "minimumSamples", "maximumSamples", "precision",
                          "compileRepeats", "seed"});
  MeasureSettings settings;
  if (entry.has("budgetSeconds")) settings.budgetSeconds = entry["budgetSeconds"].number(0.1, 1e6);
  if (entry.has("minimumSamples"))
    settings.minimumSamples = static_cast<int>(entry["minimumSamples"].integer(5, 100'000));
  if (entry.has("maximumSamples"))
    settings.maximumSamples = static_cast<int>(entry["maximumSamples"].integer(5, 100'000));
  if (settings.maximumSamples < settings.minimumSamples)
    entry.fail(fmt::format("maximumSamples ({}) is below minimumSamples ({}); swap them",
                           settings.maximumSamples, settings.minimumSamples));
  if (entry.has("precision")) settings.precision = entry["precision"].number(1e-4, 1);
  if (entry.has("compileRepeats"))
    settings.compileRepeats = static_cast<int>(entry["compileRepeats"].integer(0, 1000));
  if (entry.has("seed"))
    settings.seed = static_cast<std::uint64_t>(
        entry["seed"].integer(0, std::numeric_limits<std::int64_t>::max()));
  return settings;
}

void checkHeader(const JsonReader& root) {
  if (!root.json().is_object())
    root.fail("an experiment is an object {...}; this is something else");
  if (!root.has("fusebench"))
    root.fail("this is no Fusebench file; an experiment starts with \"fusebench\": \"experiment\"");
  if (const std::string kind = root["fusebench"].string(); kind != "experiment")
    root["fusebench"].fail(
        fmt::format("this is a file of kind \"{}\"; an \"experiment\" is needed", kind));
  if (root.has("version")) root["version"].integer(1, 1);
}

Experiment readExperiment(const JsonReader& root) {
  checkHeader(root);
  root.expectObject(
      {"fusebench", "version", "title", "program", "inputs", "variants", "baseline", "axes"},
      {"question", "note", "lesson", "reference", "measure"});
  Experiment experiment;
  experiment.title = root["title"].name();
  experiment.question = textOr(root, "question");
  experiment.note = textOr(root, "note");
  experiment.lesson = textOr(root, "lesson");
  experiment.reference = textOr(root, "reference");
  experiment.programText = programText(root["program"]);
  experiment.program = readProgram(root["program"], experiment.programText);

  const JsonReader inputs = root["inputs"], variants = root["variants"], axes = root["axes"];
  inputs.expectArray(1, 100, "input sets");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    experiment.inputSets.push_back(readInputSet(inputs[i]));
  const std::string onlySet = inputs.size() == 1 ? experiment.inputSets[0].name : "";
  variants.expectArray(1, 100, "variants");
  for (std::size_t i = 0; i < variants.size(); ++i)
    experiment.variants.push_back(readVariant(variants[i], onlySet));
  experiment.baseline = root["baseline"].string();
  axes.expectArray(1, 2, "axes");
  for (std::size_t i = 0; i < axes.size(); ++i) experiment.axes.push_back(readAxis(axes[i]));
  if (root.has("measure")) experiment.measure = readMeasure(root["measure"]);
  checkExperiment(experiment, root);

  // The program's inputs in its own order, whatever the file's.
  for (InputSet& set : experiment.inputSets) {
    std::vector<InputSpec> ordered;
    for (const std::string& name : experiment.program.inputs)
      for (const InputSpec& spec : set.inputs)
        if (spec.name == name) ordered.push_back(spec);
    set.inputs = std::move(ordered);
  }
  return experiment;
}

}  // namespace

Experiment parseExperiment(std::string_view json, std::string_view file) {
  const JsonDocument document(json, file);
  return readExperiment(JsonReader(document));
}

Experiment loadExperiment(const std::string& path) {
  return parseExperiment(readFile(path), path);
}

}  // namespace fusebench
