// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/pasted_function.h"

#include <QStringList>

namespace fusebench {

bool isFunction(const QString& text) {
  const QStringList lines = text.split(u'\n');
  qsizetype outermost = -1;  // the indentation of the first line that has any words
  for (const QString& line : lines) {
    const QString words = line.trimmed();
    if (words.isEmpty() || words.startsWith(u'#')) continue;
    const qsizetype indent = line.indexOf(words.front());
    if (outermost < 0) outermost = indent;
    const auto begins = [&](const char* word) { return words.startsWith(QLatin1String(word)); };
    if (indent <= outermost && (begins("def ") || begins("class "))) return true;
  }
  return false;
}

}  // namespace fusebench
