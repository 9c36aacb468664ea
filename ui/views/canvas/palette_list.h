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

  /// Starts a drag with this data, which becomes its own. Dragging runs an
  /// event loop of its own under some platforms, so tests put something else
  /// here.
  std::function<void(QMimeData* data)> dragStarter;

  /// Selects the next op in a direction, headings left out.
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
