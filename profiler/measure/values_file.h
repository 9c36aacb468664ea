// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/run/reference.h"

namespace fusebench {

/// Tensors by value, for a worker that is another program: one line of JSON that describes them,
/// then their elements, starting at the next multiple of 64 bytes, each tensor at a multiple of 64.
///   {"fusebench": "values", "version": 1, "separate": false, "note": "",
///    "entries": [{"inputs": [TENSOR...], "results": [TENSOR...], "scales": [TENSOR...]}, ...]}
/// TENSOR: {"dtype", "shape", "strides" (in elements), "at" (bytes from where the elements begin),
/// "count" (elements from the first to the last, gaps included)}, and for an input that is not on
/// the device "memory": "host" or "pinned".
class ValuesFile {
 public:
  explicit ValuesFile(Backend& backend) : backend_(backend) {}

  /// Describes what was checked, if that is not everything, and whether its shapes differ from
  /// those that the cell runs on, in which case nothing should be compiled for them there.
  void describe(std::string note, bool separate);
  /// One call's tensors; results and scales may be empty.
  void add(const std::vector<Tensor>& inputs, std::vector<ReferenceTensor> results = {},
           std::vector<std::vector<double>> scales = {});
  /// Throws std::runtime_error naming the file if it cannot be written completely.
  void write(const std::string& path) const;

 private:
  struct Entry {
    std::vector<Tensor> inputs;
    std::vector<ReferenceTensor> results;
    std::vector<std::vector<double>> scales;
  };
  Backend& backend_;
  std::vector<Entry> entries_;
  std::string note_;
  bool separate_ = false;
};

}  // namespace fusebench
