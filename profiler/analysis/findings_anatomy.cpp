// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about where a call's time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

/// The parts of a recorded call must come near what the same calls take with no marks.
constexpr double kFarFromUntraced = 0.2;
/// Parts of less are not worth a word.
constexpr double kSmallShare = 0.05;

const Cell* cellAtTheEnd(const Context& context, int variant) {
  const Cell* last = nullptr;
  for (const Cell& cell : context.run.cells)
    if (cell.key.variant == variant && cell.key.at[0] == context.axis().values.back() &&
        inSlice(context.run, cell, context.slice))
      last = &cell;
  return last;
}

/// Whether marks were made of the calls that are timed, and not of something slower.
bool addsUp(const CallAnatomy& anatomy) {
  const double untraced = anatomy.untracedNanoseconds;
  return untraced > 0 && std::abs(anatomy.total() / untraced - 1) <= kFarFromUntraced;
}

/// The anatomy of a call whose kernels the host runs.
const CallAnatomy* hostAnatomy(const Context& context, int variant) {
  const Cell* cell = cellAtTheEnd(context, variant);
  if (!cell || !cell->anatomy || cell->anatomy->launches.empty()) return nullptr;
  if (cell->hasDeviceTimes() || cell->anatomy->device) return nullptr;
  return addsUp(*cell->anatomy) ? &*cell->anatomy : nullptr;
}

/// The anatomy of a call whose kernels a device runs, where that is known and fits the call.
const CallAnatomy* deviceSide(const Context& context, int variant) {
  const Cell* cell = cellAtTheEnd(context, variant);
  if (!cell || !cell->anatomy || !cell->anatomy->device) return nullptr;
  const CallAnatomy& anatomy = *cell->anatomy;
  const double kernels = anatomy.device->of(DevicePart::kernels);
  const bool fit = kernels > 0 && kernels <= anatomy.untracedNanoseconds;
  return fit && addsUp(anatomy) ? &anatomy : nullptr;
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
    texts.push_back(fmt::format("{} {}", saidAs("part", part), percent(share)));
  return wording::list(texts);
}

/// "its 30 kernels take 31 µs"
std::string kernelsTake(std::size_t count, double time) {
  return count == 1 ? saying("its one kernel takes {}", wording::time(time))
                    : saying("its {} kernels take {}", count, wording::time(time));
}

/// "one kernel of 12 µs", "30 kernels of 31 µs together"
std::string kernelsOfTogether(std::size_t count, double time) {
  return count == 1 ? saying("one kernel of {}", wording::time(time))
                    : saying("{} kernels of {} together", count, wording::time(time));
}

/// The variant other than the baseline with the least time besides its kernels, which shows what
/// fusing removes; -1: none has an anatomy. `besides`: that time of a variant, if known.
template <typename Besides>
int leastBesides(const Context& context, Besides&& besides) {
  int best = -1;
  double least = 0;
  for (int v = 0; v < static_cast<int>(context.run.experiment.variants.size()); ++v) {
    const std::optional<double> time = v == context.baseline ? std::nullopt : besides(v);
    if (!time || (best >= 0 && *time >= least)) continue;
    best = v;
    least = *time;
  }
  return best;
}

Finding findingOf(const Context& context, const std::string& headline, std::string text) {
  return {Finding::Kind::anatomy,
          context.baseline,
          saying("{}: {}", context.name(context.baseline), headline),
          std::move(text),
          Metric::latency,
          static_cast<double>(context.axis().values.back())};
}

std::string farEnd(const Context& context) {
  return wording::at(context.axis(), static_cast<double>(context.axis().values.back())) +
         context.held();
}

