// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench::test {

/// The threads of a block, as the shim of a compiled kernel declares it.
struct ThreadIndex {
  unsigned x, y, z;
};

/// What the shim calls FbRuntime, in its order.
struct KernelRuntime {
  void (*syncThreads)();
  void (*shuffleDown)(void* value, unsigned bytes, unsigned delta);
  void (*runBlock)(void (*body)(void*), void* argument, unsigned threadsX, unsigned threadsY,
                   ThreadIndex* thread);
  /// The block to run as number `turn` of `count`.
  unsigned (*blockAt)(unsigned turn, unsigned count);
};

/// Runs a block with one fiber a thread. They switch only where they meet: at barriers and
/// shuffles.
const KernelRuntime& kernelRuntime();

/// In which order blocks and threads run from now on; 0: in that of their numbers.
void setOrder(unsigned order);

/// Whether a block since the last call could not go on: some threads at a barrier or shuffle that
/// others never reach.
bool takeDivergence();

}  // namespace fusebench::test
