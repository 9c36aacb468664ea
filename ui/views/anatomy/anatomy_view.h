// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/anatomy/anatomy_model.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace fusebench {

class AnatomyBars;
class AnatomyKernels;
class AnatomyModules;
class PartLegend;

/// Where a call's time goes: a stacked bar for each variant of the shown run, at one point of its
/// first axis; and on demand, the kernels of the focused variant, or the modules.
class AnatomyView : public QWidget {
  Q_OBJECT

 public:
  explicit AnatomyView(const RunModel& run, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  AnatomyModel& model() { return model_; }
  AnatomyBars& bars() { return *bars_; }
  AnatomyKernels& kernels() { return *kernels_; }
  AnatomyModules& modules() { return *modules_; }
  const QLabel& emptyText() const { return *empty_; }
  /// Offered if a run would fill the view.
  QPushButton& runButton() const { return *run_; }
  /// Controls for the panel's header.
  QComboBox& places() { return *places_; }
  QToolButton& timelineButton() { return *timeline_; }
  QToolButton& kernelsButton() { return *kernelsButton_; }
  /// Shown for a recorded call of a program that has modules.
  QToolButton& modulesButton() { return *modulesButton_; }
  /// Whether calls are being recorded for the timeline.
  void setRecording(bool recording);

 signals:
  void runRequested();
  /// The calls behind these bars, launch by launch; or stops, if they are being recorded.
  void timelineRequested();

 private:
  void buildHeader();
  void refresh();
  void refreshTables();
  bool currentHasModules() const;
  void showOneTable(QToolButton& chosen, QToolButton& other);

  const RunModel& results_;
  AnatomyModel model_;
  QLabel* title_;
  PartLegend* legend_;
  QComboBox* places_;
  QToolButton *times_, *shares_, *kernelsButton_, *modulesButton_, *timeline_;
  QWidget* header_;
  AnatomyBars* bars_;
  QScrollArea* scroll_;
  AnatomyKernels* kernels_;
  AnatomyModules* modules_;
  QLabel* footnote_;
  QLabel* empty_;
  QPushButton* run_;
};

}  // namespace fusebench
