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

/// A tensor operand: a value, or a Python number standing where a tensor could.
struct Operand {
  ValueId value = -1;  ///< -1: it is the number
  double number = 0;
  bool integer =
      false;  ///< the number is a Python int: with truth operands alone, PyTorch makes int64
  bool truth = false;  ///< the number is True or False, which leaves truth operands what they are
  SizeId size = -1;    ///< the number is this size, and known once shapes are; see program_sizes.h
  bool detached = false;  ///< no gradient flows back to the value from here
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
      parameters;  ///< one per row parameter that is a number, integer or flag (dims: 0)
  /// reduce: the dims as written (may be negative); nothing: all. What writes by an index: those
  /// that it goes over, one after the other.
  std::optional<std::vector<int>> dims;
  bool keepDims = false;
  /// Empty, or one per parameter: the size that it is; -1: it is the number in `parameters`.
  std::vector<SizeId> parameterSizes;
  /// The sizes of a view: a list of extents, bounds of a slice. -1: known now, and in sizeNumbers.
  std::vector<SizeId> sizes;
  std::vector<std::int64_t> sizeNumbers;  ///< one per size; what it is once shapes are known
  std::string equation;  ///< of a contraction whose row leaves it open: as ContractRule::indices
  /// Of a contraction that gradients are made of: its settings, which are then not in parameters.
  std::shared_ptr<const ContractSettings> settings;
  /// Of an op that makes a tensor: its dtype; nothing: that of the tensor that is its operand, if
  /// it has one, whose extents it has, too, where it has no sizes. Nothing of that operand is read.
  std::optional<DType> made;
  /// The value that its result is written to, in place: a value or a view of one, whose extents
  /// and dtype the result has, and which it is another name for. -1: it makes a new tensor.
  ValueId into = -1;
  /// Of an op that makes a tensor: where, as device= and pin_memory= said; nothing: they did not.
  std::optional<Memory> madeIn;
  int statement = -1;  ///< index of the statement it belongs to; -1: the return
  SourcePlace place;
  int frame = -1;         ///< index in Program::frames; -1: the program's own lines
  int segment = -1;       ///< ops of equal number are made anew for gradients, not kept; -1: kept
  bool recorded = true;   ///< false: made inside no_grad, no gradient flows through it
  AutocastMode autocast;  ///< that it was made in; plans have the casts in its place
  /// Of an op of a function that autocast knows as one: its rule, which is about what the function
  /// was given (Operand::listed), not about what it makes of it. `call`: which call; -1: none.
  struct Listed {
    AutocastRule rule;
    int call = -1;
  };
  Listed listed;
  ValueId after = -1;     ///< it is no use before this value is there; -1: no matter
  int derivativeOf = -1;  ///< index of the op whose gradient it helps to make; -1: it is no part of
                          ///< one. See plan/differentiate.h
  int folded = 0;         ///< the number of later ops of the text in its weight and addend;
                          ///< see plan/folded_norms.h

  bool dependsOnSizes() const;
  bool writesInto() const { return into >= 0; }
};

/// Whether an op reads the elements of this operand of its. Of what a check of places is about only
/// the extents are looked at.
inline bool reads(const Op& op, const Operand& operand) {
  return !operand.isNumber() && op.row->kind != OpKind::make &&
         (!isIndexCheck(*op.row) || operand.value == op.operands[op.row->indexing.index].value);
}

/// The dimension of its source that an op's index goes along, as written: it may be negative.
inline int indexedDim(const Op& op) {
  if (op.row->kind == OpKind::reduce) return static_cast<int>(op.parameters.front());
  return op.dims ? op.dims->front() : 0;
}
/// How many dimensions from that one on it goes over: where it writes there may be several, and a
/// place counts through them row by row.
inline int indexedOver(const Op& op) {
  return op.row->kind == OpKind::scatter && op.dims ? static_cast<int>(op.dims->size()) : 1;
}
/// indexedDim(), counted from the first of the source's dimensions. Throws ProgramError where there
/// is no such.
int indexedDim(const Op& op, int rank);

