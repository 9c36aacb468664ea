// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/paired_samples.h"

#include <algorithm>

namespace fusebench {

std::vector<double> PairedSamples::differences() const {
  std::vector<double> all;
  all.reserve(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) all.push_back(first[i] - second[i]);
  return all;
}

PairedSamples pairByRound(const Cell& first, const Cell& second) {
  PairedSamples paired;
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

Estimate speedUpOf(const PairedSamples& paired) {
  return pairedRatio(paired.first, paired.second, paired.sessions);
}

Estimate gainOf(const PairedSamples& paired, double missed) {
  return medianOverSessions(paired.differences(), paired.sessions, missed);
}

}  // namespace fusebench
