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

/// For each session the logarithm of its median. A simulated device has none: its times are a
/// model's, so each sample counts.
std::vector<double> sessionLogs(const Run& run, const Cell& cell) {
  const std::vector<double> times = cell.times();
  std::vector<int> sessions = cell.sessions();
  if (run.isSimulated()) std::iota(sessions.begin(), sessions.end(), 0);
  std::vector<double> logs;
  for (std::size_t begin = 0, end = 0; begin < times.size(); begin = end) {
    while (end < times.size() && sessions[end] == sessions[begin]) ++end;
    const double middle = median(std::span(times).subspan(begin, end - begin));
    if (middle > 0) logs.push_back(std::log(middle));
  }
  // A model without noise would give the same again.
  if (run.isExact() && !logs.empty())
    logs.resize(std::max(logs.size(), kTellingSessions), logs.front());
  return logs;
}

/// One side of a data point: for each run, the logarithms of its sessions.
struct CheckedSide {
  std::vector<std::vector<double>> runs;
  std::vector<double> all() const {
    std::vector<double> joined;
    for (const auto& run : runs) joined.insert(joined.end(), run.begin(), run.end());
    return joined;
  }
};

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

CheckedSide sideOf(std::span<const Run> runs, const Run& like, const Cell& of) {
  CheckedSide side;
  for (const Run& run : runs)
    if (const Cell* cell = sameCell(run, like, of)) {
      std::vector<double> logs = sessionLogs(run, *cell);
      if (!logs.empty()) side.runs.push_back(std::move(logs));
    }
  return side;
}

/// A list of the times of the machine's own pace, over all runs; empty unless all have it.
std::vector<double> paceOf(std::span<const Run> runs, const char* list) {
  std::vector<double> times;
  for (const Run& run : runs) {
    const auto pace =
        run.environment.is_object() ? run.environment.find("pace") : run.environment.end();
    if (pace == run.environment.end() || !pace->is_object() || !pace->contains(list)) return {};
    for (const auto& time : pace->at(list))
      if (time.is_number() && time.get<double>() > 0) times.push_back(time.get<double>());
  }
  return times;
}

std::optional<MachineChange> machineChange(std::span<const Run> before, std::span<const Run> now) {
  std::optional<MachineChange> change;
  for (const char* list : {"arithmetic_ns", "memory_ns"}) {
    const Estimate ratio = ratioOf(medianOverSessions(paceOf(before, list), {}),
                                   medianOverSessions(paceOf(now, list), {}));
    if (ratio.kind == Estimate::Kind::none) continue;
    const MachineChange one{ratio.value - 1, ratio.low - 1, ratio.high - 1};
    if (!change) {
      change = one;
      continue;
    }
    // Neither kind of work stands for every program: the further one counts at each end.
    if (std::abs(one.value) > std::abs(change->value)) change->value = one.value;
    change->low = std::min(change->low, one.low);
    change->high = std::max(change->high, one.high);
  }
  return change;
}

/// The interval in logarithms, with what the machine and the runs of a side differ by.
struct Widened {
  double low = 0, high = 0;
  bool byMachine = false;  ///< it would tell more without the machine's own change
};

Widened widened(const SessionChange& change, const CheckedSide& before, const CheckedSide& now,
                const std::optional<MachineChange>& machine, const CheckLimits& limits) {
  Widened ends{change.low, change.high, false};
  for (const auto& a : before.runs)
    for (const auto& b : now.runs) {
      const double apart = meanOf(b) - meanOf(a);
      ends.low = std::min(ends.low, apart);
      ends.high = std::max(ends.high, apart);
    }
  if (!machine) return ends;
  const bool told = limits.told(ends.low, ends.high);
  ends.low -= std::max(std::log1p(machine->high), 0.0);
  ends.high -= std::min(std::log1p(machine->low), 0.0);
  ends.byMachine = told && !limits.told(ends.low, ends.high);
  return ends;
}

std::string tooFew(const CheckedSide& before, const CheckedSide& now) {
  if (before.runs.empty()) return saying("not in the baseline");
  if (now.runs.empty()) return saying("not measured");
  return saying("too few samples: it has {} sessions and {} in the baseline; {} are needed",
                now.all().size(), before.all().size(), kTellingSessions);
}

/// How many samples would tell, at the present change.
std::size_t neededSamples(const SessionChange& change, const CheckLimits& limits,
                          std::size_t samples) {
  const double gap = std::max(change.change - limits.allowed, limits.ruledOut - change.change),
               times = std::pow(change.halfWidth / gap, 2);
  return static_cast<std::size_t>(std::ceil(std::max(times, 1.0) * static_cast<double>(samples)));
}

void judge(CheckedCell& cell, const SessionChange& change, const Widened& ends,
           const CheckLimits& limits) {
  cell.compared = true;
  cell.change = std::expm1(change.change);
  cell.low = std::expm1(ends.low);
  cell.high = std::expm1(ends.high);
  if (ends.low > limits.allowed) {
    cell.verdict = CheckVerdict::slower;
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

  std::vector<SessionTimes> points;
  std::vector<std::pair<CheckedSide, CheckedSide>> sides;
  std::vector<std::size_t> compared;
  for (const Cell& cell : like.cells) {
    CheckedCell checked;
    checked.variant = variantName(like, cell);
    checked.at = cell.key.at;
    checked.before = middleOf(before, like, cell);
    checked.now = middleOf(now, like, cell);
    for (const Run& run : now)
      if (const Cell* same = sameCell(run, like, cell)) checked.samples += same->samples.size();
    CheckedSide then = sideOf(before, like, cell), today = sideOf(now, like, cell);
    checked.sessions = today.all().size();
    if (checked.before > 0 && failedNow(now, like, cell)) {
      checked.verdict = CheckVerdict::slower;
      checked.why = saying("fails, but was measured in the baseline: {}",
                           cell.error ? saidAgain(*cell.error) : std::string());
    } else if (then.all().size() < kTellingSessions || today.all().size() < kTellingSessions) {
      checked.why = tooFew(then, today);
    } else {
      points.push_back({then.all(), today.all()});
      sides.emplace_back(std::move(then), std::move(today));
      compared.push_back(report.cells.size());
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

  const CheckLimits limits{std::log1p(settings.allowed), std::log1p(settings.ruledOut())};
  const double missed = (1 - settings.confidence) / std::max(settings.looks, 1);
  const std::vector<SessionChange> changes = sessionChanges(points, missed);
  for (std::size_t i = 0; i < changes.size(); ++i)
    judge(report.cells[compared[i]], changes[i],
          widened(changes[i], sides[i].first, sides[i].second, report.machine, limits), limits);
  report.verdict = overall(report.cells);
  return report;
}

CheckReport checkUntilTold(std::span<const Run> before,
                           const std::function<std::optional<Run>()>& measure, int most,
                           CheckSettings settings) {
  settings.looks = std::max(most - 1, 1);
  CheckReport report;
  report.settings = settings;
  std::vector<Run> now;
  for (int look = 1; look <= most; ++look) {
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
