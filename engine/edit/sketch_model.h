// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/edit/sketch.h"
#include "engine/edit/sketch_read.h"

namespace fusebench {

/// An op of a program that is being edited. Values are numbered as while a program is read: inputs
/// from 0, results from kFirstResult.
struct SketchNode {
  Op op;
  int original = -1;            ///< its index in the program before the edit; -1: new
  std::vector<Operand> before;  ///< operands, parameters and row as its line was written
  std::vector<double> parametersBefore{};
  const OpRow* rowBefore = nullptr;
};

/// A line of a text that is being edited.
struct SketchLine {
  enum class Kind : std::uint8_t {
    verbatim,  ///< comments, empty lines, headers, lines that are not understood and have no op
    code,      ///< imports, numbers with names
    statement,
    returned
  };
  Kind kind = Kind::verbatim;
  std::string prefix;                  ///< indentation
  std::string source;                  ///< as written; empty: new
  std::string suffix;                  ///< the rest of the line, comment and line break included
  std::string target;                  ///< statement: its target; empty: to be found, or none
  std::vector<std::string> alsoNames;  ///< not understood: further names
  std::vector<int> nodes;              ///< the ops in it
  std::vector<ValueId> values;         ///< statement: the named values; returned: the outputs
  std::vector<ValueId> valuesBefore;
  std::vector<std::pair<std::string, ValueId>> reads;  ///< names in `source`
  bool understood = true;
  bool hadNodes = false;
  bool pasted = false;   ///< from another text: takes the indentation around it
  bool ownName = false;  ///< new: does not take the name of its operand
  /// Several ops that its text creates together: a loop, a function's or a module's call, several
  /// names, numbers that are sizes. They stay as written.
  bool fixed = false;
  bool header = false;    ///< opens a block
  bool declares = false;  ///< the def header
  int item = -1;          ///< which SketchItem it was; -1: new
  int block = -1;         ///< item that opens the unsupported block around it
};

/// A program without the order and the names of its text: edits change this model.
class SketchModel {
 public:
  explicit SketchModel(const Sketch& sketch);

  std::vector<std::string> inputs;
  std::vector<NewInput> newInputs;  ///< the last of `inputs`
  std::vector<SketchNode> nodes;
  std::vector<SketchLine> lines;
  bool declared = false;
  std::string textBefore;
  ProgramHints hints;
  std::vector<std::string> heldNames;  ///< inputs that belong to the program
  std::vector<std::pair<std::string, PythonValue>> constants;  ///< named by the def header
  std::size_t problems = 0;        ///< number that the text may have afterwards
  std::size_t opCount = 0;         ///< number of ops before
  std::vector<std::string> words;  ///< all names in the text: not free for new values
  bool mayReuse = false;           ///< new values may take the name of an input that they replace

  /// From the numbering of Program.
  ValueId valueOf(ValueId programValue) const;
  static bool isNode(ValueId value) { return value >= kFirstResult; }
  SketchNode& node(ValueId value) { return nodes[static_cast<std::size_t>(value - kFirstResult)]; }
  const SketchNode& node(ValueId value) const {
    return nodes[static_cast<std::size_t>(value - kFirstResult)];
  }
  static ValueId resultOf(int node) { return kFirstResult + node; }
  int addNode(Op op);

  int lineOf(int node) const;  ///< -1: none
  /// The line of that index. Throws EditRefused if there is no line: -1 or beyond the last.
  SketchLine& line(int index);
  int returnLine() const;  ///< -1: none
  /// The line that names the value; -1: an input, or inside of a line.
  int lineNaming(ValueId value) const;
  /// Whether `value` is an op inside of the line.
  bool within(const SketchLine& line, ValueId value) const;
  /// A new line before line `at`; its index.
  int insertLine(int at, SketchLine line);
  /// Inserts a new statement before line `at`, or before the unsupported block that contains this
  /// line.
  int insertStatement(int at, std::vector<int> nodes, ValueId value);
  /// Makes every reader of `from` read `to`.
  void replaceReads(ValueId from, ValueId to);
  bool dependsOn(ValueId value, ValueId on) const;
  /// How many operands and outputs read it.
  int readers(ValueId value) const;
  /// Removes the op from its line; its readers are not changed.
  void dropNode(int node);

  /// Gives separate lines to values that other lines read, and removes what nothing names.
  void settle();
  /// Moves every line behind those that it reads.
  void order();
  /// A name that is not in the text.
  std::string freshName();

 private:
  void addItems(const SketchReading& reading);
  void addGap(std::string_view gap);
  void keepReachable(SketchLine& line, const std::set<ValueId>& elsewhere);
  bool splitOne();

  int freshCount_ = 0;
};

/// "relu", "the line 'x = foo(x)'": for messages.
std::string shownOp(const Sketch& sketch, int op);

}  // namespace fusebench
