// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace fusebench {
namespace {

/// As large as a thread's usual stack: what is not touched takes no memory.
constexpr std::size_t kStackBytes = std::size_t{8} << 20;

}  // namespace

/// The stack, and the contexts of both sides. Each switch is reported to the sanitizers.
struct Fiber::Stack {
  std::function<void()> work;
  void* memory = MAP_FAILED;
  std::size_t guard = 0;
  ucontext_t own{}, caller{};
  bool begun = false, ended = false;
  void* ownFake = nullptr;
  void* callerFake = nullptr;
  const void* callerBottom = nullptr;
  std::size_t callerBytes = 0;
  void* ownThread = nullptr;
  void* callerThread = nullptr;

  std::byte* bottom() const { return static_cast<std::byte*>(memory) + guard; }

  void enter() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&callerFake, bottom(), kStackBytes);
#endif
#if defined(__SANITIZE_THREAD__)
    callerThread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(ownThread, 0);
#endif
    swapcontext(&caller, &own);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(callerFake, nullptr, nullptr);
#endif
  }

  void leave(bool forGood) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(forGood ? nullptr : &ownFake, callerBottom, callerBytes);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(callerThread, 0);
#endif
    (void)forGood;
    swapcontext(&own, &caller);
    entered(ownFake);
  }

  void entered([[maybe_unused]] void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &callerBottom, &callerBytes);
#endif
  }

  /// makecontext() passes ints alone.
  static void run(unsigned high, unsigned low) {
    auto* const stack = reinterpret_cast<Stack*>((static_cast<std::uintptr_t>(high) << 32) | low);
    stack->entered(nullptr);
    stack->work();
    stack->ended = true;
    stack->leave(/*forGood=*/true);
  }
};

Fiber::Fiber(std::function<void()> work) : stack_(std::make_unique<Stack>()) {
  Stack& stack = *stack_;
  stack.work = std::move(work);
  stack.guard = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  stack.memory = mmap(nullptr, stack.guard + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack.memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(stack.memory, stack.guard, PROT_NONE);
  getcontext(&stack.own);
  stack.own.uc_stack.ss_sp = stack.bottom();
  stack.own.uc_stack.ss_size = kStackBytes;
  stack.own.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(&stack);
  makecontext(&stack.own, reinterpret_cast<void (*)()>(&Stack::run), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
#if defined(__SANITIZE_THREAD__)
  stack.ownThread = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(stack_->ownThread);
#endif
  munmap(stack_->memory, stack_->guard + kStackBytes);
}

void Fiber::resume() {
  stack_->begun = true;
  stack_->enter();
}

void Fiber::pause() {
  stack_->leave(/*forGood=*/false);
}

bool Fiber::begun() const {
  return stack_->begun;
}

bool Fiber::ended() const {
  return stack_->ended;
}

}  // namespace fusebench
