// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/models/code/generated_code_model.h"
#include "ui/models/storages/storage_maker.h"
#include "ui/models/storages/storage_subject.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;

namespace fusebench {

class StorageCanvas;
class StorageLegend;

/// Memory during a call, step by step, for two variants of the experiment, one above the other on
/// one scale. Eager above fused shows what fusing saves, out of place above in place what in-place
/// ops save, and gradients show the peak that checkpointing reduces.
class StorageView : public QWidget {
  Q_OBJECT

 public:
  /// `followed`: provides the experiment, point and device.
  StorageView(GeneratedCodeModel& followed, QWidget* parent);
  void setTheme(const Theme& theme);

  static constexpr int kRows = 2;
  GeneratedCodeModel& model(int row) { return rows_[static_cast<std::size_t>(row)].model; }
  StorageCanvas& canvas(int row) { return *rows_[static_cast<std::size_t>(row)].canvas; }
  QComboBox& variants(int row) { return *rows_[static_cast<std::size_t>(row)].variants; }
  /// Text about a row: its peak, or why there is nothing to see.
  QString note(int row) const;
  /// The shown rows, for an export; no rows if nothing is shown.
  StoragesSubject subject() const;
  /// Whether no request is pending.
  bool settled() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  struct Row {
    GeneratedCodeModel model;
    StorageMaker maker;
    QWidget* panel = nullptr;
    QComboBox* variants = nullptr;
    QLabel* note = nullptr;
    StorageCanvas* canvas = nullptr;
    bool chosen = false;  ///< the user chose the variant
  };
  void addRow(Row& row, const QString& name);
  void takeExperiment();
  void chooseVariants();
  void follow();
  void refresh();

  GeneratedCodeModel& followed_;
  std::array<Row, kRows> rows_;
  QLabel* place_;
  StorageLegend* legend_;
};

}  // namespace fusebench
