// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/parser.h"
#include "engine/language/python_value.h"
#include "engine/ops/copies.h"

namespace fusebench {

/// An argument of a call, as written.
struct CallArgument {
  std::string keyword;  ///< empty: positional
  PythonValue value;
  SourcePlace place;
};

/// While a program is read, not all of its inputs are known yet: results of ops are counted from
/// here, and finish() gives them their final ids.
inline constexpr ValueId kFirstResult = 1 << 24;

/// The memory that a device's name stands for: "cuda", "cuda:0" and x.device are where programs
/// compute, "cpu" is the host's. Nothing: the value is not a device's name. Throws ProgramError for
/// an unknown name.
std::optional<Memory> memoryNamed(const PythonValue& device);
/// The path that stands for torch.device(...).
std::string devicePath(Memory memory);

/// The modes that `with` puts around ops.
struct BuildModes {
  bool recording = true;  ///< whether gradients may flow through them
  AutocastMode autocast;
};

/// What a mask has selected: library/selections.py.
struct SelectedValues {
  PythonValue whole, mask;
  int after = 0;       ///< number of dimensions after those of the mask
  std::size_t at = 0;  ///< number of ops when the mask was read
};

/// Refuses what depends on how many elements a mask selects.
[[noreturn]] void failSelection(SourcePlace place);

/// Where a value's elements are, for the sizes that the text is read for.
struct ValueLayout {
  ViewLayout<std::int64_t> view;  ///< the offset counts from where the memory begins
  ValueId memory = -1;            ///< the value that the memory was made for
  std::int64_t elements = 0;      ///< of that memory
  DType dtype = DType::float32;

  bool isContiguous() const;
};

/// Adds ops to a program: finds the row for a call or an operator, binds its arguments, checks
/// them. Every way of writing an op ends here, so every executor gets the same one.
class ProgramBuilder {
 public:
  /// More than any program that a person writes, with loops unrolled; a limit for hostile text.
  static constexpr std::size_t kMostOps = 20000;

  explicit ProgramBuilder(Program& program) : program_(program) {}

  /// `a + b` with at least one tensor.
  PythonValue binary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                     SourcePlace place);
  /// `a += b` for a tensor: written in place, where PyTorch does. Returns the target's new tensor.
  PythonValue augmented(std::string_view symbol, const PythonValue& target, const PythonValue& by,
                        SourcePlace place);
  /// `-a` or `~a` of a tensor.
  PythonValue unary(std::string_view symbol, const PythonValue& a, SourcePlace place);
  /// A call of the dotted name `path` ("torch.exp", "torch.nn.functional.relu"), on tensors or
  /// numbers.
  PythonValue call(const std::string& path, std::vector<CallArgument> arguments, SourcePlace place);
  /// Whether a value is known to be of integers.
  bool isOfIntegers(ValueId value) { return isWhole(PythonValue::tensorOf(value, {})); }
  /// Whether a row has this spelling.
  static bool knows(const std::string& path);
  /// A call of a method of a tensor; in-place ones (`name_`) included.
  PythonValue method(const PythonValue& self, const std::string& name,
                     std::vector<CallArgument> arguments, SourcePlace place);
  /// Whether these are the sizes of a tensor without dimensions: (), or the shape of one.
  bool isScalarShape(const PythonValue& sizes);
  /// The value whose memory a view shares; a value that is not a view: itself.
  ValueId rootOf(ValueId value) const;
  /// Called before an op that writes memory is added, with rootOf() its target.
  using BeforeWrite = std::function<void(ValueId root, SourcePlace place)>;
  void setBeforeWrite(BeforeWrite call) { beforeWrite_ = std::move(call); }
  /// Whether a value is a view, or another value is a view of it: they share memory.
  bool isViewed(ValueId value) const;
  /// An attribute that is written without parentheses: x.T, x.dtype.
  PythonValue attribute(const PythonValue& self, const std::string& name, SourcePlace place);
  /// `tensor[items]`: each item a number, size, slice, None, ellipsis, tensor or list. With
  /// `index`, a tensor of integers among them is not applied: it is returned there, and `along`
  /// gets the dimension that it indexes.
  PythonValue subscript(const PythonValue& tensor, const std::vector<PythonValue>& items,
                        SourcePlace place, PythonValue* index = nullptr, int* along = nullptr);
  /// Whether an item is a tensor of positions: one that is not bool.
  bool isIndex(const PythonValue& item);
  /// Whether an item is a bool tensor.
  bool isMask(const PythonValue& item);
  bool hasMask(const std::vector<PythonValue>& items);
  /// Number of dimensions that a tensor item indexes: a mask indexes as many as it has.
  int indexedDims(const PythonValue& item);
  /// Writes `value`, a number or a tensor that is broadcast there, to the slices along a dimension
  /// that an index names, or adds it to them. `over`: see indexedOver().
  PythonValue putByIndex(const PythonValue& into, int dim, const PythonValue& index,
                         const PythonValue& value, bool accumulate, SourcePlace place,
                         int over = 1);
  /// Combines existing elements with those that an index sends there. `arguments`: the dimension,
  /// the index, the source, 'prod', 'amax' or 'amin', and whether it is in place.
  PythonValue reduceByIndex(const PythonValue& into, const std::vector<CallArgument>& arguments,
                            SourcePlace place);
  /// `tensor[items] += by`, where a mask among the items selects the elements.
  /// `from`: what a mask selected, whose elements `by` are; null: it is another value.
  void augmentMasked(std::string_view symbol, const PythonValue& tensor,
                     const std::vector<PythonValue>& items, const PythonValue& by,
                     const SelectedValues* from, SourcePlace place);
  /// The parts of an index with a mask: the view that the other items leave, the mask as given and
  /// broadcast to the view, and the numbers of dimensions before and after those of the mask.
  struct Masked {
    PythonValue part, mask, chosen;
    int before = 0, after = 0;
  };
  /// A copy of what such an index reads, for every element. Elements that the mask does not select
  /// are 1.
  Masked selected(const PythonValue& tensor, const std::vector<PythonValue>& items,
                  SourcePlace place);
  /// Writes what a mask has selected where the same mask selects.
  void assignSelected(const PythonValue& tensor, const std::vector<PythonValue>& items,
                      const SelectedValues& from, SourcePlace place);
  /// Whether two tensors have the same elements, as far as the ops show that made them. `at`: how
  /// many ops there were when the first was read.
  bool isSame(ValueId a, std::size_t at, ValueId b) const;
  /// `tensor[items] = value`.
  void assignSubscript(const PythonValue& tensor, const std::vector<PythonValue>& items,
                       const PythonValue& value, SourcePlace place);

