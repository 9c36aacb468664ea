// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "profiler/experiment/experiment.h"

class QComboBox;
class QToolButton;

namespace fusebench {

/// Further options of the chart, in the header above it: the published curves, and the slice for an
/// experiment with two axes.
class ChartChoices : public QWidget {
  Q_OBJECT

 public:
  explicit ChartChoices(QWidget* parent = nullptr);
  /// `published`: whether there are matching published curves.
  void setExperiment(const Experiment& experiment, bool published);
  void setShowPublished(bool on);
  void setSlice(std::size_t slice);

 signals:
  void publishedChosen(bool on);
  void sliceChosen(std::size_t slice);

 private:
  QComboBox* slice_;
  QToolButton* published_;
};

}  // namespace fusebench
