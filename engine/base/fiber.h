// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace fusebench {

/// Work with its own stack, which can pause in the middle and continue later. It does not run in
/// parallel: the caller of resume() waits until it pauses or ends.
class Fiber {
 public:
  /// Nothing runs yet. The work must not throw exceptions. Throws std::bad_alloc.
  explicit Fiber(std::function<void()> work);
  /// It has ended, or has never begun.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs until it pauses or ends.
  void resume();
  /// From within: returns to the caller of resume().
  void pause();
  bool begun() const;
  bool ended() const;

 private:
  struct Stack;
  std::unique_ptr<Stack> stack_;
};

}  // namespace fusebench
