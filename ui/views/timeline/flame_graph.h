// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "ui/models/timeline/operator_figures.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Draws a tree of calls: the width of each is its time, and its children are below it. A click
/// shows a call in the full width, and its longest execution on the timeline; Esc or a click on the
/// topmost bar goes back. Arrow keys move in the tree, Enter shows the current call. If there are
/// more rows than fit, the wheel and the page keys scroll.
class FlameGraph : public QWidget {
  Q_OBJECT

 public:
  explicit FlameGraph(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `callers`: the tree of callers in place of that of calls. Null: nothing, or not yet (`busy`).
  void setFigures(std::shared_ptr<const OperatorFigures::Made> made, bool callers, bool busy);
  /// Marks the node of an event of the timeline; 0: none.
  void mark(std::uint32_t node);
  std::uint32_t marked() const { return marked_; }
  /// The node that has the full width.
  std::uint32_t top() const { return top_; }
  void showNode(std::uint32_t node);

  struct Bar {
    QRectF place;
    std::uint32_t node;
    bool around = false;  ///< one of the callers of what has the width
  };
  /// The bars that are drawn now.
  const std::vector<Bar>& bars() const { return bars_; }
  /// Pixels of them above what is seen.
  double scrolled() const { return scrolled_; }
  const OperatorTree* tree() const;
  QString wordsOf(std::uint32_t node) const;
  /// The name of a node as shown in a bar of that width: without its namespaces if they do not fit,
  /// then shortened; with the time if both fit.
  QString labelOf(std::uint32_t node, double width) const;
  std::uint32_t hovered() const { return hovered_; }  ///< kNoNode: none
  static constexpr std::uint32_t kNoNode = ~0U;

 signals:
  /// The event of a node that was chosen.
  void eventWanted(EventId event);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  QSize minimumSizeHint() const override;

 private:
  void layOut();
  const Bar* barAt(QPointF position) const;
  void choose(std::uint32_t node);
  void step(int key);
  void scrollTo(double from);
  void scrollToMarked();
  void hover(std::uint32_t node);
  void paintBar(QPainter& painter, const Bar& bar);

  const Theme* theme_ = &darkTheme();
  std::shared_ptr<const OperatorFigures::Made> made_;
  bool callers_ = false, busy_ = false;
  std::uint32_t top_ = 0, marked_ = 0, hovered_ = kNoNode;
  std::vector<Bar> bars_;
  double scrolled_ = 0;  ///< pixels above what is seen
  double height_ = 0;    ///< for all bars
};

}  // namespace fusebench
