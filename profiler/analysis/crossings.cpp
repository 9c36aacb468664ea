// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/crossings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "profiler/analysis/crossing_search.h"
#include "profiler/analysis/findings_line.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {
namespace {

constexpr double kLevel = 0.05;              ///< error probability for where a pair of curves cross
constexpr std::size_t kTellingCompiles = 5;  ///< an interval of a payback takes as many

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

/// The evidence of two cells about which of them is faster.
struct Evidence {
  PairedSamples paired;
  Estimate gain;  ///< ns that a call of the variant takes less: its sign and the place come from it
};
/// Nothing while they have too few rounds in common for an interval.
std::optional<Evidence> evidenceOf(const Cell& baseline, const Cell& variant) {
  Evidence evidence{pairByRound(baseline, variant), {}};
  evidence.gain = gainOf(evidence.paired);
  if (evidence.gain.kind != Estimate::Kind::interval) return std::nullopt;
  return evidence;
}

int signOf(const Estimate& gain) {
  if (gain.kind != Estimate::Kind::interval) return 0;
  return gain.low > 0 ? 1 : gain.high < 0 ? -1 : 0;
}

/// The speedup over the baseline; paired by round where rounds are shared.
double speedUp(const Cell& baseline, const Cell& variant) {
  const PairedSamples paired = pairByRound(baseline, variant);
  if (paired.first.empty()) return baseline.latency().value / variant.latency().value;
  return speedUpOf(paired).value;
}

/// 1 where every sample of the variant is below every one of the baseline, -1 above, else 0.
int signOfRanges(const Cell& baseline, const Cell& variant) {
  const std::vector<double> theirs = baseline.times(), ours = variant.times();
  if (theirs.empty() || ours.empty()) return 0;
  const auto [lowest, highest] = std::ranges::minmax(theirs);
  const auto [low, high] = std::ranges::minmax(ours);
  return high < lowest ? 1 : low > highest ? -1 : 0;
}

/// Where what is `from` at x0 and `to` at x1 is 0.
double zeroBetween(double x0, double from, double x1, double to, bool wide) {
  if (from == to) return x0;
  return placeBetween(x0, x1, std::clamp(from / (from - to), 0.0, 1.0), wide);
}

/// What is interpolated on a wide axis: the logarithm of the speedup, which has the gain's sign.
Estimate logarithmOf(const Estimate& speedUp) {
  return {std::log(speedUp.value), std::log(speedUp.low), std::log(speedUp.high), speedUp.kind};
}

/// The range in which the curves may cross: where the band between the ends of the gains'
/// intervals, joined by lines, contains 0. (A line between two ends is at least as wide as the
/// interval of the points between them, however the two depend on each other.) `gains` are those at
/// the places `x`, the variant getting ahead; on a wide axis, gains are logarithms.
Estimate crossingBand(std::span<const double> x, std::span<const Estimate> gains, bool wide) {
  Estimate band;
  band.low = x.front();
  band.high = x.back();
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if (gains[i + 1].high >= 0) {
      if (gains[i].high < 0)
        band.low = zeroBetween(x[i], gains[i].high, x[i + 1], gains[i + 1].high, wide);
      break;
    }
  for (std::size_t i = x.size() - 1; i > 0; --i)
    if (gains[i - 1].low <= 0) {
      if (gains[i].low > 0)
        band.high = zeroBetween(x[i - 1], gains[i - 1].low, x[i], gains[i].low, wide);
      break;
    }
  return band;
}

std::vector<double> totals(const std::vector<CompileTimes>& compiles) {
  std::vector<double> all;
  for (const CompileTimes& times : compiles) all.push_back(static_cast<double>(times.total()));
  return all;
}

class RunCrossings {
 public:
  explicit RunCrossings(const Run& run) : run_(run) {}