  // Gradients: program_builder_gradients.cpp.
  /// Sets the modes of ops that follow. Returns the previous modes.
  BuildModes setModes(const BuildModes& modes) { return std::exchange(modes_, modes); }
  const BuildModes& modes() const { return modes_; }
  /// A number for a new context of autocast.
  std::int32_t newContext() { return contexts_++; }
  /// A call of a function that autocast knows as one op, and the tensors that it casts.
  struct ListedCall {
    Op::Listed listed;
    std::vector<ValueId> cast;
  };
  /// Assigns ops that follow to this call. Returns the previous one.
  ListedCall setListed(ListedCall call) { return std::exchange(listed_, std::move(call)); }
  const ListedCall& listed() const { return listed_; }
  int newListedCall() { return listedCalls_++; }
  /// Ops that follow are recomputed for gradients instead of being kept, together with all others
  /// of this segment; -1: they are kept. Returns the previous segment.
  int setSegment(int segment) { return std::exchange(segment_, segment); }
  int newSegment() { return segments_++; }
  /// x.requires_grad = required.
  void requireGradient(ValueId value, bool required);
  /// loss.backward(): adds up gradients of every value that requires one and contributes to it.
  void backward(const PythonValue& of, const std::vector<CallArgument>& arguments,
                SourcePlace place);
  /// x.grad; None before backward.
  PythonValue gradient(ValueId value, SourcePlace place);
  /// x.grad = None, or another tensor.
  void setGradient(ValueId value, const PythonValue& to, SourcePlace place);
  /// torch.autograd.grad(of, by).
  PythonValue gradients(const std::vector<CallArgument>& arguments, SourcePlace place);

