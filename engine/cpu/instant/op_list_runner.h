// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/instant/op_list_executable.h"

namespace fusebench::cpu {

/// One execution of an op list, or of a part of it: the loops, and the memory that they work in.
class OpListRunner {
 public:
  OpListRunner(const OpListExecutable& list, const OpListPlan& plan, void* const* pointers);
  /// For a plan that is direct: the same as run() without a runner.
  static void runDirect(const OpListExecutable& list, const OpListPlan& plan, void* const* pointers,
                        std::int64_t begin, std::int64_t end, std::uint64_t* partials);
  /// For a plan with a single pass: all of it.
  static void runOnce(const OpListExecutable& list, const OpListPlan& plan, void* const* pointers,
                      std::uint64_t* partials);
  /// [begin, end) of the outer loops, or of the row if there is only one row. See
  /// CpuExecutable::run.
  void run(std::int64_t begin, std::int64_t end, std::uint64_t* partials);

 private:
  struct Scratch;
  static Scratch& scratch();
  OpListRunner(const OpListExecutable& list, const OpListPlan& plan, void* const* pointers,
               Scratch& memory);
  bool isInput(std::size_t tensor) const { return tensor < inputs_; }
  /// Whether the list reads or stores the tensor element by element.
  bool streams(std::size_t tensor) const { return list_.streams(tensor); }
  void placeRow(std::int64_t outer, std::int64_t middle);
  void fillSlot(std::size_t t);
  void rowPart(std::int64_t from, std::int64_t to);
  void lastBlock(std::int64_t at, std::int64_t count);
  void gather(std::size_t tensor, std::int64_t from, std::int64_t to);
  void scatter(std::size_t tensor, std::int64_t from, std::int64_t to);
  void lanesOf(std::int64_t outer, std::int64_t from, std::int64_t to);
  // For all reductions, whose states are at `accumulators`.
  static void reset(const OpListExecutable& list, std::byte* accumulators);
  static void flush(const OpListExecutable& list, std::byte* accumulators);
  /// Their totals over `count` elements each: to `partials` or, if this is null, stored at the
  /// outputs.
  template <typename Pointer>
  static void finish(const OpListExecutable& list, std::byte* accumulators, std::int64_t count,
                     std::uint64_t* partials, const Pointer* outputs);

  const OpListExecutable& list_;
  const OpListPlan& plan_;
  const OpListWalk& walk_;
  void* const* given_;
  std::size_t inputs_;
  std::int64_t block_, tile_;
  OpListState state_;
  std::byte* accumulators_ = nullptr;
  // This thread's own memory, so that a launch allocates nothing.
  std::vector<std::byte*>& bases_;     ///< for each tensor: the row's first element
  std::vector<void*>& pointers_;       ///< passed to the list
  std::vector<std::byte*>& buffers_;   ///< for each tensor: a tile of it, without gaps
  std::vector<std::uint64_t>& words_;  ///< states of the accumulators, lane by lane
  std::byte* slots_ = nullptr;
};

}  // namespace fusebench::cpu
