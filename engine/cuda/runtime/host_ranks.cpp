// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <string>

#include "engine/base/elements.h"
#include "engine/cuda/runtime/device_ranks.h"
#include "engine/cuda/runtime/memory_pool.h"

namespace fusebench::cuda {
namespace {

DevicePointer placeOf(const void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Each call copies its operand to the host, asks the group and copies what came back, in pinned
/// memory that is kept.
class HostRanks final : public DeviceRanks {
 public:
  HostRanks(std::shared_ptr<const Device> device, std::shared_ptr<RankGroup> group, std::string why)
      : device_(std::move(device)), group_(std::move(group)), why_(std::move(why)) {}
  ~HostRanks() override {
    // A copy may still read it.
    if (last_ && device_->tryUse()) device_->driver().streamSynchronize.attempt(last_);
  }
  HostRanks(const HostRanks&) = delete;
  HostRanks& operator=(const HostRanks&) = delete;

  int size() const override { return group_->size(); }
  std::string description() const override {
    return group_->description() + ", through host memory: " + why_;
  }
  std::string waitsBecause() const override { return why_; }

  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype, Combine how,
                 Stream stream) override {
    const std::size_t bytes = static_cast<std::size_t>(elements) * info(dtype).size;
    void* const all = out(from, bytes, bytes, stream);
    group_->allReduce(all, all, elements, dtype, how);
    if (how == Combine::average) divideElements(all, all, elements, dtype, group_->size());
    in(to, all, bytes, stream);
  }
  void broadcast(const void* from, void* to, std::size_t bytes, int root, Stream stream) override {
    void* const all = out(from, bytes, bytes, stream);
    group_->broadcast(all, bytes, root);
    in(to, all, bytes, stream);
  }
  void allGather(const void* from, void* to, std::size_t bytes, Stream stream) override {
    const auto ranks = static_cast<std::size_t>(group_->size());
    std::byte* const own = out(from, bytes, (1 + ranks) * bytes, stream);
    group_->allGather(own, own + bytes, bytes);
    in(to, own + bytes, ranks * bytes, stream);
  }
  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype, Combine how,
                     Stream stream) override {
    const std::size_t bytes = static_cast<std::size_t>(elements) * info(dtype).size,
                      all = bytes * static_cast<std::size_t>(group_->size());
    std::byte* const given = out(from, all, all + bytes, stream);
    group_->reduceScatter(given, given + all, elements, dtype, how);
    if (how == Combine::average)
      divideElements(given + all, given + all, elements, dtype, group_->size());
    in(to, given + all, bytes, stream);
  }

 private:
  /// Copies the bytes to host memory, with room for `room` bytes. Earlier copies have arrived by
  /// then.
  std::byte* out(const void* from, std::size_t bytes, std::size_t room, Stream stream) {
    device_->use();
    const Driver& driver = device_->driver();
    if (!buffer_ || buffer_->bytes() < room) {
      if (last_) driver.streamSynchronize(last_);
      buffer_ = std::make_unique<PinnedBuffer>(device_, std::max<std::size_t>(room, 1));
    }
    if (bytes > 0) driver.memcpyDtoHAsync(buffer_->data(), placeOf(from), bytes, stream);
    driver.streamSynchronize(stream);
    last_ = stream;
    return static_cast<std::byte*>(buffer_->data());
  }
  void in(void* to, const void* from, std::size_t bytes, Stream stream) {
    if (bytes > 0) device_->driver().memcpyHtoDAsync(placeOf(to), from, bytes, stream);
  }

  std::shared_ptr<const Device> device_;
  std::shared_ptr<RankGroup> group_;
  std::string why_;
  std::unique_ptr<PinnedBuffer> buffer_;
  Stream last_ = nullptr;
};

}  // namespace

std::unique_ptr<DeviceRanks> makeHostRanks(std::shared_ptr<const Device> device,
                                           std::shared_ptr<RankGroup> group, std::string why) {
  return std::make_unique<HostRanks>(std::move(device), std::move(group), std::move(why));
}

}  // namespace fusebench::cuda
