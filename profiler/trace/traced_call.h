// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/language/aten_table.h"
#include "profiler/trace/execution_trace.h"

namespace fusebench {

/// An operator of an execution trace as a call in a program.
struct TracedCall {
  const AtenRow* row = nullptr;  ///< null: there is none
  std::string problem;           ///< why it cannot be a call; empty: it can
};
/// The row of ATen's table that the operator is, by its signature or, where the trace has none, by
/// its arguments.
TracedCall tracedCall(const ExecutionTrace& trace, OperatorIndex at);

/// The value of the argument in the program, and the parameter that it belongs to.
using NameTensor = std::function<std::string(std::uint32_t tensor, const std::string& parameter)>;
/// "torch.ops.aten.mm.default(x, mat2)". Arguments that are the signature's defaults are left out,
/// and so are devices: everything is on the one that is measured.
std::string callText(const TracedOperator& op, const AtenRow& row, const NameTensor& nameOf);

/// The tensors among values, those in lists, too.
void forEachTensor(const std::vector<TracedValue>& values,
                   const std::function<void(std::uint32_t)>& each);

/// Whether the signature has an argument that is written to.
bool writesArguments(std::string_view schema);

}  // namespace fusebench
