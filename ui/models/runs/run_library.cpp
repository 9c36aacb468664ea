// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_library.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QPointer>
#include <QStandardPaths>
#include <algorithm>
#include <optional>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_journal.h"
#include "ui/models/runs/run_trash.h"

namespace fusebench {
namespace {

constexpr int kFolderPause = 250;   ///< after a change of the folder: more may follow
constexpr std::size_t kBatch = 50;  ///< records handed over at once

/// Names of what may be a run; notes stand for runs that have vanished.
QStringList runNames(const QString& folder) {
  QStringList names;
  for (const QString& name : QDir(folder).entryList(QDir::Files, QDir::Name)) {
    if (name.endsWith(QLatin1String(".part")) || name.endsWith(QLatin1String(".tmp"))) continue;
    const QString run =
        name.endsWith(QLatin1String(kNoteEnding)) ? name.chopped(qstrlen(kNoteEnding)) : name;
    if (!run.isEmpty() && !names.contains(run)) names << run;
  }
  return names;
}

}  // namespace

QString RunLibrary::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/runs");
}

RunLibrary::RunLibrary(QString folder, QObject* parent)
    : QAbstractListModel(parent),
      folder_(QDir::cleanPath(folder)),
      watcher_(new QFileSystemWatcher(this)),
      generation_(std::make_shared<std::atomic<int>>(0)) {
  readers_.setMaxThreadCount(1);
  writers_.setMaxThreadCount(1);
  pause_.setSingleShot(true);
  pause_.setInterval(kFolderPause);
  connect(&pause_, &QTimer::timeout, this, &RunLibrary::refresh);
  connect(watcher_, &QFileSystemWatcher::directoryChanged, this, [this] { pause_.start(); });
  auto left = std::make_shared<QStringList>();
  write(
      [left, folder = folder_]() -> std::optional<QString> {
        if (!QDir().mkpath(folder))
          return uiText("%1: the folder for runs cannot be made").arg(folder);
        purgeOldTrash(folder);
        *left = recoverJournals(folder);
        return std::nullopt;
      },
      [this, left](bool made) {
        if (made) watcher_->addPath(folder_);
        if (left->isEmpty()) return;
        refresh();
        emit recovered(*left);
      });
  refresh();
}

RunLibrary::~RunLibrary() {
  ++*generation_;
  readers_.clear();
  readers_.waitForDone();
  writers_.waitForDone();
}

// ---- reading ----

void RunLibrary::refresh() {
  pause_.stop();
  setScanning(true);
  const int generation = ++*generation_;
  // Results follow the headers, so that the list is there at once; known ones are not read again.
  readers_.start(
      [self = QPointer<RunLibrary>(this), folder = folder_, live = generation_, generation] {
        const auto stale = [&] { return live->load() != generation; };
        const auto post = [&](std::function<void(RunLibrary&)> what) {
          QMetaObject::invokeMethod(
              QCoreApplication::instance(),
              [self, live, generation, what = std::move(what)] {
                if (self && live->load() == generation) what(*self);
              },
              Qt::QueuedConnection);
        };
        const auto hand = [&](std::vector<RunRecord> records) {
          post([records = std::move(records)](RunLibrary& library) { library.take(records); });
        };
        std::vector<RunRecord> batch, incomplete;
        QSet<QString> present;
        for (const QString& name : runNames(folder)) {
          if (stale()) return;
          batch.push_back(readRecord(folder + u'/' + name));
          present.insert(batch.back().path);
          if (batch.back().problem.isEmpty() && batch.back().result.isEmpty())
            incomplete.push_back(batch.back());
          if (batch.size() < kBatch) continue;
          hand(std::move(batch));
          batch.clear();
        }
        hand(std::move(batch));
        for (RunRecord& record : incomplete) {
          if (stale()) return;
          hand({completed(std::move(record))});
        }
        post([present](RunLibrary& library) { library.finishScan(present); });
      });
}

