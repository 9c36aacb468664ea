// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_words.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/variant_executors.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

QString stopText(const Cell& cell) {
  if (cell.stop == Stop::running)
    return cell.samples.empty() ? uiText("waiting") : uiText("measuring");
  switch (cell.stop) {
    case Stop::running:
      return {};
    case Stop::converged:
      return uiText("converged");
    case Stop::cap:
      return uiText("cap");
    case Stop::budget:
      return uiText("budget");
    case Stop::coarse:
      return uiText("coarse");
    case Stop::interrupted:
      return uiText("interrupted");
    case Stop::unavailable:
      return uiText("unavailable");
    case Stop::failed:
      return uiText("failed");
  }
  return {};
}

QString machineText(const Run& run) {
  const QString device = QString::fromStdString(run.device);
  std::string model = deviceModel(run.environment, run.device);
  // A run keeps it as it was recorded, in English.
  constexpr std::string_view kSimulated = "simulated ";
  if (const std::string whole(said(model)); whole != model)  // a teaching device
    model = whole;
  else if (model.starts_with(kSimulated))
    model = std::string(said(kSimulated)) + model.substr(kSimulated.size());
  return model.empty() ? device : device + QStringLiteral(" · ") + QString::fromStdString(model);
}

bool waitsForPython(const Run& run, const Cell& cell) {
  return cell.stop == Stop::unavailable && cell.error &&
         runsInTorch(
             run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].executor) &&
         cell.error->find("FUSEBENCH_PYTHON") != std::string::npos;
}

QString stepText(NextStep step) {
  switch (step) {
    case NextStep::run:
      return uiText("Run it again");
    case NextStep::choosePython:
      return uiText("Choose Python…");
    case NextStep::setUp:
      return uiText("Open Setup");
  }
  return {};
}

namespace {

constexpr std::size_t kReasons = 3;  ///< more are in the table of results

/// "eager, static: the reason", a line for each reason.
QString reasonsOf(const Run& run) {
  std::vector<std::pair<QString, QStringList>> reasons;
  for (const Cell& cell : run.cells) {
    if (!cell.error) continue;
    const QString why = QString::fromStdString(saidAgain(*cell.error));
    auto found = std::ranges::find(reasons, why, &std::pair<QString, QStringList>::first);
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {why, {}});
    const QString name = QString::fromStdString(
        run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    if (!found->second.contains(name)) found->second << name;
  }
  QStringList lines;
  for (const auto& [why, names] : reasons) {
    if (lines.size() == static_cast<qsizetype>(kReasons)) break;
    lines << uiText("%1: %2").arg(names.join(QStringLiteral(", ")), why);
  }
  if (reasons.size() > kReasons)
    lines << uiText("%1 more reasons are in the table of results.").arg(reasons.size() - kReasons);
  return lines.join(u'\n');
}

}  // namespace

std::optional<EmptyState> withoutSamples(const Run& run) {
  std::map<Stop, std::size_t> stops;
  bool python = false;
  for (const Cell& cell : run.cells) {
    if (!cell.samples.empty()) return std::nullopt;
    if (cell.stop == Stop::running && !run.interrupted) return std::nullopt;
    ++stops[cell.stop];
    python = python || waitsForPython(run, cell);
  }
  const std::size_t ended = stops[Stop::unavailable] + stops[Stop::failed];
  if (ended == run.cells.size() && stops[Stop::failed] == 0 && ended > 0)
    return EmptyState{uiText("None of these variants can be measured here."), reasonsOf(run),
                      python ? NextStep::choosePython : NextStep::setUp};
  if (ended == run.cells.size() && ended > 0)
    return EmptyState{uiText("Every measurement failed."), reasonsOf(run), NextStep::setUp};
  QString text = run.interrupted ? uiText("The run was stopped before its first sample was taken.")
                                 : uiText(
                                       "The run ended before its first sample was taken: its time "
                                       "budget was too short. Increase it in Setup, Time.");
  if (const QString reasons = reasonsOf(run); !reasons.isEmpty()) text += u'\n' + reasons;
  return EmptyState{uiText("Nothing was measured."), text,
                    run.interrupted ? NextStep::run : NextStep::setUp};
}

}  // namespace fusebench
