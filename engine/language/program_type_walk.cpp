// SPDX-License-Identifier: GPL-3.0-or-later
// The types of all of a program's values, one op after the other; program_types.cpp has the types
// of one op.
#include <algorithm>
#include <array>

#include "engine/language/program.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"
#include "engine/ops/accumulators.h"

namespace fusebench {
namespace {

/// The statement that an op belongs to, as written.
std::string textOf(const Program& program, const Op& op) {
  if (op.statement < 0) return "return " + program.returnText;
  return program.statements[static_cast<std::size_t>(op.statement)].text;
}

/// Fills in the types of a program's values one op after the other.
class TypeWalk {
 public:
  /// `inputs`: ValueTypes or forms.
  template <class Inputs>
  TypeWalk(const Program& program, Inputs inputs)
      : program_(program), sizes_(program.sizes, [this](ValueId value) { return shapeOf(value); }) {
    if (inputs.size() != program.inputs.size())
      failProgram({}, "the program has " + std::to_string(program.inputs.size()) + " inputs, but " +
                          std::to_string(inputs.size()) + " were given");
    types_.values.resize(static_cast<std::size_t>(program.valueCount()));
    values_ = next_ = types_.values.data();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      add(inputs[i].dtype, numberOf(inputs[i].shape));
      if (!anyLarge_) continue;
      // An op alone may be given a view that repeats elements, which takes no memory of its own.
      bool view = false;
      if constexpr (requires { inputs[i].contiguous; }) view = !inputs[i].contiguous;
      checkSize(program.inputs[i], {}, {inputs[i].shape, inputs[i].dtype}, view);
    }
  }

  SharedTypes run() {
    checkSizes();
    const auto leading = static_cast<std::size_t>(types_.leading = addLeading());
    for (const Op& op : std::span(program_.ops).subspan(leading)) {
      checkSizes();
      const int shape = shapeOfLikes(op);
      if (shape < 0) {
        addAny(op);
        continue;
      }
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) read(operand);
      add(resultOfPlain(*op.row), shape);
    }
    checkSizes();
    return std::move(types_);
  }

 private:
  /// So many elements of any dtype have room in memory.
  static constexpr std::int64_t kAlwaysFits = kAddressSpaceBytes / 8;

  Shape shapeOf(ValueId value) const {
    return types_.shapes[static_cast<std::size_t>(values_[value].shape)];
  }

  /// Checks the sizes that are known by now and that the program relies on.
  void checkSizes() {
    const auto known = next_ - values_ - static_cast<std::ptrdiff_t>(program_.inputs.size());
    for (; check_ < program_.checks.size() && program_.checks[check_].beforeOp <= known; ++check_) {
      const SizeCheck& check = program_.checks[check_];
      if (check.ofValue()) {
        values_[check.value].read = true;
        if (const Shape shape = shapeOf(check.value); elementCount(shape) != 1)
          failProgram(check.place, "the truth of a tensor of shape " + toString(shape) +
                                       " is not one value; reduce it, as in .all() or .any()");
        continue;
      }
      const bool holds = sizes_.at(check.condition, check.place).number != 0;
      if (holds != check.expected) failProgram(check.place, check.message);
    }
  }

  void add(DType dtype, int shape) {
    *next_++ = {dtype, false, false, false, false, TypeClass::float32, shape};
  }
  SharedTypes::Value& valueOf(const Operand& operand) const { return values_[operand.value]; }

  /// The ops that lead, which most programs consist of. Returns how many they are.
  int addLeading() {
    int count = 0, space = -1;
    for (const Op& op : program_.ops) {
      if (check_ < program_.checks.size() || !leads(op, space)) break;
      add(resultOfPlain(*op.row), space);
      ++count;
    }
    return count;
  }

