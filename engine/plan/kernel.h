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

/// An extent or stride that is not known when a kernel is compiled but given at each launch.
inline constexpr std::int64_t kAtLaunch = std::numeric_limits<std::int64_t>::min();

/// How a kernel steps through one tensor: elements per step along each dimension of the index
/// space; 0 repeats the element (broadcast, or a reduced dimension of an output).
struct KernelTensor {
  DType dtype = DType::float32;
  Strides strides;
  /// An input that is no tensor: its elements, of int64, are how far each would be from the first
  /// one. Nothing is read; the launch's pointer is what they are counted from, usually null.
  bool counts = false;
  /// An input whose elements an output of the kernel, which steps through them alike, takes the
  /// place of: each is read before it is written.
  bool rewritten = false;
  /// An input that Primitive::at alone reads, any of whose elements may be: `strides` lead to where
  /// a place is counted from.
  bool indexed = false;
  /// An output that is written where something lies, which may begin anywhere; others begin where
  /// memory taken for them does. Kernels that serve any sizes do not tell the two apart.
  bool into = false;
};

/// One result of a kernel. A pointwise result has a stride for every dimension; a reduction has 0
/// along the reduced ones.
struct KernelOutput {
  KernelTensor tensor;
  ExprId value = -1;  ///< in Kernel::body
  bool reduces = false;
  bool scans = false;  ///< what is accumulated along the reduced dimension is stored at each step
  bool ofRow = false;  ///< of a kernel with phases: one element a row, not accumulated but computed
  bool ofAll = false;  ///< the same of all rows: computed of totals, once they are there
  Accumulate accumulate{};
  Finish finish = nullptr;  ///< see OpRow
  std::vector<double> finishParameters;
  TypeClass accumulated = TypeClass::float32;  ///< of what is accumulated
  int op = -1;  ///< index in Program::ops of the op whose result it is, for labels
};

/// What a kernel of some ops is called, as the ops themselves: few people read it.
struct KernelLabel {
  static constexpr std::size_t kNamed = 4;
  /// Of the first ops; if there are more than these, the last place is the last op's.
  std::array<const OpRow*, kNamed> rows{};
  std::size_t ops = 0;

  /// "exp", "add_sin_mul", "add_sin_..._sum (34 ops)".
  std::string text() const;
};

/// Loops over an index space, what they read and what they make, but not how: perhaps reductions
/// over some of the dimensions. Dimensions are outermost first.
///
/// With `carried` there are phases: for each row (what the reduced dimensions go through) one loop
/// after the other, each of which may use what reductions of the loops before it have made of that
/// row. See kernel_phases.h.
struct LoopNest {
  Dims extents;
  /// Bit i: dimension i is reduced; then at least one output reduces, or one scans along it, or
  /// there are phases.
  std::uint32_t reducedMask = 0;
  int scalars = 0;
  std::vector<KernelTensor> inputs;
  std::vector<KernelOutput> outputs;
  /// Results of reductions that the body reads back as Primitive::carried: accumulated like an
  /// output that reduces, but in no tensor, of which they have the dtype alone. Where there are
  /// such, outputs do not reduce.
  std::vector<KernelOutput> carried;
  /// Of a kernel with phases: sums over all rows of what is computed once a row, which the body
  /// reads back as Primitive::carried, numbered from kFirstTotal on, for outputs that are ofAll.
  std::vector<KernelOutput> totals;
  static constexpr int kFirstTotal = 1 << 12;

  bool hasPhases() const { return !carried.empty(); }
  /// What Primitive::carried with this number is the result of.
  const KernelOutput& carriedAs(int index) const {
    return index < kFirstTotal ? carried[static_cast<std::size_t>(index)]
                               : totals[static_cast<std::size_t>(index - kFirstTotal)];
  }
  int rank() const { return extents.rank(); }
  bool reduced(int dim) const { return (reducedMask >> dim) & 1u; }
};

/// What a device launches once: a loop nest with expressions in it. Independent of any backend.
///
/// At launch a kernel gets pointers (inputs, then outputs), the run-time integers in this order:
/// extents that are kAtLaunch, then for each input and then each output its strides that are
/// kAtLaunch; and the scalars.
struct Kernel : LoopNest {
  std::string name;  ///< for people: "sin", "mul_exp_sum"
  ExprGraph body;
  bool contract = false;         ///< multiplications and additions may be fused into fma
  bool fastMath = false;         ///< approximate functions and division, denormals as 0
  std::vector<int> statements;   ///< of the program: what it stands for, for labels
  std::vector<int> ops;          ///< likewise: indices into Program::ops, in order
  std::vector<int> inputValues;  ///< likewise: per input, the program's value that it is; fewer:
                                 ///< those after them count
  std::vector<int> nodeOps;      ///< per node of the body: the op that brought it in; -1 for inputs
  std::vector<TypeClass> scalarTypes;  ///< per scalar; those beyond are float32
};

/// Whether a kernel is a scan: of one input, along the reduced dimension. Nothing else is in it.
inline bool isScan(const LoopNest& kernel) {
  return kernel.outputs.size() == 1 && kernel.outputs.front().scans && kernel.reducedMask != 0;
}

/// How many of a kernel's inputs count: the last ones.
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

/// How many arguments a launch of the kernel takes.
struct LaunchForm {
  int pointers = 0;
  int integers = 0;
  int scalars = 0;
};
LaunchForm launchForm(const LoopNest& kernel);

/// A text that two kernels share exactly when they compile to the same code (names aside): the key
/// of caches. Also readable.
std::string canonicalText(const Kernel& kernel);

/// A line of a text made from a kernel, and the op that it stands for.
struct KernelLine {
  std::string text;
  int op = -1;  ///< index in Program::ops; -1: none in particular
};

/// The kernel as a loop nest in pseudo-code, for people. With the program that it was made from,
/// its statements stand as comments over what each became: "# 3: x = torch.exp(x * 0.5)".
std::vector<KernelLine> readableLines(const Kernel& kernel, const Program* program = nullptr);
/// The same without a program, as one text.
std::string readableText(const Kernel& kernel);

}  // namespace fusebench
