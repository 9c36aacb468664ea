// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cpu/library/onednn.h"
#include "engine/cpu/library/prepared_call.h"
#include "engine/device/tensor.h"

namespace fusebench::cpu {

/// A call on 16-bit floats that the library does not have, computed in float32: its operands are
/// converted before each call and its result is rounded once after it. The float32 memory is
/// `allocator`'s.
class WideCall {
 public:
  /// Null: the library has no better call for it in float32.
  static std::unique_ptr<WideCall> make(OneDnn& library, const LibraryRequest& request);
  virtual ~WideCall() = default;

  /// Bytes that a run allocates in addition to the tensors.
  virtual std::size_t scratchBytes() const = 0;
  virtual void run(void* const* pointers, Allocator& allocator) = 0;
  virtual std::string description() const = 0;
};

}  // namespace fusebench::cpu
