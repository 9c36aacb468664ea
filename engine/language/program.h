// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/form.h"
#include "engine/base/shape.h"
#include "engine/base/short_list.h"
#include "engine/language/size_expression.h"
#include "engine/language/source_place.h"
#include "engine/ops/op_types.h"
#include "engine/ops/ops.h"

namespace fusebench {

/// A tensor operand: a value, or a Python number used as a tensor.
struct Operand {
  ValueId value = -1;  ///< -1: it is a number
  double number = 0;
  bool integer =
      false;  ///< the number is a Python int: with bool operands alone, PyTorch returns int64
  bool truth = false;  ///< the number is True or False, which keeps bool operands bool
  SizeId size = -1;  ///< the number is this size, known once shapes are known; see program_sizes.h
  bool detached = false;  ///< no gradient flows back to the value through this operand
  bool listed = false;    ///< autocast casts it: see Op::listed
  bool isNumber() const { return value < 0; }

  static Operand ofValue(ValueId value) {
    Operand operand;
    operand.value = value;
    return operand;
  }
  static Operand ofNumber(double number) {
    Operand operand;
    operand.number = number;
    return operand;
  }
};

/// One application of an op row.
struct Op {
  const OpRow* row = nullptr;
  std::vector<Operand> operands;  ///< row->arity of them
  std::vector<double>
      parameters;  ///< one per row parameter that is a number, integer or flag (0 for dims)
  /// reduce: the dimensions as written (may be negative); nothing: all. For writes by an index: the
  /// consecutive dimensions that the index covers.
  std::optional<std::vector<int>> dims;
  bool keepDims = false;
  /// Empty, or one per parameter: its size; -1: it is the number in `parameters`.
  std::vector<SizeId> parameterSizes;
  /// The sizes of a view: a list of extents, bounds of a slice. -1: already known, see sizeNumbers.
  std::vector<SizeId> sizes;
  std::vector<std::int64_t> sizeNumbers;  ///< one per size; its value once shapes are known
  std::string equation;  ///< of a contraction whose row has no equation: like ContractRule::indices
  /// For a contraction created for gradients: its settings, which are then not in `parameters`.
  std::shared_ptr<const ContractSettings> settings;
  /// For an op that creates a tensor: its dtype. Nothing: that of its operand, whose extents it
  /// also has if there are no sizes. The elements of this operand are not read.
  std::optional<DType> made;
  /// The value that the result is written to in place: a value or a view of one. The result has its
  /// extents and dtype, and is another name for it. -1: the op creates a new tensor.
  ValueId into = -1;
  /// For an op that creates a tensor: its memory, from device= and pin_memory=; nothing if neither
  /// is given.
  std::optional<Memory> madeIn;
  int statement = -1;  ///< index of its statement; -1: the return
  SourcePlace place;
  int frame = -1;        ///< index in Program::frames; -1: lines of the program itself
  int segment = -1;      ///< ops of one segment are recomputed for gradients; -1: results are saved
  bool recorded = true;  ///< false: created under no_grad, so no gradient flows through it
  AutocastMode
      autocast;  ///< autocast mode in which it was created; plans contain the casts instead
  /// For an op of a function that autocast treats as a unit: the rule of this function, which
  /// applies to the function's arguments (Operand::listed). `call` is the number of the call; -1:
  /// none.
  struct Listed {
    AutocastRule rule;
    int call = -1;
  };
  Listed listed;
  ValueId after = -1;     ///< it must not run before this value is computed; -1: no constraint
  int derivativeOf = -1;  ///< index of the op whose gradient it belongs to; -1: none
                          ///< See plan/differentiate.h.
  int folded = 0;         ///< number of later ops of the text folded into its weight and addend;
                          ///< see plan/folded_norms.h

