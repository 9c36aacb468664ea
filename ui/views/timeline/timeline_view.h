// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/timeline/timeline_model.h"
#include "ui/theme/theme.h"
#include "ui/views/timeline/timeline_figures.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSplitter;
class QToolButton;

namespace fusebench {

class LanesMenu;
class OverviewStrip;
class TimelineCanvas;

/// The timeline with its search, the statistics of the selection, and the tables.
class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

  TimelineCanvas& canvas() { return *canvas_; }
  QLineEdit& searchField() { return *search_; }
  TimelineFigures& figures() { return *figures_; }
  KernelTable& table() { return figures_->table(); }
  QLabel& statistics() { return figures_->statistics(); }
  QLabel& notice() { return *notice_; }
  QToolButton& tablesButton() { return *tablesButton_; }
  QToolButton& cancelButton() { return *cancel_; }
  QToolButton& lanesButton() { return *lanes_; }
  LanesMenu& lanesMenu() { return *lanesMenu_; }
  QToolButton& recordButton() { return *record_; }
  OverviewStrip& overview() { return *overview_; }
  QToolButton& regularButton() { return *regular_; }
  QToolButton& foundButton() { return *found_; }
  QToolButton& stepButton(bool back) { return back ? *earlier_ : *later_; }
  /// Whether the view has its own table: for a trace, or for a file that needs no tracks.
  bool hasOwnTable() const { return alone_ || !model_.empty(); }
  /// Calls are being recorded: the button stops the recording.
  void setRecording(bool recording);

 signals:
  void openRequested(bool below);
  void exportRequested();
  void recordRequested();
  void ownTableChanged(bool own);

 private:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  int widthForButtons() const;
  void fitBar();
  void refreshAlone();
  void showTables(bool shown);
  void shareHeight();
  void layOut();
  void refreshSearch();
  void refreshSteps();
  void refreshLoading();
  void refreshLanes();

  TimelineModel& model_;
  QLineEdit* search_;
  QToolButton *regular_, *found_;
  QToolButton *back_, *on_, *earlier_, *later_, *fit_, *open_, *below_, *export_, *tablesButton_,
      *more_, *cancel_, *lanes_, *record_;
  LanesMenu* lanesMenu_;
  QLabel* notice_;
  QProgressBar* progress_;
  QWidget* strip_ = nullptr;
  QSplitter* parts_ = nullptr;
  QHBoxLayout* bar_ = nullptr;
  bool heightChosen_ = false;  ///< the handle between lanes and tables was moved
  bool alone_ = false;         ///< a file without tracks is shown: it has all of the room
  bool tablesChosen_ = false;  ///< the button was used: the height decides no longer
  OverviewStrip* overview_;
  TimelineCanvas* canvas_;
  TimelineFigures* figures_;
};

}  // namespace fusebench