  std::vector<Crossing> all() {
    std::vector<Crossing> found;
    const auto variants = static_cast<int>(run_.experiment.variants.size());
    const std::size_t axes = run_.experiment.axes.size();
    for (int variant = 0; variant < variants; ++variant) {
      if (!isComparable(variant)) continue;
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
      if (isComparable(variant)) append(found, paybacks(variant));
    return found;
  }

 private:
  /// Whether it has a baseline, and both have times that something can be concluded from.
  bool isComparable(int variant) const {
    const auto baseline = baselineOf(variant);
    return baseline && std::ranges::all_of(run_.cells, [&](const Cell& cell) {
             return (cell.key.variant != variant && cell.key.variant != *baseline) ||
                    isModeled(cell);
           });
  }
  std::optional<int> baselineOf(int variant) const { return run_.experiment.baselineOf(variant); }

  static void append(std::vector<Crossing>& to, std::vector<Crossing> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  void label(Crossing& crossing, int variant, Crossing::Kind kind, std::string along) const {
    crossing.variant = run_.experiment.variants[static_cast<std::size_t>(variant)].name;
    crossing.baseline =
        run_.experiment.variants[static_cast<std::size_t>(*baselineOf(variant))].name;
    crossing.kind = kind;
    crossing.ofModel = run_.modelError().value_or(0) > 0;
    crossing.along = std::move(along);
  }

  std::vector<Crossing> breakEvens(int variant, std::size_t axis,
                                   const std::vector<std::int64_t>& held) {
    const auto ours = line(run_, variant, axis, held);
    const auto theirs = line(run_, *baselineOf(variant), axis, held);
    Line compared;
    const std::vector<std::int64_t>& places = run_.experiment.axes[axis].values;
    compared.wide = !places.empty() && isWideAxis(static_cast<double>(places.front()),
                                                  static_cast<double>(places.back()));
    std::vector<Evidence> evidence;
    std::vector<double> open;  // places where too little was measured as yet
    std::vector<double> fasterInAll, slowerInAll;
    std::size_t few = 0;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      const Cell &a = run_.cells[theirs[i]], &b = run_.cells[ours[i]];
      const auto place = static_cast<double>(b.key.at[axis]);
      auto found = evidenceOf(a, b);
      if (!found) {
        const auto isOpen = [](const Cell& cell) {
          return cell.stop == Stop::running || !cell.samples.empty();
        };
        if (isOpen(a) && isOpen(b)) open.push_back(place);
        few += !a.samples.empty() && !b.samples.empty();
        if (const int sign = signOfRanges(a, b); sign != 0)
          (sign > 0 ? fasterInAll : slowerInAll).push_back(place);
        continue;
      }
      compared.x.push_back(place);
      compared.gains.push_back(compared.wide ? logarithmOf(speedUpOf(found->paired)) : found->gain);
      compared.ours.push_back(ours[i]);
      compared.theirs.push_back(theirs[i]);
      evidence.push_back(std::move(*found));
    }
    std::vector<Sign> signs;
    std::vector<double> ahead;
    for (const Estimate& gain : compared.gains)
      ahead.push_back(compared.wide ? std::exp(-gain.value) : -gain.value);
    const double among = kLevel / static_cast<double>(std::max<std::size_t>(evidence.size(), 1));
    for (const Evidence& one : evidence) {
      // Where ranks do not reach as far, the wider interval comes from the sessions' means, and may
      // be the narrower one: it can say less than the other, never more.
      const int alone = signOf(one.gain), wide = signOf(gainOf(one.paired, among));
      // A model says the same each time: no sample more makes it surer, and its error is
      // the same at each place.
      const bool exact =
          one.paired.isOfModel() || (run_.isSimulated() && one.gain.low == one.gain.high);
      signs.push_back({alone, exact || wide == alone ? alone : 0});
    }
    // As far as the variant is from the baseline, which is level here.
    const std::vector<double> level(ahead.size(), compared.wide ? 1.0 : 0.0);
    CrossingSearch search = searchCrossings({compared.x, level, ahead, compared.wide}, signs);
    const auto isRunning = [this](std::size_t cell) {
      return run_.cells[cell].stop == Stop::running;
    };
    for (std::size_t k = 0; k < search.crossings.size(); ++k) {
      Crossing& crossing = search.crossings[k];
      label(crossing, variant, Crossing::Kind::breakEven, run_.experiment.axes[axis].name);
      crossing.cell = held;
      for (std::size_t other = 0; other < run_.experiment.axes.size(); ++other)
        if (other != axis) crossing.heldAxes.push_back(run_.experiment.axes[other].name);
      crossing.fasterInAll = fasterInAll;
      crossing.slowerInAll = slowerInAll;
      crossing.open = few;
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
      } else {
        crossing.preliminary = std::ranges::any_of(compared.ours, isRunning) ||
                               std::ranges::any_of(compared.theirs, isRunning);
      }
    }
    return search.crossings;
  }

  /// Two curves at the places where both were measured.
  struct Line {
    std::vector<double> x;
    std::vector<Estimate> gains;            ///< ns; on a wide axis logarithms of speedups
    std::vector<std::size_t> ours, theirs;  ///< cells
    bool wide = false;                      ///< isWideAxis()
  };

  void addInterval(Crossing& crossing, Bracket bracket, const Line& line) {
    const std::size_t count = bracket.last - bracket.first + 1;
    std::vector<Estimate> gains;
    for (const Estimate& gain : std::span(line.gains).subspan(bracket.first, count))
      gains.push_back(crossing.backwards ? Estimate{-gain.value, -gain.high, -gain.low, gain.kind}
                                         : gain);
    const Estimate band =
        crossingBand(std::span(line.x).subspan(bracket.first, count), gains, line.wide);
    crossing.low = std::min(band.low, crossing.at);
    crossing.high = std::max(band.high, crossing.at);
    for (std::size_t i = bracket.first; i <= bracket.last; ++i)
      for (const std::size_t cell : {line.theirs[i], line.ours[i]})
        crossing.preliminary |= run_.cells[cell].stop == Stop::running;
  }

