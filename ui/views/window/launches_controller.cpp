// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/launches_controller.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "profiler/study/launch_pass.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// Number of statements after which the program repeats; 0 if it does not.
int passOf(const Program& program) {
  return program.isChain() ? static_cast<int>(program.statements.size()) : 0;
}

}  // namespace

LaunchesController::LaunchesController(WindowModels& models, DevicesController& devices,
                                       QObject* parent)
    : QObject(parent), models_(models), devices_(devices) {
  connect(&models_.launches, &LaunchRecording::recorded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>& traces) {
            models_.timeline.setTraces(traces);
            recordedProgram_ = recording_;
            refollow();
            emit viewWanted(QStringLiteral("timeline"), false);
            emit filled();
          });
  connect(&models_.launches, &LaunchRecording::failed, this, [this](const QString& what) {
    models_.messages.say(Tone::warning, uiText("The launches could not be recorded: %1").arg(what));
  });
  connect(&models_.timeline, &TimelineModel::currentChanged, this, &LaunchesController::pickOps);
  connect(&models_.timeline.loader(), &TimelineLoader::loaded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>&, const QString& path) {
            models_.settings.addRecentFile(path);
          });
}

void LaunchesController::open(const QString& path, bool below) {
  if (!below) recordedProgram_.clear();
  models_.timeline.open(path, below);
  emit viewWanted(QStringLiteral("timeline"), false);
}

void LaunchesController::record(const std::vector<CellKey>& cells) {
  if (models_.launches.busy()) return models_.launches.cancel();
  const Run* run = models_.run.run();
  if (!run) return;
  const auto here = models_.devices.nameHere(*run);
  if (!here && models_.devices.known()) {
    models_.messages.say(Tone::warning,
                         uiText("The launches of this run cannot be recorded: it was measured on "
                                "%1, which is not available.")
                             .arg(deviceOf(*run, models_.devices.find(run->device))));
    return;
  }
  recording_ = run->experiment.programText;
  models_.launches.setOptions(
      onDevice(devices_.usedOptions(), here ? here->toStdString() : run->device));
  models_.launches.start(run->experiment, cells);
}

void LaunchesController::recordChain() {
  if (models_.launches.busy()) return models_.launches.cancel();
  if (!models_.document.runnable()) {
    models_.messages.say(
        Tone::warning,
        uiText("This cannot be recorded yet: %1").arg(models_.document.problems().front().text));
    return;
  }
  const Experiment& experiment = models_.document.experiment();
  recording_ = experiment.programText;
  models_.launches.setOptions(devices_.usedOptions());
  models_.launches.start(experiment, cellsAtTheEnd(experiment));
}

/// Whether the launches on the timeline are of the program that is on the canvas.
bool LaunchesController::recordedHere() const {
  return !recordedProgram_.empty() && models_.document.sketch().valid() &&
         models_.document.experiment().programText == recordedProgram_;
}

void LaunchesController::follow(std::vector<int> ops) {
  followed_ = std::move(ops);
  refollow();
}

void LaunchesController::refollow() {
  std::vector<int> statements;
  const Program& program = models_.document.sketch().program;
  if (recordedHere())
    for (const int op : followed_)
      if (op >= 0 && op < static_cast<int>(program.ops.size()))
        statements.push_back(program.ops[static_cast<std::size_t>(op)].statement + 1);
  models_.timeline.follow(std::move(statements), passOf(program));
}

void LaunchesController::pickOps() {
  if (!models_.timeline.current() || !recordedHere()) return;
  const auto [trace, event] = *models_.timeline.current();
  const Program& program = models_.document.sketch().program;
  const std::vector<int> statements =
      TimelineModel::statementsOf(*models_.timeline.shown()[trace].trace, event, passOf(program));
  std::vector<int> ops;
  for (std::size_t op = 0; op < program.ops.size(); ++op)
    if (std::find(statements.begin(), statements.end(), program.ops[op].statement + 1) !=
        statements.end())
      ops.push_back(static_cast<int>(op));
  emit opsPicked(std::move(ops));
}

}  // namespace fusebench

#include "moc_launches_controller.cpp"
