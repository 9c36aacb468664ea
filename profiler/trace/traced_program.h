// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "profiler/trace/execution_trace.h"

namespace fusebench {

/// The operators of an execution trace that are to become a program: those with a number from
/// `first` to `last`, of one subtree or of all.
struct TraceSelection {
  std::int64_t first = 0, last = 0;
  OperatorIndex within = kNoOperator;  ///< an operator including everything that it calls
};
TraceSelection wholeTrace(const ExecutionTrace& trace);
/// An operator, or a range of the program, including everything that it calls.
TraceSelection subtreeOf(const ExecutionTrace& trace, OperatorIndex at);

/// Operators as a program in ATen's operations.
struct TracedProgram {
  struct Input {
    std::string name;
    std::uint32_t tensor = 0;  ///< in ExecutionTrace::tensors
    std::string parameter;     ///< of the operator that reads it first: "weight"
    bool isWritten = false;    ///< the program writes to it
  };
  /// A line of the text, from 1, and the operator that it is.
  struct Line {
    int line = 0;
    OperatorIndex op = 0;
    std::uint32_t result = kNoTensor;  ///< its first result, a tensor of the trace
    std::string name;  ///< name that the line assigns to it; empty: it has several results
  };
  struct Unknown {
    OperatorIndex op = 0;
    std::string why;
  };
  static constexpr std::uint32_t kNoTensor = std::numeric_limits<std::uint32_t>::max();

  std::string text;  ///< empty: no operator creates a tensor
  std::vector<Input> inputs;
  std::vector<Line> lines;
  std::vector<Unknown> unknown;    ///< operators that no program can contain
  std::set<OperatorIndex> opened;  ///< replaced by the operators that they call
  std::vector<std::string> notes;
};

/// The outermost operators that Fusebench supports become lines. Operators in `opened`, and
/// unsupported ones, are replaced by the operators inside them, and so are operators whose inner
/// results others read, as backward operators read saved activations. Tensors that no line creates
/// are inputs. The program returns the results that later operators of the trace read, and those
/// that no operator reads.
TracedProgram tracedProgram(const ExecutionTrace& trace, const TraceSelection& selection,
                            std::set<OperatorIndex> opened = {});

/// The names of the ranges around an operator, without those of PyTorch's own: "model.layers.0".
std::string rangesAround(const ExecutionTrace& trace, OperatorIndex at);
/// Whether a node is a range of the user's program: record_function or a module.
bool isUserRange(const ExecutionTrace& trace, OperatorIndex at);
/// Its name without the markers around it: "forward" for "## forward ##".
std::string rangeName(std::string_view name);

}  // namespace fusebench
