// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench {

/// Makes the window's texts, and those that are Qt's own, be said in a language of the catalogue,
/// as far as they were built in; "en" takes back another. Call it once the application is there.
void setWindowLanguage(const std::string& language);

/// Whether the window's texts were built in: without lrelease it speaks English only.
bool windowSpeaks(const std::string& language);

}  // namespace fusebench
