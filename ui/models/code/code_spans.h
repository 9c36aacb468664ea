// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace fusebench {

/// A stretch of one line of a program's text that is drawn in its own way.
struct CodeSpan {
  enum class Kind { keyword, library, number, text, comment };
  Kind kind;
  int begin;  ///< in characters of the line
  int length;
  friend bool operator==(const CodeSpan&, const CodeSpan&) = default;
};

/// Python's keywords, the names after `torch.` and `F.`, numbers, quotes and comments.
std::vector<CodeSpan> codeSpans(const QString& line);

}  // namespace fusebench
