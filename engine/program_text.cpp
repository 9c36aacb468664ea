// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "engine/op_choices.h"
#include "engine/program.h"

namespace fusebench {
namespace {

std::string printed(double number, bool integer) {
  if (std::isnan(number)) return "float('nan')";
  if (std::isinf(number)) return number > 0 ? "float('inf')" : "float('-inf')";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  std::string text(buffer.data(), end);
  if (integer && text.find_first_of("e.") != std::string::npos) {
    const auto whole = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                     std::chars_format::fixed)
                           .ptr;
    text.assign(buffer.data(), whole);
  }
  if (!integer && text.find_first_of("e.") == std::string::npos) text += ".0";
  return text;
}

/// How tightly a piece of an expression holds together, as in Python's grammar.
enum Tightness { kComparison, kSum, kProduct, kUnary, kPower, kAtom };

struct Piece {
  std::string text;
  Tightness tightness = kAtom;
};

std::string within(const Piece& piece, Tightness least) {
  return piece.tightness >= least ? piece.text : "(" + piece.text + ")";
}

Tightness tightnessOf(std::string_view symbol) {
  if (symbol == "**") return kPower;
  if (symbol == "*" || symbol == "/" || symbol == "//" || symbol == "%") return kProduct;
  if (symbol == "+" || symbol == "-") return kSum;
  return kComparison;
}

bool isOperator(std::string_view spelling) {
  return spelling.find('.') == std::string_view::npos;
}

/// The choice that leads to `row` from another one; null if it has a spelling of its own.
const OpChoice* choiceOf(const OpRow& row) {
  for (const OpChoice& choice : opChoices())
    if (choice.to == row.name && row.spellings.size() == 0) return &choice;
  return nullptr;
}

/// Prints programs. Within a statement each op's result stands where it is used; results that are
/// used more than once, or elsewhere, get a name first.
class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {
    pieces_.resize(static_cast<std::size_t>(program.valueCount()));
    uses_.resize(pieces_.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      for (const Operand& operand : program.ops[i].operands)
        if (!operand.isNumber()) use(operand.value, static_cast<int>(i), program.ops[i].statement);
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
      while (next_ < statement.firstOp + statement.opCount) op(statement.value);
      keepOld(statement.target, statement.value);
      line(statement.target + " = " + piece(statement.value).text);
      bind(statement.value, statement.target);
    }
    while (next_ < static_cast<int>(program_.ops.size())) op(-1);
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
    uses.last = op;
  }

  Piece& piece(ValueId value) { return pieces_[static_cast<std::size_t>(value)]; }

  void line(const std::string& content) { text_ += "    " + content + "\n"; }

  void bind(ValueId value, const std::string& name) {
    bound_[name] = value;
    piece(value) = {name, kAtom};
  }

  /// Before `name` is given to `value`: another value that goes by it and is needed later gets
  /// another.
  void keepOld(const std::string& name, ValueId value) {
    const auto found = bound_.find(name);
    if (found == bound_.end() || found->second == value) return;
    const ValueId old = found->second;
    if (piece(old).text != name) return;
    for (const auto& [other, bound] : bound_)
      if (bound == old && other != name) return bind(old, other);
    if (uses_[static_cast<std::size_t>(old)].last < next_) return;
    const std::string fresh = freshName();
    line(fresh + " = " + name);
    bind(old, fresh);
  }