  // Sizes: program_builder_sizes.cpp.
  /// Sets the inputs' shapes and dtypes, by name, as far as they are known.
  void setHints(ProgramHints hints) { hints_ = std::move(hints); }
  /// Adds the type of one input, unless a hint for it was already given.
  void addHint(const std::string& name, const ValueType& type) { hints_.try_emplace(name, type); }
  /// Whether a parameter of this name may be an input: no inputs are known, or it is one of them.
  bool mayBeInput(std::string_view name) const { return hints_.empty() || hints_.contains(name); }
  /// Whether the inputs are known and this is one of them.
  bool isHinted(std::string_view name) const { return hints_.contains(name); }
  /// Where a value's elements are; nothing: the inputs' sizes are not known, or the value's op has
  /// no rule for it. program_builder_layouts.cpp.
  std::optional<ValueLayout> layoutOf(ValueId value);
  /// Whether gradients flow through functions with a backward of their own.
  bool followsOwnBackward() const {
    return hints_.ownBackward == ProgramHints::OwnBackward::followed;
  }
  /// How many ranks run the program.
  int ranks() const { return hints_.ranks; }
  /// The number of a tensor's dimensions, if it is known.
  std::optional<int> rankOf(ValueId value);
  /// Nothing: it is not known while the program is read.
  std::optional<Shape> shapeOf(ValueId value);
  /// Arithmetic with at least one size.
  PythonValue sizeArithmetic(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                             SourcePlace place);
  PythonValue sizeValue(SizeId size, SourcePlace place) const;
  SizeId sizeIdOf(const PythonValue& scalar);
  /// Adds the ints of a view's argument to op.sizes: numbers, sizes, lists of them and the shape of
  /// a tensor whose number of dimensions is known. Throws ProgramError for anything else; `shown`
  /// is the call, for messages.
  void addSizes(Op& op, const PythonValue& value, const std::string& shown);
  /// The value of a size for the sizes that the text is read for, which the program then checks.
  /// Throws ProgramError if they are not known; `what` names what needs it.
  PythonValue decided(const PythonValue& scalar, const std::string& what);
  /// Whether a condition on sizes holds for the sizes that the text is read for. The program then
  /// checks that it does. If it does not, or the sizes are not known, nothing is checked: the
  /// caller must do what is right either way.
  bool holdsHere(const PythonValue& condition);
  /// Whether gradients flow back from `in` to a value.
  bool hasPart(ValueId value, ValueId in) const;
  /// Adds a check: the size must be nonzero if `expected`, otherwise 0.
  void check(SizeId condition, bool expected, const std::string& message, SourcePlace place);
  /// Adds a check, before the ops that are read next: every element of `index` must be a position
  /// along dimension `dim` of `source`. `source` is not read. `message` has "{}" in place of the
  /// element.
  void checkPlaces(const PythonValue& index, const PythonValue& source, int dim,
                   const std::string& message, SourcePlace place);
  /// Adds a check: the tensor's one element must be nonzero if `expected`, otherwise 0.
  void checkValue(const PythonValue& tensor, bool expected, const std::string& message,
                  SourcePlace place);
  /// Whether the program takes the way for a nonzero element of this one-element tensor. The choice
  /// is noted among its choices. `text`: the condition, as written.
  bool branch(const PythonValue& tensor, const std::string& text, SourcePlace place);
  /// The way taken, if the last choice was by this tensor and no op was added since.
  std::optional<bool> branchedOn(ValueId tensor) const;
  /// The tensor whose number .item() gave; otherwise the value itself.
  ValueId fetchedFrom(ValueId value) const;
  /// A comparison of a number that .item() gave, by the tensor itself. False: it is none.
  bool comparesFetched(const std::string& symbol, const PythonValue& a, const PythonValue& b,
                       SourcePlace place, PythonValue& result);
  /// "x.shape[0]": for messages.
  std::string shownSize(SizeId size) const;

  /// Numbers results after the inputs.
  void finish();

  /// Sets the place that every op gets instead of its own, while our functions are read.
  void setPlace(std::optional<SourcePlace> place) { place_ = place; }
  /// Forgets the types of ops that have been removed.
  void forgetTypes();
  const std::optional<SourcePlace>& place() const { return place_; }
  void setFrame(int frame) { frame_ = frame; }

  /// Number of ops so far that write in place.
  std::size_t writes() const;

 private:
  friend class Batching;

