// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "ui/views/canvas/palette_view.h"

class QLabel;

namespace fusebench {

/// The palette as a popup: one choice, or Escape.
class PalettePopup : public QFrame {
  Q_OBJECT

 public:
  explicit PalettePopup(QWidget* parent);
  void setTheme(const Theme& theme);
  /// Recently used ops are shared with another palette.
  void share(PaletteModel& other);

  using Chosen = std::function<void(const OpRow& row)>;
  /// `heading` describes the purpose of the choice: "Insert after exp".
  void open(QPoint global, const QString& heading, Chosen chosen);
  PaletteView& view() { return *view_; }
  QString heading() const;

 private:
  PaletteModel model_;
  PaletteModel* shared_ = nullptr;
  QLabel* heading_;
  PaletteView* view_;
  Chosen chosen_;
};

}  // namespace fusebench
