// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The cost of one module per call, including the modules within it.
struct ModuleTime {
  std::string path;  ///< empty: the model
  int depth = 0;     ///< modules around it
  int statements = 0;
  double nanoseconds = 0;  ///< nanoseconds in a recorded call, around its kernels
  /// A launch that computes statements of several modules is divided among them, in equal parts per
  /// statement.
  double launches = 0;
  /// Bytes that the steps read and write, and their arithmetic, divided in the same way.
  std::optional<double> bytes, flops;
};

/// The modules of a cell's program, each before those within it, in the program's order. The first
/// is the model. Empty if the program has no modules, or if no recorded call names the statements
/// of its launches. If a device runs the kernels, the times are those of the host.
std::vector<ModuleTime> moduleTimes(const Run& run, const Cell& cell);

/// The same with bytes and FLOPs, which takes as long as planning the program. Throws ProgramError.
std::vector<ModuleTime> moduleCosts(const Run& run, const Cell& cell);

/// The same modules, the one with the most time first. The model itself is always first.
std::vector<ModuleTime> modulesByTime(std::vector<ModuleTime> modules);

/// "1.81 GFLOP", "12 FLOP".
std::string flopsText(double flops);

/// Nanoseconds of a recorded call by statement of the cell's program; the return is last. A launch
/// is divided equally among its statements. Empty if no launches are known by statement.
std::vector<double> statementTimes(const Run& run, const Cell& cell);

/// "layers.*.attn" of "layers.3.attn": modules of one kind.
std::string moduleKind(const std::string& path);

}  // namespace fusebench
