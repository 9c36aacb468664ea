// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "engine/base/dtype.h"
#include "engine/base/shape.h"

namespace fusebench {

/// Tensors by name, in the safetensors format: eight bytes with the length of a JSON header, the
/// header, then all elements.
class WeightsFile {
 public:
  class Tensor {
   public:
    /// Element of a row-major index.
    double at(std::int64_t index) const;

   private:
    friend class WeightsFile;
    DType dtype_ = DType::float32;
    Shape shape_;
    std::size_t begin_ = 0;  ///< in `text_`
    const std::string* text_ = nullptr;
  };

  /// Throws InputError with the problem of the file.
  explicit WeightsFile(const std::string& path);
  /// The same for a text that was read already; `file` names it in messages.
  WeightsFile(std::string text, std::string file);
  WeightsFile(const WeightsFile&) = delete;
  WeightsFile& operator=(const WeightsFile&) = delete;

  /// Throws InputError if there is none of this name and shape.
  const Tensor& tensor(const std::string& name, const Shape& shape) const;
  std::size_t size() const { return tensors_.size(); }

 private:
  void read();

  std::string text_, file_;
  std::map<std::string, Tensor> tensors_;
};

/// Whether an experiment may name such a file: one of its own folder, with that extension.
bool isWeightsName(const std::string& name);

}  // namespace fusebench
