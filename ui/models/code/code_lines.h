// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <vector>

#include "engine/edit/sketch.h"

namespace fusebench {

/// Ops of the statement (or the return) that a line of the text belongs to; none for headers,
/// comments and empty lines. Lines count from 1.
std::vector<int> opsAtLine(const Sketch& sketch, int line);

/// Lines that the statements of these ops begin on.
std::set<int> linesOfOps(const Sketch& sketch, const std::vector<int>& ops);

/// Per line of the text, the first one at 0, the number of its statement from 1; 0: the return; -1:
/// headers, comments and empty lines.
std::vector<int> statementsOfLines(const Sketch& sketch);

/// Characters of `line` before a column, which counts bytes from 1.
int charactersBefore(const QString& line, int column);

/// How many characters of `line`, starting at `begin`, belong to the word, number or sign there:
/// the length of a mark below it. At least 1.
int markedLength(const QString& line, int begin);

/// Whether the sketch has lines that are not understood, which removeProblemLines() takes away.
bool hasUnknownLines(const Sketch& sketch);

}  // namespace fusebench
