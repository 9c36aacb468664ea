// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/fake_backend.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace fusebench {
namespace {

class FakeExecutable final : public Executable {
 public:
  explicit FakeExecutable(const std::string& name) : Executable(name) {}
};

class FakeTimer final : public DeviceTimer {
 public:
  explicit FakeTimer(FakeBackend& backend) : backend_(backend) {}
  void start() override { backend_.note("start"); }
  void stop() override { backend_.note("stop"); }
  double nanoseconds() override { return backend_.timerNanoseconds; }

 private:
  FakeBackend& backend_;
};

class FakeStall final : public DeviceStall {
 public:
  explicit FakeStall(FakeBackend& backend) : backend_(backend) {}
  void hold() override { backend_.note("hold"); }
  void release() override { backend_.note("release"); }
  bool lasted() override { return backend_.stallLasts; }

 private:
  FakeBackend& backend_;
};

}  // namespace

Block* FakeAllocator::allocate(std::size_t bytes) {
  auto block = std::make_unique<Block>();
  block->data = ::operator new (bytes, std::align_val_t{64});
  std::memset(block->data, 0, bytes);
  block->bytes = bytes;
  block->owner = this;
  ++statistics_.allocations;
  statistics_.currentBytes += bytes;
  statistics_.peakBytes = std::max(statistics_.peakBytes, statistics_.currentBytes);
  return block.release();
}

void FakeAllocator::release(Block* block) noexcept {
  statistics_.currentBytes -= block->bytes;
  ::operator delete (block->data, std::align_val_t{64});
  delete block;
}

std::shared_ptr<const Executable> FakeBackend::compile(const Kernel& kernel, CompileTimes& times) {
  const std::string key = canonicalText(kernel);
  ++times.kernels;
  if (inMemory_.contains(key)) {
    ++times.fromMemory;
  } else if (useDisk_ && onDisk_.contains(key)) {
    ++times.fromDisk;
    times.load += 100;
  } else {
    times.compiler += 1'000'000;
    if (useDisk_) onDisk_.insert(key);
  }
  inMemory_.insert(key);
  return std::make_shared<FakeExecutable>(kernel.name);
}

void FakeBackend::launch(const Executable&, const LaunchArguments&) {
  ++launches_;
  note("launch");
  if (onLaunch) onLaunch();
}

std::unique_ptr<DeviceTimer> FakeBackend::makeTimer() {
  return worksOnItsOwn_ ? std::make_unique<FakeTimer>(*this) : nullptr;
}

std::unique_ptr<DeviceStall> FakeBackend::makeStall() {
  return worksOnItsOwn_ ? std::make_unique<FakeStall>(*this) : nullptr;
}

void FakeBackend::copyIn(const Tensor& to, const void* from, std::size_t bytes) {
  std::memcpy(to.data(), from, bytes);
}
void FakeBackend::copyOut(void* to, const Tensor& from, std::size_t bytes) {
  std::memcpy(to, from.data(), bytes);
}
void FakeBackend::copyWithin(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace fusebench
