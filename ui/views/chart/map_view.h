// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/chart/break_even_map.h"
#include "ui/models/results/run_words.h"
#include "ui/theme/theme.h"
#include "ui/views/base/empty_card.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace fusebench {

class MapCanvas;

/// The break-even map of the shown run: the speedup over two axes, one variant at a time. For a run
/// with one axis it explains what a second one would show.
class MapView : public QWidget {
  Q_OBJECT

 public:
  explicit MapView(const RunModel& run, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// The experiment to be measured, for which the empty state suggests a next step. Null: unknown.
  void setExperiment(const Experiment* experiment);
  /// Shows another variant of the experiment; ignored if it is the baseline or unknown.
  void setVariant(int variant);

  BreakEvenMapModel& model() { return model_; }
  MapCanvas& canvas() { return *canvas_; }
  const EmptyCard& emptyCard() const { return *card_; }
  const QLabel& summary() const { return *summary_; }

 signals:
  /// A cell was clicked or Enter pressed on it: positions of its values on the
  /// first and the second axis.
  void cellPicked(std::size_t xIndex, std::size_t yIndex);
  /// The button of the empty state: the experiment should sweep a second axis.
  void secondAxisRequested();
  /// The button of a map of a run that has no samples.
  void stepRequested(fusebench::NextStep step);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildHeader();
  void buildCard();
  void rebuildVariants();
  void refresh();
  void refreshCard();
  void placeCard();

  const RunModel& run_;
  BreakEvenMapModel model_;
  const Theme* theme_ = &darkTheme();
  bool twoAxesPlanned_ = false;
  std::optional<EmptyState> none_;                    ///< for a run that ended without samples
  QString plannedAxis_;                               ///< the experiment's first one
  QString lackingAxis_ = QStringLiteral("elements");  ///< what its map lacks
  QWidget* header_;
  QLabel* title_;
  QLabel* summary_;
  QLabel* legend_;
  QWidget* variants_ = nullptr;
  MapCanvas* canvas_;
  EmptyCard* card_;
};

}  // namespace fusebench
