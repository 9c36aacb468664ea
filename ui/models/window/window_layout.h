// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>

namespace fusebench {

/// The subject of a window. Each kind of file has a separate layout.
enum class FileKind : std::uint8_t {
  experiment,
  run,
  trace,
  lesson,
  executionTrace,
  compileLog,
};
inline constexpr FileKind kFileKinds[] = {FileKind::experiment,     FileKind::run,
                                          FileKind::trace,          FileKind::lesson,
                                          FileKind::executionTrace, FileKind::compileLog};
const char* nameOf(FileKind kind);  ///< in settings

/// The arrangement of the views in a window, and which parts are hidden.
struct WindowLayout {
  bool leftHidden = false, rightHidden = false, tableHidden = false;
  QStringList beside;                     ///< keys of the views in the second group of tabs
  QString shown;                          ///< of them
  bool below = false;                     ///< the second group is below the first, not right of it
  std::map<QString, QByteArray> windows;  ///< geometry of views in separate windows, by key
  std::map<QString, QByteArray> splitters;  ///< states by name

  friend bool operator==(const WindowLayout&, const WindowLayout&) = default;
};

QByteArray toJson(const WindowLayout& layout);
/// Anything that is missing or has another type keeps its default.
WindowLayout windowLayout(const QByteArray& json);

}  // namespace fusebench
