// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/paired_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>

namespace fusebench {

std::vector<double> PairedSamples::differences() const {
  std::vector<double> all;
  all.reserve(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) all.push_back(first[i] - second[i]);
  return all;
}

PairedSamples pairByRound(const Cell& first, const Cell& second) {
  PairedSamples paired;
  paired.firstError = first.modelError;
  paired.secondError = second.modelError;
  const auto byRound = [](const Sample& a, const Sample& b) { return a.round < b.round; };
  std::vector<Sample> a = first.samples, b = second.samples;
  std::stable_sort(a.begin(), a.end(), byRound);
  std::stable_sort(b.begin(), b.end(), byRound);
  std::vector<int> theirs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].round < b[j].round) {
      ++i;
    } else if (b[j].round < a[i].round) {
      ++j;
    } else {
      paired.sessions.push_back(a[i].session);
      theirs.push_back(b[j].session);
      paired.first.push_back(a[i++].nanoseconds);
      paired.second.push_back(b[j++].nanoseconds);
    }
  }
  if (countSessions(theirs) < countSessions(paired.sessions)) paired.sessions = std::move(theirs);
  return paired;
}

const Cell* baselineOf(const Run& run, const Cell& cell) {
  const std::optional<int> baseline = run.experiment.baselineOf(cell.key.variant);
  if (!baseline) return nullptr;
  // Variants are innermost: a cell of the run has its baseline a few cells away.
  const std::less<const Cell*> before;
  const Cell* const begin = run.cells.data();
  const Cell* const end = begin + run.cells.size();
  if (!before(&cell, begin) && before(&cell, end)) {
    const std::ptrdiff_t at = (&cell - begin) + *baseline - cell.key.variant;
    if (at >= 0 && at < end - begin && begin[at].key.variant == *baseline &&
        begin[at].key.at == cell.key.at)
      return begin + at;
  }
  return run.find({*baseline, cell.key.at});
}

bool lacksModel(const Run& run, const Cell& cell) {
  const Cell* const baseline = baselineOf(run, cell);
  return baseline && (!isModeled(*baseline) || !isModeled(cell));
}

std::optional<Estimate> speedUpOf(const Run& run, const Cell& cell) {
  const Cell* const baseline = baselineOf(run, cell);
  if (!baseline || !isModeled(*baseline) || !isModeled(cell)) return std::nullopt;
  const PairedSamples paired = pairByRound(*baseline, cell);
  if (paired.first.empty()) return std::nullopt;
  return speedUpOf(paired);
}

Estimate speedUpOf(const PairedSamples& paired) {
  const Estimate ratio = pairedRatio(paired.first, paired.second, paired.sessions);
  if (!paired.isOfModel() || ratio.kind == Estimate::Kind::none) return ratio;
  // The widths of the logarithms add as squares.
  const double model = std::hypot(std::log1p(paired.firstError.value_or(0)),
                                  std::log1p(paired.secondError.value_or(0)));
  return {ratio.value,
          ratio.value * std::exp(-std::hypot(std::log(ratio.value / ratio.low), model)),
          ratio.value * std::exp(std::hypot(std::log(ratio.high / ratio.value), model)),
          ratio.low < ratio.high ? ratio.kind : Estimate::Kind::interval};
}

Estimate gainOf(const PairedSamples& paired, double missed) {
  const Estimate gain = medianOverSessions(paired.differences(), paired.sessions, missed);
  if (!paired.isOfModel() || gain.kind == Estimate::Kind::none) return gain;
  const double half = std::hypot(paired.firstError.value_or(0) * median(paired.first),
                                 paired.secondError.value_or(0) * median(paired.second));
  return {gain.value, gain.value - std::hypot(gain.value - gain.low, half),
          gain.value + std::hypot(gain.high - gain.value, half),
          gain.low < gain.high ? gain.kind : Estimate::Kind::interval};
}

namespace {

/// The cells' times in the rounds that all have.
std::array<std::vector<double>, 4> inCommonRounds(const std::array<const Cell*, 4>& cells,
                                                  std::vector<int>& sessions) {
  std::array<std::map<int, const Sample*>, 4> rounds;
  std::array<int, 4> processes{};
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::vector<int> of;
    for (const Sample& sample : cells[c]->samples) {
      rounds[c].emplace(sample.round, &sample);
      of.push_back(sample.session);
    }
    processes[c] = static_cast<int>(countSessions(of));
  }
  const auto fewest =
      static_cast<std::size_t>(std::ranges::min_element(processes) - processes.begin());
  std::array<std::vector<double>, 4> times;
  for (const auto& [round, first] : rounds[0]) {
    std::array<const Sample*, 4> all{first};
    for (std::size_t c = 1; c < cells.size(); ++c) {
      const auto found = rounds[c].find(round);
      if (found != rounds[c].end()) all[c] = found->second;
    }
    if (std::ranges::find(all, nullptr) != all.end()) continue;
    for (std::size_t c = 0; c < cells.size(); ++c) times[c].push_back(all[c]->nanoseconds);
    sessions.push_back(all[fewest]->session);
  }
  return times;
}

}  // namespace

Estimate gapOver(const Cell& one, const Cell& other, const Cell& thanOne, const Cell& thanOther) {
  const Estimate than = speedUpOf(pairByRound(thanOne, thanOther));
  if (than.kind != Estimate::Kind::interval || (than.low <= 1 && than.high >= 1)) return {};
  const Estimate now = speedUpOf(pairByRound(one, other));
  PairedSamples gaps;
  if (one.modelError || thanOne.modelError) {
    gaps.firstError = std::hypot(one.modelError.value_or(0), other.modelError.value_or(0));
    gaps.secondError = std::hypot(thanOne.modelError.value_or(0), thanOther.modelError.value_or(0));
  }
  const auto times = inCommonRounds({&one, &other, &thanOne, &thanOther}, gaps.sessions);
  const std::size_t slow = now.value >= 1 ? 0 : 1, thanSlow = than.value >= 1 ? 2 : 3;
  for (std::size_t i = 0; i < times[0].size(); ++i) {
    gaps.first.push_back(times[slow][i] * times[5 - thanSlow][i]);
    gaps.second.push_back(times[1 - slow][i] * times[thanSlow][i]);
  }
  return speedUpOf(gaps);
}

}  // namespace fusebench
