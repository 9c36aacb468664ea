// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "profiler/experiment/experiment.h"

class QComboBox;
class QToolButton;

namespace fusebench {

/// What else the chart can show, in the header above it: the published curves, and of an experiment
/// with two axes the slice.
class ChartChoices : public QWidget {
  Q_OBJECT

 public:
  explicit ChartChoices(QWidget* parent = nullptr);
  /// `published`: whether there are published curves that fit.
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
