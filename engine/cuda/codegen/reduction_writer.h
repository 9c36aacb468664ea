// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/cuda/codegen/element_function.h"
#include "engine/cuda/codegen/kernel_facts.h"

namespace fusebench::cuda {

/// Writes the entry of a kernel that reduces.
///
/// The kept dimensions number the results ("rows" or "columns"); each is reduced over the other
/// dimensions. Adjacent threads go along the dimension that suits most tensors: a reduced one (role
/// rows: blockDim.x threads share a result, blockDim.y results per block) or a kept one (role
/// columns: 32 adjacent results per block, blockDim.y threads share each). blockIdx.y counts the
/// parts that each result's elements are divided into; with several, states go to scratch memory,
/// and the last block to arrive computes the results from them.
class ReductionWriter {
 public:
  /// For a kernel with one phase, which these facts describe.
  struct Tail {
    /// Writes what is done with results that have the names of carried values, instead of storing
    /// them.
    std::function<void()> write;
    std::vector<int> carried;  ///< for each output of the phase, like KernelPhase::carried
  };
  ReductionWriter(KernelFacts& facts, const ElementFunction& element, SourceText& text,
                  Tail tail = {});

  Role role() const { return role_; }
  std::size_t partialBytes() const;
  int width() const;

  /// Structs and functions that the entry uses.
  void writeHelpers();
  void writeEntry(const std::string& name);

 private:
  struct Reduction {
    std::size_t output;
    /// Variables: what one thread gathers, what a part has gathered, what all parts have gathered.
    std::string gathering, state, whole;
  };
  void writeAdds(const std::vector<std::string>& results, int width);
  std::string place(int width) const;
  void openResults();
  void openFirst();
  void writeStores(const std::string& number, std::string Reduction::*accumulated);
  void writeMerge(const std::string& number, const char* across);

  KernelFacts& facts_;
  const ElementFunction& element_;
  SourceText& text_;
  Role role_{};
  char side_ = 'x', across_ = 'y';  ///< threadIdx member of threads that share a result, and of
                                    ///< those with different results
  std::string number_ = "row";
  bool light_ = false;
  std::vector<int> kept_, reduced_;  ///< in loop order: the last one changes fastest
  std::vector<Reduction> reductions_;
  Tail tail_;
};

}  // namespace fusebench::cuda
