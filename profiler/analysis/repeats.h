// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>

#include "profiler/run/run.h"

namespace fusebench {

/// What runs of one experiment, repeated, say of their own intervals.
struct RepeatFigures {
  std::size_t runs = 0;
  /// Of each cell and each two runs: whether one's interval holds the other's median. Perfect 95%
  /// intervals hold it in 83% of cases, since the other's median is as unsure.
  std::size_t cases = 0, held = 0;
  /// The same of speed-ups over the baseline, which say as much of a machine that was faster in one
  /// run than in another.
  std::string baseline;
  std::size_t ratioCases = 0, ratiosHeld = 0;
  /// Over pairs of runs the largest ratio of all their times, by its median over cells, at least 1:
  /// how much faster the machine itself was at one time than at another.
  double drift = 1;
  /// Of each run and place: whether two equal variants were called different.
  std::string equal, twin;  ///< their names; empty without such a pair
  std::size_t compared = 0, different = 0;
};
RepeatFigures repeatFigures(std::span<const Run> runs);
std::string sentence(const RepeatFigures& figures);

/// The experiment with a second variant like its baseline, unless two are equal already.
Experiment withTwin(Experiment experiment);

}  // namespace fusebench
