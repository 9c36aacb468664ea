// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <set>
#include <vector>

#include "ui/models/anatomy/anatomy_rows.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// A stacked bar for each variant, with one for its device below it, and below an opened bar a thin
/// bar for each of its launches, on the host and on the device. A click, Enter or Space opens a
/// bar; the arrow keys move from bar to bar.
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
  /// The row with the keyboard focus, as an index of the model's bars.
  int current() const { return current_; }
  void setCurrent(int bar);
  const AnatomyModel& model() const { return model_; }
  /// A bar and where it is drawn.
  struct PlacedRow {
    AnatomyRow row;
    QRect place;
  };
  std::vector<PlacedRow> placedRows() const;
  void toggle(int bar);
  /// Height of the first row of a variant's device, from the top; nothing: there is none.
  std::optional<int> deviceTop(int bar) const;

  /// A bar's name as it is drawn, shortened if there is not enough room.
  QString labelOf(int bar) const;
  /// Text of the tool tip at this point; empty if nothing is there.
  QString textAt(QPoint point) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void currentChanged(int bar);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  static constexpr int kMarginLeft = 18, kMarginRight = 18, kTotalWidth = 84, kChevron = 16;
  using Side = AnatomyRow::Side;
  using Piece = AnatomyRow::Piece;
  struct Row : AnatomyRow {
    int top = 0, height = 0;
  };
  struct Segment {
    Piece piece;
    double from, to;  ///< pixels
  };

  void rebuild();
  int labelWidth() const;
  static QFont labelFont(const Row& row);
  QString shownLabel(const Row& row) const;
  int barLeft() const { return labelWidth() + 12; }
  int barWidth() const;
  const AnatomyBar& barOf(const Row& row) const;
  double fullOf(const Row& row) const;
  std::vector<Segment> segments(const Row& row) const;
  const Row* rowAt(int y) const;
  void paintLabel(QPainter& painter, const Row& row) const;
  void paintRow(QPainter& painter, const Row& row) const;

  const AnatomyModel& model_;
  const Theme* theme_ = &darkTheme();
  std::vector<Row> rows_;
  std::set<int> open_;  ///< variants
  bool shares_ = false;
  int current_ = 0;
  int hovered_ = -1;  ///< row
};

}  // namespace fusebench
