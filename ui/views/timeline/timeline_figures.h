// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "ui/models/timeline/timeline_model.h"
#include "ui/theme/theme.h"
#include "ui/views/base/capped_label.h"
#include "ui/views/timeline/kernel_table.h"

class QComboBox;
class QLabel;
class QStandardItem;
class QToolButton;

namespace fusebench {

class CompileLogPanel;
class ExecutionTracePanel;
class FilePanel;
class FiguresPanel;
class HistogramView;
class MatchesPanel;
class MemoryPanel;
class NotesPanel;
class OperatorsPanel;
class QueryPanel;
class RooflinePanel;
class ShareBar;

/// Figures of a timeline's selection, or of all of it: one sentence per trace and device, time by
/// kernel, and the distributions of launch delays and gaps. If there are several devices, one can
/// be chosen.
class TimelineFigures : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineFigures(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Table and histograms, under the sentences.
  void showTables(bool shown);
  /// The part that takes the place of the table; null: the table is shown.
  FiguresPanel* panel() const;

  KernelTable& table() { return *table_; }
  QLabel& statistics() { return statistics_->label(); }
  /// Selects a device, or one row per device; hidden unless there are several.
  QComboBox& scope() { return *scope_; }
  HistogramView& delays() { return *delays_; }
  /// The subject of the table: time by kernel, where the time went, or what fusing or a graph would
  /// save.
  QComboBox& subject() { return *subject_; }
  /// The key by which two traces are compared; hidden for other tables.
  QComboBox& by() { return *by_; }
  /// Which of more than two traces are compared: 0 the one called A, 1 the one called B.
  QComboBox& compared(std::size_t which) { return *compared_[which]; }
  OperatorsPanel& operators() { return *operators_; }
  RooflinePanel& roofline() { return *roofline_; }
  MatchesPanel& matches() { return *matches_; }
  CompileLogPanel& compileLog() { return *compileLog_; }
  ExecutionTracePanel& executionTrace() { return *executionTrace_; }
  void showCompileLog();  ///< makes it the subject
  MemoryPanel& memory() { return *memory_; }
  void showExecutionTrace();  ///< makes it the subject
  void showMemory();          ///< makes it the subject
  /// The part that shows a file of its own, if there is something of it to show.
  FilePanel* filePanel() const;
  void showMatches();  ///< makes them the subject
  QueryPanel& query() { return *query_; }
  NotesPanel& notes() { return *notes_; }
  void showNotes();     ///< makes them the subject
  void showCompared();  ///< makes the comparison the subject
  /// The ranges of the program, to limit everything to one.
  QComboBox& limits() { return *limits_; }
  /// Shows the assumptions of the estimated savings.
  QToolButton& howButton() { return *how_; }
  /// The savings in one line.
  QLabel& headline() { return *headline_; }
  QLabel& details() { return *details_; }
  QLabel& note() { return *note_; }  ///< the assumptions of an estimate

 signals:
  void kernelActivated(const QString& name);
  /// The device's lane of a trace has to be scrolled into view.
  void laneWanted(std::size_t trace);
  /// Another table, or another part in its place, is shown.
  void subjectChanged();

 protected:
  void showDetails();
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  static constexpr int kShortTitle = 16;  ///< characters of a trace's title in lists and rows
  /// Roles of a row that leads to a time or to an event.
  static constexpr int kFromRole = Qt::UserRole + 2, kToRole = Qt::UserRole + 3,
                       kTraceRole = Qt::UserRole + 5, kEventRole = Qt::UserRole + 6;
  static constexpr int kMostRowsShown = 500;  ///< rows of a table: the ones that take the most time
  enum class Scope { allDevices, byDevice, oneDevice };
  enum class Subject {
    kernels,
    time,
    savings,
    gaps,
    compared,
    operators,
    roofline,
    collectives,
    matches,
    compiling,
    query,
    notes,
    execution,
    memory
  };
  Subject subjectNow() const;
  void refreshTime();
  void refreshSavings();
  void refreshGaps();
  void refreshCompared();
  void refreshCollectives();
  /// Lists the traces to choose from.
  void refreshChoice();
  /// Handles a choice of A (0) or B (1). Choosing the trace of the other one swaps the two.
  void chooseCompared(std::size_t which);
  /// Titles of the traces, as short as they can be without becoming equal.
  QStringList shortTitles() const;
  void activate(const QModelIndex& index);
  Scope scopeNow() const;
  OneDevice scopeDevice(std::size_t trace) const;
  bool keepsShown();
  static void setTime(QStandardItem& row, std::size_t trace, TimeRange time);
  /// The figures of the trace, or of its chosen device; null: it has none of that name.
  const TimelineModel::Figures* figuresOf(const TimelineModel::Summary& summary) const;
  void layOut();
  void refresh();
  void fitHeight();
  void refreshScope();
  void refreshLimits();
  void refreshSentences();
  void refreshTable();
  void refreshDevices();
  void refreshHistograms();
  void showHistograms();

  TimelineModel& model_;
  CappedLabel* statistics_;
  QComboBox *scope_, *subject_, *by_, *limits_;
  std::array<QComboBox*, 2> compared_;
  std::array<std::size_t, 2> chosen_ = {0, 1};  ///< positions of A and B among the traces
  /// Those that the user chose; empty: none.
  std::array<std::weak_ptr<const Trace>, 2> byHand_;
  QToolButton* whole_;  ///< seen while a part is selected
  QLabel* headline_;
  QToolButton* how_;
  QWidget* top_ = nullptr;  ///< the headline and its button
  QLabel* note_;
  QLabel* details_;  ///< text about the current event
  KernelTable* table_;
  OperatorsPanel* operators_;
  RooflinePanel* roofline_;
  MatchesPanel* matches_;
  CompileLogPanel* compileLog_;
  ExecutionTracePanel* executionTrace_;
  MemoryPanel* memory_;
  QueryPanel* query_;
  NotesPanel* notes_;
  std::map<Subject, FiguresPanel*> panels_;  ///< in place of the table
  ShareBar* shares_;
  const Theme* theme_ = &darkTheme();
  HistogramView *delays_, *gaps_;
  QWidget* tables_ = nullptr;
  QWidget* histograms_ = nullptr;
  std::optional<TimeRange> shownTime_;  ///< chosen in the list, which stays as it was then
  QString savingsNote_, savingsHead_;   ///< for the list that stays
  std::size_t tracesBefore_ = 0;        ///< shown before the last change of them
};

}  // namespace fusebench
