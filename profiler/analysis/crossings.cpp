// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/crossings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "profiler/analysis/bootstrap.h"
#include "profiler/analysis/crossing_search.h"
#include "profiler/analysis/findings_line.h"

namespace fusebench {
namespace {

constexpr int kReplicates = 1000;
constexpr double kLevel = 0.05;  ///< of being wrong about where a pair of curves cross

int baselineOf(const Experiment& experiment) {
  return experiment.baselineIndex();
}

/// The cells of one variant along one axis, the other axis (if any) held.
std::vector<std::size_t> line(const Run& run, int variant, std::size_t axis,
                              const std::vector<std::int64_t>& held) {
  std::vector<std::size_t> found;
  for (const std::int64_t value : run.experiment.axes[axis].values) {
    CellKey key{variant, held};
    key.at.insert(key.at.begin() + static_cast<std::ptrdiff_t>(axis), value);
    if (const Cell* cell = run.find(key))
      found.push_back(static_cast<std::size_t>(cell - run.cells.data()));
  }
  return found;
}

/// What two cells say about which of them is faster; nothing while they have too few rounds in
/// common for an interval.
struct Evidence {
  int sign = 0;  ///< of baseline - variant; 0 where the interval of their ratio includes 1
  double p = 1;  ///< of the sign test
};
std::optional<Evidence> evidenceOf(const Cell& baseline, const Cell& variant) {
  const PairedSamples paired = pairByRound(baseline, variant);
  const Estimate ratio = pairedRatio(paired.first, paired.second);
  if (ratio.kind != Estimate::Kind::interval) return std::nullopt;
  std::vector<double> gains;
  for (std::size_t i = 0; i < paired.first.size(); ++i)
    gains.push_back(paired.first[i] - paired.second[i]);
  return Evidence{ratio.low > 1 ? 1 : ratio.high < 1 ? -1 : 0, signTest(gains)};
}

/// Median difference baseline - variant with its interval, paired by round where rounds are shared.
Estimate latencyGain(const Cell& baseline, const Cell& variant) {
  const PairedSamples paired = pairByRound(baseline, variant);
  std::vector<double> gains;
  for (std::size_t i = 0; i < paired.first.size(); ++i)
    gains.push_back(paired.first[i] - paired.second[i]);
  return medianInterval(gains);
}

/// How many times as fast as the baseline; paired by round where rounds are shared.
double speedUp(const Cell& baseline, const Cell& variant) {
  const PairedSamples paired = pairByRound(baseline, variant);
  if (paired.first.empty()) return baseline.latency().value / variant.latency().value;
  return pairedRatio(paired.first, paired.second).value;
}

std::vector<double> totals(const std::vector<CompileTimes>& compiles) {
  std::vector<double> all;
  for (const CompileTimes& times : compiles) all.push_back(static_cast<double>(times.total()));
  return all;
}

class RunCrossings {
 public:
  explicit RunCrossings(const Run& run)
      : run_(run), medians_(run.cells, kReplicates, run.experiment.measure.seed) {}

  std::vector<Crossing> all() {
    std::vector<Crossing> found;
    const auto variants = static_cast<int>(run_.experiment.variants.size());
    const std::size_t axes = run_.experiment.axes.size();
    for (int variant = 0; variant < variants; ++variant) {
      if (variant == baselineOf(run_.experiment)) continue;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        if (axes == 1) {
          append(found, breakEvens(variant, axis, {}));
          continue;
        }
        for (const std::int64_t held : run_.experiment.axes[1 - axis].values)
          append(found, breakEvens(variant, axis, {held}));
      }
    }
    for (int variant = 0; variant < variants; ++variant)
      if (variant != baselineOf(run_.experiment)) append(found, paybacks(variant));
    return found;
  }

