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

/// What is asked of the ranks of a group.
struct RankCall {
  Collective kind = Collective::none;
  Combine combine = Combine::sum;
  int root = 0;           ///< of a broadcast
  int bucket = 0;         ///< of gradients: see DataParallel
  bool first = false;     ///< it opens its bucket
  bool last = false;      ///< it closes its bucket
  bool overlaps = false;  ///< it passes beside what follows
};

/// Elements of the third operand, put together with those of the first, which the result begins as
/// (LibraryCall::accumulate), or written over them, where the second has places along a dimension.
/// Places that are outside take part in nothing. Where the result is the first operand itself there
/// is nothing to begin with.
struct ScatterCall {
  bool is = false;
  int dim = 0;            ///< of the first operand
  int over = 1;           ///< how many dimensions from that one on: see indexedOver()
  bool replaces = false;  ///< see IndexRule
  bool wraps = false;     ///< likewise
  bool sets = false;      ///< likewise
  bool spreads = false;   ///< likewise
};

/// Where the elements of its operand are along a dimension, in order: the first so many as the
/// result has room for. NaN is greatest, and of equals the first comes first.
struct OrderCall {
  bool is = false;
  int dim = 0;
  bool descending = false;
};

/// What is asked of a service. Of a library, or, where there is none, of a loop nest of ours:
/// products over loops accumulated into a result. Of the ranks of a group: what RankCall says;
/// `form` then has the tensors' numbers of dimensions alone. For tensors of any sizes.
///
/// A launch gets pointers (operands, then the result), and as integers of each operand and then of
/// the result its extents, followed by its strides in elements. The pass's other inputs
/// come before the result, and its integers after the others.
struct LibraryCall {
  std::string name;  ///< for people: "addmm"
  ContractForm form;
  ContractSettings settings;
  RankCall ranks;  ///< Collective::none: it is a library that is asked
  ScatterCall scatter;
  OrderCall order;
  AttentionCall attention;
  Accumulate accumulate = Accumulate::sum;
  bool search = false;   ///< every way that the library has is tried out for each form
  bool average = false;  ///< the sum is divided by how many it is of
  Tail tail{};           ///< what is done to each element before it is stored
  /// A kernel that runs over the result after that, in place: the result is its first input and its
  /// only output. Null: there is none.
  std::shared_ptr<const Kernel> pass;
  std::vector<DType> operands;
  DType result = DType::float32;
  int op = -1;                  ///< of Program::ops, for labels
  std::vector<int> statements;  ///< likewise
  std::vector<int> values;      ///< likewise: of the program, that its operands are

  std::size_t tensors() const { return operands.size() + 1; }
  std::size_t rank(std::size_t tensor) const { return form.tensors[tensor].size(); }
  DType dtype(std::size_t tensor) const {
    return tensor < operands.size() ? operands[tensor] : result;
  }
  bool ofRanks() const { return ranks.kind != Collective::none; }
  /// Whether it is one contraction, whose loops `form` says. An attention's form has its loops,
  /// too; others have the tensors' numbers of dimensions alone.
  bool contracts() const { return !ofRanks() && !scatter.is && !order.is && !attention.is; }
  /// How many integers a launch has, without those of the pass.
  std::size_t integers() const;
  /// What a launch takes, with the pass.
  LaunchForm launchForm() const;
};

/// A dimension of the first operand that counts windows which were over the result's places.
struct SpreadStep {
  SpreadWindow window;
  std::size_t place = 0, element = 0;  ///< loops: over the places, within a window
  std::int64_t step = 0;               ///< from window to window, in elements
};

/// What one execution of a call works on, from a launch's integers.
struct CallSizes {
  std::vector<std::int64_t> loops;  ///< how often each goes, in the order of the form's letters
  /// Per tensor, per loop: the step in elements; 0: the tensor does not follow it.
  std::vector<std::vector<std::int64_t>> steps;
  std::vector<std::int64_t> begins;  ///< per tensor: where a window's first place is, in elements
  std::vector<std::int64_t>
      windowed;  ///< per window: the extent of the dimension that it goes over

  std::vector<SpreadStep> spread;  ///< none: it goes no way back; the first operand's steps have
                                   ///< none of their loops

  std::int64_t count() const;                         ///< of all loops
  std::int64_t kept(const ContractForm& form) const;  ///< of the loops that the result has
};
/// Of a library's call.
CallSizes sizesOf(const LibraryCall& call, const std::int64_t* integers);
/// Elements of one of the call's tensors, operands first.
std::int64_t elementsOf(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers);
/// Whether it lies row-major and without gaps.
bool liesPacked(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers);

/// Elements that a call of ranks takes of its last operand, and that its result has.
struct RankSizes {
  std::int64_t given = 0, wanted = 0;
};
/// Throws std::runtime_error, in one line, where they are not for so many ranks or the root is none
/// of them.
RankSizes rankSizes(const LibraryCall& call, const std::int64_t* integers, std::int64_t ranks);

/// What one execution of a call that scatters goes through. A column: all places along the
/// dimension, at one place along the others.
struct ScatterSizes {
  std::int64_t places = 0;  ///< along the dimension
  std::int64_t added = 0;   ///< elements that are added
  /// A dimension that columns stand side by side along, or one that what is added in a column goes
  /// along: how long it is, and the steps in elements.
  struct Dim {
    std::int64_t extent = 1;  ///< of columns: of the result; of what is added in one: of the index
    std::int64_t taken = 1;   ///< of columns: how many of them have anything added
    std::int64_t from = 0, index = 0, add = 0, to = 0;
  };
  std::vector<Dim> columns;  ///< outermost first
  std::vector<Dim> inside;   ///< likewise; `from` and `to` are nothing
  /// The dimensions that a place counts through, outermost first: `index` and `add` are nothing.
  std::vector<Dim> along;

  std::int64_t columnCount() const;
  /// Where a place is in what is written to, in elements from the column's beginning, and, with
  /// `to`, in the result.
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

/// What one execution of a call that orders goes through. A row: all elements along the dimension,
/// at one place along the others.
struct OrderSizes {
  std::int64_t length = 1, taken = 1;     ///< of a row: elements, and places that are given
  std::int64_t fromStep = 0, toStep = 0;  ///< in elements
  struct Dim {
    std::int64_t extent = 1, from = 0, to = 0;
  };
  std::vector<Dim> rows;  ///< the dimensions that rows stand side by side along, outermost first

  std::int64_t rowCount() const;
  /// About as many as ordering takes: of n elements log2(n) each.
  double comparisons() const;
};
OrderSizes orderSizesOf(const LibraryCall& call, const std::int64_t* integers);

/// A text that two calls share exactly when the same code serves them.
std::string canonicalText(const LibraryCall& call);
/// For people: the loops, what is read and what is accumulated; with a launch's integers also how
/// often and how the tensors lie.
std::string readableText(const LibraryCall& call, const std::int64_t* integers = nullptr);

/// Bytes of the tensors, each element once.
KernelTraffic trafficOf(const LibraryCall& call);

/// One op by itself, for operands of these forms.
LibraryCall callOf(const Op& op, Forms operands);

/// The call of a plan's step, and the sizes of its launches' integers.
struct LoweredCall {
  LibraryCall call;
  LaunchSizes integers;
};
LoweredCall lowerCall(const Plan& plan, const Step& step);

}  // namespace fusebench
