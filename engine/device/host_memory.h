// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/backend.h"
#include "engine/device/caching_pool.h"

namespace fusebench {

/// Host memory for tensors beside a device that has memory of its own, and the copies between the
/// two. Blocks that are given back are handed out again; all ends with this, which ends before its
/// backend and after its tensors.
class HostMemory {
 public:
  /// Throws std::invalid_argument if the backend copies nothing from host memory.
  explicit HostMemory(Backend& backend);

  CopyQueue& copies() { return *copies_; }
  /// Of Memory::host or Memory::pinned.
  Allocator& pool(Memory memory) { return memory == Memory::pinned ? pinned_ : pageable_; }

 private:
  class Pool final : public CachingPool {
   public:
    Pool(CopyQueue& copies, bool pinned) : copies_(copies), pinned_(pinned) {}
    ~Pool() override { trim(); }

   protected:
    void* take(std::size_t bytes, Pages /*pages*/) override {
      return copies_.hostMemory(bytes, pinned_);
    }
    /// It is the queue's.
    void giveBack(void* /*data*/, std::size_t /*bytes*/, Pages /*pages*/) noexcept override {}
    bool mayTrim() override { return false; }

   private:
    CopyQueue& copies_;
    bool pinned_;
  };

  std::unique_ptr<CopyQueue> copies_;
  Pool pageable_, pinned_;
};

/// What a tensor's memory holds from its first element on, wherever it lies; waits for it.
void readTensor(Backend& backend, void* to, const Tensor& from, std::size_t bytes);

}  // namespace fusebench
