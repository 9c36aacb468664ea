// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>

#include "ui/theme/theme.h"

namespace fusebench {

class CanvasSurface;

/// A few words at a place on the canvas: why an edit was refused, what a mode
/// waits for.
class CanvasMessage : public QLabel {
  Q_OBJECT

 public:
  enum class Tone { refusal, hint };
  explicit CanvasMessage(CanvasSurface& surface);
  /// Hints stay until they are taken back with empty words; refusals go after
  /// some seconds.
  void say(const QString& words, QPointF scene, Tone tone);
  Tone tone() const { return tone_; }

 private:
  CanvasSurface& surface_;
  Tone tone_ = Tone::hint;
  QTimer gone_;
};

}  // namespace fusebench