 private:
  static void append(std::vector<Crossing>& to, std::vector<Crossing> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  void label(Crossing& crossing, int variant, Crossing::Kind kind, std::string along) const {
    crossing.variant = run_.experiment.variants[static_cast<std::size_t>(variant)].name;
    crossing.baseline = run_.experiment.baseline;
    crossing.kind = kind;
    crossing.along = std::move(along);
  }

  std::vector<Crossing> breakEvens(int variant, std::size_t axis,
                                   const std::vector<std::int64_t>& held) {
    const auto ours = line(run_, variant, axis, held);
    const auto theirs = line(run_, baselineOf(run_.experiment), axis, held);
    Line compared;
    std::vector<Evidence> evidence;
    std::vector<double> open;  // places where too little was measured as yet
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      const Cell &a = run_.cells[theirs[i]], &b = run_.cells[ours[i]];
      const auto place = static_cast<double>(b.key.at[axis]);
      const auto found = evidenceOf(a, b);
      if (!found) {
        const auto isOpen = [](const Cell& cell) {
          return cell.stop == Stop::running || !cell.samples.empty();
        };
        if (isOpen(a) && isOpen(b)) open.push_back(place);
        continue;
      }
      compared.x.push_back(place);
      compared.base.push_back(a.latency().value);
      compared.mine.push_back(b.latency().value);
      compared.ours.push_back(ours[i]);
      compared.theirs.push_back(theirs[i]);
      evidence.push_back(*found);
    }
    std::vector<Sign> signs;
    for (const Evidence& one : evidence)
      signs.push_back(
          {one.sign, one.p * static_cast<double>(evidence.size()) <= kLevel ? one.sign : 0});
    CrossingSearch search = searchCrossings({compared.x, compared.base, compared.mine}, signs);
    for (std::size_t k = 0; k < search.crossings.size(); ++k) {
      Crossing& crossing = search.crossings[k];
      label(crossing, variant, Crossing::Kind::breakEven, run_.experiment.axes[axis].name);
      crossing.cell = held;
      if (!compared.ours.empty())
        crossing.ratioAtStart =
            speedUp(run_.cells[compared.theirs[0]], run_.cells[compared.ours[0]]);
      if (crossing.status == CrossingStatus::found && !crossing.fromTie) {
        addInterval(crossing, search.brackets[k], compared);
        const Bracket bracket = search.brackets[k];
        if (std::any_of(open.begin(), open.end(), [&](double place) {
              return compared.x[bracket.first] < place && place < compared.x[bracket.last];
            }))
          crossing.status = CrossingStatus::undefined;  // the places between are still to come
      } else if (!open.empty()) {
        crossing.status = CrossingStatus::undefined;  // it would be about the whole axis
      }
    }
    return search.crossings;
  }

  /// Two curves at the places where both were measured.
  struct Line {
    std::vector<double> x, base, mine;
    std::vector<std::size_t> ours, theirs;  ///< cells
  };

  /// By the bootstrap over rounds: simulated, it covers the truth as often as it should from the
  /// fewest rounds on with which signs can be sure (crossings_test.cpp).
  void addInterval(Crossing& crossing, Bracket bracket, const Line& line) {
    std::vector<double> places;
    std::vector<double> base(line.x.size()), mine(line.x.size());
    for (int replicate = 0; replicate < kReplicates; ++replicate) {
      for (std::size_t i = bracket.first; i <= bracket.last; ++i) {
        base[i] = medians_.at(line.theirs[i], replicate);
        mine[i] = medians_.at(line.ours[i], replicate);
      }
      const double place = crossingWithin({line.x, base, mine}, bracket, !crossing.backwards);
      if (std::isfinite(place)) places.push_back(place);
    }
    const Percentiles interval = centralInterval(places);
    crossing.low = std::min(interval.low, crossing.at);
    crossing.high = std::max(interval.high, crossing.at);
    for (std::size_t i = bracket.first; i <= bracket.last; ++i)
      for (const std::size_t cell : {line.theirs[i], line.ours[i]})
        crossing.preliminary |= run_.cells[cell].stop == Stop::running;
  }

  std::vector<Crossing> paybacks(int variant) {
    std::vector<Crossing> found;
    for (std::size_t i = 0; i < run_.cells.size(); ++i) {
      if (run_.cells[i].key.variant != variant) continue;
      CellKey key = run_.cells[i].key;
      key.variant = baselineOf(run_.experiment);
      const Cell* baseline = run_.find(key);
      if (!baseline) continue;
      Crossing crossing;
      label(crossing, variant, Crossing::Kind::payback, "calls");
      crossing.cell = key.at;
      payback(crossing, *baseline, static_cast<std::size_t>(baseline - run_.cells.data()), i);
      found.push_back(std::move(crossing));
    }
    return found;
  }

