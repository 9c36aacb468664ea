// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about where a call's time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profiler/findings_parts.h"
#include "profiler/wording.h"

namespace fusebench::findings {
namespace {

/// The parts of a recorded call must come near what the same calls take with no marks.
constexpr double kFarFromUntraced = 0.2;
/// Parts of less are not worth a word.
constexpr double kSmallShare = 0.05;

const CallAnatomy* anatomyAtTheEnd(const Context& context, int variant) {
  const Cell* last = nullptr;
  for (const Cell& cell : context.run.cells)
    if (cell.key.variant == variant && cell.key.at[0] == context.axis().values.back() &&
        inSlice(context.run, cell, context.slice))
      last = &cell;
  if (!last || !last->anatomy || last->anatomy->launches.empty()) return nullptr;
  const CallAnatomy& anatomy = *last->anatomy;
  const double untraced = anatomy.untracedNanoseconds;
  if (!(untraced > 0) || std::abs(anatomy.total() / untraced - 1) > kFarFromUntraced)
    return nullptr;
  return &anatomy;
}

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

/// "allocate 30%, launch 14% and dispatch 14%": what is not kernels, the largest first.
std::string overheads(const CallAnatomy& anatomy) {
  std::vector<std::pair<double, std::string_view>> parts;
  for (std::size_t i = 0; i < kCallParts; ++i) {
    const auto part = static_cast<CallPart>(i);
    const double share = anatomy.of(part) / anatomy.total();
    if (part != CallPart::kernel && share >= kSmallShare) parts.emplace_back(share, name(part));
  }
  std::sort(parts.rbegin(), parts.rend());
  std::vector<std::string> texts;
  for (const auto& [share, part] : parts)
    texts.push_back(fmt::format("{} {}", part, percent(share)));
  return wording::list(texts);
}

std::string kernels(const CallAnatomy& anatomy) {
  const std::size_t count = anatomy.launches.size();
  return fmt::format("{} kernel{} {} {}", count == 1 ? "its one" : fmt::format("its {}", count),
                     count == 1 ? "" : "s", count == 1 ? "takes" : "take",
                     wording::time(anatomy.of(CallPart::kernel)));
}

}  // namespace

Findings anatomies(const Context& context) {
  if (context.measuring) return {};
  const CallAnatomy* baseline = anatomyAtTheEnd(context, context.baseline);
  if (!baseline) return {};
  const auto end = static_cast<double>(context.axis().values.back());
  const double overhead = 1 - baseline->of(CallPart::kernel) / baseline->total();
  const std::string& named = context.name(context.baseline);
  const std::string parts = overheads(*baseline);
  std::string text =
      fmt::format("Of {} at {}{}, {} is not kernels{}; {}.", wording::time(baseline->total()),
                  wording::at(context.axis(), end), context.held(), percent(overhead),
                  parts.empty() ? "" : ": " + parts, kernels(*baseline));
  // The one that leaves the least around its kernels shows what fusing takes away.
  const CallAnatomy* best = nullptr;
  int which = -1;
  for (std::size_t v = 0; v < context.run.experiment.variants.size(); ++v) {
    if (static_cast<int>(v) == context.baseline) continue;
    const CallAnatomy* other = anatomyAtTheEnd(context, static_cast<int>(v));
    if (!other) continue;
    const auto around = [](const CallAnatomy& a) { return a.total() - a.of(CallPart::kernel); };
    if (best && around(*other) >= around(*best)) continue;
    best = other;
    which = static_cast<int>(v);
  }
  if (best)
    text += fmt::format(" In {} {} is left around {}.", context.name(which),
                        wording::time(best->total() - best->of(CallPart::kernel)),
                        best->launches.size() == 1
                            ? "one kernel of " + wording::time(best->of(CallPart::kernel))
                            : fmt::format("{} kernels of together {}", best->launches.size(),
                                          wording::time(best->of(CallPart::kernel))));
  return {{Finding::Kind::anatomy, context.baseline,
           fmt::format("{}: {} overhead", named, percent(overhead)), std::move(text),
           Metric::latency, end}};
}

}  // namespace fusebench::findings
