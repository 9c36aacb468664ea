// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>

#include "profiler/study/study.h"

namespace fusebench {

/// Compiles an experiment's cells in a separate worker, starting at the end of `order`, while the
/// study processes them from its beginning. Workers share the kernel cache on disk, so the study
/// finds the later ones compiled. It only gives a head start: it measures nothing, and the study
/// compiles whatever it fails to compile.
class CompileAhead {
 public:
  /// `options.connectAhead` connects to the worker; without it nothing happens. Options and
  /// experiment must outlive it.
  CompileAhead(const StudyOptions& options, const Experiment& experiment,
               std::vector<CellKey> order);
  /// Stops it, between two kernels: after this, nothing disturbs the measurements.
  ~CompileAhead() = default;

  /// The study has reached this position of the order; the cells up to it need not be compiled any
  /// more.
  void reached(std::size_t place) { reached_ = place; }

 private:
  void compile(const StudyOptions& options, const Experiment& experiment,
               const std::vector<CellKey>& order, const std::stop_token& stop) const;

  std::atomic<std::size_t> reached_ = 0;
  std::jthread thread_;
};

}  // namespace fusebench
