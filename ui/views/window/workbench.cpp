// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/workbench.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <array>

#include "ui/models/window/settings.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/focus_ring.h"
#include "ui/views/base/panel.h"
#include "ui/views/base/tab_panel.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/timeline/timeline_view.h"

namespace fusebench {
namespace {

constexpr int kLeftWidth = 300, kRightWidth = 300;

}  // namespace

// Every part is made with its parent, from the outside in: a part that gets another parent takes
// its style again, with all that is in it.
Workbench::Workbench(const WorkbenchModels& models, Settings& settings, QWidget* parent)
    : QWidget(parent), settings_(settings) {
  QSplitter* columns = splitter(Qt::Horizontal, "columns", {kLeftWidth, 640, kRightWidth}, this);
  makeLeft(models, columns);
  makeMiddle(models, columns);
  makeRight(models, columns);
  for (const int column : {0, 1, 2}) columns->setStretchFactor(column, column == 1 ? 1 : 0);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(columns);
  for (QSplitter* each : splitters_) {
    const QByteArray state = settings_.place(each->objectName()).toByteArray();
    if (!state.isEmpty()) each->restoreState(state);
  }
  for (TabPanel* panel : {edit_, center_, side_})
    panel->showView(settings_.place(panel->objectName()).toString());
}

QSplitter* Workbench::splitter(Qt::Orientation orientation, const char* name, QList<int> sizes,
                               QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setObjectName(QLatin1String(name));
  made->setHandleWidth(1);
  made->setChildrenCollapsible(false);
  splitters_.push_back(made);
  // Sizes count only once the parts are there.
  QMetaObject::invokeMethod(
      made,
      [this, made, sizes] {
        if (settings_.place(made->objectName()).toByteArray().isEmpty()) made->setSizes(sizes);
      },
      Qt::QueuedConnection);
  return made;
}

void Workbench::makeLeft(const WorkbenchModels& models, QSplitter* columns) {
  QSplitter* parts = splitter(Qt::Vertical, "left", {430, 292}, columns);
  auto* chain = new Panel(QStringLiteral("Operator chain"), parts);
  chain->setContent(canvas_ = new CanvasView(models.document, chain));
  chain->setMinimumSize(260, 160);
  edit_ = new TabPanel(QStringLiteral("Ways to edit the chain"), parts);
  edit_->setObjectName(QStringLiteral("editTabs"));
  code_ = new CodePane(models.document, edit_->pages());
  palette_ = new PaletteView(models.palette, edit_->pages());
  edit_->add(QStringLiteral("code"), QStringLiteral("PyTorch"), code_);
  edit_->add(QStringLiteral("palette"), QStringLiteral("Operators"), palette_);
  edit_->setMinimumSize(260, 140);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
}

void Workbench::makeMiddle(const WorkbenchModels& models, QSplitter* columns) {
  QSplitter* parts = splitter(Qt::Vertical, "middle", {462, 260}, columns);
  center_ = new TabPanel(QStringLiteral("Results"), parts);
  center_->setObjectName(QStringLiteral("centerTabs"));
  chart_ = new ChartView(models.run, models.analysis, center_->pages());
  choices_ = new ChartChoices(center_->header());
  map_ = new MapView(models.run, center_->pages());
  anatomy_ = new AnatomyView(models.run, center_->pages());
  generated_ = new GeneratedCodeView(models.generated, center_->pages());
  timeline_ = new TimelineView(models.timeline, center_->pages());
  compare_ = new CompareView(center_->pages());
  notice_ = new QLabel(center_->header());
  notice_->setObjectName(QStringLiteral("notice"));
  notice_->hide();
  center_->add(QStringLiteral("chart"), QStringLiteral("Chart"), chart_, choices_);
  center_->add(QStringLiteral("map"), QStringLiteral("Map"), map_);
  center_->add(QStringLiteral("anatomy"), QStringLiteral("Anatomy"), anatomy_);
  center_->add(QStringLiteral("timeline"), QStringLiteral("Timeline"), timeline_);
  center_->add(QStringLiteral("generated"), QStringLiteral("Code"), generated_);
  center_->add(QStringLiteral("compare"), QStringLiteral("Compare"), compare_);
  center_->addToHeader(notice_);
  center_->setMinimumSize(420, 240);
  auto* table = new Panel(QStringLiteral("Results"), parts);
  table->setContent(results_ = new ResultsView(models.table, table));
  table->setMinimumHeight(110);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
}

void Workbench::makeRight(const WorkbenchModels& models, QSplitter* columns) {
  side_ = new TabPanel(QStringLiteral("Findings, set-up, runs and lesson"), columns);
  side_->setObjectName(QStringLiteral("sideTabs"));
  findings_ = new FindingsView(models.findings, side_->pages());
  inspector_ = new Inspector(models.document, models.devices, side_->pages());
  runs_ = new RunsView(models.library, side_->pages());
  lesson_ = new LessonView(side_->pages());
  side_->add(QStringLiteral("lesson"), QStringLiteral("Lesson"), lesson_);
  side_->add(QStringLiteral("findings"), QStringLiteral("Findings"), findings_);
  side_->add(QStringLiteral("setup"), QStringLiteral("Set-up"), inspector_);
  side_->add(QStringLiteral("runs"), QStringLiteral("Runs"), runs_);
  side_->setMinimumWidth(280);
}

void Workbench::setTheme(const Theme& theme) {
  // Made here, where the window that the workbench stands in is known.
  if (!ring_) ring_ = new FocusRing(*window());
  ring_->setTheme(theme);
  canvas_->setTheme(theme);
  code_->setTheme(theme);
  palette_->setTheme(theme);
  chart_->setTheme(theme);
  map_->setTheme(theme);
  anatomy_->setTheme(theme);
  generated_->setTheme(theme);
  timeline_->setTheme(theme);
  compare_->setTheme(theme);
  results_->setTheme(theme);
  findings_->setTheme(theme);
  inspector_->setTheme(theme);
  runs_->setTheme(theme);
  lesson_->setTheme(theme);
}

TabPanel* Workbench::panelOf(const QString& key) const {
  for (TabPanel* panel : {edit_, center_, side_})
    if (panel->has(key)) return panel;
  return nullptr;
}

void Workbench::showView(const QString& key, bool focus) {
  if (TabPanel* panel = panelOf(key)) {
    focus ? panel->focusView(key) : panel->showView(key);
  } else if (focus && key == QLatin1String("canvas")) {
    canvas_->setFocus(Qt::ShortcutFocusReason);
  } else if (focus && key == QLatin1String("results")) {
    results_->setFocus(Qt::ShortcutFocusReason);
  }
}

bool Workbench::shows(const QString& key) const {
  const TabPanel* panel = panelOf(key);
  return !panel || panel->shown() == key;
}

QStringList Workbench::views() const {
  QStringList keys;
  for (const char* key : {"canvas", "code", "palette", "chart", "map", "anatomy", "timeline",
                          "generated", "compare", "results", "findings", "setup", "runs", "lesson"})
    keys << QLatin1String(key);
  return keys;
}

void Workbench::nextPart(bool backwards) {
  const QStringList parts = {QStringLiteral("canvas"), edit_->shown(), center_->shown(),
                             QStringLiteral("results"), side_->shown()};
  const std::array<QWidget*, 5> widgets = {canvas_, edit_, center_, results_, side_};
  qsizetype now = backwards ? 0 : -1;
  for (std::size_t i = 0; i < widgets.size(); ++i)
    if (QWidget* focused = QApplication::focusWidget();
        focused && (focused == widgets[i] || widgets[i]->isAncestorOf(focused)))
      now = static_cast<qsizetype>(i);
  const qsizetype count = parts.size();
  showView(parts[(now + (backwards ? count - 1 : 1)) % count], true);
}

void Workbench::setNotice(const QString& notice, const QString& why) {
  notice_->setText(notice);
  notice_->setToolTip(why);
  notice_->setVisible(!notice.isEmpty());
}

void Workbench::savePlaces() {
  for (QSplitter* each : splitters_) settings_.setPlace(each->objectName(), each->saveState());
  for (TabPanel* panel : {edit_, center_, side_})
    settings_.setPlace(panel->objectName(), panel->shown());
}

}  // namespace fusebench
