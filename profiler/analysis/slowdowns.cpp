// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/slowdowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/statistics/fast_ends.h"
#include "profiler/statistics/session_changes.h"
#include "profiler/statistics/sessions.h"

namespace fusebench {
namespace {

/// The logarithms of the ratios of times that a check is about.
struct CheckLimits {
  double allowed = 0, ruledOut = 0;
  bool told(double low, double high) const { return low > allowed || high <= ruledOut; }
};

std::string_view variantName(const Run& run, const Cell& cell) {
  return run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
}

/// The cell of the same variant at the same values of axes of the same names; null if there is
/// none.
const Cell* sameCell(const Run& run, const Run& other, const Cell& of) {
  const auto& axes = run.experiment.axes;
  const auto& theirs = other.experiment.axes;
  if (axes.size() != theirs.size()) return nullptr;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].name != theirs[i].name) return nullptr;
  for (const Cell& cell : run.cells)
    if (cell.key.at == of.key.at && variantName(run, cell) == variantName(other, of)) return &cell;
  return nullptr;
}

/// A simulated device has no sessions: its times are a model's, so each sample is one.
TimesBySession timesOf(const Run& run, const Cell& cell) {
  std::vector<int> sessions = cell.sessions();
  if (run.isSimulated()) std::iota(sessions.begin(), sessions.end(), 0);
  TimesBySession times = timesBySession(cell.times(), sessions);
  // A model without noise would give the same again.
  if (run.isExact() && !times.empty())
    times.resize(std::max(times.size(), kTellingSessions), times.front());
  return times;
}

/// One side of a data point: the times of each run.
using SideTimes = std::vector<TimesBySession>;

SideTimes timesOf(std::span<const Run> runs, const Run& like, const Cell& of) {
  SideTimes side;
  for (const Run& run : runs)
    if (const Cell* cell = sameCell(run, like, of); cell && !cell->samples.empty())
      side.push_back(timesOf(run, *cell));
  return side;
}

/// For each run, the logarithms of its sessions at a quantile.
struct CheckedSide {
  CheckedSide(const SideTimes& times, double share) {
    const std::size_t least = leastSamples(times);
    for (const TimesBySession& run : times)
      if (std::vector<double> logs = sessionLogs(run, share, least); !logs.empty())
        runs.push_back(std::move(logs));
  }
  std::vector<std::vector<double>> runs;
  std::vector<double> all() const {
    std::vector<double> joined;
    for (const auto& run : runs) joined.insert(joined.end(), run.begin(), run.end());
    return joined;
  }
};

std::size_t sessionsOf(const SideTimes& side) {
  return CheckedSide(side, 0.5).all().size();
}

/// A change in logarithms, with what the machine and the runs of a side differ by.
struct Widened {
  double change = 0, low = 0, high = 0;
  bool byMachine = false;  ///< it would tell more without the machine's own change
};

/// The least and the largest difference between a run now and one of the baseline. With three runs
/// or more on a side, one of them may be disturbed: the most extreme difference at each end does
/// not count.
std::pair<double, double> runsApart(const CheckedSide& before, const CheckedSide& now) {
  std::vector<double> apart;
  for (const auto& a : before.runs)
    for (const auto& b : now.runs) apart.push_back(sessionMean(b) - sessionMean(a));
  std::sort(apart.begin(), apart.end());
  const std::size_t trimmed = std::max(before.runs.size(), now.runs.size()) >= 3 ? 1 : 0;
  return {apart[trimmed], apart[apart.size() - 1 - trimmed]};
}

Widened widened(const SessionChange& change, const CheckedSide& before, const CheckedSide& now,
                const std::optional<MachineChange>& machine, const CheckLimits& limits) {
  const auto [lowest, highest] = runsApart(before, now);
  Widened ends{change.change, std::min(change.low, lowest), std::max(change.high, highest), false};
  if (!machine) return ends;
  const bool told = limits.told(ends.low, ends.high);
  // The machine's change is independent of the data point's, so the distances to the ends add as
  // squares (Zou and Donner, see ratioOf). Toward an alarm, a faster machine does not count.
  const double most = std::max(std::log1p(machine->most), 0.0), least = std::log1p(machine->least),
               above = std::max(std::log1p(machine->high) - most, 0.0),
               below = std::max(least - std::log1p(machine->low), 0.0);
  ends.low = change.change - most - std::hypot(change.change - ends.low, above);
  ends.high = change.change - least + std::hypot(ends.high - change.change, below);
  ends.change = change.change - std::log1p(machine->common());
  ends.byMachine = told && !limits.told(ends.low, ends.high);
  return ends;
}

std::string tooFew(const SideTimes& before, const SideTimes& now) {
  if (before.empty()) return saying("not in the baseline");
  if (now.empty()) return saying("not measured");
  return saying("too few samples: it has {} sessions and {} in the baseline; {} are needed",
                sessionsOf(now), sessionsOf(before), kTellingSessions);
}

