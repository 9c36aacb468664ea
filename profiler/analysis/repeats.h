// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>

#include "profiler/run/run.h"

namespace fusebench {

/// How well the intervals of repeated runs of one experiment agree.
struct RepeatFigures {
  std::size_t runs = 0;
  /// For each cell and each two runs: whether one's interval contains the other's median. Perfect
  /// 95% intervals contain it in 83% of cases, since the other median is just as uncertain.
  std::size_t cases = 0, held = 0;
  /// The same for speedups over the baseline, which remain comparable if the machine was faster in
  /// one run than in another.
  std::string baseline;
  std::size_t ratioCases = 0, ratiosHeld = 0;
  /// Over pairs of runs, the largest ratio of all their times (the median over cells), at least 1:
  /// how much the speed of the machine itself changed.
  double drift = 1;
  /// For each run and place: whether two equal variants were called different.
  std::string equal, twin;  ///< their names; empty without such a pair
  std::size_t compared = 0, different = 0;
};
RepeatFigures repeatFigures(std::span<const Run> runs);
std::string sentence(const RepeatFigures& figures);

/// The experiment with a second variant equal to its baseline, unless two are equal already.
Experiment withTwin(Experiment experiment);

}  // namespace fusebench
