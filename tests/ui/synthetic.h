// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "profiler/study/study.h"
#include "ui/models/runs/study_controller.h"

namespace fusebench::test {

/// A study of a 20-statement chain, eager, static and dynamic over 1 to 30 statements.
Experiment syntheticExperiment();

/// Latency in ns that the synthetic machine needs: eager 100 + 60 n, static 400 + 2 n, dynamic 700
/// + 2 n.
double syntheticLatency(int variant, std::int64_t n);

/// One finished cell: `samples` values within 1% of the latency, repeatable.
Cell syntheticCell(const CellKey& key, int samples = 31);

Run syntheticHeader();
Run syntheticHeader(const Experiment& experiment);
Run syntheticRun(int samples = 31);

/// How a stand-in for runStudy behaves.
struct FakeStudy {
  int rounds = 10;
  int millisecondsPerRound = 1;
  int loseWorkerAtRound = -1;  ///< ends the study as failed there, with what it has
  std::string throwInstead;    ///< throws this at once
  bool neverMeasures = false;  ///< compiles until it is stopped
  std::string noTorch;         ///< why PyTorch's variants have no samples; empty: they have
  std::atomic<int> started = 0;
  std::atomic<bool> continued = false;
  std::atomic<bool> quick = false;
  std::atomic<bool> onOtherThread = false;
};
/// Reports synthetic cells round by round, hears stop requests, keeps what it is given to continue
/// from.
StudyRunner fakeRunner(std::shared_ptr<FakeStudy> study);

}  // namespace fusebench::test
