// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/device/backend.h"

namespace fusebench {

struct CpuOptions {
  int threads = 1;
  /// What handing a launch's parts to threads is taken to cost, nanoseconds: decides what goes in
  /// parts. 0: what is measured.
  double handOver = 0;
  /// Where compiled kernels are kept between processes; empty: $XDG_CACHE_HOME/fusebench/kernels.
  std::string cacheDirectory;
  bool diskCache = true;
  int vectorWidth = 0;   ///< float lanes; 0: the host's widest
  int interleave = 0;    ///< vectors per loop step; 0: chosen per kernel
  bool shipped = true;   ///< use kernels that are a part of this program
  bool library = true;   ///< use oneDNN where it is there
  bool compiler = true;  ///< compile others; without it only what ships can be run
};

/// The CPU backend: LLVM-compiled kernels with explicit vectors, a pooled allocator, a thread pool.
std::unique_ptr<Backend> makeCpuBackend(const CpuOptions& options = {});

/// The properties that plans depend on, where the kernels of single ops ship with the program.
PlanTraits cpuPlanTraits();

}  // namespace fusebench
