// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about quantized layers: what they lose, and why bytes are slower where they are.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// Whether the processor that was measured has products of int8; nothing where that is not known.
std::optional<bool> hasByteProducts(const Run& run) {
  if (run.device != "cpu" || !run.environment.is_object()) return std::nullopt;
  const nlohmann::json::json_pointer place("/cpu/narrow/VNNI");
  if (!run.environment.contains(place) || !run.environment.at(place).is_boolean())
    return std::nullopt;
  return run.environment.at(place).get<bool>();
}

/// The last place at which both were measured; null: there is none.
const Cell* lastOf(const Context& context, int variant, int against) {
  const Cell* last = nullptr;
  for (const Cell* cell : context.curves[static_cast<std::size_t>(variant)].cells)
    if (const Cell* const other = context.run.find({against, cell->key.at});
        other && !other->samples.empty())
      last = cell;
  return last;
}

/// Why bytes take longer than floats at this place.
std::string whySlower(const Context& context, const Cell& cell, const Cell& against) {
  if (hasByteProducts(context.run) == std::optional(false))
    return saying(
        "This processor has no VNNI. Fusebench's int8 kernels for AVX2 multiply pairs of int16 "
        "(vpmaddwd), so that sums are exact; they reach at most about twice float32's rate, and "
        "quantizing and converting back cost extra. With VNNI or AMX (see fusebench-cli doctor) "
        "one instruction does four times float32's multiplications.");
  std::string text = saying(
      "The matmuls themselves are cheaper in int8, but the rest is not free: ranges, quantized "
      "values and the conversion to float32 for each layer");
  if (cell.launches && against.launches)
    text += saying(" ({} launches per call instead of {})", wording::number(cell.launches->mean),
                   wording::number(against.launches->mean));
  return text + saying(". Wider layers and static ranges change this.");
}

std::optional<Finding> slower(const Context& context, int variant) {
  const auto against = context.run.experiment.baselineOf(variant);
  if (!against) return std::nullopt;
  const Cell* const cell = lastOf(context, variant, *against);
  if (!cell) return std::nullopt;
  const Cell& other = *context.run.find({*against, cell->key.at});
  const auto ratio = speedUpOver(other, *cell);
  if (!ratio || ratio->kind != Estimate::Kind::interval || !(ratio->high < 1)) return std::nullopt;
  const auto place = static_cast<double>(cell->key.at[0]);
  Finding finding{Finding::Kind::comparability, variant, {}, {}, Metric::latency, place};
  finding.headline = saying("{}: int8 is not faster", context.name(variant));
  finding.text = saying("At {}{}, {} is {} as fast as {}. {}", wording::at(context.axis(), place),
                        context.held(), context.name(variant), wording::ratio(ratio->value),
                        context.name(*against), whySlower(context, *cell, other));
  return finding;
}

std::optional<Finding> lost(const Context& context, int variant) {
  const Cell* worst = nullptr;
  for (const Cell* cell : context.curves[static_cast<std::size_t>(variant)].cells)
    if (cell->accuracy && cell->accuracy->relative > 0 &&
        (!worst || cell->accuracy->relative > worst->accuracy->relative))
      worst = cell;
  if (!worst || !std::isfinite(worst->accuracy->relative)) return std::nullopt;
  const Accuracy& accuracy = *worst->accuracy;
  const auto place = static_cast<double>(worst->key.at[0]);
  Finding finding{Finding::Kind::accuracy, variant, {}, {}, Metric::error, place};
  finding.headline =
      saying("{}: {:.0f} dB", context.name(variant), -20 * std::log10(accuracy.relative));
  finding.text = saying(
      "The results of {} have a relative error of {:.1e} (root mean square), which is {:.1f} dB "
      "below the exact ones, at {}{}.",
      context.name(variant), accuracy.relative, -20 * std::log10(accuracy.relative),
      wording::at(context.axis(), place), context.held());
  if (accuracy.sameClass)
    finding.text +=
        saying(" In {}% of the rows, the largest element is the same one as in the exact results.",
               wording::number(100 * *accuracy.sameClass));
  return finding;
}

}  // namespace

Findings quantizing(const Context& context) {
  Findings findings;
  if (context.measuring) return findings;
  for (std::size_t v = 0; v < context.run.experiment.variants.size(); ++v) {
    const std::string& how = context.run.experiment.variants[v].quantize;
    if (how.empty()) continue;
    const int variant = static_cast<int>(v);
    if (auto one = lost(context, variant)) findings.push_back(std::move(*one));
    if (!how.ends_with("int8")) continue;
    if (auto one = slower(context, variant)) findings.push_back(std::move(*one));
  }
  return findings;
}

}  // namespace fusebench::findings
