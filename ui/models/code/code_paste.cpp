// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/code_paste.h"

#include <QStringList>
#include <algorithm>
#include <limits>

#include "engine/language/exported_text.h"

namespace fusebench {
namespace {

qsizetype indentation(const QString& line) {
  qsizetype spaces = 0;
  while (spaces < line.size() && line[spaces] == u' ') ++spaces;
  return spaces;
}

}  // namespace

QString pastedText(const QString& text, const QString& before) {
  QString plain = text;
  plain.replace(QLatin1String("\r\n"), QLatin1String("\n"))
      .replace(u'\r', u'\n')
      .replace(u'\t', QLatin1String("    "));
  // A graph that PyTorch printed or logged becomes the program in it.
  if (const auto graph = graphOfPrinted(plain.toStdString()))
    plain = QString::fromStdString(*graph).trimmed();
  QStringList lines = plain.split(u'\n');
  if (lines.size() < 2) return plain;
  qsizetype common = std::numeric_limits<qsizetype>::max();
  for (qsizetype i = 0; i < lines.size(); ++i)
    // The selection may begin in the middle of the first line.
    if (!lines[i].trimmed().isEmpty() && (i > 0 || indentation(lines[i]) > 0))
      common = std::min(common, indentation(lines[i]));
  const bool alone = before.trimmed().isEmpty();
  const bool block = indentation(lines[0]) == 0 && lines[0].trimmed().endsWith(u':');
  if (block) common = 0;  // a header keeps its body deeper than itself
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const qsizetype taken = common == std::numeric_limits<qsizetype>::max()
                                ? 0
                                : std::min(common, indentation(lines[i]));
    lines[i] = lines[i].mid(taken);
    if (i > 0 && alone && !lines[i].isEmpty()) lines[i].prepend(before);
  }
  return lines.join(u'\n');
}

}  // namespace fusebench