/// Where the host runs the kernels, the rest of the call is overhead.
Finding hostFinding(const Context& context, const CallAnatomy& baseline) {
  const auto besides = [](const CallAnatomy& a) { return a.total() - a.of(CallPart::kernel); };
  const double overhead = besides(baseline) / baseline.total();
  const std::string parts = overheads(baseline);
  std::string text = saying("A call takes {} at {}, of which {} is overhead{}; {}.",
                            wording::time(baseline.total()), farEnd(context), percent(overhead),
                            parts.empty() ? "" : ": " + parts,
                            kernelsTake(baseline.launches.size(), baseline.of(CallPart::kernel)));
  const int best = leastBesides(context, [&](int v) -> std::optional<double> {
    const CallAnatomy* other = hostAnatomy(context, v);
    return other ? std::optional(besides(*other)) : std::nullopt;
  });
  if (best >= 0) {
    const CallAnatomy& other = *hostAnatomy(context, best);
    text += saying(" {} spends {} besides {}.", context.name(best), wording::time(besides(other)),
                   kernelsOfTogether(other.launches.size(), other.of(CallPart::kernel)));
  }
  return findingOf(context, saying("{} overhead", percent(overhead)), std::move(text));
}

/// "; in a row, W, a call takes 90 µs, of which 34% are kernels": where calls overlap, the host's
/// part hides behind the device's or the other way round.
std::string inARow(const Context& context, double kernels) {
  const Cell* cell = cellAtTheEnd(context, context.baseline);
  if (context.run.experiment.measure.flushes() || cell->samples.empty()) return "";
  const double wall = cell->latency().value;
  if (!(wall >= kernels)) return "";
  return saying(" Pipelined, a call takes {}; kernels run for {} of it.", wording::time(wall),
                percent(kernels / wall));
}

/// For a device that runs kernels asynchronously: the share of kernels in a synchronized call, and
/// what they wait for. Recording does not change the kernels' times but changes the rest, so the
/// text states which times are recorded.
Finding deviceFinding(const Context& context, const CallAnatomy& baseline) {
  const auto kernels = [](const CallAnatomy& a) { return a.device->of(DevicePart::kernels); };
  const auto besides = [&](const CallAnatomy& a) { return a.untracedNanoseconds - kernels(a); };
  const auto count = [](const CallAnatomy& a) {
    return static_cast<std::size_t>(a.device->executions);
  };
  const DeviceAnatomy& device = *baseline.device;
  const double without = besides(baseline) / baseline.untracedNanoseconds;
  std::string text =
      saying("A synchronized call at {} takes {}; {}, so for {} of it no kernel runs.",
             farEnd(context), wording::time(baseline.untracedNanoseconds),
             kernelsTake(count(baseline), kernels(baseline)), percent(without));
  text += inARow(context, kernels(baseline));
  text += saying(" In the trace, the first kernel started {} after its launch call{}",
                 wording::time(device.of(DevicePart::delay)),
                 device.of(DevicePart::copies) > 0 ? saying(", not counting copies") : "");
  if (device.executions > 1)
    text += saying(", and the gaps between kernels were {} in total",
                   wording::time(device.of(DevicePart::gaps)));
  text += said(".");
  if (const std::string parts = overheads(baseline); !parts.empty())
    text += saying(" Host time: {}.", parts);
  const int best = leastBesides(context, [&](int v) -> std::optional<double> {
    const CallAnatomy* other = deviceSide(context, v);
    return other ? std::optional(besides(*other)) : std::nullopt;
  });
  if (best >= 0) {
    const CallAnatomy& other = *deviceSide(context, best);
    text += saying(" {} spends {} besides {}.", context.name(best), wording::time(besides(other)),
                   kernelsOfTogether(count(other), kernels(other)));
  }
  return findingOf(context, saying("no kernel runs for {} of a call", percent(without)),
                   std::move(text));
}

}  // namespace

Findings anatomies(const Context& context) {
  if (context.measuring) return {};
  if (const CallAnatomy* baseline = hostAnatomy(context, context.baseline))
    return {hostFinding(context, *baseline)};
  if (const CallAnatomy* baseline = deviceSide(context, context.baseline))
    return {deviceFinding(context, *baseline)};
  return {};
}

}  // namespace fusebench::findings
