// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <string>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/analysis/findings.h"
#include "ui/models/results/run_model.h"

namespace fusebench {

/// The results that are computed from a run's samples.
struct Analysis {
  std::vector<Crossing> crossings;
  std::vector<Crossing> bandwidthCrossings;  ///< once nothing is measured any more
  std::vector<LaunchModel> launches;
  /// For the requested slice: the fits where launches vary along the axis, and all findings.
  std::vector<LaunchModel> sliceLaunches;
  std::vector<Finding> findings;
};

/// Keeps the analysis of the shown run up to date. The bootstrap takes a while, so it runs on a
/// separate thread, on a copy, at most twice per second while results come in.
class AnalysisModel : public QObject {
  Q_OBJECT

 public:
  explicit AnalysisModel(const RunModel& run, QObject* parent = nullptr);
  ~AnalysisModel() override;

  const Analysis& analysis() const { return analysis_; }
  /// The place on the second axis that findings are about.
  void setSlice(std::size_t slice);
  /// Whether it covers all that the run holds now.
  bool upToDate() const { return !working_ && !stale_; }

 signals:
  void changed();

 private:
  void forget();
  void request();
  void finish();
  void compute();
  void take(Analysis analysis, int generation, qint64 milliseconds);

  const RunModel& run_;
  Analysis analysis_;
  std::string startedAt_;  ///< start time of the run that it belongs to
  std::size_t slice_ = 0;
  QTimer pause_;  ///< before the next analysis; longer if one is slow, as it occupies a core
  QThreadPool pool_;
  int generation_ = 0;  ///< number of the shown run; results for an earlier one are dropped
  bool working_ = false;
  bool stale_ = false;
  bool last_ = false;  ///< the run is complete: the next answer is not put off
};

}  // namespace fusebench
