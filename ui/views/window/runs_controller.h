// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/chart/chart_series.h"
#include "ui/models/runs/run_comparison.h"
#include "ui/models/runs/run_reader.h"
#include "ui/views/window/devices_controller.h"
#include "ui/views/window/document_keeper.h"

namespace fusebench {

/// Measures, saves the results, and shows runs: one, overlaid, or compared.
class RunsController : public QObject {
  Q_OBJECT

 public:
  RunsController(WindowModels& models, DocumentKeeper& keeper, DevicesController& devices,
                 QObject* parent = nullptr);
  ~RunsController() override;

  /// Measures the experiment, once every edit of it has been made and read; returns why not.
  void run();
  /// Whether a run waits for edits.
  bool wanted() const { return wanted_; }
  void forgetWanted();
  /// Whether it could be measured; returns why not.
  bool readyToRun();
  /// While an experiment is measured in several places one after another: the displayed results
  /// stay until the next one begins, and nobody is asked.
  void setInTurn(bool on) { inTurn_ = on; }
  /// Measures the next of them. False: it could not begin.
  bool runInTurn();
  /// Adds samples to a run that was stopped, or otherwise begins one.
  void goOn();

  /// Opens a run of the library with its experiment; returns why not. A run that takes more than a
  /// moment to read is read outside the window's thread, here and below: runsRead() follows.
  void open(const QString& path);
  /// Shows a run and keeps the experiment as it is.
  void show(const QString& path);
  /// Whether a run to open or show is being read.
  bool opening() const { return opening_.busy(); }
  void stopOpening();
  /// The shown experiment, and its file: for savedFor(), whose result the next function takes.
  SavedExperiment shownExperiment() const;
  /// Shows a run, and its experiment if it differs from the displayed one; false: the user kept
  /// that one.
  bool openWithExperiment(const std::shared_ptr<const Run>& run, const QString& path,
                          std::optional<SavedExperiment> saved);
  /// Shows the runs of a report that compares them: overlays the others on the first and opens the
  /// comparison.
  void showTogether(std::vector<Run> runs, const QString& path);
  /// The same for runs of one experiment that were just measured.
  void showTogether(std::vector<NamedRun> runs);
  /// Runs that were overlaid on the last chart stay if the axis is the same; null: they are
  /// removed.
  void keepOverlaysOf(const Experiment* next);
  void compare(const QStringList& paths);
  void showOverlays(const QStringList& paths);

  /// Reads them, gives each a distinct name, and passes them on; returns why not. Every request is
  /// answered, even if others follow.
  void withRuns(const QStringList& paths,
                const std::function<void(const std::vector<NamedRun>&)>& then);
  /// The runs overlaid on the chart, with their names.
  std::vector<NamedRun> overlays() const;

 signals:
  /// The chart's overlays have changed; the runs stay valid until the next such signal.
  void overlaysChanged(const std::vector<Overlay>& overlays);
  void compared(const std::vector<NamedRun>& runs);
  void viewWanted(const QString& key, bool focus);
  /// This is why nothing can be measured yet.
  void problemShown(const Problem& problem);
  /// It cannot be opened while another run is measured.
  void openRefused(const QString& path);
  /// A run to open or show is being read; what else was being opened gives way to it.
  void openingBegun();
  /// Runs that were read outside the window's thread are shown, or a message says why not.
  void runsRead();
  void wantedChanged();
  /// A run is about to begin.
  void begun();
  /// The study has ended, and its results are saved.
  void ended();

 private:
  struct LaidOver {
    QString path;
    std::shared_ptr<const Run> run;
    QString name{};  ///< where it has no path
  };

  /// The rest of readyToRun(), once typed text is part of the program.
  bool isReady();
  void begin();
  void runIfWanted();
  void setWanted(bool wanted);
  bool mayTakeLong();
  void readToOpen(const QString& path, const std::function<void(ReadRun)>& then,
                  const std::optional<SavedExperiment>& shown = {});
  void takeOpened(ReadRun read);
  void takeShown(const ReadRun& read);
  void takeOverlays(std::vector<ReadRun> read, bool more);
  void layOver(const std::vector<NamedRun>& runs);
  QString nameOf(const LaidOver& over) const;
  void withRuns(RunReader& reader, const QStringList& paths,
                const std::function<void(const std::vector<NamedRun>&)>& then);
  void relabel();
  void keepPreviousRun();
  void showBefore();
  void releasePreviousRun();
  void dropBefore();
  void tellOverlays();
  void tellUnavailable();
  void measureWaiting();
  void overBudget(const BudgetNeed& need);
  void studyChanged();
  void keepRun();
  void announceEnd();
  void workerLost(const QString& what);
  void exploringChanged();
  void moved(bool asked);
  void setRun(const std::shared_ptr<const Run>& run, const QString& path);
  bool recall();
  QString nameOf(const QString& path) const;

  WindowModels& models_;
  DocumentKeeper& keeper_;
  DevicesController& devices_;
  std::vector<LaidOver> overlays_;
  /// The run shown before the one that is beginning; faint until the new one has samples
  /// everywhere.
  std::shared_ptr<const Run> before_;
  std::shared_ptr<const Run> leaving_;  ///< what is shown, while it is being replaced
  std::shared_ptr<const Run> kept_;     ///< on its way to the library
  RunReader opening_{this}, overlaying_{this}, comparing_{this};
  std::vector<std::unique_ptr<RunReader>> naming_;  ///< one per request, kept until it has ended
  bool wanted_ = false;                             ///< a run, once the edits are made
  bool inTurn_ = false;                             ///< several places are measured on
  bool keeping_ = false;                            ///< the run shown is on its way to the library
};

}  // namespace fusebench
