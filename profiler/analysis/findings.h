// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/crossings.h"

namespace fusebench {

/// Which view of a run shows something.
enum class Metric : std::uint8_t {
  latency,
  speedUp,
  launches,
  compile,
  payback,
  memory,    ///< peak bytes of a call
  error,     ///< see Accuracy::relative
  bandwidth  ///< bytes per second: see bandwidthOf
};

/// One statement about a run, with its figures. Findings state only what the data supports: no
/// undefined crossing, no growth from too few samples.
struct Finding {
  enum class Kind : std::uint8_t {
    simulated,      ///< nothing was measured
    failure,        ///< cells that could not be measured
    claim,          ///< whether a published claim is confirmed here
    breakEven,      ///< the point from which a variant is ahead
    speedUp,        ///< how far ahead at the end of the axis
    growth,         ///< time per step of the axis and per launch
    anatomy,        ///< where a call's time goes
    payback,        ///< the cost of compiling and when it is repaid
    fallback,       ///< recompiles, and calls that ran eagerly
    accuracy,       ///< results further from the reference than rounding explains
    noise,          ///< drift, wide intervals, few samples
    comparability,  ///< other differences between the curves
  };
  Kind kind = Kind::comparability;
  int variant = -1;      ///< the variant that it is about; -1: several, or the whole run
  std::string headline;  ///< "static: ahead at 5.2 or more statements"; may be empty
  std::string text;      ///< a sentence or two
  Metric shownBy = Metric::latency;
  std::optional<double> at;  ///< point on the first axis that shows it best
  int claim = -1;            ///< for a claim: its number in the experiment
  /// For a claim: "holds", "does not hold", "holds in part", "open", "not modeled", "not measured",
  /// or "other device".
  std::string_view verdict = {};
};

/// All findings, most important first; few, however many variants there are. `crossings` are those
/// of findCrossings(run). With two axes they are about the `slice`-th value of the second. While
/// the run is being measured, only settled findings are included.
std::vector<Finding> findingsOf(const Run& run, std::span<const Crossing> crossings,
                                std::size_t slice = 0);

/// A variant whose slope is below this share of the baseline's is called flat.
inline constexpr double kFlatShare = 0.05;
/// Relative errors above this are reported: ten times the errors that chains of float32 ops leave.
/// For narrower floats the limit is this many times the error of one rounding.
inline constexpr double kNotableError = 1e-5;
inline constexpr double kNotableRoundings = 64;

/// T = a + b x launches of every variant at the `slice`-th value of the second axis, where its
/// launches vary along the first.
std::vector<LaunchModel> launchModels(const Run& run, std::size_t slice);

}  // namespace fusebench
