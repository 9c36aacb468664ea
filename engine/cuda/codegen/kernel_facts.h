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
/// Pointwise kernels of a known size up to this have one thread an element, no loop and no vectors:
/// a fifth of the code to compile, and there are threads for all on every device.
inline constexpr std::int64_t kSmallElements = 16384;

/// Texts and facts about one kernel that all parts of its source share.
struct KernelFacts {
  KernelFacts(const Kernel& kernel, const SourceOptions& options);

  const KernelTensor& tensor(std::size_t t) const;
  std::size_t tensors() const { return kernel.inputs.size() + kernel.outputs.size(); }
  /// Product of the extents of some dimensions, as an expression of type `index`; the number if
  /// known.
  std::string product(const std::vector<int>& dims) const;
  /// The same if known, else kAtLaunch.
  std::int64_t knownProduct(const std::vector<int>& dims) const;
  /// " + i1 * x_step1" for the given dims; empty where all strides are 0.
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
  std::vector<std::string> carried;               ///< values that phases hand on
  std::vector<std::string> extents;               ///< per dimension: a number or a parameter
  std::vector<std::vector<std::string>> strides;  ///< the same per tensor
  std::vector<std::string> indices;               ///< per loop: "i0"
  std::vector<std::string> integers;              ///< run-time integers, in their order
  std::string index;                              ///< type of indices: "int" or "long long"
  /// For a phase: the kernel whose parameters an entry has.
  const KernelFacts* whole = nullptr;

 private:
  void nameValues();
};

/// How many elements at a time the tensors that are `moved` are best walked along `dim`, the last
/// of `loopDims`: as many of the widest as one instruction moves. If each thread had several
/// instructions' worth side by side, each of these would touch half of every 32 bytes that the
/// memory hands out.
int vectorWidth(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                const std::vector<bool>& moved);

/// Whether tensors are walked several elements at a time along `dim`, the last of the loop over
/// `loopDims`; `width`: so many, 0: what vectorWidth() says.
struct VectorPath {
  bool possible = false;
  int width = kVector;
  std::vector<std::string> conditions;  ///< to be checked at run time
};
VectorPath vectorPath(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                      const std::vector<bool>& moved, int width = 0);

}  // namespace fusebench::cuda
