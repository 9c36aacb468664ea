// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/view_rows.h"

#include <algorithm>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/course/course_view.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/storages/storage_view.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/whatif/what_if_view.h"
#include "ui/views/window/view_links.h"

namespace fusebench {
namespace {

/// Makes a view from the given models, in the order of its constructor's parameters.
template <typename View, auto... kModels>
QWidget* makeView(WindowModels& models, QWidget* parent) {
  return new View((models.*kModels)..., parent);
}

template <typename View>
void themeView(QWidget& view, const Theme& shown) {
  static_cast<View&>(view).setTheme(shown);
}

template <typename View, void (*kLink)(View&, WindowParts&)>
void linkView(QWidget& view, WindowParts& parts) {
  kLink(static_cast<View&>(view), parts);
}

QWidget* makeChoices(QWidget* header) {
  return new ChartChoices(header);
}

}  // namespace

std::span<const ViewRow> viewRows() {
  using M = WindowModels;
  using enum ViewPlace;

  static constexpr ViewRow kViews[] = {
      {"canvas", uiMark("Operator chain"), uiMark("Operator chain"), uiMark("chain"), 1, chain,
       false, makeView<CanvasView, &M::document>, themeView<CanvasView>,
       linkView<CanvasView, linkCanvas>},
      {"code", uiMark("PyTorch"), uiMark("PyTorch"), uiMark("PyTorch text"), 2, edit, false,
       makeView<CodePane, &M::document>, themeView<CodePane>, linkView<CodePane, linkCode>},
      {"palette", uiMark("Operators"), uiMark("Operators"), uiMark("operators"), 3, edit, false,
       makeView<PaletteView, &M::palette>, themeView<PaletteView>,
       linkView<PaletteView, linkPalette>},
      {"chart", uiMark("Chart"), uiMark("Chart"), uiMark("chart"), 4, center, true,
       makeView<ChartView, &M::run, &M::analysis>, themeView<ChartView>,
       linkView<ChartView, linkChart>, makeChoices},
      {"map", uiMark("Break-even map"), uiMark("Break-even map"), uiMark("map"), 5, center, true,
       makeView<MapView, &M::run>, themeView<MapView>, linkView<MapView, linkMap>},
      {"anatomy", uiMark("Call breakdown"), uiMark("Call breakdown"), uiMark("anatomy"), 13, center,
       true, makeView<AnatomyView, &M::run>, themeView<AnatomyView>,
       linkView<AnatomyView, linkAnatomy>},
      {"timeline", uiMark("Timeline"), uiMark("Timeline"), uiMark("timeline"), 14, center, true,
       makeView<TimelineView, &M::timeline>, themeView<TimelineView>,
       linkView<TimelineView, linkTimeline>},
      {"generated", uiMark("Code"), uiMark("Code"), uiMark("code"), 6, center, false,
       makeView<GeneratedCodeView, &M::generated>, themeView<GeneratedCodeView>,
       linkView<GeneratedCodeView, linkGenerated>},
      {"memory", uiMark("Memory"), uiMark("Memory"), uiMark("memory"), 17, center, true,
       makeView<StorageView, &M::generated>, themeView<StorageView>, nullptr},
      {"compare", uiMark("Compare"), uiMark("Compare"), uiMark("compare"), 7, center, true,
       makeView<CompareView>, themeView<CompareView>, linkView<CompareView, linkCompare>},
      {"whatif", uiMark("What if"), uiMark("What if"), uiMark("what if"), 15, center, false,
       makeView<WhatIfView, &M::whatIf>, themeView<WhatIfView>, linkView<WhatIfView, linkWhatIf>},
      {"scatter", uiMark("Scatter"), uiMark("Scatter"), uiMark("scatter"), 18, center, true,
       makeView<ScatterView, &M::run>, themeView<ScatterView>, linkView<ScatterView, linkScatter>},
      {"results", uiMark("Results"), uiMark("Results"), uiMark("results"), 8, table, false,
       makeView<ResultsView, &M::table>, themeView<ResultsView>,
       linkView<ResultsView, linkResults>},
      {"lesson", uiMark("Guide"), uiMark("Guide"), uiMark("guide"), 12, side, false,
       makeView<LessonView>, themeView<LessonView>, linkView<LessonView, linkLesson>},
      {"course", uiMark("Course"), uiMark("Course"), uiMark("course"), 16, side, false,
       makeView<CourseView, &M::course>, themeView<CourseView>, linkView<CourseView, linkCourse>},
      {"findings", uiMark("Findings"), uiMark("Findings"), uiMark("findings"), 9, side, false,
       makeView<FindingsView, &M::findings>, themeView<FindingsView>,
       linkView<FindingsView, linkFindings>},
      {"setup", uiMark("Setup"), uiMark("Setup"), uiMark("setup"), 10, side, false,
       makeView<Inspector, &M::document, &M::devices>, themeView<Inspector>,
       linkView<Inspector, linkSetup>},
      {"runs", uiMark("Runs"), uiMark("Runs"), uiMark("runs"), 11, side, false,
       makeView<RunsView, &M::library>, themeView<RunsView>, linkView<RunsView, linkRuns>},
  };
  return kViews;
}

std::vector<const ViewRow*> viewsByRank() {
  std::vector<const ViewRow*> rows;
  for (const ViewRow& row : viewRows()) rows.push_back(&row);
  std::ranges::sort(rows, {}, &ViewRow::rank);
  return rows;
}

}  // namespace fusebench