void RunLibrary::take(const std::vector<RunRecord>& records) {
  for (const RunRecord& read : records) {
    if (leaving_.contains(read.path)) continue;
    const int row = rowOf(read.path);
    if (row < 0) {
      insert(read);
      continue;
    }
    const RunRecord held = records_[static_cast<std::size_t>(row)];
    RunRecord merged = read;
    // Name and notes are edited here; the files follow. A result once found stays with its file.
    merged.name = held.name;
    merged.notes = held.notes;
    const bool news = !read.result.isEmpty() || !read.problem.isEmpty();
    if (!news && held.size == read.size && held.modified == read.modified) {
      merged.result = held.result;
      merged.problem = held.problem;
    }
    change(row, [&](RunRecord& record) { record = merged; });
    if (held.result.isEmpty() && !merged.result.isEmpty()) save(merged);
  }
}

void RunLibrary::finishScan(const QSet<QString>& present) {
  setScanning(false);
  for (std::size_t row = 0; row < records_.size(); ++row)
    if (!present.contains(records_[row].path))
      change(static_cast<int>(row), [](RunRecord& record) {
        record.problem = uiText("The file is gone.");
        record.size = -1;  // should it come back, it is read again
      });
}

// ---- editing ----

void RunLibrary::write(const std::function<std::optional<QString>()>& work,
                       const std::function<void(bool)>& after) {
  if (writing_++ == 0 && !scanning_) emit busyChanged();
  writers_.start([self = QPointer<RunLibrary>(this), work, after] {
    const std::optional<QString> problem = work();
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, problem, after] {
          if (!self) return;
          if (problem) emit self->failed(*problem);
          if (after) after(!problem);
          if (--self->writing_ == 0 && !self->scanning_) emit self->busyChanged();
        },
        Qt::QueuedConnection);
  });
}

void RunLibrary::save(const RunRecord& record) {
  write([record] { return writeNote(record); });
}

void RunLibrary::add(std::shared_ptr<const Run> run, std::function<void()> whole) {
  auto record = std::make_shared<RunRecord>();
  write(
      [record, run, folder = folder_, whole = std::move(whole)]() -> std::optional<QString> {
        try {
          QDir().mkpath(folder);
          const QString path = freeRunPath(folder, *run);
          saveRun(*run, path.toStdString());
          if (whole) whole();
          *record = readRecord(path);
          record->result = resultLine(*run);
          return writeNote(*record);
        } catch (const std::exception& error) {
          return QString::fromUtf8(error.what());
        }
      },
      [this, record](bool written) {
        if (record->path.isEmpty() || (!written && rowOf(record->path) >= 0)) return;
        if (rowOf(record->path) < 0) insert(*record);
        refresh();  // one that began earlier has not seen the file and would take it for gone
        if (written) emit added(record->path);
      });
}

void RunLibrary::rename(const QString& path, const QString& name) {
  const int row = rowOf(path);
  if (row < 0) return;
  RunRecord& record = records_[static_cast<std::size_t>(row)];
  const QString trimmed = name.simplified();
  const QString given =
      trimmed == record.title || trimmed == record.shownTitle() ? QString() : trimmed;
  if (given == record.name) return;
  change(row, [&](RunRecord& changed) { changed.name = given; });
  save(records_[static_cast<std::size_t>(row)]);
}

void RunLibrary::setNotes(const QString& path, const QString& notes) {
  const int row = rowOf(path);
  if (row < 0 || records_[static_cast<std::size_t>(row)].notes == notes) return;
  change(row, [&](RunRecord& changed) { changed.notes = notes; });
  save(records_[static_cast<std::size_t>(row)]);
}

void RunLibrary::remove(const QStringList& paths) {
  Removal removal;
  removal.folder = trashFolderName(++removalCount_);
  QStringList files;
  for (const QString& path : paths) {
    const int row = rowOf(path);
    if (row < 0) continue;
    if (overlays_.contains(path)) toggleOverlay(path);
    beginRemoveRows({}, row, row);
    removal.records.push_back(records_[static_cast<std::size_t>(row)]);
    records_.erase(records_.begin() + row);
    endRemoveRows();
    files << path << notePath(path);
  }
  if (removal.records.empty()) return;
  for (const RunRecord& record : removal.records) leaving_.insert(record.path);
  write([files, folder = folder_,
         trash = removal.folder] { return moveToTrash(files, folder, trash); },
        [this, gone = removal.records](bool) {
          // From here on the folder tells: the files are gone, could not be moved, or came back.
          for (const RunRecord& record : gone) leaving_.remove(record.path);
          refresh();
        });
  removals_.push_back(std::move(removal));
  emit undoChanged();
}

