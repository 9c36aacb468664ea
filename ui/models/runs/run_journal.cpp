// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_journal.h"

#include <QDir>
#include <QFileInfo>
#include <exception>

#include "profiler/files/output_file.h"
#include "profiler/machine/clock.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

constexpr std::int64_t kPause = 3'000'000'000;  ///< between two writes of one cell, nanoseconds

QString journalsIn(const QString& folder) {
  return folder + QStringLiteral("/under-way");
}

}  // namespace

RunJournal::RunJournal(QString folder) : folder_(std::move(folder)) {}

RunJournal::~RunJournal() = default;

void RunJournal::started(const Run& header) {
  const std::lock_guard lock(mutex_);
  try {
    QDir().mkpath(journalsIn(folder_));
    path_ = freeRunPath(journalsIn(folder_), header).toStdString();
    writer_ = std::make_unique<RunWriter>(path_, header);
  } catch (const std::exception&) {
    writer_.reset();  // the run is still shown, and kept when it ends
  }
}

void RunJournal::cellChanged(int index, const Cell& cell) {
  const std::lock_guard lock(mutex_);
  if (!writer_) return;
  std::int64_t& last = lastWrite_.try_emplace(index, -kPause).first->second;
  const std::int64_t now = nowNanoseconds();
  if (cell.stop == Stop::running && now - last < kPause) return;
  last = now;
  writer_->cell(cell);
}

void RunJournal::discard() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(writer_, nullptr)) return;
  QFile::remove(QString::fromStdString(path_ + ".part"));
}

QStringList recoverJournals(const QString& folder) {
  QStringList recovered;
  QDir journals(journalsIn(folder));
  for (const QString& name : journals.entryList({QStringLiteral("*.part")}, QDir::Files)) try {
      recoverPart(journals.filePath(name.chopped(5)).toStdString());
    } catch (const std::exception&) {
      continue;  // it stays where it is
    }
  journals.refresh();
  for (const QString& name : journals.entryList({QStringLiteral("*.jsonl")}, QDir::Files)) {
    const QString stem = folder + u'/' + QFileInfo(name).completeBaseName();
    QString path = stem + QStringLiteral(".jsonl");
    for (int number = 2; QFileInfo::exists(path); ++number)
      path = QStringLiteral("%1-%2.jsonl").arg(stem).arg(number);
    if (QFile::rename(journals.filePath(name), path)) recovered << path;
  }
  return recovered;
}

QString freeRunPath(const QString& folder, const Run& run) {
  const QString date = QString::fromStdString(run.startedAt).left(19).remove(u':').remove(u'-');
  const QString stem = QStringLiteral("%1/%2-%3")
                           .arg(folder, fileNameFor(run.experiment),
                                date.isEmpty() ? QStringLiteral("undated") : date);
  QString path = stem + QStringLiteral(".jsonl");
  for (int number = 2; QFileInfo::exists(path) || QFileInfo::exists(path + ".part"); ++number)
    path = QStringLiteral("%1-%2.jsonl").arg(stem).arg(number);
  return path;
}

}  // namespace fusebench
