// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/analysis/machine_change.h"
#include "profiler/run/run.h"

namespace fusebench {

/// The result of a check, for a data point or for everything.
enum class CheckVerdict : std::uint8_t {
  within,      ///< not shown to be slower than allowed, and ruledOut() is excluded
  slower,      ///< shown to be slower by more than allowed, or fails although it worked before
  cannotTell,  ///< neither
};
std::string_view name(CheckVerdict verdict);

struct CheckSettings {
  double allowed = 0.05;     ///< the largest slowdown that passes: 0.05 is 5%
  double confidence = 0.95;  ///< probability that all intervals of a check contain the true changes
  /// How many times the caller may evaluate before a check ends, if it measures again when a result
  /// is unclear: the probability of a miss is divided among them.
  int looks = 1;

  /// A check that passes excludes a slowdown of this size: twice the allowed one, or 5% more.
  double ruledOut() const { return allowed + std::max(allowed, 0.05); }
};

/// One data point now and in the baseline.
struct CheckedCell {
  std::string variant;
  std::vector<std::int64_t> at;  ///< one value per axis
  double before = 0, now = 0;    ///< median time per call, nanoseconds; 0: not measured
  /// Relative change of the time and its interval: 0.1 is 10% longer. Only if `compared`. It is the
  /// change of the sessions' fast ends (see fast_ends.h), without the machine's common part.
  bool compared = false;
  double change = 0, low = 0, high = 0;
  /// The times that are compared, and their quantile, 0.1 for the lower decile.
  double fastBefore = 0, fastNow = 0, share = 0;
  /// The same change of the medians, which other programs disturb more.
  double medianChange = 0, medianLow = 0, medianHigh = 0;
  std::size_t samples = 0, sessions = 0;  ///< now
  CheckVerdict verdict = CheckVerdict::cannotTell;
  /// Number of samples with which the interval would be narrow enough if the change stays the same;
  /// the baseline needs the same number. Nothing if it is narrow enough, or if more samples do not
  /// help.
  std::optional<std::size_t> samplesNeeded{};
  std::string why;  ///< one line, if the result is unclear or it failed
};

struct CheckReport {
  CheckSettings settings;
  std::vector<std::string> axes;   ///< their names
  std::vector<CheckedCell> cells;  ///< of the present experiment, in its order
  std::size_t onlyBefore = 0;      ///< data points of the baseline that are not measured now
  std::optional<MachineChange> machine{};
  CheckVerdict verdict = CheckVerdict::cannotTell;

  std::size_t count(CheckVerdict of) const;
};

/// Compares runs of an experiment with a baseline, by data point: the same variant at the same
/// values of the same axes. Several runs of a side count together; the interval is at least as wide
/// as they are apart.
///
/// Each session is represented by its fast end. Intervals are those of sessionChanges(), over
/// sessions, so that they contain what differs between processes. A pass also needs that the
/// medians are not shown to be slower: a change can leave the fastest calls as they were.
///
/// No session of a run can know how fast the machine was at another time. Where both sides recorded
/// it (see PaceMeter), each interval is extended by the machine's own change: to lower values by as
/// much as the machine may have become slower, to higher values by as much as it may have become
/// faster. So a busy machine raises no alarm and hides none. On the CPU, what every kind of the
/// machine's work became slower by is not the experiment's, and the upper end falls by it.
///
/// Throws InputError where nothing can be compared.
CheckReport checkRuns(std::span<const Run> before, std::span<const Run> now,
                      const CheckSettings& settings);

/// Measures and compares until the result is clear, at most `most` times, and no more often than
/// `goesOn` allows, which is asked before each further measurement.
///
/// The first measurement can pass, but it cannot raise an alarm: that takes a second one, later, so
/// that a disturbance of one measurement is not called a slowdown. All measurements count together.
/// `measure` returns another run; nothing: it was interrupted or could not be made.
/// `settings.looks` is set here. Empty cells if nothing was measured.
CheckReport checkUntilTold(
    std::span<const Run> before, const std::function<std::optional<Run>()>& measure, int most,
    CheckSettings settings, const std::function<bool()>& goesOn = [] { return true; });

/// "+10.2% [+8.1, +12.4]": change and interval, or why there is none.
std::string changeText(const CheckedCell& cell);
/// "static at statements 10".
std::string nameOf(const CheckReport& report, const CheckedCell& cell);
/// The result in one sentence.
std::string sentence(const CheckReport& report);

}  // namespace fusebench
