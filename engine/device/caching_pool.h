// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <vector>

#include "engine/device/pages.h"
#include "engine/device/tensor.h"

namespace fusebench {

/// Keeps freed blocks in lists by size class and reuses them, so that eager's allocation per op
/// takes a few nanoseconds, as in the caching allocators of frameworks. Size classes: powers of two
/// and the three quarter steps between them, from 64 bytes. The derived class provides the memory.
/// For one thread; on a device, for one stream: a block may be reused while work that used it is
/// still queued, because its next use is queued after that.
class CachingPool : public Allocator {
 public:
  CachingPool(const CachingPool&) = delete;
  CachingPool& operator=(const CachingPool&) = delete;

  Block* allocate(std::size_t bytes) override;
  void release(Block* block) noexcept override;
  AllocatorStatistics statistics() const override { return statistics_; }
  void resetPeak() override { statistics_.resetPeak(); }

  /// Gives pooled memory back to the system.
  void trim();

  /// Sets the pages for later blocks of one page or more. Each kind has its own lists; fresh blocks
  /// are not in any list, because they are returned to the system when they are released.
  void use(Pages pages) { pages_ = pages; }
  Pages pages() const { return pages_; }

  static std::uint32_t sizeClass(std::size_t bytes);
  static std::size_t classBytes(std::uint32_t sizeClass);

 protected:
  CachingPool() = default;
  ~CachingPool() override = default;  ///< a derived class must trim in its own destructor

  /// Memory from the system, aligned for the widest vector; null if there is none.
  virtual void* take(std::size_t bytes, Pages pages) = 0;
  virtual void giveBack(void* data, std::size_t bytes, Pages pages) noexcept = 0;
  /// Whether pooled memory may be returned now; prepares for it.
  virtual bool mayTrim() { return true; }
  /// Throws std::bad_alloc, or an exception derived from it with more detail.
  [[noreturn]] virtual void exhausted(std::size_t bytes);

 private:
  static constexpr std::uint32_t kClasses = 4 * 48;
  static constexpr std::uint32_t kKeptKinds =
      2;  ///< kinds of Pages that are pooled: those before fresh

  static Pages pagesOf(const Block& block) {
    return static_cast<Pages>(block.sizeClass / kClasses);
  }
  Block* fromSystem(std::uint32_t sizeClass, Pages pages);
  void toSystem(Block* block) noexcept;

  Pages pages_ = Pages::kept;
  std::vector<Block*> free_[kKeptKinds * kClasses];
  std::deque<Block> blocks_;  // stable addresses
  std::vector<Block*> unusedHeaders_;
  AllocatorStatistics statistics_;
};

}  // namespace fusebench
