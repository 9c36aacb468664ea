// SPDX-License-Identifier: GPL-3.0-or-later
// How long explore mode takes from an edit of the main study (30 statements, three executors) to
// results, with the real worker: small edits at random, one after the other. For each the ms to the
// first cell that has a value, to the moment at which all have one, until all are coarse, and to
// the end of refining, checks and compile times included. The kernels' cache on disk starts empty.
// Up to the models: drawing comes on top. Prints; asserts nothing.
//   fusebench-explore-latency [EDITS] [REFINE] [WORKER]
//     EDITS   how many (20)
//     REFINE  seconds that refining may continue before the next edit cuts it off (until it ends)
//     WORKER  (fusebench-cli in the same folder)
#include <fmt/format.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "ui/models/runs/explore_controller.h"
#include "ui/models/setup/documents.h"

namespace {

using namespace fusebench;

constexpr double kPatience = 60;  ///< s for a first curve

/// One small edit, as a person's at the canvas; says which.
class Editor {
 public:
  explicit Editor(DocumentModel& document) : document_(document) {}

  std::string editAtRandom() {
    for (;;) {
      const std::string text = document_.experiment().programText;
      const std::string what =
          std::array{&Editor::setConstant, &Editor::swapOp, &Editor::append}[below(3)](*this);
      if (document_.experiment().programText != text && document_.runnable()) return what;
      if (document_.experiment().programText != text) document_.undo();
    }
  }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  const OpRow& anyRow() {
    const char* names[] = {"sin", "cos", "tanh", "relu", "sigmoid", "exp", "abs", "neg"};
    return *findOp(names[below(std::size(names))]);
  }
  /// Index of an op for which `fits` holds; there is one in the study.
  template <typename Fits>
  int anyOp(Fits fits) {
    std::vector<int> fitting;
    const std::vector<Op>& ops = document_.sketch().program.ops;
    for (std::size_t i = 0; i < ops.size(); ++i)
      if (ops[i].row && fits(ops[i])) fitting.push_back(static_cast<int>(i));
    return fitting[below(fitting.size())];
  }

  static std::string setConstant(Editor& self) {
    const int op = self.anyOp(
        [](const Op& each) { return each.operands.size() == 2 && each.operands[1].isNumber(); });
    const double number = 0.05 + 0.001 * static_cast<double>(self.below(1000));
    self.document_.apply(QStringLiteral("Set"),
                         setNumber(self.document_.sketch(), {op, 1}, number));
    return fmt::format("constant of op {}", op + 1);
  }
  static std::string swapOp(Editor& self) {
    const int op = self.anyOp([](const Op& each) {
      return each.operands.size() == 1 && each.row->kind == OpKind::pointwise;
    });
    const OpRow& row = self.anyRow();
    self.document_.apply(QStringLiteral("Replace"), replaceOp(self.document_.sketch(), op, row));
    return fmt::format("op {} becomes {}", op + 1, row.name);
  }
  static std::string append(Editor& self) {
    const OpRow& row = self.anyRow();
    self.document_.apply(QStringLiteral("Append"), appendOp(self.document_.sketch(), row));
    return fmt::format("{} appended", row.name);
  }

  DocumentModel& document_;
  std::mt19937 random_{1};
};

/// ms from the edit; negative: not reached.
struct Times {
  double point = -1, curve = -1, coarse = -1, refined = -1;
};

std::size_t cellsWith(const Run& run, std::size_t samples) {
  return static_cast<std::size_t>(
      std::count_if(run.cells.begin(), run.cells.end(),
                    [samples](const Cell& cell) { return cell.samples.size() >= samples; }));
}

std::string shown(double ms) {
  return ms < 0 ? "-" : fmt::format("{:.0f}", ms);
}

void summarize(const char* what, const std::vector<Times>& all, double Times::*time) {
  std::vector<double> reached;
  for (const Times& times : all)
    if (times.*time >= 0) reached.push_back(times.*time);
  if (reached.empty()) return;
  std::sort(reached.begin(), reached.end());
  fmt::print("{:<14} median {:.0f} ms, longest {:.0f} ms ({} of {} edits)\n", what, median(reached),
             reached.back(), reached.size(), all.size());
}

Times measure(ExploreController& explore, RunModel& runs, double refineSeconds,
              const std::function<void()>& edit) {
  using State = ExploreController::State;
  Times times;
  QElapsedTimer clock;
  QEventLoop loop;
  QTimer end;
  end.setSingleShot(true);
  QObject::connect(&end, &QTimer::timeout, &loop, &QEventLoop::quit);
  const auto now = [&] { return static_cast<double>(clock.nsecsElapsed()) * 1e-6; };
  // Until it reports, the run of the edit before is the one shown.
  bool fresh = false;
  const auto reset = QObject::connect(&runs, &RunModel::runReset, &loop, [&] { fresh = true; });
  const auto look = [&] {
    const Run* run = runs.run();
    if (!fresh || !run) return;
    if (times.point < 0 && cellsWith(*run, 1) > 0) times.point = now();
    if (times.coarse < 0 && cellsWith(*run, kCoarseSamples) == run->cells.size())
      times.coarse = now();
    if (times.curve >= 0 || cellsWith(*run, 1) < run->cells.size()) return;
    times.curve = now();
    if (refineSeconds >= 0) end.start(static_cast<int>(1000 * refineSeconds));
    if (refineSeconds < 0) end.stop();
  };
  const auto cells = QObject::connect(&runs, &RunModel::cellsChanged, &loop, look);
  QObject::connect(&explore, &ExploreController::stateChanged, &loop, [&] {
    if (explore.state() == State::finished) times.refined = now();
    if (explore.state() == State::finished || explore.state() == State::failed ||
        explore.state() == State::held)
      loop.quit();
  });
  end.start(static_cast<int>(1000 * kPatience));
  clock.start();
  edit();
  loop.exec();
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir cache;
  qputenv("XDG_CACHE_HOME", cache.path().toLocal8Bit());
  QCoreApplication application(argc, argv);
  const int edits = argc > 1 ? std::atoi(argv[1]) : 20;
  const double refineSeconds = argc > 2 ? std::atof(argv[2]) : -1;
  const std::string worker =
      argc > 3 ? argv[3]
               : (QCoreApplication::applicationDirPath() + "/fusebench-cli").toStdString();

  DocumentModel document;
  RunModel runs;
  StudyController full(runs);
  ExploreController explore(document, runs, full);
  StudyOptions options;
  options.workerCommand = {worker, "worker"};
  explore.setOptions(options);
  document.load(parseExperiment(resourceText("experiments/fusion_study.json"), "fusion_study"), {});
  explore.warmUp();

  Editor editor(document);
  std::vector<Times> all;
  fmt::print("{:>4} {:>7} {:>7} {:>7} {:>8}  edit\n", "", "point", "curve", "coarse", "refined");
  for (int i = 0; i < edits; ++i) {
    std::string what;
    all.push_back(measure(explore, runs, refineSeconds, [&] { what = editor.editAtRandom(); }));
    const Times& last = all.back();
    fmt::print("{:>4} {:>7} {:>7} {:>7} {:>8}  {}{}\n", i + 1, shown(last.point), shown(last.curve),
               shown(last.coarse), shown(last.refined), what,
               explore.state() == ExploreController::State::failed
                   ? fmt::format("; failed: {}", explore.message().toStdString())
                   : std::string());
    std::fflush(stdout);
  }
  summarize("first point", all, &Times::point);
  summarize("full curve", all, &Times::curve);
  summarize("all coarse", all, &Times::coarse);
  summarize("refined", all, &Times::refined);
  return 0;
}
