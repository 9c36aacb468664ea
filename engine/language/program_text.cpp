// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "engine/language/expression_text.h"
#include "engine/language/program.h"
#include "engine/language/program_branches.h"
#include "engine/language/text_pieces.h"

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

/// Prints programs. Within a statement each op's result is written where it is used; results that
/// are used more than once, or by other statements, get a name first.
class Printer {
 public:
  /// `taken`: names that none of the printer's own making may be.
  Printer(const Program& program, std::vector<std::string> taken)
      : program_(program),
        taken_(std::move(taken)),
        printer_([this](ValueId value) { return piece(value); }, "torch.nn.functional.",
                 &program.sizes,
                 [this](ValueId value) {
                   const auto made = value - static_cast<ValueId>(program_.inputs.size());
                   return made < 0 ? nullptr : &opAt(made);
                 }) {
    pieces_.resize(static_cast<std::size_t>(program.valueCount()));
    uses_.resize(pieces_.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      for (const Operand& operand : program.ops[i].operands)
        if (!operand.isNumber() && !isCheck(*program.ops[i].row))
          use(operand.value, static_cast<int>(i),
              staysTogether(operand.value, i) ? program.ops[i].statement : -3);
    // A value with a name of its own is not computed a second time for it.
    for (const Statement& statement : program.statements)
      if (statement.opCount == 0 && uses_[static_cast<std::size_t>(statement.value)].count > 0)
        use(statement.value, statement.firstOp, -3);
    nextWrite_.assign(program.ops.size(), static_cast<int>(program.ops.size()) + 1);
    for (std::size_t i = program.ops.size(); i-- > 0;) {
      if (i + 1 < program.ops.size())
        nextWrite_[i] =
            program.ops[i + 1].writesInto() ? static_cast<int>(i) + 1 : nextWrite_[i + 1];
      if (program.ops[i].writesInto()) noteWritten(program.ops[i], static_cast<int>(i));
    }
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      useSizes(program.ops[i], static_cast<int>(i));
    noteGradients();
    // What a gradient is of and by is named: its text would be another tensor.
    for (std::size_t i = 0; i < program.ops.size(); ++i)
      if (program.ops[i].row->kind == OpKind::gradient)
        for (const Operand& operand : program.ops[i].operands)
          for (int times = 0; times < 2; ++times) use(operand.value, static_cast<int>(i), -3);
    for (const SizeCheck& check : program.checks)
      if (check.ofIndex) {  // whatever reads the text makes it again
        continue;
      } else if (check.ofValue()) {  // named, as a size is
        use(check.value, check.beforeOp, -3);
        use(check.value, check.beforeOp, -3);
      } else {
        useLeaves(check.condition, check.beforeOp);
      }
    for (const Branch& branch : program.branches) {  // values used after the choice have a name
      for (int times = 0; times < 2; ++times) use(branch.condition, branch.beforeOp, -3);
      for (const ValueId value : branch.live)
        for (int times = 0; times < 2; ++times) use(value, branch.beforeOp, -3);
    }
    for (ValueId output : program.outputs)
      use(output, static_cast<int>(program.ops.size()), modeOf(output).isOn() ? -3 : -1);
  }

  /// Where the lines of the printed text begin that come after its choices, one each.
  const std::vector<std::size_t>& splits() const { return splits_; }

  std::string run() {
    std::string header = "def program(";
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      header += (i > 0 ? ", " : "") + program_.inputs[i];
      bind(static_cast<ValueId>(i), program_.inputs[i]);
    }
    text_ = header + "):\n";
    for (std::size_t i = 0; i < program_.inputs.size(); ++i)
      requireGradient(static_cast<ValueId>(i));
    for (const Statement& statement : program_.statements) {
      splitUpTo(statement.firstOp + statement.opCount);
      checks();
      const int end = statement.firstOp + statement.opCount;
      if (next_ >= segmentEnd_) closeSegment();
      if (next_ < end) enterSegment();
      if (onlyWrites(statement)) {  // it names nothing
        while (next_ < end) op(-1);
        ++statement_;
        continue;
      }
      keepOld(statement.target, statement.value, end);
      bool writes = false;
      while (next_ < end) {
        writes |= opAt(next_).writesInto();
        op(isUsedBefore(program_.result(next_), end) ? -1 : statement.value);
      }
      ++statement_;
      if (statement.opCount == 0) setMode({});
      // x += y names what x was before; gradients that are taken together have their names.
      if ((writes || isNamed(statement)) && piece(statement.value).text == statement.target)
        continue;
      // When it is read again, another name for a value is a statement without ops, and checks are
      // printed before those.
      if (std::ranges::all_of(piece(statement.value).text, isNameCharacter)) checks();
      line(statement.target + " = " + piece(statement.value).text);
      bind(statement.value, statement.target);
      requireGradient(statement.value);
    }
    splitUpTo(static_cast<int>(program_.ops.size()));
    while (next_ < static_cast<int>(program_.ops.size())) op(-1);
    setMode({});
    closeSegment();
    checks();
    std::string returned;
    for (ValueId output : program_.outputs)
      returned += (returned.empty() ? "" : ", ") + piece(output).text;
    line("return " + returned);
    return text_;
  }