  std::vector<Crossing> paybacks(int variant) {
    std::vector<Crossing> found;
    for (std::size_t i = 0; i < run_.cells.size(); ++i) {
      if (run_.cells[i].key.variant != variant) continue;
      CellKey key = run_.cells[i].key;
      key.variant = *baselineOf(variant);
      const Cell* baseline = run_.find(key);
      if (!baseline) continue;
      Crossing crossing;
      label(crossing, variant, Crossing::Kind::payback, "calls");
      crossing.cell = key.at;
      payback(crossing, *baseline, run_.cells[i]);
      found.push_back(std::move(crossing));
    }
    return found;
  }

  void payback(Crossing& crossing, const Cell& baseline, const Cell& mine) const {
    const auto ours = totals(mine.firstCompiles);
    auto theirs = totals(baseline.firstCompiles);
    // PyTorch's eager compiles nothing: its kernels ship with it.
    const auto their = static_cast<std::size_t>(baseline.key.variant);
    if (theirs.empty() && run_.experiment.variants[their].executor == kTorchEager)
      theirs.assign(kTellingCompiles, 0.0);
    const Estimate gain = gainOf(pairByRound(baseline, mine));
    if (theirs.empty() || ours.empty() || gain.kind == Estimate::Kind::none) return;
    crossing.ratioAtStart = speedUp(baseline, mine);
    crossing.compiles = std::min(theirs.size(), ours.size());
    if (gain.kind != Estimate::Kind::interval) return;  // too few samples to tell
    if (gain.value <= 0) {
      crossing.status = CrossingStatus::never;
      return;
    }
    const Estimate own = ofCompiles(ours, mine), other = ofCompiles(theirs, baseline);
    const Estimate cost = differenceOf(own, other);
    // A variant without a compile has nothing to pay back, though its first call takes longer.
    if (cost.value <= 0 || ships(mine)) {
      if (gain.low <= 0) return;
      crossing.status = CrossingStatus::always;
      if (!ships(mine)) {
        crossing.compileTime = own.value;
        crossing.baselineCompileTime = other.value;
      }
      return;
    }
    crossing.hasInterval = cost.kind == Estimate::Kind::interval;
    // Without one nothing would tell that the calls may not be faster at all.
    if (!crossing.hasInterval && gain.low <= 0) return;
    crossing.status = CrossingStatus::found;
    crossing.at = crossing.low = crossing.high = std::ceil(cost.value / gain.value);
    if (!crossing.hasInterval) return;
    // The half-widths of the logarithms of cost and gain add as squares; an end that is 0 or less
    // has none: nothing was to be repaid, or nothing may ever repay it.
    const auto share = [](double value, double end) { return std::log(value / end); };
    crossing.low =
        cost.low > 0
            ? cost.value / gain.value *
                  std::exp(-std::hypot(share(cost.value, cost.low), share(gain.high, gain.value)))
            : 0;
    crossing.high =
        gain.low > 0
            ? cost.value / gain.value *
                  std::exp(std::hypot(share(cost.high, cost.value), share(gain.value, gain.low)))
            : std::numeric_limits<double>::infinity();
    crossing.low = std::min(std::ceil(crossing.low), crossing.at);
    crossing.high = std::max(std::ceil(crossing.high), crossing.at);
  }

  /// Median of compile times, which are few: the ends of five are the least and the longest, which
  /// hold their median in 94 of 100 cases.
  static Estimate ofCompiles(const std::vector<double>& times, const Cell& cell) {
    Estimate estimate = medianInterval(times);
    if (cell.modelError) return withModelError(estimate, *cell.modelError);
    if (times.size() == kTellingCompiles) estimate.kind = Estimate::Kind::interval;
    return estimate;
  }

  /// The difference of two estimates that are independent of each other.
  static Estimate differenceOf(const Estimate& a, const Estimate& b) {
    const double value = a.value - b.value;
    const bool known = a.kind == Estimate::Kind::interval && b.kind == Estimate::Kind::interval;
    return {value, value - std::hypot(a.value - a.low, b.high - b.value),
            value + std::hypot(a.high - a.value, b.value - b.low),
            known ? Estimate::Kind::interval : Estimate::Kind::range};
  }

  const Run& run_;
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
  // Curves on a wide axis are times, which are positive.
  const auto isPositive = [](double value) { return value > 0; };
  const bool wide = !x.empty() && isWideAxis(x.front(), x.back()) &&
                    std::ranges::all_of(keptBase, isPositive) &&
                    std::ranges::all_of(keptVariant, isPositive);
  return searchCrossings({keptX, keptBase, keptVariant, wide}, signs).crossings;
}

bool ships(const Cell& cell) {
  return std::ranges::all_of(cell.firstCompiles, [](const CompileTimes& times) {
    return times.shipped > 0 && times.compiled() + times.fromDisk == 0;
  });
}

bool hasPayback(const Run& run, const Crossing& payback, const Cell& cell) {
  const auto variant = static_cast<std::size_t>(cell.key.variant);
  if (run.experiment.variants[variant].executor == kTorchEager) return false;
  const bool isAhead =
      payback.status == CrossingStatus::found || payback.status == CrossingStatus::always;
  return isAhead || !ships(cell);
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
