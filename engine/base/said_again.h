// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// Translates a text that was stored in English, such as a note in a trace, to the chosen language.
/// Its message is found by the words around the inserted parts. A list of several, separated by
/// semicolons, is split. A text that is not a message stays as it is.
std::string saidAgain(std::string_view english);

}  // namespace fusebench
