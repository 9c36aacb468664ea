// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include "ui/models/runs/run_library.h"
#include "ui/theme/theme.h"

class QFrame;
class QLabel;
class QLineEdit;
class QListView;
class QPlainTextEdit;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace fusebench {

/// The library of runs: search, list, notes of the current one, and its actions.
class RunsView : public QWidget {
  Q_OBJECT

 public:
  explicit RunsView(RunLibrary& library, QWidget* parent = nullptr);
  ~RunsView() override;  ///< writes notes that are being typed
  void setTheme(const Theme& theme);

  QListView& list() const { return *list_; }
  /// Paths of the selected runs, in the order shown.
  QStringList selectedPaths() const;
  /// Path of the selected run; empty if none or several are selected.
  QString currentPath() const;
  void select(const QString& path);

 public slots:
  void openCurrent();
  void toggleOverlay();
  /// Compares the oldest of the selected runs with the others.
  void compareSelected();
  /// Exports the selected run, or a comparison if several are selected.
  void exportSelected();
  void renameCurrent();
  void deleteSelected();

 signals:
  void openRequested(const QString& path);
  void overlaysChanged(const QStringList& paths);
  /// The oldest first.
  void compareRequested(const QStringList& paths);
  void exportRequested(const QStringList& paths);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildSearch();
  void buildList();
  void buildNotes();
  void buildButtons();
  void buildUndo();
  void refreshButtons();
  void refreshEmptyState();
  void refreshUndo();
  void showNotes();
  void keepNotes();
  bool usable(const QString& path) const;
  QStringList usableOldestFirst() const;

  RunLibrary& library_;
  RunLibraryOrder order_;
  const Theme* theme_ = &darkTheme();
  QWidget* searchRow_;
  QLineEdit* search_;
  QListView* list_;
  QLabel* empty_;
  QStackedLayout* stack_;
  QFrame* undo_;
  QLabel* undoText_;
  QLabel* problem_;
  QPlainTextEdit* notes_;
  QString notesPath_;  ///< whose notes are in the editor
  QTimer notesPause_;
  QWidget* buttons_;
  QPushButton* open_;
  QPushButton* overlay_;
  QPushButton* compare_;
  QPushButton* export_;
  QPushButton* rename_;
  QPushButton* delete_;
};

}  // namespace fusebench
