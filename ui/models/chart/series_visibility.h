// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace fusebench {

/// Which of the legend's entries are shown, by name, so that a choice outlives the run it was made
/// on.
class SeriesVisibility {
 public:
  bool shown(const QString& name) const { return !hidden_.contains(name); }
  void setShown(const QString& name, bool shown);
  /// Shows only this one of `all`; shows all of them again if it was already the only one.
  void isolate(const QString& name, const QStringList& all);
  void showAll() { hidden_.clear(); }
  bool anyHidden(const QStringList& all) const;

 private:
  QSet<QString> hidden_;
};

}  // namespace fusebench
