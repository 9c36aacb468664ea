// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engine/language/program.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

// The inputs of an exported script, which have the values that they have in a run.

/// A Python string literal: JSON's escapes mean the same there.
std::string pythonLiteral(const std::string& text);

/// The function that makes the input sets, and where the weights that programs draw are among them.
std::string inputSets(const Experiment& experiment);

/// The weights and buffers of a program of a script, and what its calls write.
class ScriptState {
 public:
  /// `held`: the line of the program's text that names them; empty: there are none.
  ScriptState(const Program& program, const std::string& held);

  bool holds(std::size_t input) const { return paths_.contains(input); }
  bool isEmpty() const { return paths_.empty() && written_.empty(); }
  /// The lines that bind `_held`, in the body of a function.
  std::string text() const;

 private:
  std::map<std::size_t, std::string>
      paths_;  ///< expressions by input; None: it has no tensor in PyTorch
  std::string starts_, written_;
};

}  // namespace fusebench
