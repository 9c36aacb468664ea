// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <optional>

#include "ui/models/canvas/palette_model.h"
#include "ui/models/code/generated_code_model.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/runs/explore_controller.h"
#include "ui/models/runs/findings_model.h"
#include "ui/models/runs/results_table_model.h"
#include "ui/models/runs/run_comparison.h"
#include "ui/models/runs/run_library.h"
#include "ui/models/runs/run_memory.h"
#include "ui/models/results/run_model.h"
#include "ui/models/runs/study_controller.h"
#include "ui/models/setup/devices_model.h"
#include "ui/models/setup/document_model.h"
#include "ui/models/timeline/launch_recording.h"
#include "ui/models/timeline/timeline_model.h"
#include "ui/models/window/session.h"
#include "ui/models/window/settings.h"
#include "ui/theme/theme.h"
#include "ui/views/base/dialogs.h"
#include "ui/views/window/top_bar.h"

class QMenu;

namespace fusebench {

class Banner;
class ExportDialog;
class ExportSource;
class StatusBar;
class Workbench;

/// The window: puts models and views together and carries out the actions.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `folder`: where the session and the runs are kept; empty: where the desktop keeps such data.
  MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs, const QString& folder = {},
             QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Command of the worker and device.
  void setOptions(const StudyOptions& options);
  /// Opens an experiment or a run; false, and a banner, if it cannot be read. What is shown stays
  /// then.
  bool openFile(const QString& path);
  /// The study that the window starts with.
  bool openMainStudy();
  /// What the last window left, or else the main study.
  void restoreSession();
  /// Starts the worker ahead of the first edit, and finds out which devices there are.
  void warmUp();

  DocumentModel& document() { return document_; }
  StudyController& controller() { return controller_; }
  ExploreController& explore() { return explore_; }
  RunModel& runModel() { return run_; }
  RunLibrary& library() { return library_; }
  const AnalysisModel& analysisModel() const { return analysis_; }
  const GeneratedCodeModel& generated() const { return generated_; }
  TimelineModel& timeline() { return timeline_; }
  LaunchRecording& launches() { return launches_; }
  DevicesModel& devices() { return devices_; }
  Workbench& workbench() { return *workbench_; }
  Banner& banner() { return *banner_; }
  StatusBar& status() { return *status_; }
  const WindowActions& actions() const { return actions_; }

 public slots:
  void run();
  void goOn();
  void newChain();
  void open();
  bool save();
  bool saveAs();
  void saveRunAs();
  void exportRun();
  void exportTimeline();
  /// Several runs: the first against each of the others, at first that one.
  void exportComparison(const std::vector<NamedRun>& runs, const QString& other = {});
  void choosePython();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  enum class Remedy { none, goOn, discardRestored, saveElsewhere, undo };

  void useOptions();
  void buildActions();
  void buildMenu();
  void fillPresets(QMenu& menu);
  void fillRecordings(QMenu& menu);
  void fillRecent(QMenu& menu);
  void linkState();
  void linkViews();
  void applySettings();
  void themeViews();
  void applyIcons(const Theme& theme);
  const Theme& shownTheme() const;
  void refreshDocument();
  void refreshReference();
  void refreshState();
  void studyChanged();
  void refreshHistory();
  void refreshTitle();
  void refreshNotice();
  void announceEnd();
  void dismissGoOn();
  void keepRun();
  void linkTimeline();
  void linkDevices();
  void deviceChosen();
  void devicesListed();
  void followDevice();
  bool mayAddHere();
  void recordLaunches();
  bool recordedHere() const;
  void followStatements();
  void openTrace(const QString& path, bool below);
  void openRun(const QString& path);
  void showRun(const QString& path);
  void compareRuns(const QStringList& paths);
  void exportRuns(const QStringList& paths);
  void showTogether(std::vector<Run> runs, const QString& path);
  QString nameOf(const QString& path) const;
  void showOverlays(const QStringList& paths);
  ExportDialog& openExport(std::unique_ptr<const ExportSource> source);
  std::vector<NamedRun> runsAt(const QStringList& paths) const;
  bool openWithExperiment(const std::shared_ptr<const Run>& run, const QString& path);
  QString fileOf(Experiment& measured) const;
  void setRun(const std::shared_ptr<const Run>& run, const QString& path);
  bool recallRun();
  void keepOverlaysOf(const Experiment* next);
  void sweepSecondAxis();
  void openSlice(std::size_t x, std::size_t y);
  void markAt(std::optional<double> x, bool scroll);
  void pin(std::optional<double> x, bool scroll = true);
  void restorePin();
  const Experiment& shownExperiment() const;
  void refreshShownStatements();
  void replaceDocument(Experiment experiment, const QString& path);
  void showExperiment(Experiment experiment, const QString& path);
  void takeRemedy();
  void say(int tone, const QString& text, const QString& button = {}, Remedy remedy = Remedy::none);
  /// Whether the experiment shown may go away; asks if it is changed and not saved.
  bool mayReplaceDocument(const QString& question);
  bool saveTo(const QString& path);
  bool measuredAsShown() const;
  QString suggestion(const QString& ending) const;

  Settings& settings_;
  StudyOptions options_;      ///< as they were given
  StudyOptions usedOptions_;  ///< with the device and the guests that are chosen
  QString python_;            ///< that the options in use name
  Dialogs dialogs_;
  QString folder_;
  DocumentModel document_;
  RunModel run_;
  DevicesModel devices_;
  StudyController controller_;
  ExploreController explore_;
  AnalysisModel analysis_;
  FindingsModel findings_;
  ResultsTableModel table_;
  PaletteModel palette_;
  RunLibrary library_;
  GeneratedCodeModel generated_;
  TimelineModel timeline_;
  LaunchRecording launches_;
  std::string recording_;        ///< program whose launches are being recorded
  std::string recordedProgram_;  ///< of the launches on the timeline; empty: of another origin
  std::vector<int> followed_;    ///< ops that are selected on the canvas
  Session session_;
  std::optional<Reference> reference_;
  struct LaidOver {
    QString path;
    std::shared_ptr<const Run> run;
  };
  std::vector<LaidOver> overlays_;
  RunMemory memory_;
  std::shared_ptr<const Run> kept_;  ///< on its way to the library
  std::optional<double> pinned_;
  std::string pinnedAxis_;
  std::size_t slice_ = 0;
  std::string referenceName_;
  std::string openedRun_;   ///< when the run that came from a file last was begun
  bool toFollow_ = false;   ///< as soon as the devices are known, that of the run shown is chosen
  bool following_ = false;  ///< it is being chosen, not by the person
  Remedy remedy_ = Remedy::none;
  bool keeping_ = false;  ///< the run shown is on its way to the library
  bool closing_ = false;
  bool darkShown_ = false;

  WindowActions actions_{};
  Banner* banner_ = nullptr;
  Workbench* workbench_ = nullptr;
  StatusBar* status_ = nullptr;
};

}  // namespace fusebench
