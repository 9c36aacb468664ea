// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

enum class CrossingStatus : std::uint8_t {
  found,
  always,  ///< measurably ahead at every point of the axis
  never,   ///< not measurably ahead at any point, and behind at one or more
  undefined
};
std::string_view name(CrossingStatus status);

/// Where a variant's curve crosses the baseline's along an axis (break-even), or the number of
/// calls after which a compile has paid for itself (payback).
struct Crossing {
  enum class Kind : std::uint8_t { breakEven, payback };
  std::string variant;
  std::string baseline;  ///< the variant that it is compared with
  Kind kind = Kind::breakEven;
  std::string along;               ///< the axis' name, or "calls"
  std::vector<std::int64_t> cell;  ///< payback: the cell's point; break-even: the other axis' value
  std::vector<std::string> heldAxes;  ///< break-even: the axes of the values in `cell`
  CrossingStatus status = CrossingStatus::undefined;
  double at = 0;  ///< in the axis' unit, or calls; when found
  /// 95% interval; when found. Payback: `high` is infinity where the variant may not be faster.
  double low = 0, high = 0;
  /// Payback: false where the compiles are too few for an interval (then low = high = at).
  bool hasInterval = true;
  std::size_t compiles =
      0;  ///< payback: the number of measured compiles, the smaller one of both sides
  /// Payback: the compile times without a cache of both, ns, if the baseline's is longer; else 0.
  double compileTime = 0, baselineCompileTime = 0;
  double ratioAtStart = 0;  ///< baseline / variant at the axis' first value
  bool backwards = false;   ///< found: beyond this the variant is behind again
  /// If found and not backwards: where the variant falls behind again, if it does.
  std::optional<double> until{};
  bool ofModel = false;      ///< the times come from a model, and the intervals are its error
  bool ofBandwidth = false;  ///< break-even of bandwidths, not of times
  /// Found, but the variant was not certainly behind at any measured point: before `at`, the first
  /// point where it is measurably ahead, points are tied or uncertain.
  bool fromTie = false;
  bool preliminary = false;  ///< break-even: sampling on one of its sides is not finished
  /// Break-even: the points outside of crossings where neither is measurably faster.
  std::vector<double> tied;
  /// Break-even: the points where the variant is behind by the interval at that point, but has too
  /// few samples to be certain among this many points.
  std::vector<double> unsure;
  /// Break-even: the points with too few samples for an interval at which every sample of the
  /// variant was faster than every sample of the baseline, or slower than all of them.
  std::vector<double> fasterInAll, slowerInAll;
  std::size_t open = 0;    ///< break-even: points with samples, but too few for an interval
  std::size_t places = 0;  ///< break-even: number of compared points of the axis
  std::size_t ahead = 0;   ///< break-even: number of points where the variant is measurably ahead
};

/// Crossings of curves that are interpolated by isWideAxis()'s rule: where baseline - variant turns
/// from negative to positive (or back). Pure; curves share x. No interval.
std::vector<Crossing> crossCurves(std::span<const double> x, std::span<const double> baseline,
                                  std::span<const double> variant);

/// Break-evens and paybacks of every variant against its baseline (Experiment::baselineOf), over
/// the rounds that both cells have, with intervals over sessions (see sessions.h).
std::vector<Crossing> findCrossings(const Run& run);
/// The same for published curves (no samples, so no intervals: low = high = at).
std::vector<Crossing> findCrossings(const Reference& reference);

/// The value of the other axes at which a break-even was searched: " at batch = 16", or nothing.
std::string heldText(const Crossing& crossing);

/// Whether a cell's first call compiles nothing because all its code ships with the program.
bool ships(const Cell& cell);
/// Whether a payback of the cell's compile is worth reporting: not if the cell compiles nothing and
/// is not ahead either.
bool hasPayback(const Run& run, const Crossing& payback, const Cell& cell);

/// Overhead per launch of one variant by T = intercept + slope x launches over the axis.
struct LaunchModel {
  std::string variant;
  LineFit fit;      ///< ns per call; ns per launch
  double from = 0;  ///< number of launches from which the line is valid
};
/// Only lines that the cells support: see straightPart() in findings_line.h. With two axes one line
/// through the cells of both.
std::vector<LaunchModel> launchModels(const Run& run);
/// The same line over a published curve's axis: ns per call; ns per step of the axis.
std::vector<LaunchModel> launchModels(const Reference& reference);

/// The state before a crossing `fromTie`, and the points beyond it with too few samples: "before
/// that they are within noise".
std::string aroundTie(const Crossing& crossing);

/// One sentence for the reader: "static is faster than eager at 1.4 or more statements (1.3 to
/// 1.5)".
std::string sentence(const Crossing& crossing, const std::string& unit);

}  // namespace fusebench
