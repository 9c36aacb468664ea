// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {

std::optional<int> Experiment::baselineOf(int variant) const {
  const Variant& own = variants.at(static_cast<std::size_t>(variant));
  const auto other = [variant](std::size_t found) {
    return static_cast<int>(found) == variant ? std::nullopt
                                              : std::optional(static_cast<int>(found));
  };
  if (!own.against.empty())
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (variants[i].name == own.against) return other(i);
  const int usual = baselineIndex();
  if (variant == usual) return std::nullopt;
  if (own.executor == kTorchEager || !runsInTorch(own.executor)) return usual;
  if (runsInTorch(variants.at(static_cast<std::size_t>(usual)).executor)) return usual;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].executor == kTorchEager && variants[i].threads == own.threads &&
        variants[i].inputs == own.inputs)
      return other(i);
  return usual;
}

}  // namespace fusebench
