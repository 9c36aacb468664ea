// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench {

/// Shows the texts of the window and of Qt in a language of the catalogue, if its texts were built
/// in; "en" removes a translation. Call it once the application object exists.
void setWindowLanguage(const std::string& language);

/// Whether the window's texts were built in: without lrelease it is in English only.
bool windowSpeaks(const std::string& language);

}  // namespace fusebench
