// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace fusebench {

/// A source file as it was when the program was built; see cmake/EmbeddedFiles.cmake.
struct EmbeddedFile {
  std::string_view name;  ///< its path relative to the folder that is embedded
  std::string_view text;
};

/// The text of the file of this name; empty if there is none.
constexpr std::string_view embeddedText(std::span<const EmbeddedFile> files,
                                        std::string_view name) {
  for (const EmbeddedFile& file : files)
    if (file.name == name) return file.text;
  return {};
}

}  // namespace fusebench
