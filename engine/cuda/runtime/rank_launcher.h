// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/runtime/call_executable.h"
#include "engine/cuda/runtime/device_ranks.h"
#include "engine/device/rank_group.h"
#include "engine/device/tensor.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// Enqueues a program's calls to the ranks of its group, in the order of the backend's stream.
/// Tensors that are not row-major are packed first. Gradients of a bucket are copied into one
/// tensor, averaged over the ranks once the last of them is ready, and copied back. A bucket that
/// overlaps is averaged in a separate stream, and work that needs it waits for that stream. With
/// one rank every such op is a copy.
class RankLauncher {
 public:
  /// `memory`: for buckets. Without a group, the launcher has one rank.
  RankLauncher(std::shared_ptr<const Device> device, Stream stream, Allocator& memory,
               std::shared_ptr<const LibraryTools> tools);
  ~RankLauncher();
  RankLauncher(const RankLauncher&) = delete;
  RankLauncher& operator=(const RankLauncher&) = delete;

  /// `library`: NCCL, see Nccl::open. All ranks call this; null: there is one.
  void setGroup(std::shared_ptr<RankGroup> group, const std::string& library);
  /// What connects the ranks; empty: there is one.
  std::string description() const;

  /// Returns whether a kernel was enqueued. `pool`: the pool of a capture in progress, whose
  /// replays then do the same, one thing after another; null: there is none. Throws
  /// std::runtime_error, in one line.
  bool launch(const LibraryCall& call, const LaunchArguments& arguments, Allocator* pool);
  /// A capture begins or ends: its memory for buckets is returned to its pool.
  void forgetCaptured() { captured_.clear(); }

  /// Something in the stream may wait for other ranks.
  void mayWait() { waits_ = group_ != nullptr; }
  /// For as long as the host waits for the stream: tells the watchers of the group whether it waits
  /// for other ranks.
  std::optional<RankWait> waiting();

 private:
  struct Piece {
    void* to;
    std::size_t bytes;
  };
  struct Bucket {
    BlockRef block;
    std::size_t room = 0, used = 0;
    std::vector<Piece> pieces;
    std::vector<BlockRef> outgrown;  ///< a capture may have taken their address
    bool aside = false;              ///< work of the side stream may still read it
  };

  bool add(const LibraryCall& call, const void* from, void* to, std::size_t bytes, Allocator* pool);
  bool reduce(Bucket& bucket, DType dtype, Stream stream);
  void reserve(Bucket& bucket, std::size_t bytes, Allocator& memory);
  void joinSide();
  void copy(void* to, const void* from, std::size_t bytes, Stream stream);

  std::shared_ptr<const Device> device_;
  const Driver& driver_;
  Stream stream_;
  Allocator& memory_;
  std::shared_ptr<const LibraryTools> tools_;
  std::shared_ptr<RankGroup> group_;
  std::unique_ptr<DeviceRanks> ranks_;
  std::map<int, Bucket> buckets_, captured_;
  Stream side_ = nullptr;  ///< created for the first bucket that overlaps, like the events
  Event filled_ = nullptr, averaged_ = nullptr;
  bool sideWorks_ = false, waits_ = false;
};

}  // namespace fusebench::cuda
