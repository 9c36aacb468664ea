// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/recorded_times.h"

#include <algorithm>

#include "profiler/analysis/module_times.h"
#include "profiler/experiment/module_origins.h"
#include "ui/models/base/as_index.h"

namespace fusebench {

std::vector<double> recordedTimes(const Run* run, const Experiment& shown, int variant) {
  if (!run || variant < 0 || at(variant) >= shown.variants.size()) return {};
  const Variant& wanted = shown.variants[at(variant)];
  // The canvas shows the first program.
  if (run->experiment.programText != shown.programText || programNumber(shown, wanted) != 0)
    return {};
  const auto& variants = run->experiment.variants;
  const auto same = std::ranges::find(variants, wanted.name, &Variant::name);
  if (same == variants.end() || programNumber(run->experiment, *same) != 0) return {};
  const Cell* largest = nullptr;
  for (const Cell& cell : run->cells)
    if (cell.key.variant == same - variants.begin() && cell.anatomy &&
        (!largest || cell.key.at > largest->key.at))
      largest = &cell;
  return largest ? statementTimes(*run, *largest) : std::vector<double>();
}

}  // namespace fusebench
