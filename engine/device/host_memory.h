// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/backend.h"
#include "engine/device/caching_pool.h"

namespace fusebench {

/// Host memory for tensors of a device that has its own memory, and the copies between the two.
/// Released blocks are reused. Everything is freed with this object, which must be destroyed before
/// its backend and after its tensors.
class HostMemory {
 public:
  /// Throws std::invalid_argument if the backend does not copy from host memory.
  explicit HostMemory(Backend& backend);

  CopyQueue& copies() { return *copies_; }
  /// The pool of Memory::host or Memory::pinned.
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

/// Copies the contents of a tensor, starting at its first element, from any memory; waits for the
/// copy.
void readTensor(Backend& backend, void* to, const Tensor& from, std::size_t bytes);

}  // namespace fusebench
