// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profiler/trace/execution_trace.h"

namespace fusebench {

/// The lists that an execution trace has for an operator's inputs or outputs.
struct TracedLists {
  const nlohmann::json* values = nullptr;
  const nlohmann::json* shapes = nullptr;
  const nlohmann::json* types = nullptr;
  const nlohmann::json* strides = nullptr;  ///< null: not recorded
};

/// Reads them; new tensors go to the end of `tensors`. `where` begins messages: "trace.json: node
/// 12: inputs". Throws InputError.
std::vector<TracedValue> tracedValues(const TracedLists& lists, const std::string& where,
                                      std::vector<TracedTensor>& tensors);

}  // namespace fusebench
