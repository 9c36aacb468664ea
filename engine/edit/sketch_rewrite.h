// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/edit/sketch_model.h"

namespace fusebench {

/// Small changes of a line's text that keep the rest of it as written. They are only proposals: the
/// writer reads each and takes the first with the intended meaning.

/// Every name that could stand for a value as `nameOf` gives it, and the target as given.
std::string withNamesReplaced(const std::string& source, const std::string& target,
                              const std::function<std::string(const std::string&)>& nameOf);

/// If one number of the line's ops has changed: the texts with one of the numbers like it changed.
std::vector<std::string> withNumber(const SketchModel& model, const SketchLine& line,
                                    const std::string& source);

/// Texts with one called name changed, for an op that has become another.
std::vector<std::string> withFunction(const SketchModel& model, const SketchLine& line,
                                      const std::string& source);

}  // namespace fusebench
