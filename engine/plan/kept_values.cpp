// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/kept_values.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/language/program_errors.h"
#include "engine/plan/saved_values.h"

namespace fusebench {

bool KeptValues::isWritten(ValueId value) const {
  if (!ops_.program().writesInto) return false;
  const ValueId root = writtenRoot(ops_.program(), value);
  for (std::size_t i = 0; i < forward_; ++i)
    if (opAt(i).writesInto() && writtenRoot(ops_.program(), opAt(i).into) == root) return true;
  return false;
}

void KeptValues::checkKept(ValueId value, int segment) const {
  if (!ops_.program().writesInto) return;
  const ValueId root = writtenRoot(ops_.program(), value);
  for (std::size_t k = entered_; k < forward_; ++k) {
    const Op& op = opAt(k);
    // A recomputed value is written to only by recomputed ops of its own segment.
    if (segment >= 0 && op.segment != segment) continue;
    if (!op.writesInto() || writtenRoot(ops_.program(), op.into) != root) continue;
    if (k == entered_ && value == result(k)) continue;
    if (k == entered_) throw WrittenOver{k};
    failProgram(
        op.place,
        fmt::format("one of the variables needed for gradient computation has been modified "
                    "by an inplace operation: the gradient of {} in line {} needs what {} "
                    "in line {} writes over; write to another tensor, or clone() it before",
                    opAt(entered_).row->name, opAt(entered_).place.line, op.row->name,
                    op.place.line));
  }
}

void KeptValues::enter(std::size_t op, const Operand& gradient) {
  entered_ = op;
  remake(op);
  // A number exists from the start. But the gradient of a contraction is a separate step, which
  // runs after the contraction.
  after_ =
      gradient.isNumber() && opAt(op).row->kind == OpKind::contract ? result(op) : gradient.value;
  level_ = after_ < 0 ? 0 : level(after_);
}

Operand KeptValues::read(ValueId value, int segment) {
  if (segment >= 0) {
    const auto& values = remade_.at(segment);
    if (const auto found = values.find(value); found != values.end()) {
      checkKept(value, segment);
      return Operand::ofValue(found->second);
    }
  }
  checkKept(value, -1);
  if (isView(value)) return seen(value, segment);
  if (isWritten(value) || level(value) >= level_) return Operand::ofValue(value);
  needed_.insert(value);
  const bool anew = policy_ == SavePolicy::fewest && !isSaved(value);
  return Operand::ofValue(anew ? again(value) : value);
}

void KeptValues::defer(std::size_t first) {
  if (policy_ != SavePolicy::fewest || after_ < 0) return;
  const std::size_t count = ops_.program().ops.size() - first;
  std::vector<ValueId> of(count,
                          -1);  // the one value that it is computed from; -1: none or several
  for (std::size_t n = 0; n < count; ++n) {
    const Op& op = opAt(first + n);
    if (op.row->kind != OpKind::pointwise || level(result(first + n)) >= level_) continue;
    bool one = true;
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      const std::size_t at = index(operand.value);
      const ValueId from = at < inputs_ + first ? operand.value : of[at - inputs_ - first];
      one = one && from >= 0 && (of[n] < 0 || of[n] == from);
      of[n] = from;
    }
    const auto bytes = [&](ValueId value) {
      const ValueType& type = ops_.type(value);
      return checkedMultiply(elementCount(type.shape),
                             static_cast<std::int64_t>(info(type.dtype).size));
    };
    if (!one || of[n] < 0 || bytes(of[n]) > bytes(result(first + n))) of[n] = -1;
  }
  // The operands of an op that is not delayed must not be delayed either.
  for (std::size_t n = count; n-- > 0;) {
    const Op& op = opAt(first + n);
    const bool early =
        of[n] < 0 && op.row->kind == OpKind::pointwise && level(result(first + n)) < level_;
    for (const Operand& operand : op.operands)
      if (early && !operand.isNumber() && index(operand.value) >= inputs_ + first)
        of[index(operand.value) - inputs_ - first] = -1;
  }
  for (std::size_t n = 0; n < count; ++n)
    if (of[n] >= 0) ops_.program().ops[first + n].after = after_;
}

bool KeptValues::isView(ValueId value) const {
  return index(value) >= inputs_ && index(value) < inputs_ + forward_ &&
         opAt(index(value) - inputs_).row->kind == OpKind::view && !isWritten(value);
}

