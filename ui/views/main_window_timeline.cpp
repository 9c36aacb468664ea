// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that opens and writes traces.
#include <QFileInfo>

#include "ui/views/anatomy_view.h"
#include "ui/views/banner.h"
#include "ui/views/main_window.h"
#include "ui/views/timeline_view.h"
#include "ui/views/workbench.h"

namespace fusebench {

void MainWindow::linkTimeline() {
  TimelineView& view = workbench_->timeline();
  connect(&view, &TimelineView::openRequested, this, [this](bool below) {
    const QString path = dialogs_.openFile(this, settings_.folder());
    if (path.isEmpty()) return;
    settings_.setFolder(QFileInfo(path).absolutePath());
    openTrace(path, below);
  });
  connect(&view, &TimelineView::exportRequested, this, [this] {
    const QString title = timeline_.shown().front().title;
    const QString path = dialogs_.saveFile(
        this,
        settings_.folder() + u'/' + QFileInfo(title).baseName() + QStringLiteral("-trace.json.gz"),
        QStringLiteral("Chrome trace (*.json.gz *.json)"));
    if (!path.isEmpty()) timeline_.save(0, path);
  });
  AnatomyView& anatomy = workbench_->anatomy();
  connect(&anatomy, &AnatomyView::timelineRequested, this, [this, &anatomy] {
    if (launches_.busy()) return launches_.cancel();
    if (run_.run()) launches_.start(run_.run()->experiment, anatomy.model().cells());
  });
  connect(&launches_, &LaunchRecording::busyChanged, &anatomy, &AnatomyView::setRecording);
  connect(&launches_, &LaunchRecording::recorded, this,
          [this](const std::vector<std::shared_ptr<const Trace>>& traces) {
            timeline_.setTraces(traces);
            workbench_->showView(QStringLiteral("timeline"));
          });
  connect(&launches_, &LaunchRecording::failed, this, [this](const QString& what) {
    say(int(Banner::Tone::warning),
        QStringLiteral("The launches could not be recorded: %1").arg(what));
  });
  connect(&timeline_, &TimelineModel::saved, this, [this](const QString& path) {
    say(int(Banner::Tone::info), QStringLiteral("The trace is in %1.").arg(path));
  });
  connect(&timeline_.loader(), &TimelineLoader::loaded, this,
          [this](const std::shared_ptr<const Trace>&, const QString& path) {
            settings_.addRecentFile(path);
          });
}

void MainWindow::openTrace(const QString& path, bool below) {
  timeline_.open(path, below);
  workbench_->showView(QStringLiteral("timeline"));
}

}  // namespace fusebench
