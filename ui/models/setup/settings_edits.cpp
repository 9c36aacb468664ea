// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/settings_edits.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_parameters.h"
#include "profiler/experiment/gradient_options.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/document_model.h"

namespace fusebench {
namespace {

constexpr std::int64_t kEntriesTried = 1000;

template <typename Items>
auto at(Items& items, std::size_t index) {
  return items.begin() + static_cast<std::ptrdiff_t>(index);
}

bool isWord(const std::string& name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

void addVariant(Experiment& experiment) {
  if (!experiment.variants.empty())
    return duplicateVariant(experiment, experiment.variants.size() - 1);
  Variant variant = DocumentModel::blank().variants.front();
  if (!experiment.inputSets.empty()) variant.inputs = experiment.inputSets.front().name;
  experiment.baseline = variant.name;
  experiment.variants.push_back(variant);
}

void addVariantOf(Experiment& experiment, const std::string& executor) {
  if (experiment.variants.empty()) addVariant(experiment);
  const auto like = static_cast<std::size_t>(std::max(experiment.baselineIndex(), 0));
  Variant variant = experiment.variants[like];
  variant.executor = executor;
  variant.name = freeName(experiment.variants, executor);
  variant.series = 0;
  variant.against.clear();
  variant.options = {};
  experiment.variants.push_back(std::move(variant));
}

void changeExecutor(Experiment& experiment, std::size_t index, const std::string& executor) {
  Variant& variant = experiment.variants[index];
  const std::string& before = variant.executor;
  const std::string rest = variant.name.starts_with(before + " ")
                               ? variant.name.substr(before.size() + 1)
                               : std::string();
  const bool follows =
      variant.name == before ||
      (!rest.empty() && std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c); }));
  const bool changes = executor != before;
  variant.executor = executor;
  if (!follows || !changes) return;
  auto others = experiment.variants;
  others.erase(at(others, index));
  renameVariant(experiment, index, freeName(others, executor));
}

void duplicateVariant(Experiment& experiment, std::size_t index) {
  Variant copy = experiment.variants[index];
  copy.name = freeName(experiment.variants, copy.name);
  copy.series = 0;  // two curves of one color would be confusing
  experiment.variants.insert(at(experiment.variants, index + 1), std::move(copy));
}

void removeVariant(Experiment& experiment, std::size_t index) {
  const std::string gone = experiment.variants[index].name;
  const bool baseline = gone == experiment.baseline;
  experiment.variants.erase(at(experiment.variants, index));
  if (baseline && !experiment.variants.empty())
    experiment.baseline = experiment.variants.front().name;
  for (Variant& variant : experiment.variants)
    if (variant.against == gone) variant.against.clear();
  std::erase_if(experiment.claims, [&](const Claim& claim) {
    return claim.variant == gone || claim.against == gone ||
           (claim.than && (claim.than->variant == gone || claim.than->against == gone));
  });
}

void renameVariant(Experiment& experiment, std::size_t index, const std::string& name) {
  std::string& now = experiment.variants[index].name;
  if (experiment.baseline == now) experiment.baseline = name;
  for (Variant& variant : experiment.variants)
    if (!now.empty() && variant.against == now) variant.against = name;
  for (Claim& claim : experiment.claims) {
    if (claim.variant == now) claim.variant = name;
    if (claim.against == now) claim.against = name;
    if (claim.than && claim.than->variant == now) claim.than->variant = name;
    if (claim.than && claim.than->against == now) claim.than->against = name;
  }
  now = name;
}

void moveVariant(Experiment& experiment, std::size_t from, std::size_t to) {
  Variant moved = std::move(experiment.variants[from]);
  experiment.variants.erase(at(experiment.variants, from));
  experiment.variants.insert(at(experiment.variants, std::min(to, experiment.variants.size())),
                             std::move(moved));
}

void addInputSet(Experiment& experiment) {
  if (!experiment.inputSets.empty())
    return duplicateInputSet(experiment, experiment.inputSets.size() - 1);
  InputSet set = DocumentModel::blank().inputSets.front();
  const InputSpec usual = set.inputs.front();
  set.inputs.clear();
  for (const std::string& input : experiment.program.inputs) {
    set.inputs.push_back(usual);
    set.inputs.back().name = input;
  }
  experiment.inputSets.push_back(std::move(set));
}

