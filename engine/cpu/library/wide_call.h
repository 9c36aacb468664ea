// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cpu/library/onednn.h"
#include "engine/cpu/library/prepared_call.h"
#include "engine/device/tensor.h"

namespace fusebench::cpu {

/// A call of 16-bit floats that the library has not, made in float32: its operands are brought
/// there before each call and its result is rounded once after it, in memory of `allocator`'s.
class WideCall {
 public:
  /// Null: the library has it in float32 no better.
  static std::unique_ptr<WideCall> make(OneDnn& library, const LibraryRequest& request);
  virtual ~WideCall() = default;

  /// What a run takes of the allocator, beside the tensors.
  virtual std::size_t scratchBytes() const = 0;
  virtual void run(void* const* pointers, Allocator& allocator) = 0;
  virtual std::string description() const = 0;
};

}  // namespace fusebench::cpu
