// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <functional>

#include "ui/models/canvas/palette_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The ops as a list to drag from: a colored bar for the category, the name, and how the op is
/// written in a program.
class PaletteList : public QListView {
  Q_OBJECT

 public:
  PaletteList(PaletteModel& model, QWidget* parent);
  void setTheme(const Theme& theme);
  const Theme& theme() const { return *theme_; }

  /// Starts a drag with this data and takes ownership of it. On some platforms, dragging runs a
  /// nested event loop, so tests replace this.
  std::function<void(QMimeData* data)> dragStarter;

  /// Selects the next op in a direction, skipping headings.
  void step(int rows);
  void selectFirst();
  const OpRow* currentOp() const;

 protected:
  void startDrag(Qt::DropActions actions) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  PaletteModel& model_;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
