// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/machine_change.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "profiler/statistics/fast_ends.h"
#include "profiler/statistics/session_changes.h"
#include "profiler/statistics/sessions.h"

namespace fusebench {
namespace {

constexpr std::size_t kBlocks = 8;  ///< the most that the ticks of a run are divided into
constexpr double kMissed = 0.05;    ///< by the intervals of all kinds together

/// The lists of ticks, by the kind of work; empty if none were recorded.
const nlohmann::json& ticksOf(const Run& run) {
  static const nlohmann::json none = nlohmann::json::object();
  if (!run.environment.is_object()) return none;
  const auto pace = run.environment.find("pace");
  return pace == run.environment.end() || !pace->is_object() ? none : *pace;
}

/// The ticks of one kind of work in successive blocks; empty if they were not recorded.
TimesBySession paceOf(const Run& run, const std::string& kind) {
  const nlohmann::json& ticks = ticksOf(run);
  const auto list = ticks.find(kind);
  if (list == ticks.end() || !list->is_array()) return {};
  std::vector<double> times;
  for (const auto& time : *list)
    if (time.is_number() && time.get<double>() > 0) times.push_back(time.get<double>());
  const std::size_t blocks = std::min(kBlocks, times.size());
  TimesBySession split(blocks);
  for (std::size_t i = 0; i < times.size(); ++i)
    split[i * blocks / times.size()].push_back(times[i]);
  return split;
}

std::vector<TimesBySession> pacesOf(std::span<const Run> runs, const std::string& kind) {
  std::vector<TimesBySession> paces;
  for (const Run& run : runs) {
    paces.push_back(paceOf(run, kind));
    if (paces.back().empty()) return {};
  }
  return paces;
}

std::vector<double> logsOf(const std::vector<TimesBySession>& paces, double share) {
  const std::size_t least = leastSamples(paces);
  std::vector<double> logs;
  for (const TimesBySession& pace : paces) {
    const std::vector<double> own = sessionLogs(pace, share, least);
    logs.insert(logs.end(), own.begin(), own.end());
  }
  return logs;
}

}  // namespace

std::optional<MachineChange> machineChange(std::span<const Run> before, std::span<const Run> now) {
  std::vector<SessionTimes> kinds;
  for (const auto& [kind, _] : ticksOf(now.front()).items()) {
    const std::vector<TimesBySession> then = pacesOf(before, kind), today = pacesOf(now, kind);
    if (then.empty() || today.empty()) continue;
    const double share = std::max(fastShare(then), fastShare(today));
    SessionTimes times{logsOf(then, share), logsOf(today, share)};
    if (std::min(times.before.size(), times.now.size()) >= kTellingSessions)
      kinds.push_back(std::move(times));
  }
  if (kinds.empty()) return std::nullopt;
  const std::vector<SessionChange> changes = sessionChanges(kinds, kMissed);
  MachineChange machine{changes.front().change, changes.front().low, changes.front().high,
                        changes.front().change, changes.front().change};
  for (const SessionChange& change : changes) {
    if (std::abs(change.change) > std::abs(machine.value)) machine.value = change.change;
    machine.low = std::min(machine.low, change.low);
    machine.high = std::max(machine.high, change.high);
    machine.least = std::min(machine.least, change.change);
    machine.most = std::max(machine.most, change.change);
  }
  for (double* logarithm :
       {&machine.value, &machine.low, &machine.high, &machine.least, &machine.most})
    *logarithm = std::expm1(*logarithm);
  return machine;
}

}  // namespace fusebench
