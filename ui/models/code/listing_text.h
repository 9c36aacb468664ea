// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace fusebench {

/// Assembly, or PTX, with its mnemonics and its operands in columns of their own, whatever tabs it
/// came with. Lines stay lines.
QString inColumns(const QString& assembly);

/// The line (from 0) at which the main loop begins: among the loops without an inner loop, the one
/// with the most lines of ops. 0 without a loop.
int innermostLoop(const QString& assembly, const std::vector<int>& lineOps);

/// A text with the op of each line, -1: none.
struct ListingLines {
  QString text;
  std::vector<int> ops;
};

/// The text without the lines that do no work: directives, comments of their own,
/// and labels that nothing refers to. Constants stay. Other languages than assembly, PTX, SASS and
/// LLVM IR stay whole.
ListingLines withoutDirectives(const ListingLines& whole, const QString& language);

/// "static-kernel-2.s": a file for the code of a variant's kernel, which is counted from 0.
QString listingFile(const QString& variant, std::size_t kernel, const QString& language);

/// Lines as they are compared: registers, values and labels, whose numbers differ from one compile
/// to the next, by their kind alone.
QStringList comparableLines(const QString& text, const QString& language);

/// Counts of one pass of the loop that does the work; x86-64 and AArch64.
struct LoopCounts {
  int first = 0, last = 0;  ///< lines, from 0
  int instructions = 0, loads = 0, stores = 0, arithmetic = 0, divisions = 0;
  /// Cycles of the longest chain of instructions from a register at the start of a pass to the
  /// same one at its end: the next pass waits for it.
  int chain = 0;

  enum class Bound { loads, stores, arithmetic, divisions, frontEnd, latency };
  /// The least cycles of a pass, and what takes them, on a core with two loads, one store, two
  /// arithmetic instructions and four instructions per cycle, four cycles per addition or product
  /// and five per division.
  double cycles() const;
  Bound bound() const;
};
/// Nothing without a loop that does work.
std::optional<LoopCounts> loopCounts(const QString& assembly, const std::vector<int>& lineOps);
/// "Innermost loop, lines 12 to 40: 28 instructions, 2 loads, ... At least 6.5 cycles per pass, by
/// arithmetic."
QString loopWords(const LoopCounts& counts);

}  // namespace fusebench
