// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// A product or a convolution of bytes, prepared for one layout of its tensors, by our own kernel:
/// for processors on which the library has no exact one (no VNNI). Returns the same bits as
/// runPlainLoops().
class ByteCall {
 public:
  virtual ~ByteCall() = default;
  /// Null: it is another kind of call, or the processor lacks AVX2.
  static std::unique_ptr<ByteCall> make(const LibraryCall& call, const CallSizes& sizes,
                                        const std::int64_t* integers);

  /// Parts that threads can execute at the same time.
  virtual std::int64_t parts() const = 0;
  /// Computes the parts in [begin, end). `pointers`: those of a launch.
  virtual void run(void* const* pointers, std::int64_t begin, std::int64_t end) const = 0;
  virtual std::string description() const = 0;
};

/// Only for convolutions. Null: it is not a convolution, or it has more than two window dimensions.
std::unique_ptr<ByteCall> makeByteWindows(const LibraryCall& call, const std::int64_t* integers);

}  // namespace fusebench::cpu
