// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/models/runs/run_record.h"

class QFileSystemWatcher;

namespace fusebench {

/// The runs in a folder, one per row, in no order (see RunLibraryOrder). All file access happens on
/// other threads: rows appear as their headers are read, and result lines follow. Files that are
/// damaged, have vanished or do not contain a run are rows, too, with the reason.
class RunLibrary : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    PathRole = Qt::UserRole,
    DateRole,     ///< QDateTime, UTC
    DetailRole,   ///< "2025-03-01 14:05 · cpu · 21 cells"
    ResultRole,   ///< one line
    ProblemRole,  ///< why it cannot be opened; empty: it can
    NotesRole,
    TitleRole,    ///< title of the experiment
    OverlaidRole  ///< whether it is drawn over the shown run
  };

  /// AppDataLocation/runs.
  static QString defaultFolder();
  explicit RunLibrary(QString folder = defaultFolder(), QObject* parent = nullptr);
  ~RunLibrary() override;  ///< waits until names, notes and runs are written

  const QString& folder() const { return folder_; }
  /// Whether something is still being read or written.
  bool busy() const { return scanning_ || writing_ > 0; }
  const RunRecord* record(const QString& path) const;

  /// Saves a finished run: writes it into the folder and adds it. `added` follows. `whole` is
  /// called on another thread as soon as the file is complete.
  void add(std::shared_ptr<const Run> run, std::function<void()> whole = {});
  void rename(const QString& path, const QString& name);
  void setNotes(const QString& path, const QString& notes);
  /// Moves the files to the folder's `trash`, where they stay for 30 days.
  void remove(const QStringList& paths);
  bool canUndo() const { return !removals_.empty(); }
  /// "Deleted Fusion against launches", if undoRemove() would restore that run; empty: nothing.
  QString undoText() const;
  void undoRemove();

  const QStringList& overlays() const { return overlays_; }
  void toggleOverlay(const QString& path);
  /// Overlays these and no others.
  void setOverlays(const QStringList& paths);

  /// Reads the folder again; it does this automatically when the folder changes.
  void refresh();

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;  ///< the name
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void added(const QString& path);
  /// Runs that were recovered from a terminated window and are in the list now; see RunJournal.
  void recovered(const QStringList& paths);
  /// One line: something could not be written or moved.
  void failed(const QString& what);
  void overlaysChanged(const QStringList& paths);
  void undoChanged();
  void busyChanged();

 private:
  struct Removal {
    QString folder;  ///< within the trash
    std::vector<RunRecord> records;
  };

  int rowOf(const QString& path) const;
  void insert(RunRecord record);
  void change(int row, const std::function<void(RunRecord&)>& edit);
  void take(const std::vector<RunRecord>& records);
  void finishScan(const QSet<QString>& present);
  void save(const RunRecord& record);
  /// Does `work` on the writing thread, then `after` here, with whether it went well.
  void write(const std::function<std::optional<QString>()>& work,
             const std::function<void(bool)>& after = {});
  void setScanning(bool on);

  QString folder_;
  std::vector<RunRecord> records_;
  QStringList overlays_;
  std::vector<Removal> removals_;
  QSet<QString> leaving_;  ///< on their way to the trash: not to be listed again meanwhile
  QFileSystemWatcher* watcher_;
  QTimer pause_;
  QThreadPool readers_, writers_;                 ///< one thread each
  std::shared_ptr<std::atomic<int>> generation_;  ///< of the scan; an older one ends
  bool scanning_ = false;
  int writing_ = 0;
  int removalCount_ = 0;
};

/// The library in the order that is shown, filtered by what is typed.
class RunLibraryOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  enum class By { newest, oldest, name };

  explicit RunLibraryOrder(RunLibrary& library, QObject* parent = nullptr);
  void setBy(By by);
  /// Every word must occur in name, title, device, result or notes.
  void setSearch(const QString& words);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  By by_ = By::newest;
  QStringList words_;
};

}  // namespace fusebench
