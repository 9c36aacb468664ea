// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fusebench {

/// The kind of computation that a kernel does.
enum class KernelClass : std::uint8_t {
  unknown,
  matmul,         ///< products of matrices and vectors, including those of experts (MoE)
  convolution,    ///< and the layout changes that a library makes for one
  attention,      ///< scores, softmax and weighted sum in one kernel
  pointwise,      ///< each element separately, including quantization and rotary embeddings
  reduction,      ///< sums, extrema, pooling, losses
  normalization,  ///< layer, batch, group, RMS norm; softmax, which also reads a row before it
                  ///< writes it
  scan,           ///< running sums, and the scans of state-space models
  sort,           ///< sorts, top-k, routing of tokens to experts, compaction
  copy,           ///< concatenation, transposition, key-value caches
  fill,           ///< constants and ranges
  collective,     ///< between ranks, with any library
  embedding,      ///< reads and writes at indices: lookup, gather, scatter
  optimizer,      ///< fused steps of an optimizer
  random,         ///< random numbers, dropout
  graph,          ///< a graph as a whole
};
inline constexpr std::size_t kKernelClasses = 16;
/// "matmul", "convolution", ...
std::string_view nameOf(KernelClass kind);
/// The class of that name; unknown if there is none.
KernelClass kernelClassNamed(std::string_view name);

/// The pointwise neighbors that a compiler can fuse into a kernel.
enum class Joins : std::uint8_t {
  no,
  before,  ///< one before it: a prologue
  after,   ///< one after it: an epilogue
  both,
};

/// One pattern of kernel names. Case does not matter; * stands for any text, # for the digits of a
/// number.
struct KernelRow {
  std::string_view pattern;  ///< matches the qualified name (qualifiedKernelName)
  std::string_view within;   ///< must be in the whole name; empty: no condition
  std::string_view library;  ///< or vendor
  KernelClass kind = KernelClass::unknown;
  Joins joins = Joins::no;
  std::string_view example;  ///< from a real trace or a library's own list
};
/// In order: the first row that matches is used.
std::span<const KernelRow> kernelRows();

/// The class of the kernels that an operator of PyTorch launches, regardless of their names. *
/// stands for any text.
struct OperatorRow {
  std::string_view name;
  KernelClass kind = KernelClass::unknown;
  Joins joins = Joins::no;
};
std::span<const OperatorRow> operatorRows();

struct KernelMeaning {
  KernelClass kind = KernelClass::unknown;
  Joins joins = Joins::no;
  std::string_view library = {};  ///< empty: not known
  bool joinsBefore() const { return joins == Joins::before || joins == Joins::both; }
  bool joinsAfter() const { return joins == Joins::after || joins == Joins::both; }
  bool operator==(const KernelMeaning&) const = default;
};

/// The meaning of a kernel that the operator `op` launched (empty: not known). The operator takes
/// precedence over the name, unless the name shows a pointwise kernel, a copy or a fill: operators
/// launch these in addition to their main kernel, as a matmul that first copies its bias.
KernelMeaning meaningOfKernel(std::string_view name, std::string_view op = {});

/// Whether the name is that of a collective.
bool isCollective(std::string_view name);

}  // namespace fusebench
