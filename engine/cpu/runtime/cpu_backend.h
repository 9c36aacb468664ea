// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/device/backend.h"

namespace fusebench {

struct CpuOptions {
  int threads = 1;
  /// The assumed cost of passing a launch's parts to threads, in nanoseconds: determines which
  /// launches are divided. 0: the measured cost.
  double handOver = 0;
  /// Where compiled kernels are kept between processes; empty: $XDG_CACHE_HOME/fusebench/kernels.
  std::string cacheDirectory;
  bool diskCache = true;
  int vectorWidth = 0;   ///< float lanes; 0: the host's widest
  int interleave = 0;    ///< vectors per loop step; 0: chosen for each kernel
  bool shipped = true;   ///< use kernels that ship with this program
  bool library = true;   ///< use oneDNN where it is available
  bool compiler = true;  ///< compile other kernels; otherwise only shipped kernels can run
};

/// The CPU backend: LLVM-compiled kernels with explicit vectors, a pooled allocator, a thread pool.
std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options = {});

/// The properties that plans depend on, if the kernels of single ops ship with the program.
PlanTraits cpuPlanTraits();

}  // namespace fusebench
