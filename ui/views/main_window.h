// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <optional>

#include "ui/models/analysis_model.h"
#include "ui/models/insights_model.h"
#include "ui/models/program_model.h"
#include "ui/models/results_table_model.h"
#include "ui/models/run_model.h"
#include "ui/models/settings.h"
#include "ui/models/study_controller.h"
#include "ui/theme.h"
#include "ui/views/dialogs.h"
#include "ui/views/top_bar.h"

class QComboBox;
class QSplitter;
class QToolButton;

namespace fusebench {

class Banner;
class ChainView;
class ChartView;
class InsightsView;
class LessonView;
class Panel;
class ResultsView;
class StatusBar;

/// The window: puts models and views together and carries out the actions.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens an experiment or a run; false, and a banner, if it cannot be read. What is shown stays
  /// then.
  bool openFile(const QString& path);
  /// The study that the window starts with.
  bool openMainStudy();

  StudyController& controller() { return controller_; }
  RunModel& runModel() { return run_; }
  const AnalysisModel& analysisModel() const { return analysis_; }
  ProgramModel& programModel() { return program_; }
  ChartView& chart() { return *chart_; }
  ResultsView& results() { return *results_; }
  InsightsView& insights() { return *insights_; }
  LessonView& lesson() { return *lesson_; }
  ChainView& chain() { return *chain_; }
  Banner& banner() { return *banner_; }
  StatusBar& status() { return *status_; }
  const WindowActions& actions() const { return actions_; }

 public slots:
  void run();
  void goOn();
  void open();
  void save();
  void saveExperimentAs();

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void buildActions();
  void buildMenu();
  void buildViews();
  QWidget* chartControls();
  void connectViews();
  void applySettings();
  void refreshExperiment();
  void refreshState();
  void announceEnd();
  void refreshTitle();
  void markAt(std::optional<double> x, bool scroll);
  /// Whether the run shown may go away; asks if it is not saved.
  bool mayReplaceRun(const QString& question);
  bool saveRunAs();
  QString suggestion(const QString& ending) const;

  Settings& settings_;
  Dialogs dialogs_;
  RunModel run_;
  StudyController controller_;
  AnalysisModel analysis_;
  InsightsModel findings_;
  ProgramModel program_;
  ResultsTableModel table_;
  std::optional<Reference> reference_;
  std::optional<double> pinned_;
  bool closing_ = false;
  bool darkShown_ = false;

  WindowActions actions_{};
  Banner* banner_ = nullptr;
  ChainView* chain_ = nullptr;
  ChartView* chart_ = nullptr;
  ResultsView* results_ = nullptr;
  InsightsView* insights_ = nullptr;
  LessonView* lesson_ = nullptr;
  StatusBar* status_ = nullptr;
  Panel* chartPanel_ = nullptr;
  Panel* lessonPanel_ = nullptr;
  QToolButton* published_ = nullptr;
  QToolButton* logarithmic_ = nullptr;
  QToolButton* linear_ = nullptr;
  QComboBox* slice_ = nullptr;
};

}  // namespace fusebench