  bool dependsOnSizes() const;
  bool writesInto() const { return into >= 0; }
};

/// Whether an op reads the elements of this operand. A check of indices uses only the extents of
/// the tensor that they refer to.
inline bool reads(const Op& op, const Operand& operand) {
  return !operand.isNumber() && op.row->kind != OpKind::make &&
         (!isIndexCheck(*op.row) || operand.value == op.operands[op.row->indexing.index].value);
}

/// The dimension of its source along which an op's index selects, as written: it can be negative.
inline int indexedDim(const Op& op) {
  if (op.row->kind == OpKind::reduce) return static_cast<int>(op.parameters.front());
  return op.dims ? op.dims->front() : 0;
}
/// Number of consecutive dimensions that the index covers. Writes can have several; the index then
/// counts through them in row-major order.
inline int indexedOver(const Op& op) {
  return op.row->kind == OpKind::scatter && op.dims ? static_cast<int>(op.dims->size()) : 1;
}
/// indexedDim(), counted from the first dimension of the source. Throws ProgramError if the source
/// has no such dimension.
int indexedDim(const Op& op, int rank);

/// The settings of an op that sorts.
struct Ordering {
  int dim = 0;  ///< counted from the first; 0 for a tensor without dimensions
  bool descending = false;
  std::int64_t first = -1;  ///< number of results, from the first; -1: all
};
/// For a tensor with `rank` dimensions. Throws ProgramError if it lacks that dimension.
Ordering orderingOf(const Op& op, int rank);

/// One assignment, `target = ...`: the ops [firstOp, firstOp + opCount) and the value that it
/// names.
struct Statement {
  std::string target;
  std::string text;  ///< as written, without comment and surrounding whitespace
  int firstOp = 0;
  int opCount = 0;
  ValueId value = -1;  ///< value of the target afterwards
  SourcePlace place;
};

/// Initial elements of a constant input, as PyTorch's initializers set them.
struct InitialValues {
  enum class Kind : std::uint8_t {
    numbers,  ///< `numbers`: one for all elements, or one per element in row-major order
    uniform,  ///< from [low, high)
    normal    ///< mean `low`, standard deviation `high`
  };
  Kind kind = Kind::numbers;
  Shape extents;
  std::vector<double> numbers;
  double low = 0, high = 1;
  DType dtype = DType::float32;
  std::int64_t zeroRow = -1;  ///< index along the first dimension that is set to zero; -1: none

  /// Whether `numbers` are integers drawn from [low, high), of any dtype, so that others can be
  /// drawn.
  bool areDrawn() const;
};

/// A constant input that the program defines: a parameter or a buffer of a module.
struct HeldInput {
  int input = -1;  ///< position in Program::inputs
  InitialValues initial;
  bool parameter = true;  ///< it is trained; false: a buffer
};

/// A call of a function or of a module, an iteration of a loop, or one side of a data-dependent
/// branch in which ops were created.
struct Frame {
  enum class Kind : std::uint8_t { function, module, round, way };
  Kind kind = Kind::function;
  int parent = -1;    ///< in Program::frames
  std::string name;   ///< "norm", "self.act", "i = 2", "if x.sum() > 0"
  SourcePlace place;  ///< the call or loop that contains it
};

/// A condition of a program: an assert on sizes, a decision that was made for the sizes given when
/// the text was read, or an assert on the contents of a tensor.
struct SizeCheck {
  SizeId condition = -1;
  bool expected = true;  ///< whether the condition must be nonzero
  std::string message;   ///< error message if the condition fails
  int beforeOp = 0;      ///< it is checked before this op
  SourcePlace place;
  ValueId value = -1;  ///< instead of a size: a tensor of one element, for which a call waits
  /// The element belongs to a check that an op needs (isCheck), and a value above 0 is an error.
  bool ofIndex = false;

  bool ofValue() const { return value >= 0; }
};

/// A remark about lines of the text that are not part of the program.
struct ProgramNote {
  int line = 0;  ///< first line that it refers to
  std::string text;
};

/// An input as described by the lines around a program, which call the program with it.
struct GivenInput {
  std::string name;
  Shape extents;
  DType dtype = DType::float32;
  InitialValues initial;  ///< distribution of its elements
  std::string code;       ///< lines that compute them instead; see computingText()
  int line = 0;           ///< of the call
};

struct Program;
struct ProgramSource;

/// A data-dependent branch: an `if` on a tensor of one element, for which a call waits. A program
/// is one path through its text. Each branch holds the program for the other path, which is
/// identical up to the branch.
struct Branch {
  ValueId condition = -1;   ///< true if its element is nonzero
  bool holds = true;        ///< whether the condition holds on the path of this program
  int beforeOp = 0;         ///< the first op that the two paths do not share
  int beforeStatement = 0;  ///< the first statement that ends after the branch
  std::string text;         ///< the condition as written
  SourcePlace place;
  std::vector<ValueId> live;  ///< computed before it, and read after it on either path
  std::shared_ptr<const Program>
      other;  ///< null: this is the program that has the other one as its `other`
};

/// Data-parallel training of one program: each rank runs it on a part of the batch, and gradients
/// by inputs that all ranks share are averaged over the ranks during the backward pass.
struct DataParallel {
  int ranks = 1;
  std::vector<int> shared;  ///< inputs that all ranks share; empty: nothing is averaged
  /// Gradients are reduced together as soon as this many bytes of them are ready. 0: each one by
  /// itself; below 0: all of them at the end.
  std::int64_t bucketBytes = -1;
  bool overlaps = false;  ///< communication overlaps with the rest of the backward pass
};

/// A program (op chain): statements in order over named inputs, and what it returns. Ops are in
/// execution order: those of the statements, then those of the return expression.
struct Program {
  std::vector<std::string> inputs;
  std::vector<Statement> statements;
  std::vector<Op> ops;
  std::vector<ValueId> outputs;   ///< of `return a, b`: at least one
  std::string returnText;         ///< the expression after `return`
  SizeExpressions sizes;          ///< numbers that depend on shapes
  std::vector<SizeCheck> checks;  ///< in order of beforeOp
  std::vector<HeldInput> held;    ///< in the order of their inputs, which are the last ones
  std::vector<Frame> frames;      ///< parents come before their children
  bool asksGradients = false;     ///< some ops are gradients; see gradientRow()
  bool asksDtypes = false;        ///< an input without a known dtype was assumed to be float32
  bool writesInto = false;        ///< some ops write in place; see Op::into
  bool autocasts = false;         ///< some ops were made within torch.autocast
  /// Values with respect to which the first result may be differentiated later: a call saves what
  /// this requires. Empty: nothing is saved.
  std::vector<ValueId> taped;
  DataParallel parallel;
  std::vector<Branch> branches;      ///< in order; see program_branches.h
  std::vector<ProgramNote> notes;    ///< in text order
  std::vector<GivenInput> given;     ///< inputs with which the text calls the program
  std::vector<std::string> entries;  ///< names in the text that could be the program
  std::string entry;                 ///< the chosen name; empty: the lines themselves
  /// The text that it was read from; null if it was not read from a text. See program_source.h.
  std::shared_ptr<const ProgramSource> source;

