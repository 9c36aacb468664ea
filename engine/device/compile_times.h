// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// Where a compiled kernel came from.
enum class CompileSource : std::uint8_t { compiled, disk, memory };

/// The cost of compiling in nanoseconds, by phase. Phases that did not happen are 0.
struct CompileTimes {
  std::int64_t specialize = 0;  ///< program -> typed ops for these inputs
  std::int64_t fusion = 0;      ///< ops -> kernels
  std::int64_t codegen = 0;     ///< kernel -> the compiler's input; for an op list: assembling it
  std::int64_t compiler = 0;    ///< the compiler itself
  std::int64_t load = 0;        ///< object code -> callable (from disk: reading it, too)
  std::int64_t firstLaunch = 0;
  std::int64_t capture = 0;      ///< recording launches and preparing them for replay
  std::int64_t preparation = 0;  ///< computing values that depend only on constant inputs
  int kernels = 0;               ///< number of requested kernels
  int fromDisk = 0;              ///< of these, found in the disk cache
  int fromMemory = 0;            ///< of these, already loaded in this process
  int shipped = 0;  ///< of these, shipped with the program, which required no compiling or reading

  /// Number of kernels that a compiler generated.
  int compiled() const { return kernels - fromDisk - fromMemory - shipped; }

  std::int64_t total() const {
    return specialize + fusion + codegen + compiler + load + firstLaunch + capture + preparation;
  }
  CompileTimes& operator+=(const CompileTimes& other);
};

}  // namespace fusebench