/// How many samples would tell, at the present change.
std::size_t neededSamples(const SessionChange& change, const CheckLimits& limits,
                          std::size_t samples) {
  const double gap = std::max(change.change - limits.allowed, limits.ruledOut - change.change),
               times = std::pow(change.halfWidth / gap, 2);
  return static_cast<std::size_t>(std::ceil(std::max(times, 1.0) * static_cast<double>(samples)));
}

void judge(CheckedCell& cell, const SessionChange& change, const Widened& ends,
           const Widened& medians, const CheckLimits& limits) {
  cell.compared = true;
  cell.change = std::expm1(ends.change);
  cell.low = std::expm1(ends.low);
  cell.high = std::expm1(ends.high);
  cell.medianChange = std::expm1(medians.change);
  cell.medianLow = std::expm1(medians.low);
  cell.medianHigh = std::expm1(medians.high);
  if (ends.low > limits.allowed) {
    cell.verdict = CheckVerdict::slower;
  } else if (ends.high <= limits.ruledOut && medians.low > limits.allowed) {
    cell.why = saying(
        "the fastest calls take the same time as before, but the median rose by {:.1f}%: other "
        "programs are running, or some of the calls take more time",
        100 * cell.medianChange);
  } else if (ends.high <= limits.ruledOut) {
    cell.verdict = CheckVerdict::within;
  } else if (ends.byMachine) {
    cell.why = saying("the machine's own speed changed by too much; measure on an idle machine");
  } else if (const std::size_t needed = neededSamples(change, limits, cell.samples);
             needed > cell.samples) {
    cell.samplesNeeded = needed;
    cell.why = saying("too noisy: about {} samples are needed here and in the baseline; it has {}",
                      needed, cell.samples);
  } else {
    cell.why = saying("the runs differ from each other by more than their sessions do");
  }
}

/// A data point of both sides, to be compared.
struct ComparedPoint {
  std::size_t cell = 0;  ///< its index in the report
  SideTimes before, now;
  double share = 0;
};

/// Changes of all points at a quantile of their sessions.
struct Changes {
  std::vector<SessionChange> raw;
  std::vector<Widened> widened;
};

template <typename Share>
Changes changesOf(const std::vector<ComparedPoint>& points, const CheckReport& report,
                  const CheckLimits& limits, Share shareOf) {
  std::vector<std::pair<CheckedSide, CheckedSide>> sides;
  std::vector<SessionTimes> times;
  for (const ComparedPoint& point : points) {
    sides.emplace_back(CheckedSide(point.before, shareOf(point)),
                       CheckedSide(point.now, shareOf(point)));
    times.push_back({sides.back().first.all(), sides.back().second.all()});
  }
  const double missed = (1 - report.settings.confidence) / std::max(report.settings.looks, 1);
  Changes changes{sessionChanges(times, missed), {}};
  for (std::size_t i = 0; i < points.size(); ++i)
    changes.widened.push_back(
        widened(changes.raw[i], sides[i].first, sides[i].second, report.machine, limits));
  return changes;
}

void judgeAll(CheckReport& report, const std::vector<ComparedPoint>& points) {
  const CheckLimits limits{std::log1p(report.settings.allowed),
                           std::log1p(report.settings.ruledOut())};
  const Changes fast =
      changesOf(points, report, limits, [](const ComparedPoint& point) { return point.share; });
  const Changes medians =
      changesOf(points, report, limits, [](const ComparedPoint&) { return 0.5; });
  for (std::size_t i = 0; i < points.size(); ++i) {
    CheckedCell& cell = report.cells[points[i].cell];
    cell.share = points[i].share;
    cell.fastBefore = std::exp(sessionMean(CheckedSide(points[i].before, cell.share).all()));
    cell.fastNow = std::exp(sessionMean(CheckedSide(points[i].now, cell.share).all()));
    judge(cell, fast.raw[i], fast.widened[i], medians.widened[i], limits);
  }
}

bool failedNow(std::span<const Run> now, const Run& like, const Cell& of) {
  return std::any_of(now.begin(), now.end(), [&](const Run& run) {
    const Cell* cell = sameCell(run, like, of);
    return cell && cell->stop == Stop::failed;
  });
}

double middleOf(std::span<const Run> runs, const Run& like, const Cell& of) {
  std::vector<double> times;
  for (const Run& run : runs)
    if (const Cell* cell = sameCell(run, like, of)) {
      const std::vector<double> own = cell->times();
      times.insert(times.end(), own.begin(), own.end());
    }
  return times.empty() ? 0 : median(times);
}

bool isOfThisProcessor(const Run& run) {
  return !run.isOfGpu() && !(run.environment.is_object() && run.environment.contains("target"));
}

CheckVerdict overall(const std::vector<CheckedCell>& cells) {
  const auto any = [&](CheckVerdict verdict) {
    return std::any_of(cells.begin(), cells.end(), [&](const CheckedCell& cell) {
      return cell.verdict == verdict && (cell.before > 0 || verdict == CheckVerdict::slower);
    });
  };
  if (any(CheckVerdict::slower)) return CheckVerdict::slower;
  return any(CheckVerdict::cannotTell) ? CheckVerdict::cannotTell : CheckVerdict::within;
}

}  // namespace

