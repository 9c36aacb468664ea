// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cli {

/// Whether the file is, by its begin, an execution trace of PyTorch.
bool isExecutionTrace(const std::string& path);

/// analyze: its operators, with what Fusebench can measure.
int analyzeExecutionTrace(const std::string& path, bool json);

/// cut: operators of an execution trace as an experiment.
struct CutTraceOptions {
  std::string trace, out;
  std::string range;      ///< a named range of the program
  std::string operators;  ///< "12..80"
  std::string op;         ///< the number of one
  bool json = false;

  bool isWhole() const { return range.empty() && operators.empty() && op.empty(); }
};
int cutTraceCommand(const CutTraceOptions& options);

}  // namespace fusebench::cli
