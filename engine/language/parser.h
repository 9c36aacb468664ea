// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// The known types of a program's inputs when its text is read, by name. Choices and loops that
/// depend on sizes are made for these, and the program checks that its inputs fit them.
struct ProgramHints : std::map<std::string, ValueType, std::less<>> {
  using map::map;
  int ranks = 1;  ///< that run the program: dist.get_world_size()
  /// Whether the conditions of the first choices by what tensors hold are taken to hold, in order;
  /// all others are. parseProgram reads every way by itself.
  std::vector<bool> ways;
  /// Functions with a backward of their own: `left`, a gradient through them is an error; `asked`,
  /// it throws OwnBackwardAsked; `followed`, they are read with their backward.
  enum class OwnBackward : std::uint8_t { left, asked, followed };
  OwnBackward ownBackward = OwnBackward::left;
  /// Strides of inputs that are not row-major, in elements.
  std::map<std::string, Strides, std::less<>> strides;
};

/// Reads PyTorch's Python; text is evaluated, never executed. Everything that depends only on
/// constants, sizes and modules' attributes is evaluated: functions that call functions, modules
/// with __init__ and forward, loops over known values, choices by known values, tuples, lists,
/// dicts, f-strings, comprehensions, `math`, asserts. The ops on tensors are left.
///
/// The program is the `forward` of the last class, or the last function, or the lines outside of
/// functions if these return. A def's parameters are the inputs (those with a number or the like as
/// default are that number); outside of functions, free names are, in order of first use. Tensors
/// that a module makes in __init__ become inputs, too (Program::held).
///
/// Choices that depend on the one element of a tensor make further programs (Program::branches).
///
/// Throws ProgramError with line, column, what was found and what would be right. Text of any size
/// is read in bounded time and memory.
///
/// `record`, if not null, receives the parts of the source that were reached.
struct SourceRecord;
Program parseProgram(std::string_view text, const ProgramHints& hints = {},
                     SourceRecord* record = nullptr);

}  // namespace fusebench
