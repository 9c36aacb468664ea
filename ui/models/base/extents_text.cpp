// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/base/extents_text.h"

#include <QStringList>

namespace fusebench {
namespace {

/// "(8, 16)" without its brackets; "(i + 1) * 2, (3)" keeps them.
QString withoutBrackets(const QString& text) {
  const bool square = text.startsWith(u'[') && text.endsWith(u']');
  if (!square && !(text.startsWith(u'(') && text.endsWith(u')'))) return text;
  int depth = 0;
  bool comma = false;
  for (qsizetype i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == u'(' || text[i] == u'[') ++depth;
    if (text[i] == u')' || text[i] == u']') --depth;
    if (text[i] == u',' && depth == 1) comma = true;
    if (depth == 0) return text;
  }
  return square || comma ? text.mid(1, text.size() - 2) : text;
}

}  // namespace

std::vector<std::string> readExtents(const QString& text) {
  const QString inside = withoutBrackets(text.trimmed()).trimmed();
  std::vector<std::string> extents;
  if (inside.isEmpty()) return extents;
  QStringList parts = inside.split(u',');
  if (parts.size() > 1 && parts.last().trimmed().isEmpty()) parts.removeLast();  // "(4,)"
  for (const QString& part : parts) extents.push_back(part.trimmed().toStdString());
  return extents;
}

QString showExtents(const std::vector<std::string>& extents) {
  QStringList parts;
  for (const std::string& extent : extents) parts.push_back(QString::fromStdString(extent));
  return parts.join(QStringLiteral(", "));
}

}  // namespace fusebench
