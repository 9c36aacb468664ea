// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/models/anatomy/anatomy_model.h"
#include "ui/theme/theme.h"
#include "ui/views/timeline/kernel_table.h"

class QLabel;

namespace fusebench {

class HistogramView;

/// The kernels of one variant's call in figures; if a device runs them, also the distributions of
/// launch delays and gaps.
class AnatomyKernels : public QWidget {
  Q_OBJECT

 public:
  explicit AnatomyKernels(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Null: nothing.
  void setBar(const AnatomyBar* bar);
  const KernelTable& table() const { return *table_; }
  const QLabel& title() const { return *title_; }
  const HistogramView& delays() const { return *delays_; }
  const HistogramView& gaps() const { return *gaps_; }
  QSize sizeHint() const override { return {420, 210}; }

 private:
  QLabel* title_;
  KernelTable* table_;
  HistogramView *delays_, *gaps_;
  QWidget* histograms_;
};

}  // namespace fusebench