std::string_view name(CheckVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"within", "slower", "cannot tell"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::size_t CheckReport::count(CheckVerdict of) const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(),
      [&](const CheckedCell& cell) { return cell.before > 0 && cell.verdict == of; }));
}

CheckReport checkRuns(std::span<const Run> before, std::span<const Run> now,
                      const CheckSettings& settings) {
  CheckReport report;
  report.settings = settings;
  const Run& like = now.front();
  for (const Axis& axis : like.experiment.axes) report.axes.push_back(axis.name);
  // A simulated device is as fast as its model says, however busy this machine is.
  if (!like.isSimulated()) report.machine = machineChange(before, now);
  // The pace is that of this machine's processor, which a GPU or another host need not follow.
  if (report.machine && !isOfThisProcessor(like))
    report.machine->least = std::min(report.machine->least, 0.0);

  std::vector<ComparedPoint> points;
  for (const Cell& cell : like.cells) {
    CheckedCell checked;
    checked.variant = variantName(like, cell);
    checked.at = cell.key.at;
    checked.before = middleOf(before, like, cell);
    checked.now = middleOf(now, like, cell);
    for (const Run& run : now)
      if (const Cell* same = sameCell(run, like, cell)) checked.samples += same->samples.size();
    SideTimes then = timesOf(before, like, cell), today = timesOf(now, like, cell);
    checked.sessions = sessionsOf(today);
    if (checked.before > 0 && failedNow(now, like, cell)) {
      checked.verdict = CheckVerdict::slower;
      checked.why = saying("fails, but was measured in the baseline: {}",
                           cell.error ? saidAgain(*cell.error) : std::string());
    } else if (std::min(sessionsOf(then), checked.sessions) < kTellingSessions) {
      checked.why = tooFew(then, today);
    } else {
      const double share = std::max(fastShare(then), fastShare(today));
      points.push_back({report.cells.size(), std::move(then), std::move(today), share});
    }
    report.cells.push_back(std::move(checked));
  }
  const auto shared = [](const CheckedCell& cell) { return cell.before > 0; };
  if (std::none_of(report.cells.begin(), report.cells.end(), shared))
    throw InputError(
        saying("the baseline has none of the data points that are checked: the names of variants "
               "and axes, and the values of axes, must be the same"));
  for (const Run& run : before)
    for (const Cell& cell : run.cells)
      report.onlyBefore +=
          &run == before.data() && !cell.samples.empty() && sameCell(like, run, cell) == nullptr;

  judgeAll(report, points);
  report.verdict = overall(report.cells);
  return report;
}

CheckReport checkUntilTold(std::span<const Run> before,
                           const std::function<std::optional<Run>()>& measure, int most,
                           CheckSettings settings, const std::function<bool()>& goesOn) {
  settings.looks = std::max(most - 1, 1);
  CheckReport report;
  report.settings = settings;
  std::vector<Run> now;
  for (int look = 1; look <= most && (look == 1 || goesOn()); ++look) {
    std::optional<Run> run = measure();
    if (!run) break;
    now.push_back(std::move(*run));
    report = checkRuns(before, now, settings);
    if (report.verdict == CheckVerdict::within) break;
    if (report.verdict == CheckVerdict::slower && look > 1) break;
  }
  // One measurement of several that were to be made raises no alarm.
  if (report.verdict == CheckVerdict::slower && most > 1 && now.size() < 2)
    report.verdict = CheckVerdict::cannotTell;
  return report;
}

std::string changeText(const CheckedCell& cell) {
  if (!cell.compared) return cell.why;
  return fmt::format("{:+.1f}% [{:+.1f}, {:+.1f}]", 100 * cell.change, 100 * cell.low,
                     100 * cell.high);
}

std::string nameOf(const CheckReport& report, const CheckedCell& cell) {
  std::string place;
  for (std::size_t i = 0; i < cell.at.size(); ++i)
    place += fmt::format("{}{} = {}", i == 0 ? std::string() : saying(", "),
                         wording::axisWord(report.axes[i]), cell.at[i]);
  return place.empty() ? cell.variant : saying("{} at {}", cell.variant, place);
}

std::string sentence(const CheckReport& report) {
  const auto percent = [](double share) { return fmt::format("{:.3g}%", 100 * share); };
  const std::string allowed = percent(report.settings.allowed);
  const std::size_t within = report.count(CheckVerdict::within),
                    slower = report.count(CheckVerdict::slower),
                    unknown = report.count(CheckVerdict::cannotTell),
                    all = within + slower + unknown;
  if (report.verdict == CheckVerdict::slower)
    return saying("Slower: {} of {} data points take more than {} longer, or fail.", slower, all,
                  allowed);
  if (report.verdict == CheckVerdict::cannotTell)
    return saying(
        "Cannot tell: for {} of {} data points, these samples do not show whether they "
        "take more than {} longer.",
        slower + unknown, all, allowed);
  return saying(
      "Passed: none of {} data points is shown to take more than {} longer, and {} is "
      "ruled out.",
      all, allowed, percent(report.settings.ruledOut()));
}

}  // namespace fusebench