 private:
  struct Uses {
    int count = 0;
    int last = -1;       ///< op, or the number of ops for the return
    int statement = -2;  ///< the one that uses it; -3: several
  };

  /// The part of PyTorch's graph that a gradient has to keep.
  enum class Keeps : std::uint8_t { nothing, graph, itself };

  /// The ops, by index, that PyTorch goes back through from a value.
  std::vector<bool> wayBackFrom(ValueId value) const {
    std::vector<bool> passes(program_.ops.size());
    const auto inputs = static_cast<ValueId>(program_.inputs.size());
    const auto pass = [&](ValueId read) {
      if (read >= inputs) passes[static_cast<std::size_t>(read - inputs)] = true;
    };
    pass(value);
    for (std::size_t i = passes.size(); i-- > 0;) {
      const Op& op = program_.ops[i];
      passes[i] = passes[i] && op.recorded;
      if (!passes[i]) continue;
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && !operand.detached) pass(operand.value);
    }
    return passes;
  }

  /// PyTorch frees the graph that a gradient has used. It has to keep the graph where another
  /// gradient goes through the same ops, or through the gradient itself.
  void noteGradients() {
    struct Way {
      std::vector<bool> ops{};
      std::size_t last = 0;  ///< gradient that goes it
    };
    keeps_.assign(program_.ops.size(), Keeps::nothing);
    std::map<ValueId, Way> ways;  // by what is differentiated
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      if (op.row->kind != OpKind::gradient) continue;
      const ValueId of = op.operands[0].value;
      if (!ways.contains(of)) ways[of].ops = wayBackFrom(of);
      ways[of].last = i;
    }
    // Through memory that was written to ways may meet that do not share an op.
    const bool written = std::ranges::any_of(
        program_.ops, [](const Op& op) { return op.writesInto() && op.recorded; });
    std::map<std::pair<ValueId, ValueId>, bool> met;
    const auto meet = [&](ValueId one, ValueId other) {
      const auto [found, isNew] = met.try_emplace({one, other}, written || one == other);
      const std::vector<bool>&a = ways[one].ops, &b = ways[other].ops;
      for (std::size_t i = 0; isNew && i < a.size() && !found->second; ++i)
        found->second = a[i] && b[i];
      return found->second;
    };
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      if (op.row->kind != OpKind::gradient) continue;
      for (const auto& [of, way] : ways) {
        if (way.last <= i) continue;
        const Keeps keeps = way.ops[i]                       ? Keeps::itself
                            : meet(op.operands[0].value, of) ? Keeps::graph
                                                             : Keeps::nothing;
        keeps_[i] = std::max(keeps_[i], keeps);
      }
    }
  }

  /// A tensor that is written in place is used where it is. It is named if it is the result of an
  /// op: repeating its text would make a new tensor.
  void noteWritten(const Op& op, int index) {
    use(op.into, index, op.statement);
    if (op.into >= static_cast<ValueId>(program_.inputs.size())) {
      const Op& made = opAt(op.into - static_cast<ValueId>(program_.inputs.size()));
      if (made.row->kind != OpKind::view) written_.push_back(op.into);
    }
  }
  bool isWritten(ValueId value) const {
    return std::find(written_.begin(), written_.end(), value) != written_.end();
  }

  /// The tensor that a view is of, or the value itself.
  ValueId viewed(ValueId value) const {
    const auto inputs = static_cast<ValueId>(program_.inputs.size());
    while (value >= inputs && opAt(value - inputs).row->kind == OpKind::view)
      value = opAt(value - inputs).operands.front().value;
    return value;
  }

  /// Whether an op after the next one and before `end` reads a value, or writes to it or to a part
  /// of it.
  bool isUsedBefore(ValueId value, int end) const {
    for (int i = next_ + 1; i < end; ++i) {
      const Op& op = opAt(i);
      if (op.writesInto() && (op.into == value || viewed(op.into) == value)) return true;
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && operand.value == value) return true;
    }
    return false;
  }

  /// Whether a statement's value is where its last op has written it, and nothing names it.
  bool onlyWrites(const Statement& statement) const {
    const ValueId made = statement.value - static_cast<ValueId>(program_.inputs.size());
    return made >= 0 && opAt(made).writesInto();
  }

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

  /// Writes the choices before `end`, the end of the next statement's ops. The values that they
  /// depend on are printed first, and what follows is printed within them.
  void splitUpTo(int end) {
    while (splits_.size() < program_.branches.size()) {
      const Branch& branch = program_.branches[splits_.size()];
      if (branch.beforeOp > end || branch.beforeStatement > statement_) return;
      while (next_ < branch.beforeOp) op(-1);
      setMode({});
      line("if " + within(piece(branch.condition), kAtom) + ":");
      splits_.push_back(text_.size());
    }
  }

  /// Prints the checks that the program makes before the next op.
  void checks() {
    for (; check_ < program_.checks.size() && program_.checks[check_].beforeOp <= next_; ++check_) {
      const SizeCheck& check = program_.checks[check_];
      if (check.ofIndex) continue;
      const std::string condition =
          check.ofValue() ? within(piece(check.value), kAtom) : printer_.size(check.condition).text;
      line("assert " + (check.expected ? "" : std::string("not ")) + condition +
           (check.ofValue() ? ", " + quotedText(check.message) : std::string()));
    }
  }

  Piece& piece(ValueId value) { return pieces_[static_cast<std::size_t>(value)]; }

  void line(const std::string& content) {
    const std::size_t depth =
        1 + splits_.size() + (segment_ < 0 ? 0u : 1u) + (mode_.isOn() ? 1u : 0u);
    text_ += std::string(4 * depth, ' ') + content + "\n";
  }

  /// The autocast mode that an op is written within. The parts of a function that autocast knows as
  /// one op are written outside, with the casts of its arguments.
  static AutocastMode modeOf(const Op& op) {
    return op.autocast.isOn() && op.listed.call < 0 ? op.autocast : AutocastMode();
  }
  AutocastMode modeOf(ValueId value) const {
    const auto made = value - static_cast<ValueId>(program_.inputs.size());
    return made < 0 ? AutocastMode() : modeOf(opAt(made));
  }

  /// Lines that follow are within this autocast.
  void setMode(const AutocastMode& mode) {
    if (mode == mode_) return;
    mode_ = {};
    if (mode.isOn())
      line(std::string("with torch.autocast(\"") +
           (mode.list == AutocastMode::List::cpu ? "cpu" : "cuda") + "\", dtype=torch." +
           std::string(info(mode.lower).name) + (mode.caches ? "" : ", cache_enabled=False") +
           "):");
    mode_ = mode;
  }

  const Op& opAt(int index) const { return program_.ops[static_cast<std::size_t>(index)]; }

  /// Whether op `by` reads the value where it was made: within a segment and an autocast, or
  /// outside of all.
  bool staysTogether(ValueId value, std::size_t by) const {
    const auto made = value - static_cast<ValueId>(program_.inputs.size());
    const int own = made < 0 ? -1 : opAt(made).segment;
    return own == program_.ops[by].segment && modeOf(value) == modeOf(program_.ops[by]);
  }

  /// Before the op that comes next: a segment is a function of its own, given to checkpoint.
  void enterSegment() {
    const int segment = opAt(next_).segment;
    if (segment == segment_) return;
    setMode({});
    closeSegment();
    if (segment < 0) return;
    const int begin = next_;
    for (segmentEnd_ = begin; segmentEnd_ < static_cast<int>(program_.ops.size()) &&
                              opAt(segmentEnd_).segment == segment;)
      ++segmentEnd_;
    for (const Statement& statement : program_.statements)
      if (statement.firstOp >= begin && statement.firstOp < segmentEnd_)
        keepOld(statement.target, statement.value, segmentEnd_);
    std::vector<ValueId> given;
    arguments_.clear();
    for (int i = begin; i < segmentEnd_; ++i)
      for (const Operand& operand : opAt(i).operands)
        if (!operand.isNumber() && operand.value < program_.result(begin) &&
            std::find(given.begin(), given.end(), operand.value) == given.end()) {
          given.push_back(operand.value);
          arguments_ += (arguments_.empty() ? "" : ", ") + piece(operand.value).text;
        }
    segmentName_ = "segment_" + std::to_string(++segments_);
    line("def " + segmentName_ + "(" + arguments_ + "):");
    segmentBegin_ = begin;
    segment_ = segment;
  }

  void closeSegment() {
    if (segment_ < 0) return;
    setMode({});
    std::string results;
    for (int i = segmentBegin_; i < segmentEnd_; ++i)
      if (const ValueId value = program_.result(i); leavesSegment(value))
        results += (results.empty() ? "" : ", ") + piece(value).text;
    line("return " + results);
    segment_ = -1;
    line(results + (results.empty() ? "" : " = ") + "torch.utils.checkpoint.checkpoint(" +
         segmentName_ + ", " + arguments_ + ", use_reentrant=False)");
  }

  bool leavesSegment(ValueId value) const {
    return uses_[static_cast<std::size_t>(value)].last >= segmentEnd_;
  }

  void bind(ValueId value, const std::string& name) {
    bound_[name] = value;
    piece(value) = {name, kAtom};
  }

  /// Where gradients are taken by it.
  void requireGradient(ValueId value) {
    for (const Op& op : program_.ops)
      if (op.row->kind == OpKind::gradient && op.operands[1].value == value)
        return line(piece(value).text + ".requires_grad_()");
    if (std::find(program_.taped.begin(), program_.taped.end(), value) != program_.taped.end())
      line(piece(value).text + ".requires_grad_()");
  }

  /// Called before ops up to `end` give `name` to `value`: another value with this name that is
  /// needed later gets another name.
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

  /// The number of gradients of one tensor that are taken one after another in one statement,
  /// starting at the next op.
  int gradientsTogether() const {
    const Op& first = opAt(next_);
    int end = next_;
    for (; end < static_cast<int>(program_.ops.size()); ++end) {
      const Op& op = opAt(end);
      const bool together = op.row->kind == OpKind::gradient && op.recorded &&
                            op.statement == first.statement && op.segment == first.segment &&
                            op.operands[0].value == first.operands[0].value;
      const bool checked =
          end > next_ && check_ < program_.checks.size() && program_.checks[check_].beforeOp <= end;
      if (!together || checked || modeOf(op) != modeOf(first)) break;
    }
    return end - next_;
  }

  /// The name that the statement being written, or one after it that computes nothing, gives the
  /// value.
  const Statement* naming(ValueId value) const {
    const auto& all = program_.statements;
    for (auto s = static_cast<std::size_t>(statement_); s < all.size(); ++s) {
      if (s > static_cast<std::size_t>(statement_) && all[s].opCount > 0) break;
      if (all[s].value == value) return &all[s];
    }
    return nullptr;
  }

  bool isNamed(const Statement& statement) const {
    const auto found = bound_.find(statement.target);
    return found != bound_.end() && found->second == statement.value;
  }

  /// Writes this number of gradients, starting at the next op, for which PyTorch goes back once.
  void gradients(int count) {
    const Op& first = opAt(next_);
    std::vector<std::string> names;
    std::string by;
    Keeps keeps = Keeps::nothing;
    for (int i = next_; i < next_ + count; ++i) {
      const Op& op = opAt(i);
      by += (by.empty() ? "" : ", ") + piece(op.operands[1].value).text;
      // The last one says whether the graph is gone through again after all of these.
      const Keeps own = keeps_[static_cast<std::size_t>(i)];
      if (own != Keeps::graph || i + 1 == next_ + count) keeps = std::max(keeps, own);
      const Statement* const statement = naming(program_.result(i));
      const bool free = statement && std::ranges::find(names, statement->target) == names.end();
      if (free)
        keepOld(statement->target, statement->value, statement->firstOp + statement->opCount);
      names.push_back(free ? statement->target : freshName());
    }
    const std::string of = piece(first.operands[0].value).text;
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    line(all + " = torch.autograd.grad(" + of + ", (" + by + ")" + keptText(keeps) + ")");
    for (const std::string& name : names) bind(program_.result(next_++), name);
    for (int i = next_ - count; i < next_; ++i) requireGradient(program_.result(i));
  }

  static std::string keptText(Keeps keeps) {
    return keeps == Keeps::itself  ? ", create_graph=True"
           : keeps == Keeps::graph ? ", retain_graph=True"
                                   : "";
  }

  void op(ValueId named) {
    enterSegment();
    checks();
    if (const int together = gradientsTogether(); together > 1) return gradients(together);
    const Op& op = program_.ops[static_cast<std::size_t>(next_)];
    const ValueId value = program_.result(next_++);
    if (isCheck(*op.row)) return;
    const Uses& uses = uses_[static_cast<std::size_t>(value)];
    setMode(modeOf(op));
    if (op.writesInto()) return write(op, value);
    // Where nobody asks for gradients, nothing has to be kept from them.
    if (!op.recorded && !program_.differentiates()) {
      Op recorded = op;
      recorded.recorded = true;
      piece(value) = printer_.expression(recorded);
    } else {
      piece(value) = printer_.expression(op);
    }
    if (op.row->kind == OpKind::gradient && op.recorded)
      piece(value) = {"torch.autograd.grad(" + piece(op.operands[0].value).text + ", " +
                          piece(op.operands[1].value).text +
                          keptText(keeps_[static_cast<std::size_t>(next_) - 1]) + ")[0]",
                      kAtom};
    const bool leaves = segment_ >= 0 && leavesSegment(value);
    // A value that something is written over before it is read is computed here.
    const bool stays =
        nextWrite_[static_cast<std::size_t>(next_) - 1] < uses.last || isWritten(value);
    if (value == named || (!leaves && !stays && uses.count < 2 && uses.statement == op.statement))
      return;
    const std::string name = freshName();
    line(name + " = " + piece(value).text);
    bind(value, name);
    requireGradient(value);
  }

  void write(const Op& op, ValueId value) {
    const bool self =
        !op.operands.empty() && !op.operands.front().isNumber() &&
        sameTensor(program_, op.operands.front().value) == sameTensor(program_, op.into);
    const Piece target = piece(op.into);
    // Inside no_grad, as by a tensor that no gradient flows through.
    if (!op.recorded && program_.differentiates())
      piece(op.into) = {within(target, kAtom) + ".detach()", kAtom};
    const std::string text = printer_.statement(op, self);
    piece(op.into) = target;
    line(text);
    piece(value) = target;
  }

  std::string freshName() {
    std::string name;
    do name = "t" + std::to_string(++temporaries_);
    while (std::find(taken_.begin(), taken_.end(), name) != taken_.end());
    return name;
  }

  const Program& program_;
  std::vector<std::string> taken_;
  ExpressionPrinter printer_;
  std::string text_;
  std::vector<Piece> pieces_;     ///< by value: how it is written at this point
  std::vector<Uses> uses_;        ///< by value
  std::vector<int> nextWrite_;    ///< by op: the next that writes in place
  std::vector<ValueId> written_;  ///< results of ops that are written in place later
  std::vector<Keeps> keeps_;      ///< by op: what of its graph a gradient leaves there
  std::map<std::string, ValueId> bound_;
  int next_ = 0;  ///< op to print
  int temporaries_ = 0;
  AutocastMode mode_;  ///< that lines are within
  int segment_ = -1;   ///< the one whose function is being written; -1: none
  int segmentBegin_ = 0, segmentEnd_ = 0;
  int segments_ = 0;
  std::string segmentName_, arguments_;  ///< the segment's
  std::size_t check_ = 0;                ///< the next to print
  int statement_ = 0;                    ///< statements that are printed
  std::vector<std::size_t> splits_;      ///< by printed choice: where the text after it begins
};

