// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_reader.h"

#include <QFileInfo>
#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

#include "ui/models/results/same_measurement.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

std::vector<ReadRun> readRuns(const QStringList& paths,
                              const std::optional<SavedExperiment>& shown) {
  std::vector<ReadRun> runs;
  for (const QString& path : paths) {
    ReadRun& one = runs.emplace_back();
    one.path = path;
    try {
      one.run = std::make_shared<const Run>(loadRun(path.toStdString()));
      if (shown) one.saved = savedFor(*one.run, *shown);
    } catch (const std::exception& error) {
      one.error = QString::fromUtf8(error.what());
    }
  }
  return runs;
}

/// The runs, if reading them takes a moment only.
std::optional<std::vector<ReadRun>> readRunsNow(const QStringList& paths,
                                                const std::optional<SavedExperiment>& shown) {
  if (!areSmall(shown ? paths + QStringList{shown->path} : paths)) return std::nullopt;
  const WorkLimit moment(LatestTask::kMoment);
  std::vector<ReadRun> runs = readRuns(paths, shown);
  // Runs that were read are complete, however long it took. A failed read may have run out of time.
  const bool areRead =
      !shown && std::ranges::all_of(runs, [](const ReadRun& one) { return one.run != nullptr; });
  if (areRead || WorkLimit::state() == WorkLimit::State::going) return runs;
  return std::nullopt;
}

}  // namespace

bool areSmall(const QStringList& paths) {
  qint64 bytes = 0;
  for (const QString& path : paths) {
    const QFileInfo file(path);
    if (path.isEmpty() || !file.exists()) continue;
    if (!file.isFile()) return false;
    bytes += file.size();
  }
  return bytes <= kSmallFiles;
}

std::optional<SavedExperiment> savedFor(const Run& run, const SavedExperiment& shown) {
  if (shown.path.isEmpty() || sameMeasurement(run.experiment, shown.experiment))
    return std::nullopt;
  try {
    Document file = openDocument(shown.path);
    auto* saved = std::get_if<Experiment>(&file);
    if (!saved || !sameMeasurement(*saved, run.experiment)) return std::nullopt;
    return SavedExperiment{std::move(*saved), shown.path};
  } catch (const std::exception&) {
    return std::nullopt;  // gone, or something else by now
  }
}

bool RunReader::read(const QStringList& paths, const Then& then,
                     const std::optional<SavedExperiment>& shown) {
  cancel();
  // `then` has its own time: the limit of a moment is over.
  if (auto runs = readRunsNow(paths, shown)) {
    then(std::move(*runs));
    return true;
  }
  task_.start(
      [paths, shown](const std::stop_token& stop) {
        const WorkLimit limit(kOpeningSeconds, stop);
        return readRuns(paths, shown);
      },
      then);
  return false;
}

}  // namespace fusebench
