// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// What was said in English and kept since, such as a trace's note, in the chosen language: its
/// message is found by what stands around the parts that were put in. A list of several, with
/// semicolons, is taken apart. What is no message stays as it is.
std::string saidAgain(std::string_view english);

}  // namespace fusebench
