// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

/// Copies ops into a new program, translating the values that they read.
class Remap {
 public:
  Remap(const Program& from, Program& to)
      : from_(from), to_(to), values_(static_cast<std::size_t>(from.valueCount())) {
    for (std::size_t i = 0; i < from.inputs.size(); ++i) values_[i] = static_cast<ValueId>(i);
  }

  ValueId at(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }
  void set(ValueId value, ValueId now) { values_[static_cast<std::size_t>(value)] = now; }

  void copy(int firstOp, int count, int statement) {
    for (int i = firstOp; i < firstOp + count; ++i) {
      Op op = from_.ops[static_cast<std::size_t>(i)];
      for (Operand& operand : op.operands)
        if (!operand.isNumber()) operand.value = at(operand.value);
      if (op.writesInto()) op.into = at(op.into);
      op.statement = statement;
      takeSizes(op);
      takeChecks(i);
      set(from_.result(i), to_.result(static_cast<int>(to_.ops.size())));
      to_.ops.push_back(std::move(op));
    }
    takeChecks(firstOp + count);
  }

 private:
  /// The op's sizes, of the values that it now reads.
  void takeSizes(Op& op) {
    if (!op.dependsOnSizes()) return;
    std::map<SizeId, SizeId> done;
    const auto take = [&](SizeId& id) {
      if (id >= 0)
        id = to_.sizes.adopt(from_.sizes, id, done, [this](ValueId value) { return at(value); });
    };
    for (Operand& operand : op.operands) take(operand.size);
    for (SizeId& id : op.parameterSizes) take(id);
    for (SizeId& id : op.sizes) take(id);
  }

  /// The checks that are made when op `op` is reached, the first time that it is.
  void takeChecks(int op) {
    for (; check_ < from_.checks.size() && from_.checks[check_].beforeOp <= op; ++check_) {
      SizeCheck check = from_.checks[check_];
      std::map<SizeId, SizeId> done;
      if (check.ofValue())
        check.value = at(check.value);
      else
        check.condition = to_.sizes.adopt(from_.sizes, check.condition, done,
                                          [this](ValueId value) { return at(value); });
      check.beforeOp = static_cast<int>(to_.ops.size());
      to_.checks.push_back(std::move(check));
    }
  }

  const Program& from_;
  Program& to_;
  std::vector<ValueId> values_;
  std::size_t check_ = 0;  ///< the next of the checks to take
};

/// The source of the first n statements, which return the values in `returned`.
std::shared_ptr<const ProgramSource> firstOfSource(const Program& program, int n,
                                                   std::string returned) {
  if (!program.source) return nullptr;
  ProgramSource source = *program.source;
  source.statements = n;
  source.returned = std::move(returned);
  return std::make_shared<const ProgramSource>(std::move(source));
}

int returnOpsBegin(const Program& program) {
  const auto first = std::find_if(program.ops.begin(), program.ops.end(),
                                  [](const Op& op) { return op.statement < 0; });
  return static_cast<int>(first - program.ops.begin());
}

/// The input that a chain rebinds: the only one called as its statements' targets; -1 without one.
ValueId chainInput(const Program& program) {
  if (program.statements.empty()) return -1;
  const auto found =
      std::find(program.inputs.begin(), program.inputs.end(), program.statements.front().target);
  return found == program.inputs.end() ? -1 : static_cast<ValueId>(found - program.inputs.begin());
}

/// Whether ops [begin, begin + count) read no values but `current`, each other's results, and
/// inputs other than `rebound`.
bool readsOnly(const Program& program, int begin, int count, ValueId current, ValueId rebound) {
  const ValueId inputs = static_cast<ValueId>(program.inputs.size());
  for (int i = begin; i < begin + count; ++i)
    for (const Operand& operand : program.ops[static_cast<std::size_t>(i)].operands) {
      const ValueId v = operand.value;
      const bool own = v >= program.result(begin) && v < program.result(i);
      const bool constant = v < inputs && v != rebound;
      if (!operand.isNumber() && v != current && !own && !constant) return false;
    }
  return true;
}

bool reads(const Program& program, int begin, int count, ValueId value) {
  for (int i = begin; i < begin + count; ++i)
    for (const Operand& operand : program.ops[static_cast<std::size_t>(i)].operands)
      if (operand.value == value) return true;
  return false;
}

/// Whether the statement makes a new value of `current`, or is another name for it.
bool continues(const Program& program, const Statement& statement, ValueId current) {
  if (statement.opCount == 0) return statement.value == current;
  return reads(program, statement.firstOp, statement.opCount, current);
}