/// What an op that orders asks.
struct Ordering {
  int dim = 0;  ///< counted from the first; of a tensor without dimensions 0
  bool descending = false;
  std::int64_t first = -1;  ///< how many of the places, the first ones; -1: all
};
/// For a tensor of `rank`. Throws ProgramError if it lacks that dimension.
Ordering orderingOf(const Op& op, int rank);

/// One assignment, `target = ...`: the ops [firstOp, firstOp + opCount) and the value it names.
struct Statement {
  std::string target;
  std::string text;  ///< as written, without comment and surrounding space
  int firstOp = 0;
  int opCount = 0;
  ValueId value = -1;  ///< what the target names afterwards
  SourcePlace place;
};

/// What a held input starts with: what PyTorch's initialisers give.
struct InitialValues {
  enum class Kind : std::uint8_t {
    numbers,  ///< `numbers`: one for all elements, or one for each, row-major
    uniform,  ///< from [low, high)
    normal    ///< mean `low`, standard deviation `high`
  };
  Kind kind = Kind::numbers;
  Shape extents;
  std::vector<double> numbers;
  double low = 0, high = 1;
  DType dtype = DType::float32;
  std::int64_t zeroRow = -1;  ///< one along the first dimension that is zero all the same; -1: none

  /// Whether `numbers` are integers drawn from [low, high), whatever the dtype: others may be
  /// drawn.
  bool areDrawn() const;
};

/// An input that the program brings along: a module's parameter or buffer.
struct HeldInput {
  int input = -1;  ///< position in Program::inputs
  InitialValues initial;
  bool parameter = true;  ///< it is trained; false: a buffer
};

/// A call of a function or of a module, a round of a loop, or one way behind a choice by what a
/// tensor holds, within which ops were made.
struct Frame {
  enum class Kind : std::uint8_t { function, module, round, way };
  Kind kind = Kind::function;
  int parent = -1;    ///< in Program::frames
  std::string name;   ///< "norm", "self.act", "i = 2", "if x.sum() > 0"
  SourcePlace place;  ///< of the call, or of the loop
};

/// What a program relies on: about its inputs' shapes an assert on sizes, or a choice that was made
/// for the sizes that were given when the text was read; or an assert on what a tensor holds.
struct SizeCheck {
  SizeId condition = -1;
  bool expected = true;  ///< whether the condition must be something but 0
  std::string message;   ///< what is said if it is not so
  int beforeOp = 0;      ///< it holds before this op is reached
  SourcePlace place;
  ValueId value = -1;  ///< instead of a size: a tensor of one element, which a call waits for
  /// That element is of a check that an op needs (isCheck), and more than 0 is an error.
  bool ofIndex = false;

  bool ofValue() const { return value >= 0; }
};

/// What reading a text made of lines that are not part of the program.
struct ProgramNote {
  int line = 0;  ///< the first that it is about
  std::string text;
};

/// What lines around a program say of one of its inputs: they call the program with it.
struct GivenInput {
  std::string name;
  Shape extents;
  DType dtype = DType::float32;
  InitialValues initial;  ///< what its elements are drawn from
  std::string code;       ///< lines that compute them instead; see computingText()
  int line = 0;           ///< of the call
};

struct Program;
struct ProgramSource;

/// A choice by what a tensor holds: an `if` on a tensor of one element, which a call waits for. A
/// program with choices is one way through its text; each choice has the program that goes the
/// other way, which is the same up to there.
struct Branch {
  ValueId condition = -1;   ///< holds if its element is something but 0
  bool holds = true;        ///< whether it does on this program's way
  int beforeOp = 0;         ///< the first op that is not of both ways
  int beforeStatement = 0;  ///< the first statement that ends after the choice
  std::string text;         ///< the condition as written
  SourcePlace place;
  std::vector<ValueId> live;             ///< made before it, and read after it on either way
  std::shared_ptr<const Program> other;  ///< null: whoever has this program among its others
};

/// How the ranks of a group train one program: each runs it on a part of the batch, and gradients
/// by what all of them have alike are averaged over the ranks on the way back.
struct DataParallel {
  int ranks = 1;
  std::vector<int> shared;  ///< inputs that every rank has alike; none: nothing is averaged
  /// Gradients that are ready one after the other pass between the ranks together, as soon as there
  /// are so many bytes of them: 0, each by itself; below 0, all of them at the end.
  std::int64_t bucketBytes = -1;
  bool overlaps = false;  ///< they pass beside the rest of the way back
};

