// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/models/results/analysis_model.h"
#include "ui/models/whatif/what_if_model.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace fusebench {

class ChartView;

/// "What if a launch cost half as much?": sliders for a simulated device's parameters, and the
/// curves of the experiment as predicted for that device. Everything here is simulated and drawn
/// accordingly.
class WhatIfView : public QWidget {
  Q_OBJECT

 public:
  WhatIfView(WhatIfModel& model, QWidget* parent);
  void setTheme(const Theme& theme);
  /// Sets a measured run to overlay on the chart; null: none. A simulated run is not overlaid.
  void setMeasured(std::shared_ptr<const Run> run);

  const WhatIfModel& model() const { return model_; }
  ChartView& chart() const { return *chart_; }
  QSlider* slider(std::string_view key) const;
  QComboBox& devices() const { return *devices_; }
  QPushButton& resetButton() const { return *reset_; }
  QPushButton& fitButton() const { return *fit_; }
  QComboBox& ranks() const { return *ranks_; }
  QString truth() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Row {
    const sim::ParameterRow* parameter;
    QSlider* slider;
    QLabel* value;
  };
  void refresh();

  WhatIfModel& model_;
  AnalysisModel analysis_;
  QComboBox* devices_;
  QLabel* truth_;
  QPushButton *reset_, *fit_;
  QLabel* ranksName_;
  QComboBox* ranks_;
  ChartView* chart_;
  QWidget* panel_ = nullptr;
  std::vector<Row> rows_;
  std::shared_ptr<const Run> measured_;
};

}  // namespace fusebench