void duplicateInputSet(Experiment& experiment, std::size_t index) {
  InputSet copy = experiment.inputSets[index];
  copy.name = freeName(experiment.inputSets, copy.name);
  experiment.inputSets.insert(at(experiment.inputSets, index + 1), std::move(copy));
}

void removeInputSet(Experiment& experiment, std::size_t index) {
  const std::string name = experiment.inputSets[index].name;
  experiment.inputSets.erase(at(experiment.inputSets, index));
  if (experiment.inputSets.empty()) return;
  for (Variant& variant : experiment.variants)
    if (variant.inputs == name) variant.inputs = experiment.inputSets.front().name;
}

void renameInputSet(Experiment& experiment, std::size_t index, const std::string& name) {
  std::string& now = experiment.inputSets[index].name;
  const auto sharers = std::count_if(experiment.inputSets.begin(), experiment.inputSets.end(),
                                     [&](const InputSet& set) { return set.name == now; });
  if (sharers == 1)
    for (Variant& variant : experiment.variants)
      if (variant.inputs == now) variant.inputs = name;
  now = name;
}

void addAxis(Experiment& experiment) {
  for (const char* name : {"statements", "threads"}) {
    const bool there = std::any_of(experiment.axes.begin(), experiment.axes.end(),
                                   [&](const Axis& axis) { return axis.name == name; });
    if (!there) return addAxisNamed(experiment, name);
  }
}

void removeAxis(Experiment& experiment, std::size_t index) {
  releaseExtents(experiment, experiment.axes[index]);
  experiment.axes.erase(at(experiment.axes, index));
}

void swapAxes(Experiment& experiment) {
  if (experiment.axes.size() == 2) std::swap(experiment.axes[0], experiment.axes[1]);
}

void renameAxis(Experiment& experiment, std::size_t index, const std::string& name) {
  Axis& axis = experiment.axes[index];
  const std::string before = axis.name;
  if (axis.unit == before) axis.unit = name;
  axis.name = name;
  if (isBuiltInAxis(before) || isBuiltInAxis(name) || !isWord(name) || name == "i") return;
  for (InputSet& set : experiment.inputSets)
    for (InputSpec& spec : set.inputs)
      for (std::string& extent : spec.extents) extent = withName(extent, before, name);
}

QStringList axisNames(const Experiment& experiment) {
  QStringList names = {QStringLiteral("statements"), QStringLiteral("threads"),
                       QStringLiteral("ranks"), QStringLiteral("bucket")};
  for (const char* of : {"segment", "budget"})  // where variants have what they are about
    if (checkpointAxisOf(experiment, of)) names.push_back(QString::fromLatin1(of));
  const auto add = [&](const std::string& name) {
    if (const QString text = QString::fromStdString(name); !names.contains(text) && name != "i")
      names.push_back(text);
  };
  for (const std::string& parameter : numberParameters(experiment.programText)) add(parameter);
  for (const InputSet& set : experiment.inputSets)
    for (const InputSpec& spec : set.inputs)
      for (const std::string& extent : spec.extents) {
        std::string word;
        for (const char c : extent + ' ')
          if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += c;
          } else {
            if (isWord(word)) add(word);
            word.clear();
          }
      }
  for (const char* usual : {"elements", "batch"}) add(usual);
  return names;
}

QString shapePreview(const Experiment& experiment, const InputSet& set, const InputSpec& spec,
                     std::size_t most) {
  std::vector<std::int64_t> place;
  for (const Axis& axis : experiment.axes) {
    if (axis.values.empty()) return {};
    place.push_back(axis.values.front());
  }
  if (spec.extents.size() > static_cast<std::size_t>(kMaxRank)) return {};
  QStringList shapes;
  try {
    for (std::int64_t i = 0; i < std::min<std::int64_t>(set.count, kEntriesTried); ++i) {
      const QString shape =
          QString::fromStdString(toString(shapeOf(spec, bindingsFor(experiment, place, i))));
      if (shapes.contains(shape)) continue;
      if (shapes.size() == static_cast<qsizetype>(most))
        return shapes.join(u' ') + QStringLiteral(" …");
      shapes.push_back(shape);
    }
  } catch (const InputError&) {
    return {};
  }
  return shapes.join(u' ');
}

}  // namespace fusebench
