// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/analysis_model.h"

#include <QElapsedTimer>
#include <algorithm>
#include <exception>
#include <utility>

#include "profiler/analysis/bandwidth.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {
constexpr int kAnalysisPause = 500;
constexpr int kShare = 8;  ///< at most an eighth of the time is spent on it

Analysis analyze(const Run& run, std::size_t slice) {
  Analysis analysis;
  try {
    analysis.crossings = findCrossings(run);
    if (std::ranges::none_of(run.cells, [](const Cell& c) { return c.stop == Stop::running; }))
      analysis.bandwidthCrossings = bandwidthCrossings(timesPerByte(run));
    analysis.launches = launchModels(run);
    analysis.sliceLaunches = launchModels(run, slice);
    analysis.findings = findingsOf(run, analysis.crossings, slice);
  } catch (const std::exception&) {
    // A run that is cut off in an odd place has no analysis; its points are shown all the same.
  }
  return analysis;
}
}  // namespace

AnalysisModel::AnalysisModel(const RunModel& run, QObject* parent) : QObject(parent), run_(run) {
  pool_.setMaxThreadCount(1);
  pause_.setSingleShot(true);
  pause_.setInterval(kAnalysisPause);
  connect(&pause_, &QTimer::timeout, this, &AnalysisModel::compute);
  connect(&run, &RunModel::runReset, this, &AnalysisModel::forget);
  connect(&run, &RunModel::cellsChanged, this, &AnalysisModel::request);
  connect(&run, &RunModel::completed, this, &AnalysisModel::finish);
  forget();
}

AnalysisModel::~AnalysisModel() {
  pool_.waitForDone();
}

void AnalysisModel::forget() {
  ++generation_;
  pause_.stop();
  stale_ = last_ = false;
  const bool empty = !run_.run() || sampleCount(*run_.run()) == 0;
  // The same run again, complete at last, keeps what is known of it until the new answer is there.
  const std::string startedAt = run_.run() ? run_.run()->startedAt : std::string();
  if (empty || startedAt != startedAt_) {
    analysis_ = {};
    emit changed();
  }
  startedAt_ = startedAt;
  if (empty) return;
  stale_ = true;
  compute();
}

void AnalysisModel::setSlice(std::size_t slice) {
  if (slice == slice_) return;
  slice_ = slice;
  if (!run_.run() || sampleCount(*run_.run()) == 0) return;
  stale_ = true;
  compute();
}

void AnalysisModel::request() {
  stale_ = true;
  if (!pause_.isActive()) pause_.start();
}

void AnalysisModel::finish() {
  last_ = stale_;
  if (!stale_) return;
  pause_.stop();
  compute();
}

void AnalysisModel::compute() {
  if (working_ || !run_.run()) return;  // take() looks again
  working_ = true;
  stale_ = last_ = false;
  // The pool's destructor order keeps `this` alive: ~AnalysisModel waits for it.
  pool_.start([this, run = run_.shared(), generation = generation_, slice = slice_] {
    QElapsedTimer time;
    time.start();
    Analysis analysis = analyze(*run, slice);
    QMetaObject::invokeMethod(
        this,
        [this, analysis = std::move(analysis), generation, taken = time.elapsed()]() mutable {
          take(std::move(analysis), generation, taken);
        },
        Qt::QueuedConnection);
  });
}

void AnalysisModel::take(Analysis analysis, int generation, qint64 milliseconds) {
  working_ = false;
  pause_.setInterval(
      static_cast<int>(std::clamp<qint64>(kShare * milliseconds, kAnalysisPause, 60'000)));
  if (generation == generation_) {
    analysis_ = std::move(analysis);
    emit changed();
  }
  if (stale_ && last_)
    compute();
  else if (stale_ && !pause_.isActive())
    pause_.start();
}

}  // namespace fusebench

#include "moc_analysis_model.cpp"