Program firstOfChain(const Program& program, int n) {
  Program result;
  result.inputs = program.inputs;
  result.returnText = program.returnText;
  result.writesInto = program.writesInto;
  result.asksGradients = program.asksGradients;
  result.autocasts = program.autocasts;
  Remap remap(program, result);
  ValueId current = chainInput(program);
  const int length = static_cast<int>(program.statements.size());
  for (int i = 0; i < n; ++i) {
    const Statement& source = program.statements[static_cast<std::size_t>(i % length)];
    const ValueId before = i % length == 0
                               ? chainInput(program)
                               : program.statements[static_cast<std::size_t>(i % length - 1)].value;
    remap.set(before, current);
    Statement copy = source;
    copy.firstOp = static_cast<int>(result.ops.size());
    remap.copy(source.firstOp, source.opCount, i);
    current = copy.value = remap.at(source.value);
    result.statements.push_back(std::move(copy));
    // The input's own place is needed again when the chain starts over.
    remap.set(chainInput(program), chainInput(program));
  }
  remap.set(program.statements.back().value, current);
  const int first = returnOpsBegin(program);
  remap.copy(first, static_cast<int>(program.ops.size()) - first, -1);
  for (ValueId output : program.outputs) result.outputs.push_back(remap.at(output));
  result.source = firstOfSource(program, n, program.returnText);
  return result;
}

}  // namespace

ValueId sameTensor(const Program& program, ValueId value) {
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  while (value >= inputs) {
    const Op& op = program.ops[static_cast<std::size_t>(value - inputs)];
    if (!op.writesInto()) break;
    value = op.into;
  }
  return value;
}

ValueId writtenRoot(std::span<const Op> ops, ValueId firstResult, ValueId value) {
  while (value >= firstResult) {
    const Op& op = ops[static_cast<std::size_t>(value - firstResult)];
    if (op.writesInto())
      value = op.into;
    else if (op.row && (op.row->kind == OpKind::view || op.row->kind == OpKind::copy) &&
             !op.operands.front().isNumber())
      value = op.operands.front().value;
    else
      break;
  }
  return value;
}

ValueId writtenRoot(const Program& program, ValueId value) {
  return writtenRoot(program.ops, static_cast<ValueId>(program.inputs.size()), value);
}

bool InitialValues::areDrawn() const {
  return kind == Kind::numbers && high - low > 1 &&
         std::ranges::all_of(numbers, [this](double number) {
           return number == std::floor(number) && number >= low && number < high;
         });
}

std::vector<bool> writtenInputs(const Program& program) {
  std::vector<bool> written(program.inputs.size(), false);
  for (const Op& op : program.ops) {
    if (!op.writesInto()) continue;
    const ValueId root = writtenRoot(program, op.into);
    if (root < static_cast<ValueId>(written.size())) written[static_cast<std::size_t>(root)] = true;
  }
  return written;
}

bool checksValues(const Program& program) {
  return std::any_of(program.checks.begin(), program.checks.end(),
                     [](const SizeCheck& check) { return check.ofValue(); });
}

Program onlyFor(const Program& program, ValueId output) {
  std::vector<bool> needed(program.ops.size());
  std::vector<bool> roots(static_cast<std::size_t>(program.valueCount()));  // memory that is read
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  const auto need = [&](ValueId value) {
    roots[static_cast<std::size_t>(writtenRoot(program, value))] = true;
    if (value >= inputs) needed[static_cast<std::size_t>(value - inputs)] = true;
  };
  const auto needSize = [&](SizeId size) {
    if (size >= 0)
      for (const SizeLeaf& leaf : program.sizes.leaves(size)) need(leaf.value);
  };
  need(output);
  for (std::size_t i = needed.size(); i-- > 0;) {
    const Op& op = program.ops[i];
    if (op.writesInto() && roots[static_cast<std::size_t>(writtenRoot(program, op.into))])
      needed[i] = true;
    if (!needed[i]) continue;
    if (op.writesInto()) need(op.into);
    for (const Operand& operand : op.operands) {
      if (!operand.isNumber()) need(operand.value);
      needSize(operand.size);
    }
    for (const SizeId size : op.parameterSizes) needSize(size);
    for (const SizeId size : op.sizes) needSize(size);
  }
  Program result;
  result.inputs = program.inputs;
  result.held = program.held;
  Remap remap(program, result);
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) remap.copy(static_cast<int>(i), 1, -1);
  for (const Op& op : result.ops) {
    result.asksGradients |= op.row->kind == OpKind::gradient;
    result.autocasts |= op.autocast.isOn();
    result.writesInto |= op.writesInto();
  }
  result.outputs = {remap.at(output)};
  return result;
}

