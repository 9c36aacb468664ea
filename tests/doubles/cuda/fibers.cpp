// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/doubles/cuda/fibers.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace fusebench::test {
namespace {

constexpr std::size_t kStackBytes = 128 * 1024;

/// The stack's previous fiber did not return; the address sanitizer can forget its frames.
void forgetFrames([[maybe_unused]] char* stack) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(stack, kStackBytes);
#endif
}

constexpr unsigned kWarp = 32;

#if defined(__x86_64__)
// Saves the registers that the calling convention preserves, switches stacks, and continues there.
extern "C" void fusebenchFiberSwitch(void** savedHere, void* other);
asm(R"(
.text
.type fusebenchFiberSwitch, @function
fusebenchFiberSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size fusebenchFiberSwitch, .-fusebenchFiberSwitch
)");
struct Place {
  void* stackPointer = nullptr;
};
void change(Place& here, Place& there) {
  fusebenchFiberSwitch(&here.stackPointer, there.stackPointer);
}
void prepare(Place& place, char* stack, void (*entry)()) {
  forgetFrames(stack);
  auto* top = reinterpret_cast<std::uintptr_t*>(stack + kStackBytes);
  *--top = 0;  // the entry sees a stack as after a call: 8 off a multiple of 16
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = 0;
  place.stackPointer = top;
}
#else
struct Place {
  ucontext_t context{};
};
void change(Place& here, Place& there) {
  swapcontext(&here.context, &there.context);
}
void prepare(Place& place, char* stack, void (*entry)()) {
  getcontext(&place.context);
  place.context.uc_stack.ss_sp = stack;
  place.context.uc_stack.ss_size = kStackBytes;
  place.context.uc_link = nullptr;
  makecontext(&place.context, entry, 0);
}
#endif

enum class State { ready, atBarrier, atShuffle, finished };

struct Fiber {
  Place place;
  State state = State::ready;
  unsigned shuffles = 0;  ///< how many it has taken part in
};

/// The values that the lanes of a warp exchange. There are two sets, used in turn: a lane can be
/// one shuffle ahead of a lane that has not read yet, but never two.
struct Warp {
  unsigned char values[2][kWarp][8];
  unsigned arrived = 0;
};

unsigned orderNow = 0;

/// Number `turn` of a permutation of [0, count): steps of a length that has no divisor in common
/// with the count come everywhere once.
unsigned permuted(unsigned turn, unsigned count, unsigned order) {
  if (order == 0 || count < 2) return turn;
  std::uint64_t step = 1 + std::uint64_t{order} * 2654435761u % (count - 1);
  while (std::gcd(step, std::uint64_t{count}) != 1) ++step;
  return static_cast<unsigned>((order + turn * step) % count);
}

class Block {
 public:
  void run(void (*body)(void*), void* argument, unsigned threadsX, unsigned threadsY,
           ThreadIndex* thread);
  void syncThreads() { wait(State::atBarrier); }
  void shuffleDown(void* value, unsigned bytes, unsigned delta);
  bool takeDivergence() {
    const bool was = divergence_;
    divergence_ = false;
    return was;
  }

 private:
  static void entry();
  void wait(State state) {
    fibers_[current_].state = state;
    change(fibers_[current_].place, scheduler_);
  }
  bool release();
  char* stack(unsigned i) { return stacks_ + i * kStackBytes; }
  void reserve(unsigned threads);

  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  Place scheduler_;
  char* stacks_ = nullptr;
  unsigned stackCount_ = 0;
  unsigned current_ = 0;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool divergence_ = false;
};

Block& block() {
  static Block made;
  return made;
}

void Block::entry() {
  Block& self = block();
  self.body_(self.argument_);
  self.wait(State::finished);
}

void Block::reserve(unsigned threads) {
  if (threads <= stackCount_) return;
  if (stacks_) munmap(stacks_, stackCount_ * kStackBytes);
  void* memory = mmap(nullptr, threads * kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  stacks_ = static_cast<char*>(memory);
  stackCount_ = threads;
}

void Block::run(void (*body)(void*), void* argument, unsigned threadsX, unsigned threadsY,
                ThreadIndex* thread) {
  const unsigned threads = threadsX * threadsY;
  reserve(threads);
  fibers_.assign(threads, {});
  warps_.assign((threads + kWarp - 1) / kWarp, {});
  body_ = body;
  argument_ = argument;
  for (unsigned i = 0; i < threads; ++i) prepare(fibers_[i].place, stack(i), &entry);
  unsigned finished = 0, round = 0;
  while (finished < threads) {
    bool ran = false;
    ++round;
    for (unsigned turn = 0; turn < threads; ++turn) {
      current_ = permuted(turn, threads, orderNow == 0 ? 0 : orderNow + round);
      if (fibers_[current_].state != State::ready) continue;
      ran = true;
      *thread = {current_ % threadsX, current_ / threadsX, 0};
      change(scheduler_, fibers_[current_].place);
      finished += fibers_[current_].state == State::finished;
    }
    if (!ran && !release()) {
      divergence_ = true;
      return;  // the other fibers' stacks are simply not used again
    }
  }
}

/// Resumes threads whose wait is over: each warp with all of its threads at a shuffle, or else the
/// block if all of its threads are at a barrier.
bool Block::release() {
  bool any = false;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    const std::size_t begin = w * kWarp, end = std::min(begin + kWarp, fibers_.size());
    if (warps_[w].arrived != end - begin) continue;
    for (std::size_t i = begin; i < end; ++i) fibers_[i].state = State::ready;
    warps_[w].arrived = 0;
    any = true;
  }
  if (any) return true;
  for (const Fiber& fiber : fibers_)
    if (fiber.state != State::atBarrier) return false;
  for (Fiber& fiber : fibers_) fiber.state = State::ready;
  return true;
}

void Block::shuffleDown(void* value, unsigned bytes, unsigned delta) {
  Warp& warp = warps_[current_ / kWarp];
  const unsigned lane = current_ % kWarp, set = fibers_[current_].shuffles++ % 2;
  std::memcpy(warp.values[set][lane], value, bytes);
  ++warp.arrived;
  wait(State::atShuffle);
  if (lane + delta < kWarp) std::memcpy(value, warp.values[set][lane + delta], bytes);
}

}  // namespace

const KernelRuntime& kernelRuntime() {
  static const KernelRuntime runtime = {
      [] { block().syncThreads(); },
      [](void* value, unsigned bytes, unsigned delta) { block().shuffleDown(value, bytes, delta); },
      [](void (*body)(void*), void* argument, unsigned threadsX, unsigned threadsY,
         ThreadIndex* thread) { block().run(body, argument, threadsX, threadsY, thread); },
      [](unsigned turn, unsigned count) { return permuted(turn, count, orderNow); },
  };
  return runtime;
}

void setOrder(unsigned order) {
  orderNow = order;
}

bool takeDivergence() {
  return block().takeDivergence();
}

}  // namespace fusebench::test
