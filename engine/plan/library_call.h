// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/form.h"
#include "engine/ops/ops.h"
#include "engine/ops/spread_windows.h"
#include "engine/plan/attention_call.h"
#include "engine/plan/kernel_traffic.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// A request to the ranks of a group.
struct RankCall {
  Collective kind = Collective::none;
  Combine combine = Combine::sum;
  int root = 0;           ///< the rank that broadcasts
  int bucket = 0;         ///< bucket of gradients; see DataParallel
  bool first = false;     ///< whether it opens its bucket
  bool last = false;      ///< whether it closes its bucket
  bool overlaps = false;  ///< whether it overlaps with the following steps
};

/// A scatter. The result begins as a copy of the first operand. The elements of the third operand
/// are combined with it (LibraryCall::accumulate) or replace its elements, at the indices along one
/// dimension that the second operand contains. Indices out of range are ignored. If the result is
/// the first operand itself, there is nothing to copy.
struct ScatterCall {
  bool is = false;
  int dim = 0;            ///< dimension of the first operand
  int over = 1;           ///< number of consecutive dimensions of an index: see indexedOver()
  bool replaces = false;  ///< see IndexRule
  bool wraps = false;     ///< see IndexRule
  bool sets = false;      ///< see IndexRule
  bool spreads = false;   ///< see IndexRule
};

/// Indices that sort the operand's elements along a dimension; the result takes as many as it has
/// room for. NaN is the greatest value. Equal elements keep their order.
struct OrderCall {
  bool is = false;
  int dim = 0;
  bool descending = false;
};

/// A call of a library or of the ranks of a group. If there is no library, a loop nest of the
/// engine does its work: products over loops, accumulated into a result. For ranks, RankCall
/// describes the call, and `form` has only the number of dimensions of each tensor. A call serves
/// tensors of any sizes.
///
/// A launch takes pointers (operands, then the result). Its integers are, for each operand and then
/// for the result, the extents followed by the strides in elements. Other inputs of the pass come
/// before the result, and the integers of the pass come after the others.
struct LibraryCall {
  std::string name;  ///< for people: "addmm"
  ContractForm form;
  ContractSettings settings;
  RankCall ranks;  ///< Collective::none: the call is to a library
  ScatterCall scatter;
  OrderCall order;
  AttentionCall attention;
  Accumulate accumulate = Accumulate::sum;
  bool search = false;   ///< try all algorithms of the library for each form
  bool average = false;  ///< divide the sum by the number of its terms
  Tail tail{};           ///< function of each element before it is stored
  /// A kernel that then runs over the result in place: the result is its first input and its only
  /// output. Null if there is none.
  std::shared_ptr<const Kernel> pass;
  std::vector<DType> operands;
  DType result = DType::float32;
  int op = -1;                  ///< index in Program::ops, for labels
  std::vector<int> statements;  ///< statements of the program, for labels
  std::vector<int> values;      ///< values of the program that are the operands, for labels

  std::size_t tensors() const { return operands.size() + 1; }
  std::size_t rank(std::size_t tensor) const { return form.tensors[tensor].size(); }
  DType dtype(std::size_t tensor) const {
    return tensor < operands.size() ? operands[tensor] : result;
  }
  bool ofRanks() const { return ranks.kind != Collective::none; }
  /// Whether it is one contraction, whose loops are in `form`. The form of an attention also has
  /// loops. Other forms have only the number of dimensions of each tensor.
  bool contracts() const { return !ofRanks() && !scatter.is && !order.is && !attention.is; }
  /// Number of integers of a launch, without those of the pass.
  std::size_t integers() const;
  /// Arguments of a launch, including those of the pass.
  LaunchForm launchForm() const;
};

/// A dimension of the first operand that counts windows over positions of the result.
struct SpreadStep {
  SpreadWindow window;
  std::size_t place = 0, element = 0;  ///< loops: over the positions, and within a window
  std::int64_t step = 0;               ///< distance between windows, in elements
};

