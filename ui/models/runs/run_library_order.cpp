// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDateTime>
#include <algorithm>

#include "ui/models/runs/run_library.h"

namespace fusebench {

RunLibraryOrder::RunLibraryOrder(RunLibrary& library, QObject* parent)
    : QSortFilterProxyModel(parent) {
  setSourceModel(&library);
  setDynamicSortFilter(true);
  sort(0);
}

void RunLibraryOrder::setBy(By by) {
  by_ = by;
  invalidate();
}

void RunLibraryOrder::setSearch(const QString& words) {
  words_ = words.split(u' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool RunLibraryOrder::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  QString text = index.data().toString();
  for (const int role : {RunLibrary::TitleRole, RunLibrary::DetailRole, RunLibrary::ResultRole,
                         RunLibrary::NotesRole, RunLibrary::ProblemRole})
    text += u'\n' + index.data(role).toString();
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool RunLibraryOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  if (by_ == By::name)
    return left.data().toString().localeAwareCompare(right.data().toString()) < 0;
  const QDateTime a = left.data(RunLibrary::DateRole).toDateTime(),
                  b = right.data(RunLibrary::DateRole).toDateTime();
  return by_ == By::newest ? a > b : a < b;
}

}  // namespace fusebench
