// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/parser.h"
#include "engine/language/program.h"

namespace fusebench {

/// A problem in a program that is being edited, with a remedy in the message.
struct SketchProblem {
  SourcePlace place;
  std::string message;  ///< one line: the problem, and how to fix it
  int statement = -1;   ///< index in Program::statements; -1: header, return, or the whole text
  int op = -1;          ///< index in Program::ops if one op is to blame
};

/// A program being edited. Unlike parseProgram, reading one never fails: a line that is not
/// understood is kept and marked with the reason. In `program` it is one op without a row (Op::row
/// is null) that reads the values named in the line and names its target.
struct Sketch {
  std::string text;  ///< as written
  Program program;   ///< if `problems` is empty: valid, and equal to the result of parseProgram
  std::vector<SketchProblem> problems;
  ProgramHints hints;  ///< the assumed sizes of the inputs
  bool valid() const { return problems.empty(); }
};

/// Reads a text; never throws. A text without a return is a problem, but its statements are read.
/// hints: the inputs' sizes, as far as they are known; choices that depend on sizes use them.
Sketch sketch(std::string_view text, const ProgramHints& hints = {});

/// Types of all values, as far as they are known: nothing after a line that is not understood or a
/// shape mismatch. Mismatches are added to `problems`, once each, at the op to blame.
std::vector<std::optional<ValueType>> inferSketchTypes(const Sketch& sketch,
                                                       std::span<const ValueType> inputs,
                                                       std::vector<SketchProblem>& problems);

/// An edit cannot be made; what() contains the reason and an alternative (a cycle, an op's only
/// operand, a reduction in between...).
class EditRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The shape of a value as an experiment writes it: numbers, and expressions of the axes.
using Extents = std::vector<std::string>;
/// A value that a new operand has to fit.
struct KnownValue {
  Extents extents;
  DType dtype = DType::float32;
  Shape shape{};  ///< the extents' values at one point
};
/// One per value of a program, by its index; nothing if it is not known.
using KnownValues = std::vector<std::optional<KnownValue>>;

/// An input that an edit adds to the program.
struct NewInput {
  std::string name;
  std::optional<Extents> extents;  ///< nothing: the value that it is combined with is not known
  DType dtype = DType::float32;
  std::string fill = "normal";  ///< normal, ones or zeros
  double deviation = 1;         ///< for the fill "normal"
  bool weight = false;          ///< of a layer: held and trained
};

/// The text after an edit of the graph. Lines that the edit does not affect stay as written,
/// comments included; a value gets a new name only if its old one would be overwritten too soon.
struct SketchEdit {
  std::string text;
  std::vector<int> opsNow;  ///< per op of the old program its index in the new one; -1: removed
  std::vector<int> added;   ///< indices in the new program of added ops
  std::vector<NewInput> inputs{};  ///< added inputs
};

/// The position of a value: operand number `operand` of op `op`; op == -1: output number `operand`.
struct Port {
  int op = -1;
  int operand = 0;
  friend bool operator==(const Port&, const Port&) = default;
};

/// Whether an op of the row can start with dimensions and sizes that suit most tensors. Edits that
/// add an op reject the other rows, which must be written in the code.
bool canStart(const OpRow& row);
/// A new last statement that applies `row` to the program's (first) output and is returned instead
/// of it. It is inserted before a final reduction in the return, so that `return x.sum()` remains
/// the return. Second operands start as neutral numbers (1 for arithmetic), parameters as defaults.
/// An operand that cannot be a number becomes a new input that matches `known`, never the same
/// value again. `row` may be a layer, see layers.h.
SketchEdit appendOp(const Sketch& sketch, const OpRow& row, const KnownValues& known = {});
/// A new statement on the edge into `port`; only that reader gets the new value.
SketchEdit insertOnEdge(const Sketch& sketch, const OpRow& row, Port port,
                        const KnownValues& known = {});
/// Adds a branch: a new statement that applies `row` to `value` and is returned together with the
/// other outputs.
SketchEdit branchFrom(const Sketch& sketch, const OpRow& row, ValueId value,
                      const KnownValues& known = {});
/// Readers of a removed op read its first operand instead.
SketchEdit removeOps(const Sketch& sketch, std::span<const int> ops);
/// Copies the ops, with the edges among them, after the last of them; the copies follow in the
/// chain.
SketchEdit duplicateOps(const Sketch& sketch, std::span<const int> ops);
/// Removes the ops (in order) from their positions and inserts them on the edge into `port`.
SketchEdit moveOps(const Sketch& sketch, std::span<const int> ops, Port port);
/// Makes `port` read `value`; statements are reordered if necessary. Rejected if it creates a
/// cycle.
SketchEdit connect(const Sketch& sketch, ValueId value, Port port);
/// Makes an operand a number.
SketchEdit setNumber(const Sketch& sketch, Port port, double number);
/// Sets number, integer or flag parameter `parameter`; refused outside of the row's range.
SketchEdit setParameter(const Sketch& sketch, int op, int parameter, double value);
/// Sets the dims of a reduction (nothing: all) and whether they are kept.
SketchEdit setDims(const Sketch& sketch, int op, std::optional<std::vector<int>> dims, bool keep);
/// Replaces an op's row; operands and parameters that both have are kept.
SketchEdit replaceOp(const Sketch& sketch, int op, const OpRow& row, const KnownValues& known = {});
/// The ops as PyTorch text that can be pasted elsewhere: a function of the values that they read.
std::string copyText(const Sketch& sketch, std::span<const int> ops);
/// Inserts the statements of another text (a whole function, or plain lines), with its first input
/// connected to the value that goes into `port`, and `port` to its result; its other inputs become
/// inputs.
SketchEdit pasteText(const Sketch& sketch, std::string_view text, Port port);
/// Removes the lines that are not understood; their readers read the lines' first operands instead.
SketchEdit removeProblemLines(const Sketch& sketch);
/// Renames the value of a statement throughout; rejected if the name is taken.
SketchEdit renameValue(const Sketch& sketch, ValueId value, std::string_view name);

/// For each op of `before`, the op of `after` that it became when the text was edited by hand:
/// equal ops in the same order. -1: removed.
std::vector<int> matchOps(const Sketch& before, const Sketch& after);

}  // namespace fusebench