/// A program (op chain): statements in order over named inputs, and what is returned.
/// Ops are in execution order: those of the statements, then those of the return expression.
struct Program {
  std::vector<std::string> inputs;
  std::vector<Statement> statements;
  std::vector<Op> ops;
  std::vector<ValueId> outputs;   ///< of `return a, b`: one or more
  std::string returnText;         ///< the expression after `return`
  SizeExpressions sizes;          ///< what of it depends on shapes
  std::vector<SizeCheck> checks;  ///< in order of beforeOp
  std::vector<HeldInput> held;    ///< in order of their inputs, which are the last
  std::vector<Frame> frames;      ///< parents before what is in them
  bool asksGradients = false;     ///< some ops are gradients; see gradientRow()
  bool asksDtypes = false;        ///< of an input that is not known: it was taken for float32
  bool writesInto = false;        ///< some ops write in place; see Op::into
  bool autocasts = false;         ///< some ops were made within torch.autocast
  /// What the first result might be differentiated by afterwards: a call keeps what that would
  /// need. Empty: nothing is kept.
  std::vector<ValueId> taped;
  DataParallel parallel;
  std::vector<Branch> branches;      ///< in order; see program_branches.h
  std::vector<ProgramNote> notes;    ///< in the text's order
  std::vector<GivenInput> given;     ///< inputs that the text calls the program with
  std::vector<std::string> entries;  ///< what the text has that could be the program
  std::string entry;                 ///< which of them it is; empty: the lines themselves
  /// The text that it was read from; null: it was made without one. See program_source.h.
  std::shared_ptr<const ProgramSource> source;

  int valueCount() const { return static_cast<int>(inputs.size() + ops.size()); }
  ValueId result(int op) const { return static_cast<ValueId>(inputs.size()) + op; }

  /// Whether gradients take part: ops and what is kept for them depend on the inputs' forms.
  bool differentiates() const { return asksGradients || !taped.empty(); }
  /// Whether plans have ops that the program has not: what they are hangs on the inputs' types.
  bool isSettledFirst() const { return differentiates() || autocasts; }
  /// Whether every statement rebinds the one name that it and the return read: then it may cycle.
  /// Inputs that no statement rebinds may be read beside it.
  bool isChain() const;
};

/// The program with what its checks ask of tensors returned after its own results, and without
/// these checks: for whoever makes them later.
Program withCheckedReturned(const Program& program);
/// The program without the ops that its value `output` does not depend on; it returns that value.
Program onlyFor(const Program& program, ValueId output);
/// Whether a program asks what a tensor holds.
bool checksValues(const Program& program);

/// The value in whose memory one lies as far as the text tells: a view's operand, what is written
/// in place. Whether a reshape is a view, the tensors' layouts decide; here it counts as one.
ValueId writtenRoot(const Program& program, ValueId value);
/// The same while a program is being made: of ops whose results are numbered from `firstResult` on.
ValueId writtenRoot(std::span<const Op> ops, ValueId firstResult, ValueId value);
/// The value that a result written in place is another name for; any other value: itself.
ValueId sameTensor(const Program& program, ValueId value);
/// By input: whether the program may write to its elements.
std::vector<bool> writtenInputs(const Program& program);

/// A program that several share; nobody changes it.
using SharedProgram = std::shared_ptr<const Program>;
inline SharedProgram shared(Program program) {
  return std::make_shared<const Program>(std::move(program));
}

/// The program of axis value `statements` = n: the first n statements, cycling if the program is a
/// chain, then the return applied to the last value. In a branching program n is at most its
/// length, and every value not yet consumed is returned. Throws ProgramError if n does not fit.
Program firstStatements(const Program& program, int n);

/// The program as PyTorch text: a function `def program(inputs):` that runs unchanged in PyTorch
/// after `import torch`.
std::string toText(const Program& program);

/// Shape and dtype of every value of a program for given input shapes, checked.
struct ValueType {
  Shape shape;
  DType dtype = DType::float32;
};
/// Throws ProgramError naming the statement and the shapes that do not fit.
std::vector<ValueType> inferTypes(const Program& program, std::span<const ValueType> inputs);

