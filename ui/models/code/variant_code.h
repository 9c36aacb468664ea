// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "profiler/run/run.h"
#include "profiler/worker/code_protocol.h"

namespace fusebench {

/// The experiment with one cell: everything that its code depends on, and nothing else.
Experiment oneCell(const Experiment& whole, int variant, const std::vector<std::int64_t>& at);

/// A kernel and its generated forms: the loop nest, then the backend's code.
struct KernelCode {
  std::string name;
  std::vector<int> statements;  ///< numbers in the program, from 0; -1: the return
  std::vector<GeneratedCode> languages;
  int others = 0;  ///< kernels with the same text
};

/// The generated code of a variant's kernels at the far end of the axes.
struct VariantCode {
  std::string variant;
  std::string inputs;   ///< "x (8, 16)": what it is shown for
  std::string problem;  ///< why there is none; empty: there is code
  std::vector<KernelCode> kernels;
};

/// The plan of a variant at the far end of the axes: its steps, and the storages of a call. Uses a
/// worker that the command starts, for the run's device. Takes seconds. Throws.
CodeListing variantListing(const Run& run, int variant, std::vector<std::string> workerCommand,
                           std::stop_token stop = {});
/// Asks a worker that the command starts, for the run's device. Takes seconds. Throws StopRequested
/// on a stop.
VariantCode variantCode(const Run& run, int variant, std::vector<std::string> workerCommand,
                        std::stop_token stop = {});

/// Architecture of the GPU that a run was measured on ("sm_90"), if code can be written for it
/// without the GPU; else empty.
QString recordedArchitecture(const Run& run);

}  // namespace fusebench
