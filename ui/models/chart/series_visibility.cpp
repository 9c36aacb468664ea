// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/series_visibility.h"

#include <algorithm>

namespace fusebench {

void SeriesVisibility::setShown(const QString& name, bool shown) {
  if (shown)
    hidden_.remove(name);
  else
    hidden_.insert(name);
}

void SeriesVisibility::isolate(const QString& name, const QStringList& all) {
  // Not asked of the entry itself: the first click of a double click has toggled it.
  const bool alone = std::none_of(
      all.begin(), all.end(), [&](const QString& other) { return other != name && shown(other); });
  for (const QString& other : all) setShown(other, alone || other == name);
}

bool SeriesVisibility::anyHidden(const QStringList& all) const {
  return std::any_of(all.begin(), all.end(), [&](const QString& name) { return !shown(name); });
}

}  // namespace fusebench
