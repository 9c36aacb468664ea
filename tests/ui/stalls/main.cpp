// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread keeps an event waiting while a study of 10,000 points is measured
// and drawn. Prints the distribution; asserts nothing.
//   fusebench-window-stalls [SECONDS] [WORKER]     (60; fusebench-cli in the same folder)
#include <fmt/format.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <vector>

#include "profiler/study/study.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace {

using namespace fusebench;

constexpr int kPlaces = 1000, kVariants = 10;
constexpr double kAfterwards = 3;  ///< seconds

/// Ten variants over a thousand sizes: as many points as the experiment file allows, and each so
/// small that the worker answers as fast as it can.
Experiment manyPoints() {
  Experiment experiment = DocumentModel::blank();
  experiment.title = "Ten thousand points";
  experiment.programText = "def program(x):\n    x = x + 0.1\n    return x.sum()";
  experiment.program = sketch(experiment.programText).program;
  experiment.inputSets[0].count = 1;
  experiment.inputSets[0].inputs[0].extents = {"elements"};
  const Variant first = experiment.variants.front();
  experiment.variants.clear();
  for (int v = 0; v < kVariants; ++v) {
    Variant variant = first;
    variant.name = fmt::format("eager {}", v + 1);
    experiment.variants.push_back(variant);
  }
  experiment.baseline = experiment.variants.front().name;
  Axis axis{"elements", "elements", {}};
  for (int i = 1; i <= kPlaces; ++i) axis.values.push_back(8 * i);
  experiment.axes = {axis};
  experiment.measure.budgetSeconds = 600;
  experiment.measure.compileRepeats = 0;
  return experiment;
}

/// A turn of the event loop that kept an event waiting, and when it ended, ms after the start.
struct Turn {
  double gap = 0, at = 0;
};

void report(std::vector<Turn> turns) {
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.gap > b.gap; });
  fmt::print("longest, ms (at s):");
  for (std::size_t i = 0; i < std::min<std::size_t>(turns.size(), 12); ++i)
    fmt::print(" {:.0f} ({:.1f})", turns[i].gap, turns[i].at / 1000);
  fmt::print("\n");
  std::vector<double> gaps;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) gaps.push_back(turn->gap);
  const auto at = [&](double share) {
    return gaps[std::min(gaps.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(gaps.size())))];
  };
  const auto over = [&](double limit) {
    return std::count_if(gaps.begin(), gaps.end(), [&](double gap) { return gap > limit; });
  };
  fmt::print(
      "{} turns of the event loop; ms between two: median {:.1f}, p99 {:.1f}, p99.9 {:.1f}, "
      "longest {:.1f}; {} over 50, {} over 120\n",
      gaps.size(), at(0.5), at(0.99), at(0.999), gaps.back(), over(50), over(120));
}

}  // namespace

int main(int argc, char** argv) {
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(argc, argv);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const std::string worker =
      argc > 2 ? argv[2]
               : (QCoreApplication::applicationDirPath() + "/fusebench-cli").toStdString();
  QTemporaryDir folder;
  Settings settings(folder.filePath("settings.ini"));
  MainWindow window(settings, runStudy, standardDialogs(), folder.path());
  StudyOptions options;
  options.workerCommand = {worker, "worker"};
  window.setOptions(options);
  window.document().load(manyPoints(), {});
  window.show();
  window.run();

  std::vector<Turn> gaps;
  QElapsedTimer sinceStart, sinceTurn;
  sinceStart.start();
  sinceTurn.start();
  QTimer turn;
  QObject::connect(&turn, &QTimer::timeout, [&] {
    gaps.push_back({static_cast<double>(sinceTurn.nsecsElapsed()) * 1e-6,
                    static_cast<double>(sinceStart.elapsed())});
    sinceTurn.restart();
    // A pointer that wanders over the chart, as a person's does.
    const double x = 8 * (1 + static_cast<double>(gaps.size() % kPlaces));
    if (gaps.size() % 16 == 0) window.workbench().view<ChartView>().setCursor(x);
    // Then the run is stopped and kept, which is work for the window as well.
    const double late = static_cast<double>(sinceStart.elapsed()) / 1000 - seconds;
    if (late >= 0) window.controller().stop();
    if (late >= kAfterwards) QApplication::exit();
  });
  turn.start(1);
  QApplication::exec();
  std::size_t points = 0;
  if (const Run* run = window.runModel().run())
    for (const Cell& cell : run->cells) points += cell.samples.empty() ? 0 : 1;
  fmt::print("{} of {} points measured in {:.0f} s\n", points, kPlaces * kVariants, seconds);
  report(std::move(gaps));
  window.document().markSaved({});
  return 0;
}
