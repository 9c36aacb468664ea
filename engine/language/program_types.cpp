// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/base/scalar.h"
#include "engine/language/program.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_sizes.h"
#include "engine/ops/accumulators.h"

namespace fusebench {
namespace {

std::string nameOf(const Op& op) {
  return std::string(op.row->name);
}

std::string shownNumber(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

/// What the op computes in; fails if it does not take such operands.
OpTypes checkedTypes(const Op& op, std::span<const ValueType> operands) {
  const OpRow& row = *op.row;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (((row.truthOperands >> i) & 1u) && operands[i].dtype != DType::boolean)
      failProgram(op.place, nameOf(op) + " needs truth values as its " +
                                std::string(operandName(row, static_cast<int>(i))) +
                                "; compare first, as in x > 0");
  std::array<OperandType, kMostOperands> types;
  for (std::size_t i = 0; i < operands.size(); ++i)
    types[i] = op.operands[i].isNumber()
                   ? typeOfNumber(op.operands[i].integer)
                   : OperandType{operands[i].dtype, operands[i].shape.rank() > 0
                                                        ? OperandType::Weight::dimensioned
                                                        : OperandType::Weight::scalar};
  OpTypes made = opTypes(row, {types.data(), operands.size()}, op.parameters);
  if (!made.problem.empty()) failProgram(op.place, made.problem);
  const TypeClass type = classOf(made.computed);
  for (const Operand& operand : op.operands)
    if (operand.isNumber() && isInteger(type) &&
        static_cast<double>(saturated(operand.number, type)) != operand.number)
      failProgram(op.place, nameOf(op) + ": " + shownNumber(operand.number) + " has no place in " +
                                std::string(info(made.computed).name) +
                                "; cast the tensor first, as in x.long()");
  return made;
}

Shape broadcastAll(const Op& op, std::span<const ValueType> operands) {
  Shape shape = operands[0].shape;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::optional<Shape> both = broadcast(shape, operands[i].shape);
    if (!both)
      failProgram(op.place,
                  nameOf(op) + ": shapes " + toString(shape) + " and " +
                      toString(operands[i].shape) +
                      " do not fit; dimensions, counted from the last, must be equal or 1");
    shape = *both;
  }
  return shape;
}

/// Greatest and smallest of nothing do not exist.
void checkNotEmpty(const Op& op, const Shape& shape, std::uint32_t mask) {
  if (info(op.row->accumulate).emptyAllowed) return;
  for (int i = 0; i < shape.rank(); ++i)
    if (((mask >> i) & 1u) && shape[i] == 0)
      failProgram(op.place, nameOf(op) + " over dimension " + std::to_string(i) + " of shape " +
                                toString(shape) + ": there is no element to choose from");
}

/// The statement that an op belongs to, as written.
std::string textOf(const Program& program, const Op& op) {
  if (op.statement < 0) return "return " + program.returnText;
  return program.statements[static_cast<std::size_t>(op.statement)].text;
}

}  // namespace

std::uint32_t reducedMask(const Op& op, int rank) {
  if (!op.dims) return rank == 0 ? 0 : ~0u >> (32 - rank);
  std::uint32_t mask = 0;
  for (int dim : *op.dims) {
    const int range = std::max(rank, 1);  // PyTorch lets a scalar be reduced over dim 0 and -1
    if (dim < -range || dim >= range)
      failProgram(op.place, nameOf(op) + ": there is no dimension " + std::to_string(dim) + " in " +
                                std::to_string(rank) + "; it goes from " + std::to_string(-range) +
                                " to " + std::to_string(range - 1));
    const std::uint32_t bit = 1u << (dim < 0 ? dim + range : dim);
    if (mask & bit)
      failProgram(op.place, nameOf(op) + ": dimension " + std::to_string(dim) + " is named twice");
    mask |= bit;
  }
  return rank == 0 ? 0 : mask;
}

namespace {

template <class Size>
bool viewed(const Op& op, ViewRule::Function<Size> rule, ViewLayout<Size>& layout,
            const SizeMath<Size>& math) {
  ViewArguments<Size> arguments;
  arguments.hasDims = op.dims.has_value();
  if (op.dims) arguments.dims = *op.dims;
  const std::vector<Size> sizes(op.sizeNumbers.begin(), op.sizeNumbers.end());
  arguments.sizes = sizes;
  try {
    return rule(layout, arguments, math);
  } catch (const ViewError& error) {
    failProgram(op.place, nameOf(op) + ": " + error.what());
  }
}

}  // namespace

bool viewOf(const Op& op, ViewLayout<std::int64_t>& layout) {
  return viewed(op, op.row->view.known, layout, SizeMath<std::int64_t>());
}

bool viewOf(const Op& op, ViewLayout<HintedSize>& layout, SizeFacts& facts) {
  return viewed(op, op.row->view.hinted, layout, SizeMath<HintedSize>(facts));
}

void failImpossibleView(const Op& op, const Form& operand) {
  failProgram(op.place, nameOf(op) + ": a tensor of shape " + toString(operand.shape) +
                            " with strides " + toString(operand.strides) +
                            " cannot be seen in that shape without a copy; write .reshape(...)");
}

ValueType inferType(const Op& op, std::span<const ValueType> operands, OpTypes* types) {
  OpTypes made = checkedTypes(op, operands);
  ValueType type{{}, made.result};
  if (types) *types = std::move(made);
  switch (op.row->kind) {
    case OpKind::pointwise:
      type.shape = broadcastAll(op, operands);
      break;
    case OpKind::view: {
      ViewLayout<std::int64_t> layout{SizeList<std::int64_t>(operands[0].shape),
                                      SizeList<std::int64_t>(contiguousStrides(operands[0].shape))};
      viewOf(op, layout);
      type.dtype = operands[0].dtype;
      for (const std::int64_t extent : layout.extents) type.shape.push(extent);
      break;
    }
    case OpKind::reduce: {
      const Shape& shape = operands[0].shape;
      const std::uint32_t mask = reducedMask(op, shape.rank());
      checkNotEmpty(op, shape, mask);
      type.shape = reducedShape(shape, mask, op.keepDims);
      break;
    }
  }
  return type;
}

namespace {

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
    for (std::size_t i = 0; i < inputs.size(); ++i) add(inputs[i].dtype, numberOf(inputs[i].shape));
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
  Shape shapeOf(ValueId value) const {
    return types_.shapes[static_cast<std::size_t>(values_[value].shape)];
  }

