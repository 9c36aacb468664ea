// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include <optional>

#include "engine/language/program_builder.h"

namespace fusebench {

/// The path of the program's own function while lines around it are read.
inline constexpr std::string_view kProgramPath = "(program)";

/// A call of a function or module of the text by lines around the program.
struct ProgramCall {
  PythonValue callee;
  std::vector<CallArgument> arguments;
  SourcePlace place;
  BuildModes modes;
};

/// A text that exec() is called with.
struct BuiltText {
  std::string text;
  SourcePlace place;
};

/// The lines around a program, which create a model and its inputs, call it, time it, and print.
/// They are only read for what they say about the program, and are never run.
struct Surroundings {
  /// Names of functions that only run others: their bodies are read as lines around the program.
  std::set<std::string, std::less<>> drivers;
  std::vector<ProgramCall> calls;
  /// Lines that are left out: by first line, the last line, and the reason if it is not obvious.
  struct Left {
    int first = 0, last = 0;
    std::string why;
  };
  std::vector<Left> left;
  bool prepares = false;  ///< a method of the program's object is called before the program
};

/// A known value in Python's notation; nothing: it has no short text.
std::optional<std::string> literalOf(const PythonValue& value, int depth = 0);

}  // namespace fusebench
