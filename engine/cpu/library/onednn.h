// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cpu/library/prepared_call.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// oneDNN, opened when it is first asked for: one for the process. Its types stay behind this.
class OneDnn {
 public:
  virtual ~OneDnn() = default;
  /// Null: it is not there, or not one that serves; missing() says why.
  static OneDnn* find();
  /// Why there is none and how to get it, in one line; empty: there is one.
  static const std::string& missing();

  virtual std::string version() const = 0;  ///< "2.6.3"
  virtual std::string file() const = 0;     ///< where it was found
  /// The call for tensors that lie so, with so many threads; null: the library has no fast way.
  virtual std::unique_ptr<PreparedCall> prepare(const LibraryCall& call, const CallSizes& sizes,
                                                const std::int64_t* integers, int threads) = 0;
};

}  // namespace fusebench::cpu
