// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "engine/language/expression_text.h"
#include "engine/language/program.h"

namespace fusebench {
namespace {

/// A text as Python writes it, on one line.
std::string quotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "'";
}

/// Prints programs. Within a statement each op's result stands where it is used; results that are
/// used more than once, or elsewhere, get a name first.
class Printer {
 public:
  explicit Printer(const Program& program)
      : program_(program),
        printer_([this](ValueId value) { return piece(value); }, "torch.nn.functional.",
                 &program.sizes) {
    pieces_.resize(static_cast<std::size_t>(program.valueCount()));
    uses_.resize(pieces_.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      for (const Operand& operand : program.ops[i].operands)
        if (!operand.isNumber()) use(operand.value, static_cast<int>(i), program.ops[i].statement);
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      useSizes(program.ops[i], static_cast<int>(i));
    for (const SizeCheck& check : program.checks)
      if (check.ofValue()) {  // named, as a size is
        use(check.value, check.beforeOp, -3);
        use(check.value, check.beforeOp, -3);
      } else {
        useLeaves(check.condition, check.beforeOp);
      }
    for (ValueId output : program.outputs) use(output, static_cast<int>(program.ops.size()), -1);
    for (const Statement& statement : program.statements) taken_.push_back(statement.target);
    taken_.insert(taken_.end(), program.inputs.begin(), program.inputs.end());
  }

  std::string run() {
    std::string header = "def program(";
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      header += (i > 0 ? ", " : "") + program_.inputs[i];
      bind(static_cast<ValueId>(i), program_.inputs[i]);
    }
    text_ = header + "):\n";
    for (const Statement& statement : program_.statements) {
      checks();
      const int end = statement.firstOp + statement.opCount;
      keepOld(statement.target, statement.value, end);
      while (next_ < end) op(statement.value);
      line(statement.target + " = " + piece(statement.value).text);
      bind(statement.value, statement.target);
    }
    while (next_ < static_cast<int>(program_.ops.size())) op(-1);
    checks();
    std::string returned;
    for (ValueId output : program_.outputs)
      returned += (returned.empty() ? "" : ", ") + piece(output).text;
    return text_ + "    return " + returned + "\n";
  }

 private:
  struct Uses {
    int count = 0;
    int last = -1;       ///< op, or the number of ops for the return
    int statement = -2;  ///< the one that uses it; -3: several
  };

  void use(ValueId value, int op, int statement) {
    Uses& uses = uses_[static_cast<std::size_t>(value)];
    uses.statement = uses.count == 0 || uses.statement == statement ? statement : -3;
    ++uses.count;
    uses.last = std::max(uses.last, op);
  }

  /// A value whose size is asked is named: its text would be evaluated once more.
  void useLeaves(SizeId size, int op) {
    for (const SizeLeaf& leaf : program_.sizes.leaves(size)) {
      use(leaf.value, op, -3);
      use(leaf.value, op, -3);
    }
  }

  void useSizes(const Op& op, int index) {
    if (!op.dependsOnSizes()) return;
    for (const Operand& operand : op.operands)
      if (operand.size >= 0) useLeaves(operand.size, index);
    for (const SizeId id : op.parameterSizes)
      if (id >= 0) useLeaves(id, index);
    for (const SizeId id : op.sizes)
      if (id >= 0) useLeaves(id, index);
  }

  /// What the program relies on before the op that comes next.
  void checks() {
    for (; check_ < program_.checks.size() && program_.checks[check_].beforeOp <= next_; ++check_) {
      const SizeCheck& check = program_.checks[check_];
      const std::string condition =
          check.ofValue() ? within(piece(check.value), kAtom) : printer_.size(check.condition).text;
      line("assert " + (check.expected ? "" : std::string("not ")) + condition +
           (check.ofValue() ? ", " + quotedText(check.message) : std::string()));
    }
  }

  Piece& piece(ValueId value) { return pieces_[static_cast<std::size_t>(value)]; }

  void line(const std::string& content) { text_ += "    " + content + "\n"; }

  void bind(ValueId value, const std::string& name) {
    bound_[name] = value;
    piece(value) = {name, kAtom};
  }

  /// Before `name` is given to `value` by ops before `end`: another value that goes by it and is
  /// needed later gets another.
  void keepOld(const std::string& name, ValueId value, int end) {
    const auto found = bound_.find(name);
    if (found == bound_.end() || found->second == value) return;
    const ValueId old = found->second;
    if (piece(old).text != name) return;
    for (const auto& [other, bound] : bound_)
      if (bound == old && other != name) return bind(old, other);
    if (uses_[static_cast<std::size_t>(old)].last < end) return;
    const std::string fresh = freshName();
    line(fresh + " = " + name);
    bind(old, fresh);
  }

  void op(ValueId named) {
    checks();
    const Op& op = program_.ops[static_cast<std::size_t>(next_)];
    const ValueId value = program_.result(next_++);
    const Uses& uses = uses_[static_cast<std::size_t>(value)];
    piece(value) = printer_.expression(op);
    if (value == named || (uses.count < 2 && uses.statement == op.statement)) return;
    const std::string name = freshName();
    line(name + " = " + piece(value).text);
    bind(value, name);
  }

  std::string freshName() {
    std::string name;
    do name = "t" + std::to_string(++temporaries_);
    while (std::find(taken_.begin(), taken_.end(), name) != taken_.end());
    return name;
  }

  const Program& program_;
  ExpressionPrinter printer_;
  std::string text_;
  std::vector<Piece> pieces_;  ///< by value: how it is written at this point
  std::vector<Uses> uses_;     ///< by value
  std::map<std::string, ValueId> bound_;
  std::vector<std::string> taken_;
  int next_ = 0;  ///< op to print
  int temporaries_ = 0;
  std::size_t check_ = 0;  ///< the next to print
};

}  // namespace

std::string toText(const Program& program) {
  return Printer(program).run();
}

}  // namespace fusebench
