// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/axis_choice.h"

#include <QStringList>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_parameters.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/document_tensors.h"

namespace fusebench {
namespace {

constexpr std::int64_t kFewestElements = 64, kMostElements = std::int64_t{1} << 20;
constexpr std::int64_t kShortChain = 5;  ///< statements below which a chain is swept past its end

/// Names with values of their own, where any other name says nothing of them.
bool usual(const std::string& axis) {
  return isBuiltInAxis(axis) || axis == "elements" || axis == "batch";
}

std::optional<std::int64_t> wholeNumber(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// Elements in one row of a tensor: its extents but the first. Nothing if they are not numbers.
std::optional<std::int64_t> rowSize(const InputSpec& spec) {
  std::int64_t size = 1;
  for (std::size_t i = 1; i < spec.extents.size(); ++i) {
    const auto extent = wholeNumber(spec.extents[i]);
    if (!extent || *extent < 1 || *extent > kMostElements) return std::nullopt;
    size *= *extent;
    if (size > kMostElements / 4) return std::nullopt;
  }
  return size;
}

std::vector<std::int64_t> sizesOf(std::int64_t row) {
  std::vector<std::int64_t> values;
  std::int64_t size = row;
  while (size < kFewestElements) size *= 4;
  for (; size <= kMostElements; size *= 4) values.push_back(size);
  return values;
}

std::vector<std::int64_t> valuesFor(const Experiment& experiment, const std::string& name) {
  if (name == "statements") return usualStatements(experiment.program);
  if (name == "threads") return {1, 2, 4};
  if (name == "ranks") return {1, 2};
  if (name == "bucket") return {0, 16, 64, 256, 1024};
  if (name == "segment") return {0, 1, 2, 5, 10};
  if (name == "budget") return {256, 512, 1024, 2048, 4096};
  if (name == "elements") return sizesOf(1);
  return {1, 2, 4, 8, 16, 32, 64, 128, 256};
}

/// Every tensor that begins as the set's first one does begins with `name` instead; in rows, where
/// elements are counted.
bool leadWith(Experiment& experiment, Axis& axis) {
  std::optional<std::int64_t> first;
  for (InputSet& set : experiment.inputSets) {
    if (set.inputs.empty() || set.inputs.front().extents.empty()) return false;
    const InputSpec lead = set.inputs.front();
    const auto row = axis.name == "elements" ? rowSize(lead) : std::optional<std::int64_t>(1);
    if (!row) return false;
    if (!first) first = row;
    for (InputSpec& spec : set.inputs)
      if (spec.extents.size() == lead.extents.size() && spec.extents[0] == lead.extents[0])
        spec.extents[0] = *row == 1 ? axis.name : axis.name + " // " + std::to_string(*row);
  }
  if (axis.name == "elements") axis.values = sizesOf(first.value_or(1));
  return first.has_value();
}

void flatten(Experiment& experiment, const Axis& axis) {
  for (InputSet& set : experiment.inputSets)
    for (InputSpec& spec : set.inputs) spec.extents = {axis.name};
}

/// The inputs take their size from the axis. Their shapes stay as far as the program allows.
void letDepend(Experiment& experiment, std::size_t index) {
  const Experiment before = experiment;
  if (!leadWith(experiment, experiment.axes[index]) || !problemsOf(experiment).empty()) {
    Experiment flat = before;
    flatten(flat, flat.axes[index]);
    // If neither fits, the shapes that are nearest to what was written stay.
    if (problemsOf(flat).empty() || !dependsOn(experiment, experiment.axes[index].name))
      experiment = std::move(flat);
  }
  // Large tensors need only one entry, because each sample runs over all entries.
  if (experiment.axes[index].name == "elements")
    for (InputSet& set : experiment.inputSets) set.count = 1;
}

void sweep(Experiment& experiment, std::size_t index) {
  Axis& axis = experiment.axes[index];
  const std::string name = axis.name;
  const bool free = isBuiltInAxis(name) || dependsOn(experiment, name);
  if (!free || isBuiltInAxis(name) || axis.values.empty())
    axis.values = valuesFor(experiment, name);
  if (!free) letDepend(experiment, index);
}

}  // namespace

bool isBuiltInAxis(const std::string& axis) {
  for (const char* const own : {"statements", "threads", "ranks", "bucket", "segment", "budget"})
    if (axis == own) return true;
  return false;
}

std::string withName(const std::string& expression, const std::string& from,
                     const std::string& to) {
  std::string result, word;
  for (const char c : expression + '\0') {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    result += word == from ? to : word;
    word.clear();
    if (c != '\0') result += c;
  }
  return result;
}

std::vector<std::int64_t> usualStatements(const Program& program) {
  const auto length = static_cast<std::int64_t>(program.statements.size());
  if (length > 0 && length < kShortChain && program.isChain()) return {1, 5, 10, 15, 20, 25, 30};
  return statementValues(std::max<std::int64_t>(length, 1));
}

std::string secondAxisFor(const Experiment& experiment) {
  const bool elements = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                    [](const Axis& axis) { return axis.name == "elements"; });
  return elements ? "statements" : "elements";
}

void chooseAxis(Experiment& experiment, std::size_t index, const std::string& name) {
  Axis& axis = experiment.axes[index];
  const Axis before = axis;
  if (name == before.name) return;
  for (std::size_t other = 0; other < experiment.axes.size(); ++other)
    if (other != index && experiment.axes[other].name == name)
      return std::swap(experiment.axes[other], axis);
  if (axis.unit == before.name) axis.unit = name;
  axis.name = name;
  if (!isBuiltInAxis(before.name) && !usual(name) && name != "i" && !dependsOn(experiment, name)) {
    for (InputSet& set : experiment.inputSets)
      for (InputSpec& spec : set.inputs)
        for (std::string& extent : spec.extents) extent = withName(extent, before.name, name);
    if (dependsOn(experiment, name)) return;
  }
  releaseExtents(experiment, before);
  if (!name.empty() && name != "i") sweep(experiment, index);
}

void sweepSize(Experiment& experiment) {
  if (experiment.axes.empty()) return addAxisNamed(experiment, "elements");
  chooseAxis(experiment, 0, "elements");
}

void addAxisNamed(Experiment& experiment, const std::string& name) {
  experiment.axes.push_back({name, name, {}});
  sweep(experiment, experiment.axes.size() - 1);
}

void releaseExtents(Experiment& experiment, const Axis& axis) {
  if (isBuiltInAxis(axis.name) || axis.name.empty() || axis.values.empty()) return;
  const std::string value = std::to_string(axis.values[axis.values.size() / 2]);
  for (InputSet& set : experiment.inputSets)
    for (InputSpec& spec : set.inputs)
      for (std::string& extent : spec.extents) {
        if (!mentions(extent, axis.name)) continue;
        extent = withName(extent, axis.name, value);
        try {
          extent = std::to_string(evaluateExtent(extent, {}));
        } catch (const InputError&) {
          // It names something else, too.
        }
      }
}

QString followersOf(const Experiment& experiment, const std::string& axis) {
  QStringList found;
  for (const InputSet& set : experiment.inputSets)
    for (const InputSpec& spec : set.inputs) {
      if (std::none_of(spec.extents.begin(), spec.extents.end(),
                       [&](const std::string& extent) { return mentions(extent, axis); }))
        continue;
      QStringList extents;
      for (const std::string& extent : spec.extents) extents << QString::fromStdString(extent);
      const QString text =
          uiText("%1 is (%2), %3")
              .arg(QString::fromStdString(spec.name), extents.join(QStringLiteral(", ")),
                   set.count == 1 ? uiText("one tensor")
                                  : uiText("%1 tensors in turn").arg(set.count));
      if (!found.contains(text)) found << text;
    }
  return found.join(QStringLiteral("; "));
}

QString statementsRule(const Program& program) {
  const auto length = program.statements.size();
  if (length == 0 || program.isChain())
    return uiText("the first n statements, repeated if the program is a chain");
  return uiText(
             "this program branches: the first n of its %1 statements, each once. Values that they "
             "do not read are returned; its own return runs at %1 only")
      .arg(length);
}

}  // namespace fusebench
