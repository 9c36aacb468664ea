// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that opens traces.
#include <QFileInfo>
#include <algorithm>

#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

/// After how many statements a program begins anew; 0 if it does not.
int passOf(const Program& program) {
  return program.isChain() ? static_cast<int>(program.statements.size()) : 0;
}

}  // namespace

void MainWindow::linkTimeline() {
  TimelineView& view = workbench_->timeline();
  connect(&view, &TimelineView::openRequested, this, [this](bool below) {
    const QString path = dialogs_.openFile(this, settings_.folder());
    if (path.isEmpty()) return;
    settings_.setFolder(QFileInfo(path).absolutePath());
    openTrace(path, below);
  });
  connect(&view, &TimelineView::exportRequested, this, &MainWindow::exportTimeline);
  connect(&timeline_, &TimelineModel::tracesChanged, this, &MainWindow::refreshState);
  AnatomyView& anatomy = workbench_->anatomy();
  connect(&anatomy, &AnatomyView::timelineRequested, this, &MainWindow::recordLaunches);
  connect(&launches_, &LaunchRecording::busyChanged, &anatomy, &AnatomyView::setRecording);
  connect(&launches_, &LaunchRecording::recorded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>& traces) {
            timeline_.setTraces(traces);
            recordedProgram_ = recording_;
            followStatements();
            workbench_->showView(QStringLiteral("timeline"));
            workbench_->timeline().setFocus();
          });
  // A statement on the canvas and its launches are the same thing seen twice.
  connect(&workbench_->canvas(), &CanvasView::opsSelected, this, [this](std::vector<int> ops) {
    followed_ = std::move(ops);
    followStatements();
  });
  connect(&timeline_, &TimelineModel::currentChanged, this, [this] {
    if (!timeline_.current() || !recordedHere()) return;
    const auto [trace, event] = *timeline_.current();
    const Program& program = document_.sketch().program;
    const std::vector<int> statements =
        TimelineModel::statementsOf(*timeline_.shown()[trace].trace, event, passOf(program));
    std::vector<int> ops;
    for (std::size_t op = 0; op < program.ops.size(); ++op)
      if (std::find(statements.begin(), statements.end(), program.ops[op].statement + 1) !=
          statements.end())
        ops.push_back(static_cast<int>(op));
    workbench_->canvas().markOps(std::move(ops));
  });
  connect(&launches_, &LaunchRecording::failed, this, [this](const QString& what) {
    say(int(Banner::Tone::warning),
        QStringLiteral("The launches could not be recorded: %1").arg(what));
  });
  connect(&timeline_.loader(), &TimelineLoader::loaded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>&, const QString& path) {
            settings_.addRecentFile(path);
          });
}

/// Whether the launches on the timeline are of the program that is on the canvas.
bool MainWindow::recordedHere() const {
  return !recordedProgram_.empty() && document_.sketch().valid() &&
         document_.experiment().programText == recordedProgram_;
}

/// Marks the launches of what is selected on the canvas.
void MainWindow::followStatements() {
  std::vector<int> statements;
  const Program& program = document_.sketch().program;
  if (recordedHere())
    for (const int op : followed_)
      if (op >= 0 && op < static_cast<int>(program.ops.size()))
        statements.push_back(program.ops[static_cast<std::size_t>(op)].statement + 1);
  timeline_.follow(std::move(statements), passOf(program));
}

void MainWindow::openTrace(const QString& path, bool below) {
  if (!below) recordedProgram_.clear();
  timeline_.open(path, below);
  workbench_->showView(QStringLiteral("timeline"));
}

}  // namespace fusebench
