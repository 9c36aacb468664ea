// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace fusebench {

/// A text of the window in the language that it was started in (resources/languages/*.ts), or in
/// English, as it is written here. Do not call it before the application object exists.
inline QString uiText(const char* english) {
  return QCoreApplication::translate("fusebench", english);
}
/// The same for a text with %n, a count, in the grammatical form that the language has for it.
inline QString uiText(const char* english, int count) {
  return QCoreApplication::translate("fusebench", english, nullptr, count);
}

/// Marks a text of a table, which is translated where it is shown.
constexpr const char* uiMark(const char* english) {
  return english;
}

}  // namespace fusebench
