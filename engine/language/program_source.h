// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/parser.h"
#include "engine/ops/autocast.h"

namespace fusebench {

/// The text of a program, and the switches that a variant adds. PyTorch runs this text, not the ops
/// read from it: see torchText().
struct ProgramSource {
  std::shared_ptr<const std::string> text;
  ProgramHints hints;
  /// How many of its statements run; a chain repeats them. Nothing: the whole function.
  std::optional<int> statements;
  std::string returned;       ///< the expression that these statements return
  std::vector<int> segments;  ///< for each statement: the checkpoint it belongs to; -1: none
  struct Autocast {
    DType lower = DType::bfloat16;
    AutocastMode::List list = AutocastMode::List::cpu;
  };
  std::optional<Autocast> autocast;  ///< around the whole call
};

/// The parts of a text that were reached while it was read. PyTorch receives nothing else from a
/// file.
struct SourceRecord {
  std::set<std::size_t> statements;  ///< executed statements, by their offsets
  /// Evaluated parts of conditional expressions, by their offsets.
  std::set<std::pair<std::size_t, std::size_t>> parts;
  /// Calls and attributes whose values the program may use, and those whose values it may not, by
  /// their offsets: open("x"), time.time(). PyTorch does not receive those whose values are never
  /// used.
  std::set<std::pair<std::size_t, std::size_t>> known, outside;
  std::map<std::string, std::string> held;  ///< for each input: the expression for its tensor
  /// Modes of modules when the program begins, by global name: each module comes after the one that
  /// contains it, with the expression that leads to it.
  std::map<std::string, std::vector<std::pair<std::string, bool>>> modes;
  std::set<std::size_t> leftOut;  ///< lines that do not change any value, by their offsets
  /// Texts that eval() was called with, by the offsets of its calls.
  std::map<std::size_t, std::string> evaluated;
  /// `with` statements all of whose contexts are left out, and single contexts that are left out.
  std::set<std::size_t> bare;
  /// The arguments other than tensors with which lines around the program call it: by parameter, as
  /// text.
  std::map<std::string, std::string> constants;
  std::set<std::size_t> makes;  ///< lines of a script that create modules or optimizers
  /// How functions that run the program first create an object of a class, by the class's name.
  std::map<std::string, std::string, std::less<>> making;
  bool prepares =
      false;  ///< lines around the program call methods of its object before they call it
  bool instance = false;  ///< the program is a method of an object
  bool module = false;    ///< the object is a module
};

/// The name of the program's object in the text for PyTorch.
inline constexpr std::string_view kInstanceName = "_module";

/// The program as PyTorch runs it: the functions, classes and methods that were reached while the
/// text was read, as written, and the constants that they read. Executing the text binds `program`,
/// which takes the inputs that are not held, in order. It also binds `_held`: by the number of a
/// held input, the expression for its tensor, or None where PyTorch has no corresponding tensor.
/// Throws ProgramError if the program has no such text.
std::string torchText(const Program& program);

/// Whether a program draws random numbers, which differ from PyTorch's.
bool drawsNumbers(const Program& program);

}  // namespace fusebench
