// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ui/models/timeline/launch_arrows.h"
#include "ui/models/timeline/row_picture.h"
#include "ui/models/timeline/timeline_model.h"
#include "ui/theme/theme.h"
#include "ui/views/base/empty_card.h"

class QMenu;

namespace fusebench {

/// Lanes of traces on one clock: wheel zooms at the cursor, dragging pans, dragging on the time
/// axis (or with Shift) selects, with Ctrl it measures, a click takes an event, a double click
/// shows it close. Names of lanes: a click collapses, dragging moves, a right click has all that
/// can be done with a lane.
class TimelineCanvas : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TimelineCanvas(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  TimelineModel& model() const { return model_; }
  /// Card that is shown if there are no launches.
  EmptyCard& emptyCard() { return *empty_; }

  static constexpr int kGutter = 148;  ///< room for the names of the lanes, at least
  /// Where the events begin: right of the names, which take more room where there is some.
  int gutter() const { return gutter_; }
  static constexpr int kAxis = 26;
  static constexpr int kHead = 26;  ///< height of a trace's head
  static constexpr int kRow = 18;   ///< height of a row of events, at least
  static constexpr int kCounter = 40, kTallCounter = 90;
  /// The height of a row: more than kRow where the tracks have more room than they need.
  int rowHeight() const { return rowHeight_; }

  /// Position of a row of events in the viewport, scrolled.
  struct Band {
    std::size_t trace = 0, row = 0;
    LaneId lane = 0;
    int y = 0;
    bool firstOfLane = false, lastOfLane = false;
    std::size_t folded = 0;  ///< number of rows below it that are drawn in it
    bool folds = false;      ///< a click on its name folds the lane, which was opened
    bool collapsed = false;  ///< the lane's only band, for all of its rows
    bool pinned = false;     ///< at the top, not scrolled
  };
  std::vector<Band> bands() const;
  /// Shows all rows of a deep lane, or the outer ones again.
  void toggleLane(std::size_t trace, LaneId lane);
  /// Scrolls to the first lane of the device of a trace, with the trace's name at the top if there
  /// is room for both.
  void showDeviceOf(std::size_t trace);
  /// Where a counter is drawn, scrolled.
  struct CounterBand {
    std::size_t trace = 0, counter = 0;
    int y = 0, height = 0;
  };
  std::vector<CounterBand> counterBands() const;
  /// The time at which a device's track is idle here, between two of its works.
  std::optional<std::pair<std::size_t, TimeRange>> gapAt(const QPoint& at) const;
  /// The counter that is drawn here.
  const CounterTrack* counterAt(const QPoint& at) const;
  /// The note that has its mark here on the axis.
  std::optional<TraceNotes::Place> noteAt(const QPoint& at) const;
  /// The edge of an event near this place, which the ruler snaps to; else the time here.
  TimelineModel::Ruler measuredBetween(const QPoint& from, const QPoint& to) const;
  /// Those of which the viewport shows something.
  std::vector<Band> bandsInSight() const;
  TimeScale scale() const;
  std::optional<TimelineModel::Place> placeAt(const QPoint& at) const;
  /// The lane whose name is at this position; nothing outside the names.
  std::optional<LaneChoices::Place> laneAt(const QPoint& at) const;
  /// Fills the context menu of a lane.
  void fillLaneMenu(QMenu& menu, LaneChoices::Place place);
  /// Area of the selection's length on the axis, on its own background.
  QRectF selectionBadge() const;
  /// Lines of the card at the cursor; empty: none.
  const QStringList& hoverFacts() const { return facts_; }
  QSize sizeHint() const override { return {640, 300}; }
  /// For the axis and all lanes, with rows as low as they can be.
  int contentHeight() const { return contentHeight_; }

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Drag { none, pan, select, lane, measure };

  void layOut();
  void fitGutter();
  void layOutBands();
  int layOutCounters(std::size_t trace, int y);
  void growRows();
  void paintCounters(QPainter& painter);
  void paintNotes(QPainter& painter);
  void paintRuler(QPainter& painter);
  bool markKey(int key, Qt::KeyboardModifiers modifiers);
  void measureFromCurrent();
  struct Edge {
    Nanoseconds time = 0;
    std::optional<TimelineModel::Place> at;
    bool isEnd = false;
  };
  Edge edgeNear(const QPoint& at) const;
  int layOutLane(std::size_t trace, const LaneChoices::Entry& entry, int y);
  int top() const { return kAxis + pinnedHeight_; }  ///< upper end of the scrolled part
  bool laneKey(int key, Qt::KeyboardModifiers modifiers);
  void clickLane(const QPoint& at);
  void clipTo(QPainter& painter, bool pinned);
  const Band* bandOf(std::size_t trace, std::size_t row) const;
  const Band* foldAt(const QPoint& at) const;
  void showCurrent();
  void paintNames(QPainter& painter, const Band& band);
  void drawFolded(const Band& band, const TimeScale& fine, std::size_t width);
  bool isCurrent(std::size_t trace, EventId event) const;
  double width() const;
  void hover(const QPoint& at);
  void paintAxis(QPainter& painter);
  std::pair<double, double> selectionEdges() const;
  void paintSelection(QPainter& painter);
  void paintHeads(QPainter& painter);
  void paintBand(QPainter& painter, const Band& band);
  void paintLine(QPainter& painter, const Band& band);
  QStringList gapFacts(std::size_t trace, TimeRange gap, const QPoint& at) const;
  void paintIdle(QPainter& painter, const Band& band);
  void sayIdle(QPainter& painter, const Band& band);
  void paintLabels(QPainter& painter, const Band& band);
  void addMeeting(const Band& band, const EventBox& box, bool current);
  void paintArrows(QPainter& painter);
  void paintCard(QPainter& painter);

  /// Shown while there is nothing else.
  void placeEmptyCard();

  TimelineModel& model_;
  EmptyCard* empty_;
  const Theme* theme_ = &darkTheme();
  std::vector<Band> bands_;         ///< unscrolled, from the top down
  std::vector<std::size_t> order_;  ///< of bands_ by trace and row
  int gutter_ = kGutter;
  int pinnedHeight_ = 0;  ///< height of the pinned bands
  int contentHeight_ = 0;
  std::vector<CounterBand> counterBands_;  ///< unscrolled
  int rowHeight_ = kRow;
  std::vector<int> heads_;                           ///< y of each trace's head, unscrolled
  std::set<std::pair<std::size_t, LaneId>> opened_;  ///< deep lanes that show all rows
  std::array<QRgb, 256> colors_{};
  RowPicture picture_;      ///< the row that is being painted
  std::vector<QRgb> line_;  ///< colors of one line
  std::vector<LaunchArrow> arrows_;
  Drag drag_ = Drag::none;
  QPoint pressed_, cursor_;
  double pressedTime_ = 0;
  std::optional<LaneChoices::Place> pressedLane_;
  bool moved_ = false;
  std::optional<TimelineModel::Place> hovered_;
  QStringList facts_;
};

}  // namespace fusebench
