// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/canvas/canvas_actions.h"

class QDropEvent;
class QEvent;

namespace fusebench {

/// Ops from the palette, and PyTorch text from anywhere, dropped on the canvas.
class CanvasDrops {
 public:
  CanvasDrops(CanvasSurface& surface, CanvasActions& actions)
      : surface_(surface), actions_(actions) {}
  bool handle(QEvent* event);

 private:
  bool over(QDropEvent* event);
  bool drop(QDropEvent* event);

  CanvasSurface& surface_;
  CanvasActions& actions_;
};

}  // namespace fusebench
