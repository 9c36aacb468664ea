// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/python_value.h"

namespace fusebench {

/// An argument of a call, as written.
struct CallArgument {
  std::string keyword;  ///< empty: positional
  PythonValue value;
  SourcePlace place;
};

/// While a program is read its inputs are not all known yet: results of ops are counted from here,
/// and finish() gives them their final ids.
inline constexpr ValueId kFirstResult = 1 << 24;

/// Adds ops to a program: finds the row that a call or an operator means, binds its arguments,
/// checks them. Every way of writing an op ends here, so every executor sees the same one.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program& program) : program_(program) {}

  /// `a + b` with at least one tensor.
  PythonValue binary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                     SourcePlace place);
  /// `-a` or `~a` of a tensor.
  PythonValue unary(std::string_view symbol, const PythonValue& a, SourcePlace place);
  /// A call of the dotted name `path` ("torch.exp", "torch.nn.functional.relu"), on tensors or
  /// numbers.
  PythonValue call(const std::string& path, std::vector<CallArgument> arguments, SourcePlace place);
  /// A call of a method of a tensor.
  PythonValue method(const PythonValue& self, const std::string& name,
                     std::vector<CallArgument> arguments, SourcePlace place);

  /// Gives results the ids that follow the inputs'.
  void finish();

  void setStatement(int statement) { statement_ = statement; }

 private:
  PythonValue callSpelled(const std::string& shown, std::string_view spelling,
                          std::vector<CallArgument> arguments, SourcePlace place);
  PythonValue append(Op op);
  bool isTruth(const PythonValue& value) const;
  bool isWhole(const PythonValue& value) const;

  Program& program_;
  int statement_ = -1;
};

}  // namespace fusebench
