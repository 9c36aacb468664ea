// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The place in the user's model that an op comes from.
struct ModuleOrigin {
  std::string module;  ///< path, as in "layers.0.attn"; empty: the model itself
  std::string source;  ///< "model.py:12: x = self.conv(x)"; empty: unknown
};

/// The origin of each op of `program`, which is number `number` of the experiment's programs. A
/// captured model names it for each line of the text. In a text with classes of modules, the calls
/// of them name it.
std::vector<ModuleOrigin> originsOf(const Experiment& experiment, const Program& program,
                                    int number = 0);
/// The module of each statement.
std::vector<std::string> statementModules(const Experiment& experiment, const Program& program,
                                          int number = 0);

/// Which of the experiment's programs a variant runs: a number as CapturedModel::Node has it.
int programNumber(const Experiment& experiment, const Variant& variant);

/// Whether `module` is `path` or within it; everything is within the model itself, "".
bool isWithinModule(std::string_view module, std::string_view path);
/// "layers.0" of "layers.0.attn"; "" of "layers".
std::string_view moduleAround(std::string_view path);

/// Updates the lines of a captured model after an edit of its program's text. Lines before and
/// after the edit keep their modules, and so do changed lines if their number stays the same.
void followText(CapturedModel& model, int number, std::string_view before, std::string_view after);

}  // namespace fusebench
