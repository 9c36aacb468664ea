// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/form.h"

namespace fusebench {

class Allocator;

/// A reference-counted block of device memory. The last owner returns it to its allocator. Counts
/// are plain integers, because a tensor belongs to one thread.
struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;      ///< usable size: at least the requested one
  std::size_t requested = 0;  ///< size of the current request
  Allocator* owner = nullptr;
  std::uint32_t references = 0;
  std::uint32_t sizeClass = 0;  ///< for use by the allocator
};

/// Allocates blocks. Statistics count requested bytes, the size of the tensors. The sizes that
/// pools round them up to are counted for blocks.
struct AllocatorStatistics {
  std::size_t currentBytes = 0;
  std::size_t peakBytes = 0;
  std::size_t blockBytes = 0;      ///< bytes of the blocks in use
  std::size_t peakBlockBytes = 0;  ///< maximum of these since the last resetPeak()

  /// Counts a block that is allocated for a request of `requested` bytes.
  void handout(Block& block, std::size_t requested) {
    block.requested = requested;
    currentBytes += requested;
    if (currentBytes > peakBytes) peakBytes = currentBytes;
    blockBytes += block.bytes;
    if (blockBytes > peakBlockBytes) peakBlockBytes = blockBytes;
  }
  void takeBack(const Block& block) {
    currentBytes -= block.requested;
    blockBytes -= block.bytes;
  }
  void resetPeak() {
    peakBytes = currentBytes;
    peakBlockBytes = blockBytes;
  }
  std::uint64_t allocations = 0;        ///< calls to allocate
  std::uint64_t systemAllocations = 0;  ///< requests that went to the system instead of the pool
  std::size_t heldBytes = 0;            ///< bytes taken from the system: in use and pooled
};

class Allocator {
 public:
  virtual ~Allocator() = default;
  /// A block of at least `bytes` bytes, aligned for the widest vector; throws std::bad_alloc.
  virtual Block* allocate(std::size_t bytes) = 0;
  virtual void release(Block* block) noexcept = 0;
  virtual AllocatorStatistics statistics() const = 0;
  virtual void resetPeak() = 0;
};

class BlockRef {
 public:
  BlockRef() = default;
  explicit BlockRef(Block* block) : block_(block) {
    if (block_) ++block_->references;
  }
  BlockRef(const BlockRef& other) : BlockRef(other.block_) {}
  BlockRef(BlockRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  BlockRef& operator=(BlockRef other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~BlockRef() { reset(); }
  void reset() noexcept {
    if (Block* block = std::exchange(block_, nullptr); block && --block->references == 0)
      block->owner->release(block);
  }
  Block* get() const { return block_; }
  explicit operator bool() const { return block_ != nullptr; }

 private:
  Block* block_ = nullptr;
};

/// A strided view of a block.
struct Tensor : Form {
  BlockRef block;
  std::int64_t offset = 0;  ///< offset of the first element, in elements

  void* data() const {
    return static_cast<std::byte*>(block.get()->data) +
           offset * static_cast<std::int64_t>(info(dtype).size);
  }
  /// Bytes of the elements, without gaps.
  std::size_t bytes() const { return elementBytes(*this); }
  /// Throws std::logic_error unless every element is in the block.
  void checkInBlock() const;
  bool defined() const { return static_cast<bool>(block); }
};

/// A new contiguous tensor with uninitialized elements.
Tensor makeTensor(Allocator& allocator, DType dtype, const Shape& shape);

}  // namespace fusebench