  void payback(Crossing& crossing, const Cell& baseline, std::size_t theirs, std::size_t ours) {
    const Cell& mine = run_.cells[ours];
    const auto theirCompiles = totals(baseline.firstCompiles),
               ourCompiles = totals(mine.firstCompiles);
    const Estimate gain = latencyGain(baseline, mine);
    if (theirCompiles.empty() || ourCompiles.empty() || gain.kind == Estimate::Kind::none) return;
    crossing.ratioAtStart = speedUp(baseline, mine);
    if (gain.kind != Estimate::Kind::interval) return;  // too few samples to tell
    if (gain.low <= 0) {
      crossing.status = CrossingStatus::never;
      return;
    }
    const double cost = median(ourCompiles) - median(theirCompiles);
    if (cost <= 0) {
      crossing.status = CrossingStatus::always;
      return;
    }
    crossing.status = CrossingStatus::found;
    crossing.at = std::ceil(cost / (baseline.latency().value - mine.latency().value));
    std::vector<double> calls;
    Resampler theirResampler(theirCompiles, run_.experiment.measure.seed + 1);
    Resampler ourResampler(ourCompiles, run_.experiment.measure.seed + 2);
    for (int replicate = 0; replicate < kReplicates; ++replicate) {
      const double saved = medians_.at(theirs, replicate) - medians_.at(ours, replicate);
      const double paid = ourResampler.median() - theirResampler.median();
      if (saved > 0) calls.push_back(std::max(0.0, std::ceil(paid / saved)));
    }
    const Percentiles interval = centralInterval(calls);
    crossing.low = std::min(interval.low, crossing.at);
    crossing.high = std::max(interval.high, crossing.at);
  }

  const Run& run_;
  ResampledMedians medians_;
};

}  // namespace

std::string_view name(CrossingStatus status) {
  constexpr std::array<std::string_view, 4> kNames = {"found", "always", "never", "undefined"};
  return kNames[static_cast<std::size_t>(status)];
}

std::vector<Crossing> crossCurves(std::span<const double> x, std::span<const double> baseline,
                                  std::span<const double> variant) {
  std::vector<double> keptX, keptBase, keptVariant;
  std::vector<Sign> signs;
  for (std::size_t i = 0; i < x.size() && i < baseline.size() && i < variant.size(); ++i) {
    if (!std::isfinite(baseline[i]) || !std::isfinite(variant[i])) continue;
    keptX.push_back(x[i]);
    keptBase.push_back(baseline[i]);
    keptVariant.push_back(variant[i]);
    const int sign = baseline[i] > variant[i] ? 1 : baseline[i] < variant[i] ? -1 : 0;
    signs.push_back({sign, sign});
  }
  return searchCrossings({keptX, keptBase, keptVariant}, signs).crossings;
}

std::vector<Crossing> findCrossings(const Run& run) {
  return RunCrossings(run).all();
}

std::vector<Crossing> findCrossings(const Reference& reference) {
  const ReferenceCurve* baseline = nullptr;
  for (const ReferenceCurve& curve : reference.curves)
    if (curve.variant == reference.baseline) baseline = &curve;
  std::vector<Crossing> all;
  if (!baseline) return all;
  for (const ReferenceCurve& curve : reference.curves) {
    if (&curve == baseline) continue;
    std::vector<double> x, theirs, ours;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      for (std::size_t j = 0; j < baseline->x.size(); ++j)
        if (baseline->x[j] == curve.x[i]) {
          x.push_back(curve.x[i]);
          theirs.push_back(baseline->nanoseconds[j]);
          ours.push_back(curve.nanoseconds[i]);
        }
    for (Crossing& crossing : crossCurves(x, theirs, ours)) {
      crossing.variant = curve.variant;
      crossing.baseline = baseline->variant;
      crossing.along = reference.axis;
      all.push_back(std::move(crossing));
    }
  }
  return all;
}

std::vector<LaunchModel> launchModels(const Run& run) {
  std::vector<LaunchModel> models;
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
    std::vector<const Cell*> cells;
    for (const Cell& cell : run.cells)
      if (cell.key.variant == static_cast<int>(v) && cell.launches && !cell.samples.empty())
        cells.push_back(&cell);
    if (auto model = launchModel(run.experiment.variants[v].name, std::move(cells)))
      models.push_back(std::move(*model));
  }
  return models;
}

std::vector<LaunchModel> launchModels(const Reference& reference) {
  std::vector<LaunchModel> models;
  for (const ReferenceCurve& curve : reference.curves)
    if (const auto fit = fitLine(curve.x, curve.nanoseconds))
      models.push_back({curve.variant, *fit});
  return models;
}

}  // namespace fusebench
