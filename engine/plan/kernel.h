// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/shape.h"
#include "engine/ops/expr.h"
#include "engine/ops/ops.h"

namespace fusebench {

struct Program;

/// An extent or stride that is unknown when a kernel is compiled and is passed at each launch.
inline constexpr std::int64_t kAtLaunch = std::numeric_limits<std::int64_t>::min();

/// The strides of a tensor over the index space of a kernel, in elements. A stride of 0 repeats the
/// element (broadcast, or a reduced dimension of an output).
struct KernelTensor {
  DType dtype = DType::float32;
  Strides strides;
  /// An input that is computed, not read: the int64 value of each element is its distance from the
  /// first one. Distances are counted from the pointer that the launch passes, usually null.
  bool counts = false;
  /// An input that is overwritten by an output with the same strides: each element is read before
  /// it is written.
  bool rewritten = false;
  /// An input that only Primitive::at reads, at any element: `strides` give the position from which
  /// an index counts.
  bool indexed = false;
  /// An output that is written into an existing tensor and may begin at any element. Other outputs
  /// begin where their allocation does. Kernels that serve any sizes treat both in the same way.
  bool into = false;
};

/// One result of a kernel. A pointwise result has a stride for every dimension; a reduction has 0
/// along the reduced ones.
struct KernelOutput {
  KernelTensor tensor;
  ExprId value = -1;  ///< in Kernel::body
  bool reduces = false;
  bool scans = false;  ///< each partial result along the reduced dimension is stored
  bool ofRow = false;  ///< kernel with phases: one computed element per row, not an accumulated one
  bool ofAll = false;  ///< computed once, from totals over all rows
  Accumulate accumulate{};
  Finish finish = nullptr;  ///< see OpRow
  std::vector<double> finishParameters;
  TypeClass accumulated = TypeClass::float32;  ///< class of the accumulator
  int op = -1;  ///< index in Program::ops of the op that has this result, for labels
};

/// The name of a kernel, kept as its ops, because few names are ever read.
struct KernelLabel {
  static constexpr std::size_t kNamed = 4;
  /// The first ops. If there are more, the last entry is the last op.
  std::array<const OpRow*, kNamed> rows{};
  std::size_t ops = 0;

  /// "exp", "add_sin_mul", "add_sin_..._sum (34 ops)".
  std::string text() const;
};

/// Loops over an index space with their inputs and outputs, but without an implementation. Some of
/// the dimensions can be reduced. Dimensions are listed outermost first.
///
/// A nest with `carried` has phases. For each row (the elements along the reduced dimensions)
/// several loops run one after another, and each can use the results that reductions of earlier
/// loops have for that row. See kernel_phases.h.
struct LoopNest {
  Dims extents;
  /// Bit i: dimension i is reduced. Then at least one output reduces or scans along it, or there
  /// are phases.
  std::uint32_t reducedMask = 0;
  int scalars = 0;
  std::vector<KernelTensor> inputs;
  std::vector<KernelOutput> outputs;
  /// Results of reductions that the body reads back as Primitive::carried. They are accumulated
  /// like an output that reduces, but are not stored; only the tensor's dtype is used. If there are
  /// any, outputs do not reduce.
  std::vector<KernelOutput> carried;
  /// For a kernel with phases: sums over all rows of values that are computed once per row. The
  /// body reads them back as Primitive::carried, numbered from kFirstTotal, for outputs that are
  /// ofAll.
  std::vector<KernelOutput> totals;
  static constexpr int kFirstTotal = 1 << 12;

  bool hasPhases() const { return !carried.empty(); }
  /// The output that Primitive::carried with this number reads back.
  const KernelOutput& carriedAs(int index) const {
    return index < kFirstTotal ? carried[static_cast<std::size_t>(index)]
                               : totals[static_cast<std::size_t>(index - kFirstTotal)];
  }
  int rank() const { return extents.rank(); }
  bool reduced(int dim) const { return (reducedMask >> dim) & 1u; }
};

/// The work of one launch: a loop nest with expressions. It does not depend on a backend.
///
/// A launch takes pointers (inputs, then outputs), the run-time integers in this order: extents
/// that are kAtLaunch, then the strides that are kAtLaunch for each input and then each output; and
/// the scalars.
struct Kernel : LoopNest {
  std::string name;  ///< for display: "sin", "mul_exp_sum"
  ExprGraph body;
  bool contract = false;         ///< multiplications and additions may be fused into fma
  bool fastMath = false;         ///< approximate functions and division, denormals as 0
  std::vector<int> statements;   ///< statements of the program that it computes, for labels
  std::vector<int> ops;          ///< indices into Program::ops, in order, for labels
  std::vector<int> inputValues;  ///< per input: the value of the program, for labels; if fewer,
                                 ///< the further inputs count
  std::vector<int> nodeOps;      ///< per node of the body: the op that added it; -1 for inputs
  std::vector<TypeClass> scalarTypes;  ///< per scalar; further scalars are float32
};

/// Whether a kernel is a scan of one input along the reduced dimension, with no other op.
inline bool isScan(const LoopNest& kernel) {
  return kernel.outputs.size() == 1 && kernel.outputs.front().scans && kernel.reducedMask != 0;
}

/// The number of inputs of a kernel that count; they are the last ones.
inline int countedInputs(const LoopNest& kernel) {
  int counted = 0;
  for (const KernelTensor& input : kernel.inputs) counted += input.counts;
  return counted;
}

/// The class of a run-time number of the kernel.
inline TypeClass scalarType(const Kernel& kernel, int scalar) {
  const auto s = static_cast<std::size_t>(scalar);
  return s < kernel.scalarTypes.size() ? kernel.scalarTypes[s] : TypeClass::float32;
}

/// The number of arguments of a launch.
struct LaunchForm {
  int pointers = 0;
  int integers = 0;
  int scalars = 0;
};
LaunchForm launchForm(const LoopNest& kernel);

/// A text that is equal for two kernels if and only if they compile to the same code (names aside).
/// It is used as cache key, and is readable.
std::string canonicalText(const Kernel& kernel);

/// A line of text for a kernel, and the op that it belongs to.
struct KernelLine {
  std::string text;
  int op = -1;  ///< index in Program::ops; -1 for no particular op
};

/// The kernel as a loop nest in pseudocode, for display. With the program from which it was made,
/// each statement is a comment above its result: "# 3: x = torch.exp(x * 0.5)".
std::vector<KernelLine> readableLines(const Kernel& kernel, const Program* program = nullptr);
/// The same without a program, as one text.
std::string readableText(const Kernel& kernel);

}  // namespace fusebench
