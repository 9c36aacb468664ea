// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/language/input_shapes.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// A tensor of the shape, dtype and values that a pasted program's input was given.
InputSpec specOf(const ChosenInput& input);

/// Notes about how a pasted text's lines and inputs were read, one line each, in the reader's
/// language: "line 24: ...".
std::vector<std::string> notesOf(const PastedProgram& pasted);

/// Notes about an experiment's programs as a whole, such as modules in training mode because the
/// program does not set a mode; in the reader's language.
std::vector<std::string> notesOf(const Experiment& experiment);

/// An experiment that runs a pasted program on matching inputs, at one point, with each of our
/// executors. Throws ProgramError if the text cannot be read.
Experiment experimentOf(const PastedProgram& pasted, const std::string& title);

}  // namespace fusebench
