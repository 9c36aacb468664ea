// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment.h"

#include <algorithm>

#include "engine/base/saying.h"

namespace fusebench {

const InputSet& Experiment::inputSet(std::string_view wanted) const {
  for (const InputSet& set : inputSets)
    if (set.name == wanted) return set;
  throw InputError(saying("there is no input set \"{}\"", std::string(wanted)));
}

std::string_view name(Claim::Metric metric) {
  switch (metric) {
    case Claim::Metric::latency:
      return "latency";
    case Claim::Metric::peakBytes:
      return "peak_bytes";
    case Claim::Metric::latencyDifference:
      return "latency_difference";
    case Claim::Metric::breakEven:
      return "break_even";
  }
  return "?";
}

std::string_view name(Claim::Device device) {
  switch (device) {
    case Claim::Device::any:
      return "any";
    case Claim::Device::cpu:
      return "cpu";
    case Claim::Device::gpu:
      return "gpu";
  }
  return "?";
}

std::string_view name(Experiment::Shown shown) {
  switch (shown) {
    case Experiment::Shown::latency:
      return "latency";
    case Experiment::Shown::peakBytes:
      return "peak_bytes";
    case Experiment::Shown::bandwidth:
      return "bandwidth";
  }
  return {};
}

std::string_view name(Claim::Relation relation) {
  switch (relation) {
    case Claim::Relation::about:
      return "about";
    case Claim::Relation::atLeast:
      return "at least";
    case Claim::Relation::atMost:
      return "at most";
  }
  return "?";
}

namespace {

const NamedProgram* find(const std::vector<NamedProgram>& programs, std::string_view name) {
  for (const NamedProgram& each : programs)
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace

const Program& Experiment::programOf(const Variant& variant) const {
  const NamedProgram* const other = find(morePrograms, variant.program);
  return other ? other->program : program;
}

const std::string& Experiment::programTextOf(const Variant& variant) const {
  const NamedProgram* const other = find(morePrograms, variant.program);
  return other ? other->text : programText;
}

bool Experiment::isReadForSizes(const Variant& variant) const {
  const NamedProgram* const other = find(morePrograms, variant.program);
  return other ? other->readForSizes : readForSizes;
}

std::vector<std::string_view> Experiment::programNames() const {
  std::vector<std::string_view> names;
  if (!programName.empty()) names.push_back(programName);
  for (const NamedProgram& each : morePrograms) names.push_back(each.name);
  return names;
}

void Experiment::putFirst(std::string_view wanted) {
  for (NamedProgram& each : morePrograms) {
    if (each.name != wanted) continue;
    for (Variant& variant : variants)
      if (variant.program.empty()) variant.program = programName;
    std::swap(each.name, programName);
    std::swap(each.text, programText);
    std::swap(each.program, program);
    std::swap(each.readForSizes, readForSizes);
    if (capture) {
      const int number = static_cast<int>(&each - morePrograms.data()) + 1;
      for (CapturedModel::Node& node : capture->nodes)
        if (node.program == 0 || node.program == number) node.program = number - node.program;
    }
    return;
  }
}

bool Experiment::sweeps() const {
  return axes.size() != 1 || axes[0].name != "threads" ||
         axes[0].values != std::vector<std::int64_t>{1};
}

int Experiment::baselineIndex() const {
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == baseline) return static_cast<int>(i);
  return 0;
}

std::vector<CellKey> cells(const Experiment& experiment) {
  std::vector<CellKey> all;
  std::vector<std::vector<std::int64_t>> places = {{}};
  for (const Axis& axis : experiment.axes) {
    std::vector<std::vector<std::int64_t>> longer;
    for (const auto& place : places)
      for (const std::int64_t value : axis.values) {
        longer.push_back(place);
        longer.back().push_back(value);
      }
    places = std::move(longer);
  }
  for (const auto& place : places)
    for (std::size_t variant = 0; variant < experiment.variants.size(); ++variant)
      all.push_back({static_cast<int>(variant), place});
  return all;
}

std::optional<std::size_t> indexOfCell(const Experiment& experiment, const CellKey& key) {
  const std::size_t variants = experiment.variants.size();
  if (key.variant < 0 || static_cast<std::size_t>(key.variant) >= variants ||
      key.at.size() != experiment.axes.size())
    return {};
  std::size_t place = 0;
  for (std::size_t a = 0; a < key.at.size(); ++a) {
    const auto& values = experiment.axes[a].values;
    const auto found = std::find(values.begin(), values.end(), key.at[a]);
    if (found == values.end()) return {};
    place = place * values.size() + static_cast<std::size_t>(found - values.begin());
  }
  return place * variants + static_cast<std::size_t>(key.variant);
}

}  // namespace fusebench