  /// What the program relies on about sizes that are known by now.
  void checkSizes() {
    const auto known = next_ - values_ - static_cast<std::ptrdiff_t>(program_.inputs.size());
    for (; check_ < program_.checks.size() && program_.checks[check_].beforeOp <= known; ++check_) {
      const SizeCheck& check = program_.checks[check_];
      const bool holds = sizes_.at(check.condition, check.place).number != 0;
      if (holds != check.expected) failProgram(check.place, check.message);
    }
  }

  void add(DType dtype, int shape) { *next_++ = {dtype, false, false, false, shape}; }
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
  /// it then is. Marks what it reads; in one pass, for it is nearly always so.
  bool leads(const Op& op, int& space) {
    if (!op.row->plain) return false;
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

  /// Whether an op makes one float32 of all elements of a float32 tensor, and of none, too, as the
  /// last one of many programs does. Then no more is to be found out.
  bool totals(const Op& op) const {
    const OpRow& row = *op.row;
    return row.kind == OpKind::reduce && row.result == ResultType::number && !op.dims &&
           !op.keepDims && row.takes < Takes::whole && info(row.accumulate).emptyAllowed &&
           row.truthOperands == 0 && valueOf(op.operands.front()).dtype == DType::float32;
  }

  void addAny(const Op& op) {
    if (totals(op)) {
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
    types_.views |= op.row->kind == OpKind::view;
    std::array<ValueType, kMostOperands> operands;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (op.operands[i].isNumber()) continue;
      const SharedTypes::Value& value = read(op.operands[i]);
      operands[i] = {types_.shapes[static_cast<std::size_t>(value.shape)], value.dtype};
    }
    try {
      OpTypes types;
      const ValueType type = inferType(op, {operands.data(), op.operands.size()}, &types);
      add(type.dtype, numberOf(type.shape));
      bool usual = types.usual(*op.row);
      for (const Operand& operand : op.operands)
        if (!operand.isNumber()) usual &= isUsual(valueOf(operand).dtype);
      next_[-1].unusual = !usual;
    } catch (const ProgramError& error) {
      failProgram(error.place(), error.what() + (" (in " + textOf(program_, op) + ")"));
    }
  }

  const SharedTypes::Value& read(const Operand& operand) {
    SharedTypes::Value& value = valueOf(operand);
    value.read = true;
    return value;
  }

  int numberOf(const Shape& shape) {
    const auto found = std::find(types_.shapes.begin(), types_.shapes.end(), shape);
    const auto number = static_cast<int>(found - types_.shapes.begin());
    if (found == types_.shapes.end()) types_.shapes.push_back(shape);
    return number;
  }

  /// Of the usual op, on float32 operands of one shape, and numbers: that shape, which is the
  /// result's; -1 for any other op.
  int shapeOfLikes(const Op& op) const {
    if (!op.row->plain) return -1;
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
  return types;
}

}  // namespace fusebench