  void op(ValueId named) {
    const Op& op = program_.ops[static_cast<std::size_t>(next_)];
    const ValueId value = program_.result(next_++);
    const Uses& uses = uses_[static_cast<std::size_t>(value)];
    piece(value) = expression(op);
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

  Piece expression(const Op& op) {
    const OpChoice* choice = choiceOf(*op.row);
    const OpRow& row = choice ? *findOp(choice->from) : *op.row;
    if (choice && choice->by == OpChoice::By::exponent)
      return {within(operand(op, 0), kAtom) + " ** " +
                  printed(choice->number, choice->number == std::round(choice->number)),
              kPower};
    const std::string_view spelling = *row.spellings.begin();
    // A keyword needs the function's form: torch.add(x, y, alpha=2.0).
    if (isOperator(spelling) && !choice) return operatorForm(op, spelling);
    return functionForm(op, row, choice);
  }

  Piece operand(const Op& op, int i) {
    const Operand& operand = op.operands[static_cast<std::size_t>(i)];
    if (!operand.isNumber()) return piece(operand.value);
    const bool negative =
        std::signbit(operand.number) && !std::isnan(operand.number) && !std::isinf(operand.number);
    return {printed(operand.number, operand.integer), negative ? kUnary : kAtom};
  }

  Piece operatorForm(const Op& op, std::string_view spelling) {
    if (op.operands.size() == 1) {
      const std::string symbol(spelling.substr(spelling.size() - 1));
      return {symbol + within(operand(op, 0), kUnary), kUnary};
    }
    const Tightness tightness = tightnessOf(spelling);
    Piece left = operand(op, 0), right = operand(op, 1);
    // ** groups to the right, comparisons not at all, the others to the left.
    const Tightness leftLeast = tightness == kPower        ? kAtom
                                : tightness == kComparison ? kSum
                                                           : tightness;
    const Tightness rightLeast =
        tightness == kPower ? kUnary : static_cast<Tightness>(tightness + 1);
    std::string text = within(left, leftLeast);
    text += " ";
    text += spelling;
    text += " " + within(right, rightLeast);
    return {std::move(text), tightness};
  }

  Piece functionForm(const Op& op, const OpRow& row, const OpChoice* choice) {
    std::string_view spelling = *row.spellings.begin();
    for (std::string_view each : row.spellings)  // an operator cannot take keywords
      if (isOperator(spelling) && each.substr(0, 6) == "torch.") spelling = each;
    std::string arguments, name(spelling);
    std::size_t first = 0;
    if (spelling.substr(0, 2) == "F.") name = "torch.nn.functional." + name.substr(2);
    if (spelling.substr(0, 2) == "x.") {
      name = within(operand(op, 0), kAtom) + name.substr(1);
      first = 1;
    }
    const auto add = [&](const std::string& argument) {
      arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    for (std::size_t i = first; i < op.operands.size(); ++i) {
      const std::string text = operand(op, static_cast<int>(i)).text;
      const bool bare = !op.operands[i].isNumber() || ((row.numberOperands >> i) & 1u);
      add(bare ? text : "torch.tensor(" + number(op.operands[i]) + ")");
    }
    bool keywords = parameters(op, add, false);
    if (choice && choice->by == OpChoice::By::text) {
      add(std::string(choice->keyword) + "='" + std::string(choice->text) + "'");
      keywords = true;
    }
    if (!keywords) parameters(op, add, true);
    return {name + "(" + arguments + ")", kAtom};
  }

  /// A number that stands for a tensor must be float32 to leave the result float32.
  static std::string number(const Operand& operand) { return printed(operand.number, false); }

  /// Adds the parameters that differ from their defaults. `limits`: those that are infinite limits
  /// instead, for clamp without any, which PyTorch does not accept.
  template <typename Add>
  static bool parameters(const Op& op, Add add, bool limits) {
    bool any = false;
    std::size_t i = 0;
    for (const Parameter& parameter : op.row->parameters) {
      const double value = op.parameters[i++];
      const bool same =
          value == parameter.fallback || (std::isnan(value) && std::isnan(parameter.fallback));
      std::string text;
      if (parameter.kind == Parameter::Kind::dims) {
        if (op.dims)
          text = dims(*op.dims);
        else if (op.keepDims)
          text = "()";
      } else if (parameter.kind == Parameter::Kind::flag) {
        if (!same) text = value != 0 ? "True" : "False";
      } else if (parameter.required || !same || op.row->spellings.size() == 0) {
        text = printed(value, parameter.kind == Parameter::Kind::integer);
      }
      if (limits) text = std::isinf(value) && value >= parameter.low ? printed(value, false) : "";
      if (text.empty()) continue;
      const bool unbiased = parameter.kind == Parameter::Kind::integer && !op.dims && !op.keepDims;
      add(unbiased ? correctionOfAll(value) : std::string(parameter.name) + "=" + text);
      any = true;
    }
    return any;
  }

  /// Without dim, PyTorch takes a correction only together with dim=None.
  static std::string correctionOfAll(double value) {
    if (value == 0) return "unbiased=False";
    return "dim=None, correction=" + printed(value, true);
  }

  static std::string dims(const std::vector<int>& dims) {
    if (dims.size() == 1) return std::to_string(dims[0]);
    std::string text = "(";
    for (std::size_t i = 0; i < dims.size(); ++i)
      text += (i > 0 ? ", " : "") + std::to_string(dims[i]);
    return text + ")";
  }

  const Program& program_;
  std::string text_;
  std::vector<Piece> pieces_;  ///< by value: how it is written at this point
  std::vector<Uses> uses_;     ///< by value
  std::map<std::string, ValueId> bound_;
  std::vector<std::string> taken_;
  int next_ = 0;  ///< op to print
  int temporaries_ = 0;
};

}  // namespace

std::string toText(const Program& program) {
  return Printer(program).run();
}

}  // namespace fusebench
