// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QScrollArea>
#include <optional>
#include <vector>

#include "ui/models/runs/findings_model.h"
#include "ui/theme/theme.h"

class QVBoxLayout;

namespace fusebench {

/// One finding: its figure at the top, its sentence below, its variant's color at the side. A
/// click, Enter or Space shows it in the chart.
class FindingEntry : public QFrame {
  Q_OBJECT

 public:
  FindingEntry(const ShownFinding& finding, const Theme& theme, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  const ShownFinding& finding() const { return finding_; }

 signals:
  void activated();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  ShownFinding finding_;
  const Theme* theme_;
};

/// The findings, most important first; the rest of a long list on demand.
class FindingsView : public QScrollArea {
  Q_OBJECT

 public:
  explicit FindingsView(const FindingsModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Findings about something else, such as a trace, instead of the run's; nothing: the run's
  /// again.
  void showInstead(std::optional<std::vector<ShownFinding>> findings);

 signals:
  void picked(const Target& target);
  /// The time of a trace that a finding is about.
  void timePicked(const TimeRange& time);

 private:
  void rebuild();

  std::optional<std::vector<ShownFinding>> instead_;
  const FindingsModel& model_;
  const Theme* theme_ = &darkTheme();
  bool all_ = false;
};

}  // namespace fusebench