/// The same with each shape said once, for most values of a program share theirs.
struct SharedTypes {
  struct Value {
    DType dtype = DType::float32;
    bool read = false;     ///< by an op
    bool leading = false;  ///< read by one of the `leading` ops
    /// Made by an op that computes in other types than float32 and truth; see OpTypes::usual().
    bool unusual = false;
    /// Of those, by one whose values are 16-bit floats, float32 and truth values, and which
    /// computes in float32.
    bool narrow = false;
    /// Of those, float64 or an integer of an op that reads and computes in this alone, and gives
    /// it or truth values, and for which there are pieces; of all others float32.
    TypeClass lanes = TypeClass::float32;
    int shape = 0;  ///< in `shapes`; values of equal shape have the same
  };
  ShortList<Shape, 3> shapes;  ///< no two are equal
  ShortList<Value, 64> values;
  bool views = false;  ///< an op makes a view, or a result of extents that no operand has
  int leading = 0;     ///< so many ops from the first on are element-wise, on operands of one shape
};
/// Throws as inferTypes does.
SharedTypes inferSharedTypes(const Program& program, Forms inputs);

/// The type of one op's result; `operands` has an entry per operand (numbers: anything). `types`,
/// if not null, gets what it is computed in. Throws ProgramError, for a result that no memory has
/// room for as well.
ValueType inferType(const Op& op, std::span<const ValueType> operands, OpTypes* types = nullptr);

/// Throws ProgramError for a result that no memory has room for. A view needs none of its own, but
/// its elements have to be counted in 64 bits.
void checkSize(const Op& op, const ValueType& type, bool view);
/// The same of what is called `name`.
void checkSize(const std::string& name, SourcePlace place, const ValueType& type, bool view);
/// The same where the sizes are past what 64 bits hold.
[[noreturn]] void failOverflow(const Op& op);

/// The type of a result that is written in place: of `into`, whose type that is. Throws
/// ProgramError if a result of type `made` has no place there.
ValueType inferWritten(const Op& op, const ValueType& made, const ValueType& into);

/// What autocast makes of the op's operands, whose dtypes these are, in place. An operand that is a
/// number: no matter.
void castOperands(const Op& op, std::span<DType> operands);

/// What an op that makes a tensor computes in; `like`: the dtype of the tensor that it is made
/// like, if it is.
OpTypes madeTypes(const Op& op, DType like);

/// What an op computes in: `typeOf(value)` is the ValueType of a tensor operand.
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

/// The view that a view op makes of a tensor that lies so, in place; sizes have to be worked out
/// already. False: the tensor has to be copied, row-major, and the layout has the extents alone.
/// Throws ProgramError where PyTorch raises.
bool viewOf(const Op& op, ViewLayout<std::int64_t>& layout);
/// The same for sizes that may be symbols, of which `facts` keeps what was relied on.
bool viewOf(const Op& op, ViewLayout<HintedSize>& layout, SizeFacts& facts);

/// A contraction's loops for operands of these ranks. Throws ProgramError where PyTorch raises.
ContractForm contractFormOf(const Op& op, std::span<const int> ranks);
/// What its parameters say; sizes have to be worked out already.
ContractSettings contractSettingsOf(const Op& op);
/// Gives a contraction's windows the numbers that they have where none are written, one a window.
void setUsualWindows(Op& op);
/// How often each of its loops goes; with sizes that may be symbols, `facts` keeps what was relied
/// on. Throws ProgramError where the operands do not fit.
std::vector<std::int64_t> contractLoopsOf(const Op& op, const ContractForm& form,
                                          std::span<const SizeList<std::int64_t>> operands);
std::vector<HintedSize> contractLoopsOf(const Op& op, const ContractForm& form,
                                        std::span<const SizeList<HintedSize>> operands,
                                        SizeFacts& facts);

/// The tensor cannot be seen so without a copy, and the op makes none. Throws ProgramError.
[[noreturn]] void failImpossibleView(const Op& op, const Form& operand);

/// Bit i set: dimension i of a tensor of `rank` is reduced by `op`. Throws ProgramError for a
/// dimension out of range or named twice.
std::uint32_t reducedMask(const Op& op, int rank);

}  // namespace fusebench
