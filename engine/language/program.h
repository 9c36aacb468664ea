// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/form.h"
#include "engine/base/shape.h"
#include "engine/base/short_list.h"
#include "engine/ops/op_types.h"
#include "engine/ops/ops.h"

namespace fusebench {

/// Where something stands in a program's text; line and column count from 1, 0 is "nowhere".
struct SourcePlace {
  int line = 0;
  int column = 0;
};

/// The user's program is wrong. what() is one line, what was found and what would be right; place()
/// says where in the program's text.
class ProgramError : public std::runtime_error {
 public:
  ProgramError(SourcePlace place, const std::string& message)
      : std::runtime_error(message), place_(place) {}
  SourcePlace place() const { return place_; }

 private:
  SourcePlace place_;
};

/// A value of a program: inputs first, then one per op, in order.
using ValueId = int;

/// A tensor operand: a value, or a Python number standing where a tensor could.
struct Operand {
  ValueId value = -1;  ///< -1: it is the number
  double number = 0;
  bool integer =
      false;  ///< the number is a Python int: with truth operands alone, PyTorch makes int64
  bool isNumber() const { return value < 0; }
};

/// One application of an op row.
struct Op {
  const OpRow* row = nullptr;
  std::vector<Operand> operands;  ///< row->arity of them
  std::vector<double>
      parameters;  ///< one per row parameter that is a number, integer or flag (dims: 0)
  std::optional<std::vector<int>>
      dims;  ///< reduce: the dims as written (may be negative); nothing: all
  bool keepDims = false;
  int statement = -1;  ///< index of the statement it belongs to; -1: the return
  SourcePlace place;
};

/// One assignment, `target = ...`: the ops [firstOp, firstOp + opCount) and the value it names.
struct Statement {
  std::string target;
  std::string text;  ///< as written, without comment and surrounding space
  int firstOp = 0;
  int opCount = 0;
  ValueId value = -1;  ///< what the target names afterwards
  SourcePlace place;
};

/// A program (op chain): statements in order over named inputs, and what is returned.
/// Ops are in execution order: those of the statements, then those of the return expression.
struct Program {
  std::vector<std::string> inputs;
  std::vector<Statement> statements;
  std::vector<Op> ops;
  std::vector<ValueId> outputs;  ///< of `return a, b`: one or more
  std::string returnText;        ///< the expression after `return`

  int valueCount() const { return static_cast<int>(inputs.size() + ops.size()); }
  ValueId result(int op) const { return static_cast<ValueId>(inputs.size()) + op; }

  /// Whether every statement rebinds the one name that it and the return read: then it may cycle.
  /// Inputs that no statement rebinds may be read beside it.
  bool isChain() const;
};

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
    int shape = 0;  ///< in `shapes`; values of equal shape have the same
  };
  ShortList<Shape, 3> shapes;  ///< no two are equal
  ShortList<Value, 64> values;
  int leading = 0;  ///< so many ops from the first on are element-wise, on operands of one shape
};
/// Throws as inferTypes does.
SharedTypes inferSharedTypes(const Program& program, Forms inputs);

/// The type of one op's result; `operands` has an entry per operand (numbers: anything). `types`,
/// if not null, gets what it is computed in.
ValueType inferType(const Op& op, std::span<const ValueType> operands, OpTypes* types = nullptr);

/// What an op computes in: `typeOf(value)` is the ValueType of a tensor operand.
template <class TypeOf>
OpTypes opTypesOf(const Op& op, const TypeOf& typeOf) {
  std::array<OperandType, kMostOperands> operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Operand& operand = op.operands[i];
    if (operand.isNumber()) {
      operands[i] = typeOfNumber(operand.integer);
      continue;
    }
    const auto [dtype, rank] = typeOf(operand.value);
    operands[i] = {dtype,
                   rank > 0 ? OperandType::Weight::dimensioned : OperandType::Weight::scalar};
  }
  return opTypes(*op.row, {operands.data(), op.operands.size()}, op.parameters);
}

/// Bit i set: dimension i of a tensor of `rank` is reduced by `op`. Throws ProgramError for a
/// dimension out of range or named twice.
std::uint32_t reducedMask(const Op& op, int rank);

}  // namespace fusebench
