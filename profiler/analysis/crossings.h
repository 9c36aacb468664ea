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
  always,  ///< measurably ahead at every place of the axis
  never,   ///< not measurably ahead at any place, and behind at one or more
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
  std::vector<std::int64_t> cell;  ///< payback: the cell's place; break-even: the other axis' value
  std::vector<std::string> heldAxes;  ///< break-even: the axes of the values in `cell`
  CrossingStatus status = CrossingStatus::undefined;
  double at = 0;  ///< in the axis' unit, or calls; when found
  /// 95% interval; when found. Payback: `high` is infinity where the variant may not be faster.
  double low = 0, high = 0;
  /// Payback: false where the compiles are too few for an interval (then low = high = at).
  bool hasInterval = true;
  std::size_t compiles = 0;  ///< payback: measured on either side, the lesser number
  /// Payback: the first-ever compiles of both, ns, where the baseline's takes longer; else 0.
  double compileTime = 0, baselineCompileTime = 0;
  double ratioAtStart = 0;  ///< baseline / variant at the axis' first value
  bool backwards = false;   ///< found: beyond this the variant is behind again
  /// Found, and not backwards: where the variant is behind again, if it is.
  std::optional<double> until{};
  bool ofModel = false;      ///< the times are a model's, and the intervals its error.
  bool ofBandwidth = false;  ///< break-even of bandwidths, not of times
  /// Found, but no place was measured where the variant is surely behind: before `at`, the first
  /// place where it is measurably ahead, places are tied or unsure.
  bool fromTie = false;
  bool preliminary = false;  ///< break-even: sampling on one of its sides is not over
  /// Break-even: the places, none of them inside of a crossing, where neither is measurably faster.
  std::vector<double> tied;
  /// Break-even: those where the variant is behind by the place's own interval, but the samples are
  /// too few to be sure of it among this many places.
  std::vector<double> unsure;
  /// Break-even: those with too few samples for an interval where every sample of the variant was
  /// faster than every one of the baseline, or slower than all of them.
  std::vector<double> fasterInAll, slowerInAll;
  std::size_t open = 0;    ///< break-even: places with samples, but too few for an interval
  std::size_t places = 0;  ///< break-even: number of compared places of the axis
  std::size_t ahead = 0;   ///< break-even: number of places where the variant is measurably ahead
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

/// The place on the other axes at which a break-even was searched: " at batch = 16", or nothing.
std::string heldText(const Crossing& crossing);

/// Whether a cell's first call compiled nothing: all its code ships with the program.
bool ships(const Cell& cell);
/// Whether a payback of the cell's compile is worth reporting: not if the cell compiles nothing and
/// is not ahead either.
bool hasPayback(const Run& run, const Crossing& payback, const Cell& cell);

/// Overhead per launch of one variant by T = intercept + slope x launches over the axis.
struct LaunchModel {
  std::string variant;
  LineFit fit;      ///< ns per call; ns per launch
  double from = 0;  ///< launches from which the line holds
};
/// Only lines that the cells support: see straightPart() in findings_line.h. With two axes one line
/// through the cells of both.
std::vector<LaunchModel> launchModels(const Run& run);
/// The same line over a published curve's axis: ns per call; ns per step of the axis.
std::vector<LaunchModel> launchModels(const Reference& reference);

/// The state before a crossing `fromTie`, and the places beyond it with too few samples: "before
/// that they cannot be told apart".
std::string aroundTie(const Crossing& crossing);

/// One sentence for a person: "static is faster than eager from 1.4 statements on (1.3 to 1.5)".
std::string sentence(const Crossing& crossing, const std::string& unit);

}  // namespace fusebench
