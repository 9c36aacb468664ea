// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/driver/driver_abi.h"
#include "engine/device/object_cache.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A library call prepared for tensors with certain layouts, to be enqueued many times.
class PreparedCall {
 public:
  virtual ~PreparedCall() = default;
  /// Device memory that each execution works in, bytes.
  virtual std::size_t workspaceBytes() const = 0;
  /// Enqueues one execution; while the stream is being captured, captures it. `pointers`: those of
  /// a launch. False, and nothing was enqueued: the library does not support the call after all.
  /// Throws std::runtime_error if it fails.
  virtual bool run(Stream stream, void* const* pointers, void* workspace) = 0;
  /// The request to the library and its choices, one line each.
  virtual std::string description() const = 0;
};

/// A request to a library: a call for tensors with these layouts.
struct LibraryRequest {
  const LibraryCall& call;
  const CallSizes& sizes;
  const std::int64_t* integers;  ///< the launch's integers
  /// For each tensor: the alignment of its address in bytes, a power of two up to 256.
  std::vector<std::uint32_t> alignments;
  std::string device{};          ///< what times depend on, for the keys of the cache
  ObjectCache* cache = nullptr;  ///< of results of searches; null: none
  /// Runs a call on memory of its own and returns the time of one execution in nanoseconds. Empty:
  /// no time can be measured now, and the library's own choice is used.
  std::function<double(PreparedCall&)> time{};
};

/// A library for one device. Its types are hidden behind this class.
class CallLibrary {
 public:
  virtual ~CallLibrary() = default;
  virtual std::string name() const = 0;  ///< "cuBLASLt 13.4.1"
  /// Whether it may handle calls of this kind, whatever their sizes.
  virtual bool serves(const LibraryCall& call) const = 0;
  /// The prepared call: as the library would choose it, or, if a search is requested and time can
  /// be measured, in the fastest way that there is. Null: it is not supported; `why` says why in a
  /// few words.
  virtual std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request,
                                                std::string& why) = 0;
};

}  // namespace fusebench::cuda