  int valueCount() const { return static_cast<int>(inputs.size() + ops.size()); }
  ValueId result(int op) const { return static_cast<ValueId>(inputs.size()) + op; }

  /// Whether it has gradients: ops and saved values then depend on the shapes and dtypes of the
  /// inputs.
  bool differentiates() const { return asksGradients || !taped.empty(); }
  /// Whether plans add ops to the program that depend on the types of the inputs.
  bool isSettledFirst() const { return differentiates() || autocasts; }
  /// Whether every statement rebinds the one name that it and the return read, so that the program
  /// can be repeated. Inputs that no statement rebinds can also be read.
  bool isChain() const;
};

/// The program without its checks on tensors. After its own results it returns the tensors that
/// they check, for a caller that checks later.
Program withCheckedReturned(const Program& program);
/// The program without the ops that its value `output` does not depend on; it returns only that
/// value.
Program onlyFor(const Program& program, ValueId output);
/// Whether a program checks the contents of tensors.
bool checksValues(const Program& program);

/// The value whose memory a value uses, as far as the text shows: the operand of a view, or the
/// target of a write in place. A reshape counts as a view; whether it is one depends on layouts.
ValueId writtenRoot(const Program& program, ValueId value);
/// The same while a program is being built, for ops whose results are numbered from `firstResult`.
ValueId writtenRoot(std::span<const Op> ops, ValueId firstResult, ValueId value);
/// For a result written in place, the value that it is another name for; otherwise the value
/// itself.
ValueId sameTensor(const Program& program, ValueId value);
/// For each input: whether the program may write to its elements.
std::vector<bool> writtenInputs(const Program& program);

/// A program that several owners share and none modifies.
using SharedProgram = std::shared_ptr<const Program>;
inline SharedProgram shared(Program program) {
  return std::make_shared<const Program>(std::move(program));
}

/// The program for the axis value `statements` = n: the first n statements, repeated cyclically if
/// the program is a chain, then the return applied to the last value. In a branching program n is
/// at most its length, and every value not yet consumed is returned. Throws ProgramError if n does
/// not fit.
Program firstStatements(const Program& program, int n);

/// The program as PyTorch text: a function `def program(inputs):` that runs unchanged in PyTorch
/// after `import torch`.
std::string toText(const Program& program);

/// Shape and dtype of every value of a program for given input shapes, checked for consistency.
struct ValueType {
  Shape shape;
  DType dtype = DType::float32;
};
/// Throws ProgramError naming the statement and the shapes that do not fit.
std::vector<ValueType> inferTypes(const Program& program, std::span<const ValueType> inputs);

/// The same with each shape stored once, because most values of a program share theirs.
struct SharedTypes {
  struct Value {
    DType dtype = DType::float32;
    bool read = false;     ///< by an op
    bool leading = false;  ///< read by one of the `leading` ops
    /// Computed by an op that uses types other than float32 and bool; see OpTypes::usual().
    bool unusual = false;
    /// Also computed by an op whose values are 16-bit floats, float32 and bool, and which computes
    /// in float32.
    bool narrow = false;
    /// Among `unusual` values: float64 or the integer type of an op that reads and computes in this
    /// type alone, whose result is this type or bool, and for which prebuilt pieces exist. All
    /// other values: float32.
    TypeClass lanes = TypeClass::float32;
    int shape = 0;  ///< index in `shapes`; values of equal shape share it
  };
  ShortList<Shape, 3> shapes;  ///< no two are equal
  ShortList<Value, 64> values;
  bool views = false;  ///< an op creates a view, or a result with extents that no operand has
  int leading = 0;     ///< number of leading ops that are element-wise on operands of one shape
};
/// Throws like inferTypes().
SharedTypes inferSharedTypes(const Program& program, Forms inputs);

/// The type of one op's result; `operands` has an entry per operand (any value for numbers).
/// `types`, if not null, receives the types that it computes in. Throws ProgramError, also for a
/// result that is larger than any memory.
ValueType inferType(const Op& op, std::span<const ValueType> operands, OpTypes* types = nullptr);

/// Throws ProgramError for a result that fits in no memory. A view needs no memory of its own, but
/// its number of elements must fit in 64 bits.
void checkSize(const Op& op, const ValueType& type, bool view);
/// The same for what is called `name`.
void checkSize(const std::string& name, SourcePlace place, const ValueType& type, bool view);
/// The same where the sizes exceed 64 bits.
[[noreturn]] void failOverflow(const Op& op);

/// The type of a result that is written in place: that of the target, `into`. Throws ProgramError
/// if a result of type `made` cannot be stored there.
ValueType inferWritten(const Op& op, const ValueType& made, const ValueType& into);

/// Changes the operands' dtypes in place to those that autocast casts them to. The entries of
/// operands that are numbers are ignored.
void castOperands(const Op& op, std::span<DType> operands);

/// The type that an op that creates a tensor computes in; `like`: the dtype of the tensor that the
/// result is like, if there is one.
OpTypes madeTypes(const Op& op, DType like);

/// The types that an op computes in; `typeOf(value)` returns the ValueType of a tensor operand.
template <class TypeOf>
OpTypes opTypesOf(const Op& op, const TypeOf& typeOf) {
  std::array<OperandType, kMostOperands> operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Operand& operand = op.operands[i];
    if (operand.isNumber()) {
      operands[i] = typeOfNumber(operand.integer, operand.truth);
      continue;
    }
    const auto [dtype, rank] = typeOf(operand.value);
    operands[i] = {dtype,
                   rank > 0 ? OperandType::Weight::dimensioned : OperandType::Weight::scalar};
  }
  if (op.row->kind == OpKind::make) return madeTypes(op, operands[0].dtype);
  return opTypes(*op.row, {operands.data(), op.operands.size()}, op.parameters);
}

