// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QScrollArea>

#include "ui/models/runs/insights_model.h"
#include "ui/theme.h"

class QVBoxLayout;

namespace fusebench {

/// One finding: its figure on top, its sentence below, its variant's colour beside. A click, Enter
/// or Space asks to see it in the chart.
class InsightEntry : public QFrame {
  Q_OBJECT

 public:
  InsightEntry(const Insight& insight, const Theme& theme, QWidget* parent = nullptr);
  const Insight& insight() const { return insight_; }

 signals:
  void activated();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  Insight insight_;
  const Theme& theme_;
};

/// The findings, most important first; the rest of a long list on demand.
class InsightsView : public QScrollArea {
  Q_OBJECT

 public:
  explicit InsightsView(const InsightsModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

 signals:
  void picked(const Target& target);

 private:
  void rebuild();

  const InsightsModel& model_;
  const Theme* theme_ = &darkTheme();
  bool all_ = false;
};

}  // namespace fusebench