QString RunLibrary::undoText() const {
  if (removals_.empty()) return {};
  const std::vector<RunRecord>& records = removals_.back().records;
  return records.size() == 1 ? uiText("Deleted %1").arg(records.front().shownName())
                             : uiText("Deleted %1 runs").arg(records.size());
}

void RunLibrary::undoRemove() {
  if (removals_.empty()) return;
  const Removal removal = std::move(removals_.back());
  removals_.pop_back();
  emit undoChanged();
  write([folder = folder_, trash = removal.folder] { return restoreFromTrash(folder, trash); },
        [this](bool) { refresh(); });
}

void RunLibrary::toggleOverlay(const QString& path) {
  const RunRecord* held = record(path);
  if (!overlays_.removeOne(path)) {
    if (!held || !held->problem.isEmpty()) return;
    overlays_ << path;
  }
  if (const int row = rowOf(path); row >= 0)
    emit dataChanged(index(row), index(row), {OverlaidRole});
  emit overlaysChanged(overlays_);
}

void RunLibrary::setOverlays(const QStringList& paths) {
  if (paths == overlays_) return;
  const QStringList before = std::exchange(overlays_, paths);
  for (const QString& path : before + paths)
    if (const int row = rowOf(path); row >= 0)
      emit dataChanged(index(row), index(row), {OverlaidRole});
  emit overlaysChanged(overlays_);
}

// ---- rows ----

const RunRecord* RunLibrary::record(const QString& path) const {
  const int row = rowOf(path);
  return row < 0 ? nullptr : &records_[static_cast<std::size_t>(row)];
}

int RunLibrary::rowOf(const QString& path) const {
  const auto found = std::find_if(records_.begin(), records_.end(),
                                  [&](const RunRecord& record) { return record.path == path; });
  return found == records_.end() ? -1 : static_cast<int>(found - records_.begin());
}

void RunLibrary::insert(RunRecord record) {
  const int row = static_cast<int>(records_.size());
  beginInsertRows({}, row, row);
  records_.push_back(std::move(record));
  endInsertRows();
}

void RunLibrary::change(int row, const std::function<void(RunRecord&)>& edit) {
  RunRecord& record = records_[static_cast<std::size_t>(row)];
  const RunRecord before = record;
  edit(record);
  if (record != before) emit dataChanged(index(row), index(row));
}

void RunLibrary::setScanning(bool on) {
  if (on == scanning_) return;
  scanning_ = on;
  if (writing_ == 0) emit busyChanged();
}

int RunLibrary::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(records_.size());
}

QVariant RunLibrary::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const RunRecord& record = records_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return record.shownName();
    case PathRole:
      return record.path;
    case DateRole:
      return record.date;
    case DetailRole: {
      QStringList parts{record.date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))};
      if (!record.device.isEmpty()) parts << record.device;
      if (record.cellCount > 0)
        parts << uiText("%1 data points").arg(formatCount(record.cellCount));
      if (record.explored)
        parts << uiText("explored");
      else if (record.quick)
        parts << uiText("quick");
      return parts.join(QStringLiteral(" · "));
    }
    case ResultRole:
      return record.result;
    case ProblemRole:
      return record.problem;
    case NotesRole:
      return record.notes;
    case TitleRole:
      return record.shownTitle();
    case OverlaidRole:
      return overlays_.contains(record.path);
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2%3")
          .arg(record.shownName(), record.path,
               record.notes.isEmpty() ? QString() : QStringLiteral("\n\n") + record.notes);
    case Qt::AccessibleTextRole:
      return QStringLiteral("%1, %2, %3")
          .arg(record.shownName(), record.problem.isEmpty() ? record.result : record.problem,
               data(index, DetailRole).toString());
    default:
      return {};
  }
}

bool RunLibrary::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole) return false;
  rename(records_[static_cast<std::size_t>(index.row())].path, value.toString());
  return true;
}

Qt::ItemFlags RunLibrary::flags(const QModelIndex& index) const {
  if (!index.isValid()) return QAbstractListModel::flags(index);
  return QAbstractListModel::flags(index) | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

}  // namespace fusebench

#include "moc_run_library.cpp"