Operand KeptValues::seen(ValueId value, int segment) {
  const std::size_t op = index(value) - inputs_;
  const Operand of = opAt(op).operands[0];
  const Operand now = read(of.value, segment);
  if (now.value == of.value) return Operand::ofValue(value);
  std::map<ValueId, ValueId>& values = again_[level_];
  const auto [found, added] = values.try_emplace(value, -1);
  if (added) {
    Op view = reading(op, {{of.value, now.value}});
    view.derivativeOf = static_cast<int>(op);
    found->second = ops_.append(std::move(view));
  }
  return Operand::ofValue(found->second);
}

Op KeptValues::reading(std::size_t i, const std::map<ValueId, ValueId>& values) const {
  Op op = opAt(i);
  for (Operand& operand : op.operands)
    if (const auto found = values.find(operand.value); found != values.end())
      operand.value = found->second;
  return op;
}

void KeptValues::remake(std::size_t by) {
  const int segment = opAt(by).segment;
  if (segment < 0 || remade_.contains(segment)) return;
  std::map<ValueId, ValueId>& values = remade_[segment];
  for (std::size_t i = 0; i < forward_; ++i) {
    if (opAt(i).segment != segment) continue;
    Op op = reading(i, values);
    op.derivativeOf = static_cast<int>(by);
    if (const auto found = values.find(op.into); op.writesInto() && found != values.end())
      op.into = found->second;
    if (!isRemadeAlike(i, op))
      failProgram(
          opAt(i).place,
          "a checkpointed part may only write to tensors that it created itself, and may not "
          "read what is written to later; clone() it, or write to another tensor");
    values[result(i)] = ops_.append(std::move(op));
  }
}

bool KeptValues::isRemadeAlike(std::size_t i, const Op& anew) const {
  const Program& program = ops_.program();
  if (!program.writesInto) return true;
  const Op& op = opAt(i);
  const auto isRemade = [&](ValueId value) {
    return index(writtenRoot(program, value)) >= inputs_ + forward_;
  };
  if (anew.writesInto() && !isRemade(anew.into)) return false;
  for (std::size_t o = 0; o < op.operands.size(); ++o) {
    if (!reads(op, op.operands[o])) continue;
    const bool remade = isRemade(anew.operands[o].value);
    const ValueId root = writtenRoot(program, op.operands[o].value);
    // For a recomputed value the writes of its segment are repeated, and no others. For a saved
    // value all writes have happened by then.
    for (std::size_t k = 0; k < forward_; ++k) {
      const Op& write = opAt(k);
      if (!write.writesInto() || writtenRoot(program, write.into) != root) continue;
      if (remade ? k < i && write.segment != op.segment : k > i) return false;
    }
  }
  return true;
}

int KeptValues::level(ValueId value) {
  for (std::size_t i = levels_.size() - inputs_; inputs_ + i <= index(value); ++i) {
    const Op& op = opAt(i);
    int most = 0;
    for (const Operand& operand : op.operands)
      if (!operand.isNumber()) most = std::max(most, levels_[index(operand.value)]);
    levels_.push_back(most + (op.row->kind == OpKind::pointwise ? 0 : 1));
  }
  return levels_[index(value)];
}

bool KeptValues::cone(ValueId value, const Shape& space, std::vector<ValueId>& made,
                      std::vector<ValueId>& read) const {
  if (std::ranges::find(made, value) != made.end()) return true;
  if (isWritten(value)) return false;  // its memory has other contents by then
  const std::size_t op = index(value) - inputs_;
  const bool computed = index(value) >= inputs_ && index(value) < inputs_ + forward_ &&
                        !isSaved(value) && isCheapAnew(opAt(op)) && ops_.type(value).shape == space;
  if (!computed) {
    if (ops_.type(value).shape == space && std::ranges::find(read, value) == read.end())
      read.push_back(value);
    return read.size() <= kMostRead;
  }
  for (const Operand& operand : opAt(op).operands)
    if (!operand.isNumber() && !cone(operand.value, space, made, read)) return false;
  made.push_back(value);
  return made.size() <= kMostRemade;
}

ValueId KeptValues::again(ValueId value) {
  std::map<ValueId, ValueId>& values = again_[level_];
  if (const auto found = values.find(value); found != values.end()) return found->second;
  std::vector<ValueId> made, read;
  if (!cone(value, ops_.type(value).shape, made, read)) return values[value] = value;
  for (const ValueId each : made) {
    if (values.contains(each)) continue;
    const std::size_t of = index(each) - inputs_;
    Op op = reading(of, values);
    op.derivativeOf = static_cast<int>(of);
    op.after = after_;
    values[each] = ops_.append(std::move(op));
  }
  return made.empty() ? value : values[value];
}

}  // namespace fusebench
