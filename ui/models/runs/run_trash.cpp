// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_trash.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_record.h"

namespace fusebench {
namespace {

constexpr int kDaysKept = 30;
const QString kTimeFormat = QStringLiteral("yyyyMMdd'T'HHmmss'Z'");

QString trashIn(const QString& folder) {
  return folder + QStringLiteral("/trash");
}

/// A name that neither a run nor a note in the folder has: "a.jsonl" -> "a-2.jsonl".
QString freeName(const QString& folder, const QString& name) {
  const auto taken = [&](const QString& candidate) {
    const QString path = folder + u'/' + candidate;
    return QFileInfo::exists(path) || QFileInfo::exists(notePath(path));
  };
  QString candidate = name;
  const QFileInfo info(name);
  for (int number = 2; taken(candidate); ++number)
    candidate =
        QStringLiteral("%1-%2.%3").arg(info.completeBaseName()).arg(number).arg(info.suffix());
  return candidate;
}

}  // namespace

QString trashFolderName(int number) {
  return QStringLiteral("%1-%2-%3")
      .arg(QDateTime::currentDateTimeUtc().toString(kTimeFormat))
      .arg(QCoreApplication::applicationPid())
      .arg(number);
}

std::optional<QString> moveToTrash(const QStringList& files, const QString& folder,
                                   const QString& name) {
  const QString place = trashIn(folder) + u'/' + name;
  if (!QDir().mkpath(place)) return uiText("%1: cannot be created").arg(place);
  std::optional<QString> problem;
  for (const QString& path : files) {
    if (!QFileInfo::exists(path)) continue;
    QFile file(path);
    if (!file.rename(place + u'/' + QFileInfo(path).fileName()))
      problem = uiText("%1: cannot be deleted: %2").arg(path, file.errorString());
  }
  return problem;
}

std::optional<QString> restoreFromTrash(const QString& folder, const QString& name) {
  const QDir place(trashIn(folder) + u'/' + name);
  std::optional<QString> problem;
  const auto move = [&](const QString& from, const QString& to) {
    QFile file(place.filePath(from));
    if (!file.rename(folder + u'/' + to))
      problem = uiText("%1: cannot be restored: %2").arg(from, file.errorString());
  };
  const QString ending = QLatin1String(kNoteEnding);
  QStringList names = place.entryList(QDir::Files);
  for (const QString& run : place.entryList(QDir::Files)) {
    if (run.endsWith(ending)) continue;
    const QString back = freeName(folder, run);
    if (names.removeOne(run + ending)) move(run + ending, back + ending);
    move(run, back);
    names.removeOne(run);
  }
  // Notes of runs that had vanished already.
  for (const QString& note : names) move(note, freeName(folder, note));
  if (!problem) QDir(trashIn(folder)).rmdir(name);
  return problem;
}

void purgeOldTrash(const QString& folder) {
  const QDir trash(trashIn(folder));
  const QDateTime now = QDateTime::currentDateTimeUtc();
  for (const QString& name : trash.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    QDateTime deleted = QDateTime::fromString(name.section(u'-', 0, 0), kTimeFormat);
    deleted.setTimeSpec(Qt::UTC);
    if (deleted.isValid() && deleted.daysTo(now) > kDaysKept)
      QDir(trash.filePath(name)).removeRecursively();
  }
}

}  // namespace fusebench
