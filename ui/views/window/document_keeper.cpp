// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/document_keeper.h"

#include <QFileInfo>
#include <cstdint>
#include <optional>
#include <utility>

#include "profiler/experiment/weights_along.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

constexpr const char* kRunFilter = "Run (*.jsonl)";
constexpr const char* kExperimentFilter = "Experiment (*.json)";
/// Bytes of weights that saving may copy; more would hold up the window.
constexpr std::uintmax_t kMostCopied = std::uintmax_t{64} << 20;

}  // namespace

DocumentKeeper::DocumentKeeper(WindowModels& models, Dialogs dialogs, QWidget* asker,
                               QObject* parent)
    : QObject(parent), models_(models), dialogs_(std::move(dialogs)), asker_(asker) {
  connect(&models_.document, &DocumentModel::loaded, this, [this] {
    const Program& program = models_.document.experiment().program;
    wasChain_ = program.statements.size() < 2 || program.isChain();
    models_.messages.withdraw(Remedy::sweepSize);
  });
  connect(&models_.document, &DocumentModel::changed, this, &DocumentKeeper::offerSize);
}

/// If the program is not a chain, its first n statements are another program: offer to sweep the
/// size.
void DocumentKeeper::offerSize() {
  const Experiment& experiment = models_.document.experiment();
  const Program& program = experiment.program;
  const bool chain = program.statements.size() < 2 || program.isChain();
  const bool became = std::exchange(wasChain_, chain) && !chain;
  const bool swept = !experiment.axes.empty() && experiment.axes[0].name == "statements";
  if (chain || !swept) return models_.messages.withdraw(Remedy::sweepSize);
  if (became)
    models_.messages.say(
        Tone::info,
        uiText("The chart's axis is the number of statements, but this program is only complete "
               "with all of its statements. Sweep the size of its inputs instead?"),
        uiText("Sweep size"), Remedy::sweepSize);
}

void DocumentKeeper::show(Experiment experiment, const QString& path) {
  models_.explore.stop();
  models_.place.pin(std::nullopt);
  models_.run.clear();
  replace(std::move(experiment), path);
}

void DocumentKeeper::replace(Experiment experiment, const QString& path) {
  models_.place.pin(std::nullopt);  // a place in the experiment that goes
  emit replaced(experiment);
  models_.document.load(std::move(experiment), path);
}

QString DocumentKeeper::askForFile() {
  const QString path = dialogs_.openFile(asker_, models_.settings.folder());
  if (!path.isEmpty()) models_.settings.setFolder(QFileInfo(path).absolutePath());
  return path;
}

QString DocumentKeeper::askForPlace(const QString& name, const QString& filter) {
  const QString folder = models_.settings.folder();
  return dialogs_.saveFile(asker_, folder.isEmpty() ? name : folder + u'/' + name, filter);
}

QString DocumentKeeper::suggestion(const QString& ending) const {
  const QString folder = models_.settings.folder();
  return (folder.isEmpty() ? QString() : folder + u'/') +
         fileNameFor(models_.document.experiment()) + ending;
}

bool DocumentKeeper::saveTo(const QString& path) {
  if (path.isEmpty()) return false;
  emit commitWanted();
  // Nobody gave it a title yet: its file has a name now, and its runs will have that.
  DocumentModel& document = models_.document;
  Experiment saved = document.experiment();
  if (saved.title == DocumentModel::blank().title)
    saved.title = QFileInfo(path).completeBaseName().toStdString();
  try {
    takeWeightsAlong(saved, path.toStdString(), kMostCopied);
  } catch (const std::exception& error) {
    models_.messages.say(Tone::warning, QString::fromUtf8(error.what()));
  }
  try {
    saveExperiment(saved, path.toStdString());
  } catch (const std::exception& error) {
    models_.messages.say(Tone::error, QString::fromUtf8(error.what()), uiText("Save elsewhere"),
                         Remedy::saveElsewhere);
    return false;
  }
  models_.settings.setFolder(QFileInfo(path).absolutePath());
  models_.settings.addRecentFile(path);
  document.edit(uiText("Title from the file's name"), {},
                [&](Experiment& experiment) { experiment.title = saved.title; });
  document.setWeights(saved.weights, saved.folder);
  document.markSaved(path);
  return true;
}

bool DocumentKeeper::save() {
  const QString path = models_.document.path();
  return path.isEmpty() ? saveAs() : saveTo(path);
}

bool DocumentKeeper::saveAs() {
  return saveTo(dialogs_.saveFile(asker_, suggestion(QStringLiteral(".json")),
                                  QLatin1String(kExperimentFilter)));
}

void DocumentKeeper::saveRunAs() {
  if (!models_.run.run()) return;
  const QString path =
      dialogs_.saveFile(asker_, suggestion(QStringLiteral(".jsonl")), QLatin1String(kRunFilter));
  if (path.isEmpty()) return;
  try {
    saveRun(*models_.run.measured(), path.toStdString());
    models_.settings.setFolder(QFileInfo(path).absolutePath());
    models_.settings.addRecentFile(path);
    models_.run.markSaved();
  } catch (const std::exception& error) {
    models_.messages.say(Tone::error, QString::fromUtf8(error.what()));
  }
}

bool DocumentKeeper::mayReplace(const QString& question) {
  if (!models_.document.modified()) return true;
  switch (dialogs_.unsaved(asker_, question)) {
    case Dialogs::Unsaved::save:
      return save();
    case Dialogs::Unsaved::discard:
      return true;
    case Dialogs::Unsaved::cancel:
      return false;
  }
  return false;
}

}  // namespace fusebench

#include "moc_document_keeper.cpp"
