// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <vector>

#include "ui/models/chart/series_visibility.h"
#include "ui/theme/theme.h"

class QToolButton;

namespace fusebench {

inline constexpr int kCostSeries = -2;  ///< dotted levels

/// One entry of the legend: a piece of the curve and its name.
struct LegendItem {
  QString name;
  QString tip;     ///< more about it; may be empty
  int series = 0;  ///< -1: another run, drawn as thin lines of all colors; kCostSeries
};

/// A curve's entry. A click, or Space, hides and shows it; a double-click, Alt+click or Enter shows
/// only this curve, or all again.
class LegendEntry : public QAbstractButton {
  Q_OBJECT

 public:
  LegendEntry(LegendItem item, QWidget* parent);
  const LegendItem& item() const { return item_; }
  void setTheme(const Theme& theme);
  /// The pointer is over its curve in the chart.
  void setMarked(bool marked);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void isolated();
  void pointed(bool at);

 protected:
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  LegendItem item_;
  bool marked_ = false;
  const Theme* theme_ = &darkTheme();
};

/// The entries of all curves in as many rows as necessary, and a badge if the machine drifted.
class ChartLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ChartLegend(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setItems(const std::vector<LegendItem>& items);
  /// "Drift in 3 of 21 cells"; empty: no badge.
  void setBadge(const QString& text, const QString& tip);
  const SeriesVisibility& visibility() const { return visibility_; }
  /// The entry of the curve under the pointer in the chart; empty: none.
  void mark(const QString& name);
  /// Makes sure that a curve is visible.
  void reveal(const QString& name);
  const std::vector<LegendEntry*>& entries() const { return entries_; }
  QToolButton& badge() const { return *badge_; }

 signals:
  /// The curve whose entry is under the pointer; empty: none.
  void pointedAt(const QString& name);
  void visibilityChanged();
  void badgeClicked();

 private:
  void refresh();
  QStringList names() const;

  const Theme* theme_ = &darkTheme();
  SeriesVisibility visibility_;
  std::vector<LegendEntry*> entries_;
  QToolButton* badge_;
};

}  // namespace fusebench