  /// Whether an op is usual (see shapeOfLikes()) and over this shape, or, with -1, over any, which
  /// `space` is then set to. Marks the values that it reads; in one pass, because it is nearly
  /// always so.
  bool leads(const Op& op, int& space) {
    if (!op.row->plain || op.writesInto() || anyLarge_) return false;
    std::array<SharedTypes::Value*, kMostOperands> marked;
    std::size_t count = 0;
    bool any = false;
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      SharedTypes::Value& value = valueOf(operand);
      if (value.dtype != DType::float32 || (space >= 0 && value.shape != space)) {
        while (count > 0) marked[--count]->leading = false;
        return false;
      }
      space = value.shape;
      any = value.read = true;
      if (!value.leading) marked[count++] = &value;
      value.leading = true;
    }
    return any;
  }

  static DType resultOfPlain(const OpRow& row) {
    return row.result == ResultType::truth ? DType::boolean : DType::float32;
  }

  static bool isUsual(DType dtype) { return dtype == DType::float32 || dtype == DType::boolean; }

  /// Whether an op computes in float32 alone and gives that, a 16-bit float or a truth value; a
  /// reduction may give a position.
  static bool isFloat32OrNarrower(const OpTypes& types, const OpRow& row) {
    const bool computes = types.computed == DType::float32 || isRounded(types.computed);
    const bool gives = isUsual(types.result) || isRounded(types.result) ||
                       (row.kind == OpKind::reduce && row.result == ResultType::index);
    const bool casts = row.result == ResultType::cast && isRounded(row.castTo);
    return computes && gives && (hasPieces(row) || casts);
  }

  /// Whether an operand of such an op is not rounded before the op computes with it, as a
  /// zero-dimensional float32 next to 16-bit floats is.
  static bool isReadAsItIs(DType dtype, const OpTypes& types, const OpRow& row) {
    if (row.result == ResultType::cast) return isUsual(dtype) || isRounded(dtype);
    return dtype == DType::boolean || dtype == types.computed ||
           (types.computed == DType::float32 && isRounded(dtype));
  }

  /// Whether an op makes one float32 of all elements of a float32 tensor, and of none, too, as the
  /// last one of many programs does. Then no more is to be found out.
  bool totals(const Op& op) const {
    const OpRow& row = *op.row;
    return row.kind == OpKind::reduce && row.result == ResultType::number && !op.dims &&
           !op.keepDims && row.takes < AcceptedTypes::whole && info(row.accumulate).emptyAllowed &&
           row.truthOperands == 0 && valueOf(op.operands.front()).dtype == DType::float32;
  }

  void addAny(const Op& op) {
    checkWork(op.place, 2);
    if (!anyLarge_ && totals(op)) {
      read(op.operands.front());
      return add(DType::float32, numberOf({}));
    }
    if (!op.dependsOnSizes()) return addKnown(op);
    try {
      addKnown(withNumbers(op, sizes_));
    } catch (const ProgramError& error) {
      const std::string_view what = error.what();
      if (what.find(" (in ") != std::string_view::npos) throw;
      failProgram(error.place(), error.what() + (" (in " + textOf(program_, op) + ")"));
    }
  }

  void addKnown(const Op& op) {
    const bool makes = op.row->kind == OpKind::make;
    types_.views |= op.row->kind == OpKind::view || op.row->kind == OpKind::contract ||
                    op.row->indexing.is || op.row->kind == OpKind::order ||
                    op.row->kind == OpKind::copy || makes || op.writesInto();
    std::array<ValueType, kMostOperands> operands;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (op.operands[i].isNumber()) continue;
      // An op like torch.zeros_like takes the form alone and reads no elements.
      const SharedTypes::Value& value = makes ? valueOf(op.operands[i]) : read(op.operands[i]);
      operands[i] = {types_.shapes[static_cast<std::size_t>(value.shape)], value.dtype};
    }
    try {
      OpTypes types;
      ValueType type = inferType(op, {operands.data(), op.operands.size()}, &types);
      const bool converts = op.writesInto() && writtenType(op).dtype != type.dtype;
      if (op.writesInto()) type = inferWritten(op, type, writtenType(op));
      add(type.dtype, numberOf(type.shape));
      const bool plain =
          !makes && op.row->kind != OpKind::scan && op.row->places == IndexInputs::none;
      bool usual = plain && types.usual(*op.row),
           narrow = plain && isFloat32OrNarrower(types, *op.row),
           wide = plain && hasPiecesIn(*op.row, types);
      for (const Operand& operand : op.operands) {
        if (operand.isNumber()) continue;
        const DType dtype = valueOf(operand).dtype;
        usual &= isUsual(dtype);
        narrow &= isReadAsItIs(dtype, types, *op.row);
        const auto o = static_cast<std::size_t>(&operand - op.operands.data());
        wide &= dtype == (((op.row->truthOperands >> o) & 1u) ? DType::boolean : types.computed);
      }
      if (wide && !converts) next_[-1].lanes = classOf(types);
      next_[-1].unusual = !usual || converts;
      next_[-1].narrow = !usual && narrow && !converts;
    } catch (const ProgramError& error) {
      failProgram(error.place(), error.what() + (" (in " + textOf(program_, op) + ")"));
    }
  }

  /// The type of the tensor that an op writes to, which counts as read.
  ValueType writtenType(const Op& op) {
    SharedTypes::Value& value = values_[op.into];
    value.read = true;
    return {types_.shapes[static_cast<std::size_t>(value.shape)], value.dtype};
  }

  const SharedTypes::Value& read(const Operand& operand) {
    SharedTypes::Value& value = valueOf(operand);
    value.read = true;
    return value;
  }

  int numberOf(const Shape& shape) {
    const auto found = std::find(types_.shapes.begin(), types_.shapes.end(), shape);
    const auto number = static_cast<int>(found - types_.shapes.begin());
    if (found == types_.shapes.end()) {
      types_.shapes.push_back(shape);
      anyLarge_ |= reachedCount(shape).value_or(kAddressSpaceBytes) > kAlwaysFits;
    }
    return number;
  }

  /// If the op is the usual one, on float32 operands of one shape, and numbers: that shape, which
  /// is also the result's; -1 for any other op.
  int shapeOfLikes(const Op& op) const {
    if (!op.row->plain || op.writesInto() || anyLarge_) return -1;
    int shape = -1;
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      const SharedTypes::Value& value = valueOf(operand);
      if (value.dtype != DType::float32 || (shape >= 0 && value.shape != shape)) return -1;
      shape = value.shape;
    }
    return shape;
  }

  const Program& program_;
  SizeValues sizes_;
  std::size_t check_ = 0;  ///< the next of the program's checks
  /// Some shape is not small enough for every op and dtype, so that each result is looked at.
  bool anyLarge_ = false;
  SharedTypes types_;
  SharedTypes::Value* values_;  ///< all of them, as they will be
  SharedTypes::Value* next_;    ///< the first that is not known yet
};

}  // namespace

SharedTypes inferSharedTypes(const Program& program, Forms inputs) {
  return TypeWalk(program, inputs).run();
}

std::vector<ValueType> inferTypes(const Program& program, std::span<const ValueType> inputs) {
  const SharedTypes shared = TypeWalk(program, inputs).run();
  std::vector<ValueType> types;
  types.reserve(shared.values.size());
  for (const SharedTypes::Value& value : shared.values)
    types.push_back({shared.shapes[static_cast<std::size_t>(value.shape)], value.dtype});
  if (!program.branches.empty()) checkBranches(program, types, inputs);
  return types;
}

}  // namespace fusebench
