// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/rank_options.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment_rules.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

std::optional<std::int64_t> axisAt(const Experiment& experiment, std::string_view name,
                                   const std::vector<std::int64_t>& at) {
  for (std::size_t a = 0; a < experiment.axes.size() && a < at.size(); ++a)
    if (experiment.axes[a].name == name) return at[a];
  return std::nullopt;
}

}  // namespace

int ranksAt(const Experiment& experiment, const Variant& variant,
            const std::vector<std::int64_t>& at) {
  return static_cast<int>(axisAt(experiment, "ranks", at).value_or(variant.ranks));
}

int ranksOf(const Experiment& experiment, const CellKey& key) {
  return ranksAt(experiment, experiment.variants.at(static_cast<std::size_t>(key.variant)), key.at);
}

std::optional<std::int64_t> bucketBytesOf(const std::string& buckets) {
  if (buckets == "end") return -1;
  if (buckets == "each") return 0;
  constexpr std::string_view kUnit = " KiB";
  if (!buckets.ends_with(kUnit)) return std::nullopt;
  std::int64_t kib = 0;
  const char* const end = buckets.data() + buckets.size() - kUnit.size();
  const auto [stop, error] = std::from_chars(buckets.data(), end, kib);
  if (error != std::errc() || stop != end || kib < 1 || kib > rules::kBucketKib.high)
    return std::nullopt;
  return kib * 1024;
}

std::string fileOfRank(const std::string& file, int rank) {
  return rank == 0 ? file : fmt::format("{}.rank{}", file, rank);
}

bool isHeld(const InputSpec& spec) {
  return spec.held || spec.initial;
}

Shape shareOf(const InputSpec& spec, const Shape& whole, const Variant& variant, int ranks) {
  if (ranks <= 1 || variant.weak || isHeld(spec) || whole.rank() == 0) return whole;
  if (whole[0] % ranks != 0)
    throw UnevenShare(
        saying("the {} rows of {} cannot be divided evenly among {} ranks; give it a multiple of "
               "{} rows, or set \"held\": true if every rank gets all of them",
               whole[0], shownName(spec.name), ranks, ranks));
  Shape share = whole;
  share[0] /= ranks;
  return share;
}

Experiment withRanks(Experiment experiment, int most) {
  if (most < 2 || most > rules::kRanks.high)
    throw InputError(saying("{} ranks: the number must be from 2 to {}", most, rules::kRanks.high));
  const auto axis = std::ranges::find(experiment.axes, "ranks", &Axis::name);
  if (axis != experiment.axes.end()) {
    std::erase_if(axis->values, [&](std::int64_t ranks) { return ranks > most; });
    if (axis->values.empty()) axis->values.push_back(1);
    for (std::int64_t next = 2 * axis->values.back(); next <= most; next *= 2)
      axis->values.push_back(next);
    if (axis->values.back() < most) axis->values.push_back(most);
    return experiment;
  }
  bool any = false;
  for (Variant& variant : experiment.variants)
    if (variant.ranks > 1) {
      variant.ranks = most;
      any = true;
    }
  if (!any)
    throw InputError(
        saying("this experiment has neither a ranks axis nor a variant with several ranks"));
  return experiment;
}

DataParallel parallelAt(const Experiment& experiment, const Variant& variant,
                        const std::vector<std::int64_t>& at, const Program& program) {
  DataParallel parallel;
  parallel.ranks = ranksAt(experiment, variant, at);
  if (parallel.ranks <= 1) return {};
  parallel.overlaps = variant.options.overlap;
  parallel.bucketBytes = bucketBytesOf(variant.buckets).value_or(-1);
  if (const auto kib = axisAt(experiment, "bucket", at)) parallel.bucketBytes = *kib * 1024;
  for (const InputSpec& spec : experiment.inputSet(variant.inputs).inputs)
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      if (spec.name == program.inputs[i] && isHeld(spec))
        parallel.shared.push_back(static_cast<int>(i));
  return parallel;
}

}  // namespace fusebench
