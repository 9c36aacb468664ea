// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/names_apart.h"

#include <algorithm>
#include <map>
#include <vector>

namespace fusebench {
namespace {

const QString kLeftOut = QStringLiteral("…");
constexpr qsizetype kBefore = 6;  ///< characters before the first that differs

using Fits = std::function<bool(const QString&)>;

/// The longest of made(0) ... made(most) that fits; made(0) where none does.
QString longest(qsizetype most, const Fits& fits,
                const std::function<QString(qsizetype kept)>& made) {
  qsizetype low = 0, high = most;
  while (low < high) {
    const qsizetype middle = (low + high + 1) / 2;
    fits(made(middle)) ? low = middle : high = middle - 1;
  }
  return made(low);
}

QString inTheMiddle(const QString& name, const Fits& fits) {
  if (fits(name)) return name;
  return longest(name.size() - 1, fits, [&name](qsizetype kept) {
    return name.left((kept + 1) / 2) + kLeftOut + name.right(kept / 2);
  });
}

/// Keeps the part at `from`, and the beginning and the end where others have the same.
QString around(const QString& name, qsizetype from, qsizetype alikeAtEnd, const Fits& fits) {
  return longest(name.size() - 1, fits, [&](qsizetype kept) {
    const qsizetype head = std::min(kept / 4, from);
    const qsizetype tail = std::min(kept / 4, alikeAtEnd);
    const qsizetype to = std::min(from + kept - head - tail, name.size() - tail);
    return name.left(head) + (from > head ? kLeftOut : QString()) + name.mid(from, to - from) +
           (to < name.size() - tail ? kLeftOut : QString()) + name.right(tail);
  });
}

qsizetype alikeAtBegin(const QStringList& names) {
  qsizetype alike = names.front().size();
  for (const QString& name : names) {
    alike = std::min(alike, name.size());
    const auto differ = std::mismatch(name.begin(), name.begin() + alike, names.front().begin());
    alike = differ.first - name.begin();
  }
  return alike;
}

qsizetype alikeAtEnd(const QStringList& names) {
  QStringList turned;
  for (QString name : names) {
    std::ranges::reverse(name);
    turned << name;
  }
  return alikeAtBegin(turned);
}

/// Shortens names that became equal once more, but around the part in which they differ.
void tellApart(const QStringList& names, const Fits& fits, std::map<QString, QString>& shortened,
               qsizetype knownAlike) {
  std::map<QString, QStringList> alike;
  for (const QString& name : names) alike[shortened[name]] << name;
  for (const auto& [text, group] : alike) {
    if (group.size() < 2) continue;
    const qsizetype begin = alikeAtBegin(group);
    if (begin <= knownAlike) continue;  // there is no room for more
    for (const QString& name : group)
      shortened[name] = around(name, std::max<qsizetype>(0, begin - kBefore),
                               std::min(alikeAtEnd(group), name.size() - begin), fits);
    tellApart(group, fits, shortened, begin);
  }
}

bool inAWord(QChar at) {
  return at.isLetterOrNumber();
}

}  // namespace

QStringList namesApart(const QStringList& names, const Fits& fits) {
  std::map<QString, QString> shortened;
  for (const QString& name : names)
    if (!shortened.contains(name)) shortened[name] = inTheMiddle(name, fits);
  QStringList different;
  for (const auto& [name, text] : shortened) different << name;
  tellApart(different, fits, shortened, -1);
  QStringList all;
  for (const QString& name : names) all << shortened[name];
  return all;
}

QStringList partsApart(const QStringList& titles) {
  if (titles.size() < 2) return titles;
  const QString& first = titles.front();
  if (titles.count(first) == titles.size()) return titles;
  qsizetype begin = alikeAtBegin(titles);
  while (begin > 0 && inAWord(first[begin - 1])) --begin;
  QStringList rest;
  for (const QString& title : titles) rest << title.mid(begin);
  qsizetype end = alikeAtEnd(rest);
  while (end > 0 && inAWord(first[first.size() - end])) --end;
  for (QString& part : rest) {
    part.chop(end);
    if (part.isEmpty()) return titles;
  }
  return rest;
}

}  // namespace fusebench
