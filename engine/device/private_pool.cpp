// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/private_pool.h"

#include <algorithm>

namespace fusebench {

Block* PrivatePool::allocate(std::size_t bytes) {
  ++statistics_.allocations;
  Block* block = nullptr;
  // A free block of up to twice the size will do: the sequence that is recorded asks for few sizes.
  const auto fit = free_.lower_bound(bytes);
  if (fit != free_.end() && fit->first <= 2 * bytes) {
    block = fit->second;
    free_.erase(fit);
  } else {
    BlockRef memory(parent_.allocate(bytes));
    Held& held = held_.emplace_back();
    held.memory = std::move(memory);
    const Block& from = *held.memory.get();
    held.block = Block{from.data, bytes, 0, this, 0, static_cast<std::uint32_t>(held_.size() - 1)};
    block = &held.block;
    ++statistics_.systemAllocations;
    statistics_.heldBytes += block->bytes;
  }
  ++handedOut_;
  statistics_.handout(*block, bytes);
  return block;
}

void PrivatePool::release(Block* block) noexcept {
  --handedOut_;
  statistics_.takeBack(*block);
  if (!retired_) {
    try {
      free_.emplace(block->bytes, block);
    } catch (...) {  // no room for the note: the block goes back with the pool
    }
    return;
  }
  statistics_.heldBytes -= block->bytes;
  held_[block->sizeClass].memory.reset();
  if (handedOut_ == 0) delete this;
}

void PrivatePool::retire() noexcept {
  retired_ = true;
  for (const auto& [bytes, block] : free_) {
    statistics_.heldBytes -= bytes;
    held_[block->sizeClass].memory.reset();
  }
  free_.clear();
  if (handedOut_ == 0) delete this;
}

}  // namespace fusebench
