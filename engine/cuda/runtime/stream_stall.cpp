// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/stream_stall.h"

#include <atomic>

namespace fusebench::cuda {
namespace {

/// The kernel ends by itself after this time: the host may wait for the device before release().
/// Enqueuing takes a few milliseconds.
constexpr std::uint64_t kLongestNanoseconds = 200'000'000;

constexpr char kPtx[] = R"ptx(.version 6.3
.target sm_75
.address_size 64

.visible .entry fusebench_stall(
	.param .u64 released,
	.param .u64 expired,
	.param .u64 nanoseconds
)
{
	.reg .pred %p<3>;
	.reg .b32 %r<3>;
	.reg .b64 %rd<7>;

	ld.param.u64 %rd1, [released];
	ld.param.u64 %rd2, [expired];
	ld.param.u64 %rd3, [nanoseconds];
	mov.u64 %rd4, %globaltimer;
HELD:
	ld.volatile.global.u32 %r1, [%rd1];
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	mov.u64 %rd5, %globaltimer;
	sub.u64 %rd6, %rd5, %rd4;
	setp.lt.u64 %p2, %rd6, %rd3;
	@%p2 bra HELD;
	mov.u32 %r2, 1;
	st.volatile.global.u32 [%rd2], %r2;
	membar.sys;
DONE:
	ret;
}
)ptx";

}  // namespace

const char* stallPtx() {
  return kPtx;
}

StreamStall::StreamStall(std::shared_ptr<const Device> device, Stream stream)
    : device_(std::move(device)), stream_(stream), words_(device_, sizeof(Words)) {
  const Driver& driver = device_->driver();
  driver.moduleLoadDataEx(&module_, kPtx, 0, nullptr, nullptr);
  try {
    driver.moduleGetFunction(&kernel_, module_, "fusebench_stall");
    // A driver may load a kernel at its first launch, and wait for the device then.
    words() = {1, 0};
    launch(kLongestNanoseconds);
    driver.streamSynchronize(stream_);
  } catch (...) {
    driver.moduleUnload.attempt(module_);
    throw;
  }
}

StreamStall::~StreamStall() {
  release();
  if (!device_->tryUse()) return;
  device_->driver().streamSynchronize.attempt(stream_);
  device_->driver().moduleUnload.attempt(module_);
}

void StreamStall::launch(std::uint64_t nanoseconds) {
  // With unified addressing, page-locked memory has the same address on the device (CUDA Driver
  // API, "Unified Addressing").
  auto released = reinterpret_cast<std::uintptr_t>(&words().released);
  auto expired = reinterpret_cast<std::uintptr_t>(&words().expired);
  void* arguments[] = {&released, &expired, &nanoseconds};
  device_->use();
  device_->driver().launchKernel(kernel_, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr);
}

void StreamStall::hold() {
  device_->use();
  device_->driver().streamSynchronize(stream_);  // an earlier stall may still read its words
  words() = {0, 0};
  launch(kLongestNanoseconds);
}

void StreamStall::release() {
  std::atomic_ref(words().released).store(1, std::memory_order_release);
}

bool StreamStall::lasted() {
  device_->use();
  device_->driver().streamSynchronize(stream_);
  return std::atomic_ref(words().expired).load(std::memory_order_acquire) == 0;
}

}  // namespace fusebench::cuda
