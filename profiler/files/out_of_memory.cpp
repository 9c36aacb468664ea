// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/out_of_memory.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace fusebench {
namespace {

const char* programName = "fusebench";
std::atomic<void*> reserve{nullptr};
std::terminate_handler otherwise = nullptr;

/// Called by operator new where it found no memory; it tries again when this returns.
void letGo() {
  void* held = reserve.exchange(nullptr);
  if (!held) throw std::bad_alloc();
  std::free(held);
}

void put(const char* text) {
  // Nothing can be done about a terminal that is gone.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// An exception that nobody may catch any more: thrown while an object was being destroyed.
[[noreturn]] void endProgram() {
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
      sayOutOfMemory();
      ::_exit(EXIT_FAILURE);
    } catch (...) {
    }
  }
  if (otherwise) otherwise();
  std::abort();
}

}  // namespace

void sayOutOfMemory() {
  put(programName);
  put(": out of memory; close other programs, or take a smaller file or fewer places\n");
}

void prepareForOutOfMemory(const char* program, std::size_t reserveBytes) {
  programName = program;
  if (reserveBytes > 0 && !reserve) {
    void* held = std::malloc(reserveBytes);
    // Touched, so that it is memory and not a promise of it.
    if (held) std::memset(held, 1, reserveBytes);
    reserve = held;
  }
  std::set_new_handler(letGo);
  otherwise = std::set_terminate(endProgram);
}

}  // namespace fusebench
