// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/edit/sketch_model.h"

namespace fusebench {

/// Small changes of a line's text that keep the rest of it as written. They are only proposals: the
/// writer reads each and uses the first with the intended meaning.

/// Replaces every name that could represent a value by `nameOf`, and the target as given.
std::string withNamesReplaced(const std::string& source, const std::string& target,
                              const std::function<std::string(const std::string&)>& nameOf);

/// If one number of the line's ops has changed: the texts in which one of the equal numbers is
/// changed.
std::vector<std::string> withNumber(const SketchModel& model, const SketchLine& line,
                                    const std::string& source);

/// Texts with one called name changed, for an op that has become another.
std::vector<std::string> withFunction(const SketchModel& model, const SketchLine& line,
                                      const std::string& source);

}  // namespace fusebench
