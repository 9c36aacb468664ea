// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "profiler/trace/trace.h"

namespace fusebench {

/// Thread numbers: those that lanes have, and others for rows that need a separate one.
class ThreadNumbers {
 public:
  explicit ThreadNumbers(std::span<const Lane> lanes) {
    for (const Lane& lane : lanes) taken_.emplace(lane.process, lane.thread);
  }
  /// The lane's own, unless another lane of the process was given it before.
  std::int64_t of(const Lane& lane) {
    return given_.emplace(lane.process, lane.thread).second ? lane.thread : free(lane.process);
  }
  /// A number that nothing in the process uses.
  std::int64_t free(std::int64_t process) {
    std::int64_t& next = next_.emplace(process, kFirst).first->second;
    while (!taken_.emplace(process, next).second) ++next;
    return next;
  }

 private:
  static constexpr std::int64_t kFirst = 1'000'000;  // far from what streams are called
  std::set<std::pair<std::int64_t, std::int64_t>> taken_, given_;
  std::map<std::int64_t, std::int64_t> next_;
};

}  // namespace fusebench
