// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/saying.h"

namespace fusebench {

/// Languages that have a catalogue, beginning with English, in which the messages are written:
/// "en", "zh_CN".
const std::vector<std::string>& languages();

/// Sets the language of all later messages. Throws InputError naming the available languages. Call
/// it at the start, before other threads make messages.
void setLanguage(std::string_view language);
const std::string& language();
/// A message in a language other than the chosen one: for text written by someone who uses it.
std::string_view saidIn(const std::string& language, std::string_view english);

/// From now on, processes that this one starts use its language: it is in their environment. Call
/// it before there are other threads.
void tellWorkersTheLanguage();

/// The language of the process that started this one (FUSEBENCH_LANGUAGE), else the system's by
/// LC_ALL, LC_MESSAGES or LANG ("zh_CN.UTF-8", or any other simplified Chinese); English if there
/// is no catalogue for it.
std::string systemLanguage();

}  // namespace fusebench
