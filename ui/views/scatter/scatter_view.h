// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "profiler/run/run.h"
#include "ui/export/figures/figure.h"
#include "ui/models/chart/scatter.h"
#include "ui/models/results/run_model.h"
#include "ui/theme/theme.h"
#include "ui/views/base/empty_card.h"

class QComboBox;

namespace fusebench {

/// The shown run's cells by any two of their metrics, and a third one as the size of their marks,
/// which shows what a gain costs. Drawn as it is exported. Left and Right move from mark to mark,
/// Enter shows the details.
class ScatterView : public QWidget {
  Q_OBJECT

 public:
  ScatterView(RunModel& run, QWidget* parent);
  void setTheme(const Theme& theme);
  /// Selects the value of the second axis.
  void setSlice(std::size_t slice);

  QComboBox& along() const { return *along_; }
  QComboBox& upwards() const { return *upwards_; }
  QComboBox& size() const { return *size_; }
  const EmptyCard& emptyCard() const { return *card_; }
  const Figure& figure() const { return figure_; }
  /// The focused mark, among the figure's spots; -1: none yet.
  int current() const { return current_; }
  void setCurrent(int spot);
  QRectF placeOf(int spot) const;
  /// Its values, one per line; the first line names the cell.
  QString wordsOf(int spot) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  QRectF plotArea() const;
  void refresh();

  RunModel& run_;
  Theme theme_;
  std::size_t slice_ = 0;
  QComboBox *along_, *upwards_, *size_;
  QWidget* bar_;
  QWidget* room_;  ///< below the bar, while there is nothing to draw
  EmptyCard* card_;
  Figure figure_;
  int current_ = -1;
};

}  // namespace fusebench
