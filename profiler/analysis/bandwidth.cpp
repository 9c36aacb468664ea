// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/bandwidth.h"

#include <algorithm>
#include <string>

#include "engine/base/saying.h"
#include "profiler/analysis/loader_figures.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"

namespace fusebench {

std::optional<double> movedBytesOf(const Run& run, const Cell& cell) {
  if (const auto brought = broughtBytesOf(run, cell)) return brought;
  return cell.bytesMoved && *cell.bytesMoved > 0 ? cell.bytesMoved : std::nullopt;
}

Estimate bandwidthOf(double bytes, const Estimate& nanoseconds) {
  constexpr double kNanoseconds = 1e9;  // in a second
  const auto of = [&](double time) { return kNanoseconds * bytes / time; };
  return {of(nanoseconds.value), of(nanoseconds.high), of(nanoseconds.low), nanoseconds.kind};
}

std::optional<Estimate> bandwidthOf(const Run& run, const Cell& cell) {
  const auto bytes = movedBytesOf(run, cell);
  if (!bytes || cell.samples.empty()) return std::nullopt;
  const Estimate latency = cell.latency();
  if (!(latency.low > 0)) return std::nullopt;
  return bandwidthOf(*bytes, latency);
}

bool sameBytesAsBaseline(const Run& run, const Cell& cell) {
  const Cell* const baseline = baselineOf(run, cell);
  return !baseline ||
         broughtBytesOf(run, *baseline).has_value() == broughtBytesOf(run, cell).has_value();
}

namespace {

/// Whether any call of the variant has its bytes counted.
bool counted(const Run& perByte, const std::string& variant) {
  return std::ranges::any_of(perByte.cells, [&](const Cell& cell) {
    const auto index = static_cast<std::size_t>(cell.key.variant);
    return !cell.samples.empty() && perByte.experiment.variants[index].name == variant;
  });
}

}  // namespace

Run timesPerByte(const Run& given) {
  Run run = given;
  for (Cell& cell : run.cells) {
    const auto bytes = sameBytesAsBaseline(given, cell) ? movedBytesOf(given, cell) : std::nullopt;
    cell.firstCompiles.clear();
    cell.diskCompile.reset();
    cell.memoryCompile.reset();
    if (!bytes) {
      cell.samples.clear();
      continue;
    }
    for (Sample& sample : cell.samples) {
      sample.nanoseconds /= *bytes;
      sample.device.reset();
      sample.ranks.clear();
    }
  }
  return run;
}

Estimate bandwidthRatioOf(const Run& perByte, const Cell& cell) {
  return speedUpOf(perByte, cell).value_or(Estimate{});
}

std::vector<Crossing> bandwidthCrossings(const Run& perByte) {
  std::vector<Crossing> crossings = findCrossings(perByte);
  std::erase_if(crossings, [&](const Crossing& each) {
    return each.kind != Crossing::Kind::breakEven || !counted(perByte, each.variant) ||
           !counted(perByte, each.baseline);
  });
  for (Crossing& each : crossings) each.ofBandwidth = true;
  return crossings;
}

std::string bandwidthSentence(const Crossing& crossing, const std::string& unit) {
  const std::string &variant = crossing.variant, &baseline = crossing.baseline;
  const std::string held = heldText(crossing);
  switch (crossing.status) {
    case CrossingStatus::always:
      return saying("{} has a higher bandwidth than {} at all points{}", variant, baseline, held);
    case CrossingStatus::never:
      return saying("{} does not have a higher bandwidth than {}{} at any point", variant, baseline,
                    held);
    case CrossingStatus::undefined:
      return saying("these samples do not show whether {} has a higher bandwidth than {}{}",
                    variant, baseline, held);
    case CrossingStatus::found:
      break;
  }
  const std::string interval =
      crossing.fromTie ? "; " + aroundTie(crossing)
      : crossing.high > crossing.low
          ? saying(" ({} to {})", wording::number(crossing.low), wording::number(crossing.high))
          : std::string();
  return crossing.backwards
             ? saying("{} has a lower bandwidth than {}{} at {} or more {}{}", variant, baseline,
                      held, wording::number(crossing.at), said(unit), interval)
             : saying("{} has a higher bandwidth than {}{} at {} or more {}{}", variant, baseline,
                      held, wording::number(crossing.at), said(unit), interval);
}

}  // namespace fusebench
