// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <set>
#include <vector>

#include "ui/models/anatomy_model.h"
#include "ui/theme.h"

namespace fusebench {

/// The colour in which a part of a call is drawn.
QColor partColor(const Theme& theme, CallPart part);

/// A stacked bar for each variant, and below an opened one a thin bar for each of its launches. A
/// click, Enter or Space opens a bar; the arrow keys go from bar to bar.
class AnatomyBars : public QWidget {
  Q_OBJECT

 public:
  explicit AnatomyBars(const AnatomyModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Every bar as long as the others: shares of a call instead of times.
  void setShares(bool shares);
  bool shares() const { return shares_; }
  /// Shows or hides a variant's launches.
  void setOpen(int variant, bool open);
  bool isOpen(int variant) const { return open_.contains(variant); }
  /// The row that has the keyboard, as an index of the model's bars.
  int current() const { return current_; }

  /// What lies under a point, for the tool tip; empty: nothing.
  QString textAt(QPoint point) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Row {
    int bar = 0;
    int launch = -1;  ///< -1: the whole call
    int top = 0, height = 0;
  };
  struct Segment {
    CallPart part;
    double from, to;  ///< pixels
  };

  void rebuild();
  int labelWidth() const;
  int barLeft() const { return labelWidth() + 12; }
  int barWidth() const;
  const PartTimes& partsOf(const Row& row) const;
  double totalOf(const Row& row) const;
  std::vector<Segment> segments(const Row& row) const;
  const Row* rowAt(int y) const;
  void paintRow(QPainter& painter, const Row& row) const;
  void toggle(int bar);

  const AnatomyModel& model_;
  const Theme* theme_ = &darkTheme();
  std::vector<Row> rows_;
  std::set<int> open_;  ///< variants
  bool shares_ = false;
  int current_ = 0;
  int hovered_ = -1;  ///< row
};

}  // namespace fusebench
