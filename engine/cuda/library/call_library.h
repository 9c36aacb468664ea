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
  /// Enqueues one execution; while the stream is captured, captures it. `pointers`: as of a
  /// launch. False, and nothing was enqueued: the library refuses it after all. Throws
  /// std::runtime_error where it fails.
  virtual bool run(Stream stream, void* const* pointers, void* workspace) = 0;
  /// The request to the library and its choices, one line each.
  virtual std::string description() const = 0;
};

/// A request to a library: a call for tensors with these layouts.
struct LibraryRequest {
  const LibraryCall& call;
  const CallSizes& sizes;
  const std::int64_t* integers;  ///< the launch's integers
  /// Per tensor: the alignment of its address in bytes, a power of two up to 256.
  std::vector<std::uint32_t> alignments;
  std::string device{};          ///< what times depend on, for the cache's keys
  ObjectCache* cache = nullptr;  ///< of what a search found; null: none
  /// Runs a call on memory of its own and says what one execution takes, nanoseconds. Empty: no
  /// time can be taken now, and the library's own choice has to do.
  std::function<double(PreparedCall&)> time{};
};

/// A library of one device's. Its types stay behind this.
class CallLibrary {
 public:
  virtual ~CallLibrary() = default;
  virtual std::string name() const = 0;  ///< "cuBLASLt 13.4.1"
  /// Whether calls of this kind may be its, whatever their sizes are.
  virtual bool serves(const LibraryCall& call) const = 0;
  /// The call made ready: as the library would choose, or, if it asks for a search and time can be
  /// taken, in the fastest way that there is. Null: it refuses; `why` says in a few words what.
  virtual std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request,
                                                std::string& why) = 0;
};

}  // namespace fusebench::cuda
