// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench::test {

/// The threads of a block, as the shim of a compiled kernel declares it.
struct ThreadIndex {
  unsigned x, y, z;
};

/// The functions that the shim declares as FbRuntime, in the same order.
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

/// Sets the order in which blocks and threads run; 0: the order of their numbers.
void setOrder(unsigned order);

/// Whether a block got stuck since the last call: some of its threads wait at a barrier or shuffle
/// that others never reach.
bool takeDivergence();

}  // namespace fusebench::test
