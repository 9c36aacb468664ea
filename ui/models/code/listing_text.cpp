// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/listing_text.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace fusebench {
namespace {

constexpr int kIndent = 4;
constexpr qsizetype kLeastMnemonic = 8, kMostMnemonic = 24;

/// "\tvaddps\t%ymm0, %ymm1\t# note", "\t@%p1 bra\t$L1;"; labels and comments do not match.
const QRegularExpression& instruction() {
  static const QRegularExpression kForm(
      QStringLiteral("^[ \\t]+((?:@!?%\\w+[ \\t]+)?[.\\w][^ \\t]*)(?:[ \\t]+(.*))?$"));
  return kForm;
}

}  // namespace

QString inColumns(const QString& assembly) {
  QStringList lines = assembly.split(u'\n');
  qsizetype widest = kLeastMnemonic;
  for (const QString& line : lines)
    if (const auto match = instruction().match(line);
        match.hasMatch() && !match.captured(1).startsWith(u'.') && !match.captured(2).isEmpty())
      widest = std::max(widest, std::min(kMostMnemonic, match.capturedLength(1)));
  for (QString& line : lines) {
    const auto match = instruction().match(line);
    if (match.hasMatch()) {
      line = QString(kIndent, u' ') + match.captured(1);
      if (!match.captured(2).isEmpty()) {
        const bool directive = match.captured(1).startsWith(u'.');
        if (!directive) line = line.leftJustified(kIndent + widest);
        line += u' ' + match.captured(2);
      }
    }
    line.replace(u'\t', QStringLiteral("  "));
    while (line.endsWith(u' ')) line.chop(1);
  }
  return lines.join(u'\n');
}

int innermostLoop(const QString& assembly, const std::vector<int>& lineOps) {
  static const QRegularExpression kLabel(QStringLiteral("^([.\\w$]+):"));
  static const QRegularExpression kJump(QStringLiteral(
      "^\\s+(?:j\\w+|b|b\\.\\w+|cbn?z|tbn?z)\\s+(?:.*[ ,])?([.\\w$]+)\\s*(?:#.*)?$"));
  struct Loop {
    int from, to;
  };
  std::vector<Loop> loops;
  QHash<QString, int> labels;
  const QStringList lines = assembly.split(u'\n');
  for (int i = 0; i < lines.size(); ++i) {
    if (const auto label = kLabel.match(lines[i]); label.hasMatch())
      labels.insert(label.captured(1), i);
    else if (const auto jump = kJump.match(lines[i]); jump.hasMatch())
      if (const auto target = labels.constFind(jump.captured(1)); target != labels.constEnd())
        loops.push_back({*target, i});
  }
  int best = 0, most = -1;
  for (const Loop& loop : loops) {
    const bool holdsAnother = std::any_of(loops.begin(), loops.end(), [&](const Loop& other) {
      return loop.from <= other.from && other.to <= loop.to &&
             (loop.from != other.from || loop.to != other.to);
    });
    if (holdsAnother) continue;
    int count = 0;
    for (int line = loop.from; line <= loop.to && line < static_cast<int>(lineOps.size()); ++line)
      count += lineOps[static_cast<std::size_t>(line)] >= 0;
    if (count > most) {
      most = count;
      best = loop.from;
    }
  }
  return best;
}

}  // namespace fusebench
