// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cpu/library/float_product.h"
#include "engine/cpu/library/prepared_call.h"
#include "engine/device/object_cache.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// A request to a library: a call for tensors with these layouts.
struct LibraryRequest {
  const LibraryCall& call;
  const CallSizes& sizes;
  const std::int64_t* integers;  ///< the launch's integers
  int threads = 1;
  std::string processor{};       ///< what times depend on, for the keys of the cache
  ObjectCache* cache = nullptr;  ///< for results of searches; null: none
};

/// oneDNN, opened on first use: one instance per process. Its types are hidden behind this class.
class OneDnn {
 public:
  virtual ~OneDnn() = default;
  /// Null: it is not available or not usable; missing() has the reason.
  static OneDnn* find();
  /// Why it is missing and how to get it, in one line; empty: it is available.
  static const std::string& missing();

  virtual std::string version() const = 0;  ///< "2.6.3"
  virtual std::string file() const = 0;     ///< where it was found
  /// Whether its sums of products of int8 are exact on this processor, which requires VNNI.
  virtual bool sumsBytesExactly() const = 0;
  /// The prepared call: as the library would choose it, or, if a search is requested, in the
  /// fastest way that there is. Null: the library has no fast way.
  virtual std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request) = 0;
  /// See multiplyFloats(). False: the library does not support it, and nothing was written.
  virtual bool multiply(const FloatMatrix& first, const FloatMatrix& second, float* to,
                        std::int64_t toStep, bool adds) = 0;
};

}  // namespace fusebench::cpu