Program withCheckedReturned(const Program& program) {
  Program result = program;
  for (const SizeCheck& check : program.checks)
    if (check.ofValue()) result.outputs.push_back(check.value);
  std::erase_if(result.checks, [](const SizeCheck& check) { return check.ofValue(); });
  return result;
}

namespace {

/// Returns the tensor that a statement has written to, once.
void returnWritten(Program& program, ValueId written) {
  const ValueId root = writtenRoot(program, written);
  if (std::find(program.outputs.begin(), program.outputs.end(), root) != program.outputs.end())
    return;
  program.outputs.push_back(root);
  const auto input = static_cast<std::size_t>(root);
  if (input >= program.inputs.size()) return;
  program.returnText += (program.returnText.empty() ? "" : ", ") + program.inputs[input];
}

/// The first n of a program's own statements; what they compute, still name, and do not use is
/// returned.
Program firstOfBranching(const Program& program, int n) {
  Program result;
  result.inputs = program.inputs;
  result.asksGradients = program.asksGradients;
  result.autocasts = program.autocasts;
  result.statements.assign(program.statements.begin(), program.statements.begin() + n);
  const Statement& last = result.statements.back();
  result.ops.assign(program.ops.begin(), program.ops.begin() + last.firstOp + last.opCount);
  result.sizes = program.sizes;
  result.writesInto = program.writesInto;
  for (const SizeCheck& check : program.checks)
    if (check.beforeOp <= static_cast<int>(result.ops.size())) result.checks.push_back(check);
  std::vector<bool> used(static_cast<std::size_t>(result.valueCount()));
  for (const Op& op : result.ops)
    for (const Operand& operand : op.operands)
      if (!operand.isNumber()) used[static_cast<std::size_t>(operand.value)] = true;
  for (const SizeCheck& check : result.checks)
    if (check.ofValue()) used[static_cast<std::size_t>(check.value)] = true;
  for (int i = 0; i < n; ++i) {
    const Statement& statement = result.statements[static_cast<std::size_t>(i)];
    const bool renamed =
        std::any_of(result.statements.begin() + i + 1, result.statements.end(),
                    [&](const Statement& later) { return later.target == statement.target; });
    const bool there = std::find(result.outputs.begin(), result.outputs.end(), statement.value) !=
                       result.outputs.end();
    const ValueId made = statement.value - static_cast<ValueId>(result.inputs.size());
    // A line that only writes names nothing: what it wrote to is returned.
    if (made >= 0 && result.ops[static_cast<std::size_t>(made)].writesInto()) {
      returnWritten(result, statement.value);
      continue;
    }
    if (renamed || there || used[static_cast<std::size_t>(statement.value)]) continue;
    result.outputs.push_back(statement.value);
    result.returnText += (result.returnText.empty() ? "" : ", ") + statement.target;
  }
  // A tensor that a line wrote to may have no name.
  const auto named = std::ranges::count(result.returnText, ',') + 1;
  result.source = firstOfSource(
      program, n, named == std::ssize(result.outputs) ? result.returnText : std::string());
  return result;
}

}  // namespace

bool Program::isChain() const {
  if (!branches.empty()) return false;
  const ValueId start = chainInput(*this);
  if (start < 0) return false;
  ValueId current = start;
  for (const Statement& statement : statements) {
    if (statement.target != statements.front().target) return false;
    if (!continues(*this, statement, current)) return false;
    if (!readsOnly(*this, statement.firstOp, statement.opCount, current, start)) return false;
    current = statement.value;
  }
  const int first = returnOpsBegin(*this);
  const int count = static_cast<int>(ops.size()) - first;
  const ValueId returned = result(first);
  const bool used = reads(*this, first, count, current) ||
                    std::find(outputs.begin(), outputs.end(), current) != outputs.end();
  return used && readsOnly(*this, first, count, current, start) &&
         std::all_of(outputs.begin(), outputs.end(),
                     [&](ValueId output) { return output == current || output >= returned; });
}

Program firstStatements(const Program& program, int n) {
  const int length = static_cast<int>(program.statements.size());
  if (n < 1)
    failProgram({}, "asked for the first " + std::to_string(n) + " statements; the first is 1");
  if (length == 0) failProgram({}, "the program has no statements to take the first of");
  if (n != length)
    refuseBranches(program, "the number of its statements is no axis of a program with a choice");
  if (program.isChain()) return firstOfChain(program, n);
  if (n > length)
    failProgram({}, "asked for the first " + std::to_string(n) + " statements of " +
                        std::to_string(length) +
                        "; only a chain, in which every statement rebinds the one name, can cycle");
  return n == length ? program : firstOfBranching(program, n);
}

}  // namespace fusebench
