// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>

#include "ui/theme/theme.h"

namespace fusebench {

class CanvasSurface;

/// A short message at a position on the canvas: why an edit was refused, or what a mode waits for.
class CanvasMessage : public QLabel {
  Q_OBJECT

 public:
  enum class Tone { refusal, hint };
  explicit CanvasMessage(CanvasSurface& surface);
  /// Hints stay until they are cleared with an empty text; refusals disappear after some seconds.
  void say(const QString& words, QPointF scene, Tone tone);
  Tone tone() const { return tone_; }

 private:
  CanvasSurface& surface_;
  Tone tone_ = Tone::hint;
  QTimer gone_;
};

}  // namespace fusebench
