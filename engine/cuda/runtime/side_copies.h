// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "engine/device/copy_queue.h"

namespace fusebench::cuda {

/// Copies on the stream of the launches and on a separate one, synchronized by events.
class SideCopies final : public CopyQueue {
 public:
  /// Throws CudaError.
  SideCopies(std::shared_ptr<const Device> device, Stream launches);
  ~SideCopies() override;

  void* hostMemory(std::size_t bytes, bool pinned) override;
  void in(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override;
  void out(Line line, void* to, const void* from, std::size_t bytes, bool pinned) override;
  Mark mark(Line line) override;
  void await(Line line, Mark mark) override;
  bool isReached(Line line, Mark mark) override;

 private:
  static constexpr std::size_t kEvents = 256;
  Stream stream(Line line) const { return line == Line::launches ? launches_ : side_; }

  std::shared_ptr<const Device> device_;
  Stream launches_, side_ = nullptr;
  std::vector<std::unique_ptr<PinnedBuffer>> pinned_;
  std::vector<std::vector<std::byte>> pageable_;
  std::array<Event, kEvents> events_{};
  Mark marks_ = 0;
};

}  // namespace fusebench::cuda
