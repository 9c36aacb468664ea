// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/reference_memo.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fusebench {

std::string ReferenceMemo::keyOf(const Experiment& experiment, const CellKey& cell,
                                 std::int64_t entry) {
  // All that an experiment says but for how this variant is called, drawn and executed: what is new
  // in one is then part of the key until somebody says that it changes no result.
  Experiment same = experiment;
  Variant variant = experiment.variants.at(static_cast<std::size_t>(cell.variant));
  variant.name = "any";
  variant.executor = Variant().executor;
  variant.against.clear();
  variant.series = 0;
  same.variants = {variant};
  same.baseline.clear();
  same.claims.clear();
  return fmt::format("{}\n{}\n{}", fmt::join(cell.at, " "), entry, toJson(same));
}

std::shared_ptr<const ReferenceMemo::Results> ReferenceMemo::find(const std::string& key) const {
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  return found == kept_.end() ? nullptr : found->results;
}

std::shared_ptr<const ReferenceMemo::Results> ReferenceMemo::keep(const std::string& key,
                                                                  Results results) {
  std::size_t numbers = 0;
  for (const std::vector<ReferenceResult>& rank : results)
    for (const ReferenceResult& result : rank)
      numbers += result.value.values.size() + result.value.integers.size() + result.scale.size();
  auto made = std::make_shared<const Results>(std::move(results));
  kept_.push_back({key, made, numbers});
  numbers_ += numbers;
  while (numbers_ > kMostNumbers) {
    numbers_ -= kept_.front().numbers;
    kept_.pop_front();
  }
  return made;
}

}  // namespace fusebench
