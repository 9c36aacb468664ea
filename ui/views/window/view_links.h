// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/window/exporter.h"
#include "ui/views/window/files_controller.h"
#include "ui/views/window/launches_controller.h"
#include "ui/views/window/sites_controller.h"
#include "ui/views/window/top_bar.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

class AnatomyView;
class CanvasView;
class ChartView;
class CodePane;
class CompareView;
class CourseView;
class FindingsView;
class GeneratedCodeView;
class Inspector;
class LessonView;
class MapView;
class PaletteView;
class ResultsView;
class RunsView;
class ScatterView;
class TimelineView;
class WhatIfView;

/// The parts of the window that views are connected to.
struct WindowParts {
  WindowModels& models;
  Workbench& views;
  const WindowActions& actions;
  DocumentKeeper& keeper;
  RunsController& runs;
  SitesController& sites;
  FilesController& files;
  LaunchesController& launches;
  Exporter& exporter;
};

// Each joins one view to the models and controllers, and to views before it in the list of rows.
void linkAnatomy(AnatomyView& view, WindowParts& parts);
void linkCanvas(CanvasView& view, WindowParts& parts);
void linkChart(ChartView& view, WindowParts& parts);
void linkCode(CodePane& view, WindowParts& parts);
void linkCompare(CompareView& view, WindowParts& parts);
void linkCourse(CourseView& view, WindowParts& parts);
void linkFindings(FindingsView& view, WindowParts& parts);
void linkGenerated(GeneratedCodeView& view, WindowParts& parts);
void linkLesson(LessonView& view, WindowParts& parts);
void linkMap(MapView& view, WindowParts& parts);
void linkPalette(PaletteView& view, WindowParts& parts);
void linkResults(ResultsView& view, WindowParts& parts);
void linkRuns(RunsView& view, WindowParts& parts);
void linkScatter(ScatterView& view, WindowParts& parts);
void linkSetup(Inspector& view, WindowParts& parts);
void linkTimeline(TimelineView& view, WindowParts& parts);
void linkWhatIf(WhatIfView& view, WindowParts& parts);

}  // namespace fusebench
