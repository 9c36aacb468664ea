// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/cuda/codegen/vector_text.h"

namespace fusebench::cuda {

/// Blocks have at most this many threads.
inline constexpr int kPointwiseThreads = 256;
inline constexpr int kRowThreads = 512;
inline constexpr int kColumnThreads = 256;
inline constexpr int kWarp = 32;
/// Pointwise kernels of a known size up to this have one thread per element, no loop and no
/// vectors: a fifth of the code to compile, and every device has enough threads for all elements.
inline constexpr std::int64_t kSmallElements = 16384;

/// Texts and facts about one kernel that all parts of its source share.
struct KernelFacts {
  KernelFacts(const Kernel& kernel, const SourceOptions& options);

  const KernelTensor& tensor(std::size_t t) const;
  std::size_t tensors() const { return kernel.inputs.size() + kernel.outputs.size(); }
  /// Product of the extents of some dimensions, as an expression of type `index`; the number if it
  /// is known.
  std::string product(const std::vector<int>& dims) const;
  /// The same if it is known, otherwise kAtLaunch.
  std::int64_t knownProduct(const std::vector<int>& dims) const;
  /// " + i1 * x_step1" for the given dims; empty if all strides are 0.
  std::string offset(std::size_t t, const std::vector<int>& dims) const;
  /// "(const float* from_x, ..." of every entry.
  std::string parameters(bool scratch) const;

  const Kernel& kernel;
  const Program* program;
  Names names;
  std::vector<std::string> valueNames;  ///< per body node: its own name, or empty
  std::vector<std::string> inputNames;  ///< names of input values, as elements
  std::vector<std::string> pointers;    ///< per tensor: inputs, then outputs
  std::vector<std::string> scalars;
  std::vector<std::string> carried;               ///< values that phases carry
  std::vector<std::string> extents;               ///< for each dimension: a number or a parameter
  std::vector<std::vector<std::string>> strides;  ///< the same for each tensor
  std::vector<std::string> indices;               ///< per loop: "i0"
  std::vector<std::string> integers;              ///< run-time integers, in order
  std::string index;                              ///< type of indices: "int" or "long long"
  /// For a phase: the kernel whose parameters an entry has.
  const KernelFacts* whole = nullptr;

 private:
  void nameValues();
};

/// How many elements at a time the tensors that are `moved` are best traversed along `dim`, the
/// last of `loopDims`: as many elements of the widest type as one instruction moves. If each thread
/// had several adjacent instructions' worth, each of these would touch half of every 32 bytes that
/// the memory delivers.
int vectorWidth(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                const std::vector<bool>& moved);

/// Whether tensors are traversed several elements at a time along `dim`, the last of the loop over
/// `loopDims`; `width`: how many, 0: what vectorWidth() returns.
struct VectorPath {
  bool possible = false;
  int width = kVector;
  std::vector<std::string> conditions;  ///< to be checked at run time
};
VectorPath vectorPath(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                      const std::vector<bool>& moved, int width = 0);

}  // namespace fusebench::cuda
