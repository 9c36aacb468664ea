// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#include "engine/ops/accumulators.h"
#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// Computes a reduction's result from its accumulated value on the host, in double, as generated
/// code does.
class FinishFormula {
 public:
  explicit FinishFormula(const KernelOutput& output);
  /// From the words of a state (see kPartialWords) to the element at `to`. `elements`: how many
  /// were reduced.
  void store(const std::uint64_t* words, double elements, void* to) const {
    if (isWord_) [[likely]] {
      *static_cast<float*>(to) = static_cast<float>(std::bit_cast<double>(words[0]));
      return;
    }
    storeOther(words, elements, to);
  }

 private:
  void storeOther(const std::uint64_t* words, double elements, void* to) const;
  double value(double accumulated, double elements) const;

  const AccumulatorRow* accumulator_;
  DType dtype_;     ///< dtype of the result
  bool plain_;      ///< stored as accumulated
  bool isInteger_;  ///< reduces integers, so that words are int64
  bool isWord_;     ///< the result is the first word of a state as float32
  ExprGraph graph_;
  ExprId root_ = -1;
};

}  // namespace fusebench::cpu