/// The sizes of one execution of a call, computed from the integers of a launch.
struct CallSizes {
  std::vector<std::int64_t> loops;  ///< trip counts, in the order of the form's letters
  /// Step in elements per tensor and loop; 0 if the tensor does not depend on the loop.
  std::vector<std::vector<std::int64_t>> steps;
  std::vector<std::int64_t>
      begins;  ///< per tensor: offset of a window's first position, in elements
  std::vector<std::int64_t> windowed;  ///< per window: extent of the dimension that it moves along

  std::vector<SpreadStep> spread;  ///< empty unless it is a gradient; the first operand's steps
                                   ///< have none of these loops

  std::int64_t count() const;                         ///< iterations of all loops
  std::int64_t kept(const ContractForm& form) const;  ///< iterations of the result's loops
};
/// The sizes of a call of a library.
CallSizes sizesOf(const LibraryCall& call, const std::int64_t* integers);
/// Elements of one of the call's tensors, operands first.
std::int64_t elementsOf(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers);
/// Whether a tensor is row-major without gaps.
bool liesPacked(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers);

/// Number of elements that a call of ranks reads from its last operand, and number of its result.
struct RankSizes {
  std::int64_t given = 0, wanted = 0;
};
/// Throws std::runtime_error with one line if the sizes do not fit this number of ranks or the root
/// is not one of them.
RankSizes rankSizes(const LibraryCall& call, const std::int64_t* integers, std::int64_t ranks);

/// The sizes of one scatter. A column consists of all positions along the dimension, at one
/// position along the others.
struct ScatterSizes {
  std::int64_t places = 0;  ///< positions along the dimension
  std::int64_t added = 0;   ///< elements that are added
  /// A dimension over which columns repeat, or one over which the elements added to one column
  /// repeat: its extent, and its strides in elements.
  struct Dim {
    std::int64_t extent = 1;  ///< for columns: extent of the result; otherwise of the index
    std::int64_t taken = 1;   ///< for columns: number of them to which anything is added
    std::int64_t from = 0, index = 0, add = 0, to = 0;
  };
  std::vector<Dim> columns;  ///< outermost first
  std::vector<Dim> inside;   ///< outermost first; `from` and `to` are unused
  /// The dimensions that an index counts through, outermost first; `index` and `add` are unused.
  std::vector<Dim> along;

  std::int64_t columnCount() const;
  /// Offset of an index in the tensor that is written to, in elements from the start of the column;
  /// with `to`, its offset in the result.
  std::int64_t at(std::int64_t place, bool to) const {
    if (along.size() == 1) return place * (to ? along[0].to : along[0].from);
    std::int64_t found = 0;
    for (std::size_t d = along.size(); d-- > 0;) {
      found += place % along[d].extent * (to ? along[d].to : along[d].from);
      place /= along[d].extent;
    }
    return found;
  }
};
ScatterSizes scatterSizesOf(const LibraryCall& call, const std::int64_t* integers);

/// The sizes of one sort. A row consists of all elements along the dimension, at one position along
/// the others.
struct OrderSizes {
  std::int64_t length = 1, taken = 1;     ///< per row: number of elements, and number of results
  std::int64_t fromStep = 0, toStep = 0;  ///< in elements
  struct Dim {
    std::int64_t extent = 1, from = 0, to = 0;
  };
  std::vector<Dim> rows;  ///< the dimensions over which rows repeat, outermost first

  std::int64_t rowCount() const;
  /// Approximate number of comparisons: log2(n) for each of the n elements of a row.
  double comparisons() const;
};
OrderSizes orderSizesOf(const LibraryCall& call, const std::int64_t* integers);

/// A text that is equal for two calls exactly if the same code can serve both.
std::string canonicalText(const LibraryCall& call);
/// A description for display: the loops, the operands and the accumulation. With the integers of a
/// launch it also contains the trip counts and the layouts of the tensors.
std::string readableText(const LibraryCall& call, const std::int64_t* integers = nullptr);

/// Bytes of the tensors; each element is counted once.
KernelTraffic trafficOf(const LibraryCall& call);

/// A call for a single op, for operands of these forms.
LibraryCall callOf(const Op& op, Forms operands);

/// The call of a step of a plan, and the sizes that its launches take as integers.
struct LoweredCall {
  LibraryCall call;
  LaunchSizes integers;
};
LoweredCall lowerCall(const Plan& plan, const Step& step);

}  // namespace fusebench
