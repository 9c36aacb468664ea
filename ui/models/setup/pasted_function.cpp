// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/pasted_function.h"

#include <QStringList>

namespace fusebench {

bool isFunction(const QString& text) {
  for (const QString& line : text.split(u'\n')) {
    const QString words = line.trimmed();
    const auto begins = [&](const char* word) { return words.startsWith(QLatin1String(word)); };
    if (words.isEmpty() || begins("#") || begins("import ") || begins("from ") || begins("@"))
      continue;
    return begins("def ") || begins("class ");
  }
  return false;
}

}  // namespace fusebench
