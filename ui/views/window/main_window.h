// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <memory>
#include <optional>
#include <string>

#include "ui/models/window/window_models.h"
#include "ui/theme/theme.h"
#include "ui/views/base/dialogs.h"
#include "ui/views/window/top_bar.h"

namespace fusebench {

class Banner;
class DevicesController;
class DocumentKeeper;
class Exporter;
class FilesController;
class LaunchesController;
class RunsController;
class SitesController;
class StatusBar;
class Workbench;

/// The window: connects models, controllers and views, and shows their state in its title, its
/// actions and its status bar.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `folder`: location of the session and the runs; empty: the desktop's default for such data.
  MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs, const QString& folder = {},
             QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Command of the worker and device.
  void setOptions(const StudyOptions& options);
  /// Opens a file of any known kind; false, and a banner, if it cannot be read. In that case the
  /// shown document stays.
  bool openFile(const QString& path);
  /// The study that the window starts with.
  bool openMainStudy();
  /// Restores what the last window had open, or opens the main study.
  void restoreSession();
  /// Whether the user closed it to restart the program, for example in another language.
  bool restartWanted() const { return restartWanted_; }
  /// Asks what to capture from a file that defines a model; if empty, also which file.
  void captureModel(const QString& file);
  /// Starts the worker ahead of the first edit, and finds out which devices there are.
  void warmUp();

  DocumentModel& document() { return models_.document; }
  StudyController& controller() { return models_.study; }
  ExploreController& explore() { return models_.explore; }
  RunModel& runModel() { return models_.run; }
  RunLibrary& library() { return models_.library; }
  const AnalysisModel& analysisModel() const { return models_.analysis; }
  const GeneratedCodeModel& generated() const { return models_.generated; }
  TimelineModel& timeline() { return models_.timeline; }
  LaunchRecording& launches() { return models_.launches; }
  DevicesModel& devices() { return models_.devices; }
  FilesController& files() { return *files_; }
  RunsController& runs() { return *runs_; }
  Workbench& workbench() { return *workbench_; }
  Banner& banner() { return *banner_; }
  StatusBar& status() { return *status_; }
  const WindowActions& actions() const { return actions_; }

 public slots:
  void run();
  void goOn();
  void newChain();
  bool save();
  bool saveAs();
  void saveRunAs();

 protected:
  void closeEvent(QCloseEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeControllers(const Dialogs& dialogs);
  void linkActions();
  void linkState();
  void applySettings();
  void themeViews();
  const Theme& shownTheme() const;
  void refreshDocument();
  void refreshReference();
  void refreshState();
  void refreshHistory();
  void refreshTitle();
  void refreshNotice();
  void refreshDevice();
  void findCommand();
  void takeRemedy();
  void restart();
  void stopAll();

  WindowModels models_;
  Dialogs dialogs_;
  std::optional<Reference> reference_;
  std::string referenceName_;
  bool closing_ = false;
  bool restartWanted_ = false;
  bool darkShown_ = false;
  std::size_t lentShown_ = 0;  ///< cells from exploring, in the notice

  WindowActions actions_{};
  Banner* banner_ = nullptr;
  Workbench* workbench_ = nullptr;
  StatusBar* status_ = nullptr;
  std::unique_ptr<DocumentKeeper> keeper_;
  std::unique_ptr<DevicesController> devices_;
  std::unique_ptr<RunsController> runs_;
  std::unique_ptr<SitesController> sites_;
  std::unique_ptr<FilesController> files_;
  std::unique_ptr<LaunchesController> launches_;
  std::unique_ptr<Exporter> exporter_;
};

}  // namespace fusebench
