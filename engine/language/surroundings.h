// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include <optional>

#include "engine/language/program_builder.h"

namespace fusebench {

/// The path that the program's own function has while lines around it are read.
inline constexpr std::string_view kProgramPath = "(program)";

/// A call of a function or a module of the text by lines around the program.
struct ProgramCall {
  PythonValue callee;
  std::vector<CallArgument> arguments;
  SourcePlace place;
  BuildModes modes;
};

/// A text that a call of exec() is given.
struct BuiltText {
  std::string text;
  SourcePlace place;
};

/// The lines around a program, which make a model and its inputs, call it, time it, print. They are
/// only read for their information about the program, and never run.
struct Surroundings {
  /// Names of functions that only run others: their bodies are read as lines around the program.
  std::set<std::string, std::less<>> drivers;
  std::vector<ProgramCall> calls;
  /// Lines that are left out: by first line, the last, and why if that is not plain.
  struct Left {
    int first = 0, last = 0;
    std::string why;
  };
  std::vector<Left> left;
  bool prepares = false;  ///< a method of the program's object is called before the program is
};

/// A value that is known as Python writes it; nothing: it has no short text.
std::optional<std::string> literalOf(const PythonValue& value, int depth = 0);

}  // namespace fusebench
