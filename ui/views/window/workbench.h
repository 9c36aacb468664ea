// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/theme/theme.h"

class QLabel;
class QSplitter;

namespace fusebench {

class AnalysisModel;
class AnatomyView;
class CanvasView;
class ChartChoices;
class ChartView;
class CodePane;
class CompareView;
class DevicesModel;
class DocumentModel;
class FocusRing;
class GeneratedCodeModel;
class GeneratedCodeView;
class FindingsModel;
class FindingsView;
class Inspector;
class LessonView;
class MapView;
class PaletteModel;
class PaletteView;
class Panel;
class ResultsTableModel;
class ResultsView;
class RunLibrary;
class RunModel;
class RunsView;
class Settings;
class TabPanel;
class TimelineModel;
class TimelineView;

/// What the views show.
struct WorkbenchModels {
  DocumentModel& document;
  RunModel& run;
  AnalysisModel& analysis;
  FindingsModel& findings;
  ResultsTableModel& table;
  PaletteModel& palette;
  RunLibrary& library;
  GeneratedCodeModel& generated;
  TimelineModel& timeline;
  DevicesModel& devices;
};

/// The views and where they stand: the chain on the left, what was measured in the middle, what it
/// says and how it is set up on the right. Remembers how the room was shared out.
class Workbench : public QWidget {
  Q_OBJECT

 public:
  Workbench(const WorkbenchModels& models, Settings& settings, QWidget* parent = nullptr);

  CanvasView& canvas() { return *canvas_; }
  CodePane& code() { return *code_; }
  PaletteView& palette() { return *palette_; }
  ChartView& chart() { return *chart_; }
  ChartChoices& chartChoices() { return *choices_; }
  MapView& map() { return *map_; }
  AnatomyView& anatomy() { return *anatomy_; }
  GeneratedCodeView& generated() { return *generated_; }
  TimelineView& timeline() { return *timeline_; }
  CompareView& compare() { return *compare_; }
  ResultsView& results() { return *results_; }
  FindingsView& findings() { return *findings_; }
  Inspector& inspector() { return *inspector_; }
  RunsView& runs() { return *runs_; }
  LessonView& lesson() { return *lesson_; }

  void setTheme(const Theme& theme);
  /// Shows a view by its key ("chart", "setup", ...) and, on request, gives it the keyboard.
  void showView(const QString& key, bool focus = false);
  bool shows(const QString& key) const;
  /// Keys of all views, in reading order.
  QStringList views() const;
  /// Gives the keyboard to the next part of the window, or the one before.
  void nextPart(bool backwards);
  /// Said in the middle's header; empty: nothing.
  void setNotice(const QString& notice, const QString& why);
  void savePlaces();

 private:
  void makeLeft(const WorkbenchModels& models, QSplitter* columns);
  void makeMiddle(const WorkbenchModels& models, QSplitter* columns);
  void makeRight(const WorkbenchModels& models, QSplitter* columns);
  QSplitter* splitter(Qt::Orientation orientation, const char* name, QList<int> sizes,
                      QWidget* parent);
  TabPanel* panelOf(const QString& key) const;

  Settings& settings_;
  std::vector<QSplitter*> splitters_;
  TabPanel* edit_ = nullptr;
  TabPanel* center_ = nullptr;
  TabPanel* side_ = nullptr;
  QLabel* notice_ = nullptr;
  FocusRing* ring_ = nullptr;
  CanvasView* canvas_ = nullptr;
  CodePane* code_ = nullptr;
  PaletteView* palette_ = nullptr;
  ChartView* chart_ = nullptr;
  ChartChoices* choices_ = nullptr;
  MapView* map_ = nullptr;
  AnatomyView* anatomy_ = nullptr;
  GeneratedCodeView* generated_ = nullptr;
  TimelineView* timeline_ = nullptr;
  CompareView* compare_ = nullptr;
  ResultsView* results_ = nullptr;
  FindingsView* findings_ = nullptr;
  Inspector* inspector_ = nullptr;
  RunsView* runs_ = nullptr;
  LessonView* lesson_ = nullptr;
};

}  // namespace fusebench
