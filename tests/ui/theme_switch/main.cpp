// SPDX-License-Identifier: GPL-3.0-or-later
// CPU time to switch between the dark and the light theme, drawing included, once every view
// exists. Prints it for each view in front; asserts nothing.
//   fusebench-theme-switch [SWITCHES]     (4 per view)
#include <fmt/format.h>

#include <QApplication>
#include <QEvent>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "profiler/study/study.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/view_rows.h"
#include "ui/views/window/workbench.h"

namespace {

using namespace fusebench;

/// Counts the widgets that polish themselves because a style sheet was set.
class Restyled : public QObject {
 public:
  int count = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    count += event->type() == QEvent::StyleChange ? 1 : 0;
    return false;
  }
};

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void settle() {
  for (int i = 0; i < 8; ++i) {
    QApplication::sendPostedEvents();
    QApplication::processEvents();
  }
}

}  // namespace

int main(int argc, char** argv) {
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(argc, argv);
  const int switches = argc > 1 ? std::max(1, std::atoi(argv[1])) : 4;
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  MainWindow window(settings, runStudy, standardDialogs(), folder.path());
  window.resize(1280, 800);
  window.openMainStudy();
  window.show();
  for (const ViewRow& row : viewRows()) window.workbench().showView(row.key);
  settle();
  fmt::print("{} widgets\n", QApplication::allWidgets().size());
  fmt::print("{:12} {:>10} {:>10} {:>10}\n", "view", "median ms", "longest", "restyled");
  for (const ViewRow& row : viewRows()) {
    window.workbench().showView(row.key);
    settle();
    Restyled restyled;
    application.installEventFilter(&restyled);
    std::vector<double> times;
    for (int i = 0; i < switches; ++i) {
      const double start = cpuMilliseconds();
      settings.setDark(!settings.dark());
      settle();
      times.push_back(cpuMilliseconds() - start);
    }
    std::sort(times.begin(), times.end());
    fmt::print("{:12} {:10.1f} {:10.1f} {:10}\n", row.key, times[times.size() / 2], times.back(),
               restyled.count / switches);
  }
  window.document().markSaved({});
  return 0;
}