  PythonValue callSpelled(const std::string& shown, std::string_view spelling,
                          std::vector<CallArgument> arguments, SourcePlace place);
  bool clampedByTensors(std::string_view spelling, const std::vector<CallArgument>& arguments,
                        SourcePlace place, PythonValue& result);
  /// Casts the reduced operand to the dtype in `dtype`. Returns the removed argument.
  std::optional<CallArgument> castFirst(std::string_view spelling,
                                        std::vector<CallArgument>& arguments, SourcePlace place);
  Op bindSpelled(const std::string& shown, std::string_view spelling,
                 std::vector<CallArgument> arguments, SourcePlace place);
  Op bindBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                SourcePlace place);

  // Writing in place: program_builder_writes.cpp.
  /// Appends an op whose result goes to an existing tensor, and returns that.
  PythonValue write(Op op, const PythonValue& into, const std::string& shown);
  /// x.name_(...).
  PythonValue methodInPlace(const PythonValue& self, const std::string& name,
                            std::vector<CallArgument> arguments, SourcePlace place);
  PythonValue fill(const PythonValue& into, const PythonValue& value, const std::string& shown,
                   SourcePlace place);
  PythonValue numberFor(const PythonValue& into, const PythonValue& value, SourcePlace place);
  void spreadNumber(const std::string& name, std::vector<CallArgument>& arguments,
                    SourcePlace place);
  PythonValue copyInto(const PythonValue& into, const PythonValue& from, SourcePlace place);
  Masked masked(const PythonValue& tensor, const std::vector<PythonValue>& items,
                SourcePlace place);
  void checkMaskedValue(const PythonValue& value, const Masked& into, SourcePlace place);
  PythonValue onesElsewhere(const Masked& of, SourcePlace place);
  void checkSelected(const SelectedValues& from, const Masked& into, SourcePlace place) const;
  bool isSame(ValueId a, std::size_t at, ValueId b, int& budget) const;
  bool isUnchanged(ValueId value, std::size_t since) const;
  /// x[mask] = value.
  void assignMasked(const PythonValue& tensor, const std::vector<PythonValue>& items,
                    const PythonValue& value, SourcePlace place);
  /// Removes `out=` and `inplace=True` from a call's arguments. Returns the target, if any.
  static std::optional<PythonValue> takeWritten(const std::string& shown,
                                                std::vector<CallArgument>& arguments);
  bool isLeaf(ValueId value) const;
  PythonValue append(Op op);
  // Copies: program_builder_copies.cpp.
  PythonValue copied(Move move, const PythonValue& self, bool nonBlocking, SourcePlace place);
  bool isFetched(const Operand& operand) const;
  bool mayBeElsewhere(ValueId value) const;
  void checkFetched(const Op& op) const;
  void checkIndex(const Op& op);
  void checkPlaces(const Operand& index, const Operand& source, bool wraps, int dim,
                   const std::string& message, SourcePlace place);
  void checkDivisor(const Op& op);
  void checkIndexItems(const std::vector<PythonValue>& items);
  /// A method that moves the tensor. False: it is another method.
  bool copyMethod(const PythonValue& self, const std::string& name,
                  const std::vector<CallArgument>& arguments, SourcePlace place,
                  PythonValue& result);
  void setStream(Op& op) const;
  PythonValue einsum(std::vector<CallArgument> arguments, SourcePlace place);
  /// Sums over the dimensions that the result does not have, and permutes the others.
  void takeDiagonals(std::string& term, PythonValue& of, SourcePlace place);
  void spellDots(std::string& term, std::string& result, const PythonValue& of, SourcePlace place);
  void dropBroadcast(std::vector<std::string>& terms, std::vector<CallArgument>& arguments,
                     SourcePlace place);
  PythonValue einsumOfOne(const std::string& equation, PythonValue of, SourcePlace place);
  /// Casts the operands of an outer product to one dtype: PyTorch computes it by multiplying.
  void castFactors(Op& op);
  /// Whether an op is a matmul of integers of one dtype, and what it gives.
  bool multipliesIntegers(const Op& op);
  PythonValue productOfIntegers(const Op& op);
  PythonValue contracted(const std::string& equation, const PythonValue& a, const PythonValue& b,
                         SourcePlace place);
  /// A view of one dimension, with an index or a slice if the row takes one.
  PythonValue view(std::string_view row, const PythonValue& of, int dim, const PythonValue* item,
                   SourcePlace place);
  bool isTruth(const PythonValue& value);
  bool isTruth(ValueId value);
  const std::optional<ValueType>& typeOf(ValueId value);
  std::optional<ValueLayout> madeLayout(const Op& op, ValueId value);
  bool requiresGradient(ValueId value) const;
  /// The sum of outputs times initial gradients; `by`: what gradients are asked for.
  PythonValue weighted(const std::vector<PythonValue>& outputs,
                       const std::vector<PythonValue>& initials, const std::vector<ValueId>& by,
                       SourcePlace place);
  void refuseOwn(ValueId of, ValueId by) const;
  PythonValue gradientBy(const PythonValue& of, ValueId by, SourcePlace place);
  SizeValues& hintedSizes();
  bool isWhole(const PythonValue& value);

  Program& program_;
  ProgramHints hints_;
  std::vector<std::optional<ValueType>> inputTypes_, resultTypes_;
  std::vector<std::optional<ValueLayout>> resultLayouts_;
  std::optional<SizeValues> sizeValues_;  ///< for the hints, as far as they were needed
  int frame_ = -1;
  BuildModes modes_;
  std::int32_t contexts_ = 0;
  ListedCall listed_;
  int listedCalls_ = 0;
  int segment_ = -1;
  int segments_ = 0;
  std::vector<ValueId> requiring_;           ///< values whose gradients are kept
  std::map<ValueId, PythonValue> gradient_;  ///< their gradients, from backward
  std::set<ValueId> seenGradients_;          ///< of those: gradients that may have another name
  std::optional<SourcePlace> place_;
  BeforeWrite beforeWrite_;
};

}  // namespace fusebench
