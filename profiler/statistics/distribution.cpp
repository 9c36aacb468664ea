// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/distribution.h"

#include <algorithm>

namespace fusebench {
namespace {

/// 0, 1, 2, 5, 10, 20, 50, ...
std::vector<std::int64_t> binEdges(std::int64_t most) {
  std::vector<std::int64_t> edges = {0};
  for (std::int64_t decade = 1; edges.back() <= most && decade <= std::int64_t{1} << 58;
       decade *= 10)
    for (const int step : {1, 2, 5}) edges.push_back(decade * step);
  if (edges.back() <= most) edges.push_back(most + 1);
  return edges;
}

}  // namespace

Distribution distributionOf(std::vector<std::int64_t> times) {
  Distribution found;
  if (times.empty()) return found;
  for (std::int64_t& time : times) time = std::max<std::int64_t>(time, 0);
  std::ranges::sort(times);
  const std::size_t n = times.size();
  found.count = n;
  found.least = times.front();
  found.most = times.back();
  found.median = times[(n - 1) / 2];
  found.p95 = times[(n - 1) * 95 / 100];
  double sum = 0;
  for (const std::int64_t time : times) sum += static_cast<double>(time);
  found.mean = sum / static_cast<double>(n);
  const std::vector<std::int64_t> edges = binEdges(found.most);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const auto from = std::ranges::lower_bound(times, edges[i]);
    const auto to = std::ranges::lower_bound(times, edges[i + 1]);
    found.bins.push_back({edges[i], edges[i + 1], static_cast<std::uint64_t>(to - from)});
  }
  const auto empty = [](const Distribution::Bin& bin) { return bin.count == 0; };
  while (!found.bins.empty() && empty(found.bins.back())) found.bins.pop_back();
  found.bins.erase(found.bins.begin(), std::ranges::find_if_not(found.bins, empty));
  return found;
}

}  // namespace fusebench
