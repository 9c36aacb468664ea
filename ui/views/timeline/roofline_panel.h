// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/operator_figures.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/kernel_table.h"
#include "ui/views/timeline/roofline_chart.h"

class QComboBox;
class QLabel;
class QSplitter;

namespace fusebench {

/// The roofline of a trace's operators, as a chart and as a table. Choosing an operator in either
/// shows its longest call on the timeline; the current event there is marked in both.
class RooflinePanel : public FiguresPanel {
  Q_OBJECT

 public:
  explicit RooflinePanel(TimelineModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme) override;
  void setWanted(bool wanted) override;
  QWidget* controls() override { return controls_; }
  double shareOfHeight() const override { return 0.65; }

  RooflineFigures& figures() { return figures_; }
  RooflineChart& chart() { return *chart_; }
  KernelTable& table() { return *table_; }
  QLabel& note() { return *note_; }  ///< the device's rates, and what is not drawn

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void layOut();
  void shareWidth();
  void refresh();
  void refreshTraces();
  void refreshNote();
  void markCurrent();
  void choose(std::uint32_t point);

  TimelineModel& model_;
  RooflineFigures figures_;
  QWidget* controls_;
  QComboBox* trace_;
  QSplitter* parts_ = nullptr;
  bool widthChosen_ = false;  ///< the handle between chart and table was moved
  RooflineChart* chart_;
  KernelTable* table_;
  QLabel* note_;
};

}  // namespace fusebench
