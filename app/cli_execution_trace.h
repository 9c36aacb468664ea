// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cli {

/// Whether the file is, judging by its beginning, an execution trace of PyTorch.
bool isExecutionTrace(const std::string& path);

/// analyze: its operators, with what Fusebench can measure.
int analyzeExecutionTrace(const std::string& path, bool json);

/// Whether `cut` reads the file as a trace: an execution trace, or one of PyTorch's profiler.
bool isTraceToCut(const std::string& path);

/// cut: operators of such a trace as an experiment.
struct CutTraceOptions {
  std::string trace, out;
  std::string range;      ///< a named range of the program
  std::string operators;  ///< "12..80"
  std::string op;         ///< the number of one, or its name
  bool json = false;

  bool isWhole() const { return range.empty() && operators.empty() && op.empty(); }
};
int cutTraceCommand(const CutTraceOptions& options);

}  // namespace fusebench::cli