/// Lines one level further out.
std::string outdented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    out += line.substr(line.starts_with("    ") ? 4 : 0);
    text.remove_prefix(end);
  }
  return out;
}

/// The text of a way through a program, followed by the other ways that leave it at choice `first`
/// or a later one. Each way ends in its return, so that the others need no else. `splits` receives
/// the positions of the choices.
std::string wayText(const Program& way, const std::vector<std::string>& taken,
                    std::vector<std::size_t>& splits, std::size_t first) {
  Printer printer(way, taken);
  std::string text = printer.run();
  splits = printer.splits();
  for (std::size_t b = way.branches.size(); b-- > first;) {
    const Branch& branch = way.branches[b];
    if (!branch.other) continue;
    std::vector<std::size_t> others;
    const std::string other = wayText(*branch.other, taken, others, b + 1);
    text += outdented(std::string_view(other).substr(others.at(b)));
  }
  return text;
}

}  // namespace

std::string toText(const Program& program) {
  std::vector<std::string> taken;
  for (const Program* way : waysOf(program)) {
    for (const Statement& statement : way->statements) taken.push_back(statement.target);
    taken.insert(taken.end(), way->inputs.begin(), way->inputs.end());
  }
  std::vector<std::size_t> splits;
  return wayText(program, taken, splits, 0);
}

}  // namespace fusebench
