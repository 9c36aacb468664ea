// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/storages/storage_subject.h"

#include <QCoreApplication>
#include <algorithm>

#include "profiler/experiment/variant_executors.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

std::vector<int> memoryVariants(const Experiment& experiment) {
  std::vector<int> own;
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (!runsInTorch(experiment.variants[v].executor)) own.push_back(static_cast<int>(v));
  return own;
}

std::vector<int> memoryAtFirst(const Experiment& experiment) {
  std::vector<int> own = memoryVariants(experiment);
  if (own.empty()) return own;
  const auto variant = [&](int v) -> const Variant& {
    return experiment.variants[static_cast<std::size_t>(v)];
  };
  const auto baseline =
      std::ranges::find_if(own, [&](int v) { return variant(v).name == experiment.baseline; });
  const int above = baseline == own.end() ? own.front() : *baseline;
  const auto compiled = std::ranges::find_if(
      own, [&](int v) { return v != above && compilesPrograms(variant(v).executor); });
  const auto any = std::ranges::find_if(own, [&](int v) { return v != above; });
  if (any == own.end()) return {above};
  return {above, compiled == own.end() ? *any : *compiled};
}

QString storagesPlace(const CodeListing& listing) {
  if (listing.inputs.empty()) return {};
  return uiText(
             "One call with %1, according to its plan; memory that a library uses internally is "
             "not included.")
      .arg(QString::fromStdString(listing.inputs));
}

}  // namespace fusebench
