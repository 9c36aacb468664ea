// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// A tensor argument as a profiler recorded it.
struct RecordedTensor {
  std::vector<std::int64_t> extents;
  std::string dtype;         ///< "float32"; empty: not recorded
  std::size_t argument = 0;  ///< its position among the operator's arguments
  bool operator==(const RecordedTensor&) const = default;
};

/// The dtype for a name in PyTorch's profiler: "float32" for "float", "bfloat16" for
/// "c10::BFloat16" or "BFloat16". Empty if it is not the dtype of a tensor ("Scalar").
std::string_view dtypeRecordedAs(std::string_view name);
/// Bytes per element; 0: not known.
std::int64_t bytesPerElement(std::string_view dtype);
/// The product of the extents; -1 if it exceeds the limit of a tensor.
std::int64_t elementsOf(const RecordedTensor& tensor);

/// The tensors among an operator's arguments; those of a list count one by one. Numbers and invalid
/// entries are left out.
std::vector<RecordedTensor> recordedTensors(std::string_view shapes, std::string_view types);

/// "(8, 16) (16, 32)"; "()" stands for a tensor without extents.
std::string shapesText(const std::vector<RecordedTensor>& tensors);
/// "float32", or "bfloat16 float32" where they differ: each once.
std::string dtypesText(const std::vector<RecordedTensor>& tensors);

}  // namespace fusebench