/// Turns a tensor's layout, in place, into that of the view that a view op creates. Sizes must
/// already be known. False: the tensor has to be copied in row-major order, and only the layout's
/// extents are set. Throws ProgramError where PyTorch raises.
bool viewOf(const Op& op, ViewLayout<std::int64_t>& layout);
/// The same for sizes that may be symbolic; `facts` records what was assumed about them.
bool viewOf(const Op& op, ViewLayout<HintedSize>& layout, std::span<const HintedSize> sizes,
            SizeFacts& facts);

/// The loops of a contraction for operands with these numbers of dimensions. Throws ProgramError
/// where PyTorch raises.
ContractForm contractFormOf(const Op& op, std::span<const int> ranks);
/// The settings that its parameters specify; sizes must already be known.
ContractSettings contractSettingsOf(const Op& op);
/// Sets the default numbers of a contraction's windows where none are written, one per window.
void setUsualWindows(Op& op);
/// The number of iterations of each of its loops; for sizes that may be symbolic, `facts` records
/// what was assumed. Throws ProgramError where the operands do not fit.
std::vector<std::int64_t> contractLoopsOf(const Op& op, const ContractForm& form,
                                          std::span<const SizeList<std::int64_t>> operands);
std::vector<HintedSize> contractLoopsOf(const Op& op, const ContractForm& form,
                                        std::span<const SizeList<HintedSize>> operands,
                                        SizeFacts& facts);

/// Throws ProgramError: the tensor has no such view without a copy, and the op does not copy.
[[noreturn]] void failImpossibleView(const Op& op, const Form& operand);

/// Bit i set: dimension i of a tensor of `rank` is reduced by `op`. Throws ProgramError for a
/// dimension out of range or named twice.
std::uint32_t reducedMask(const Op& op, int rank);

}  // namespace fusebench
