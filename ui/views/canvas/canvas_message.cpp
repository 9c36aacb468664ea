// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_message.h"

#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr int kShownMs = 7000;
constexpr int kWidest = 320, kMessagePadding = 26;
constexpr const char* kMessageSheet = R"(
#canvasMessage { background: @panel@; color: @text@; border: 1px solid @accent@; border-radius: 5px;
  padding: 5px 9px; }
)";
constexpr const char* kRefusalSheet = R"(
#canvasMessage { background: @panel@; color: @text@; border: 1px solid @error@; border-radius: 5px;
  padding: 5px 9px; }
)";

}  // namespace

CanvasMessage::CanvasMessage(CanvasSurface& surface)
    : QLabel(surface.viewport()), surface_(surface) {
  setObjectName(QStringLiteral("canvasMessage"));
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAccessibleName(uiText("Message"));
  gone_.setSingleShot(true);
  gone_.setInterval(kShownMs);
  connect(&gone_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

void CanvasMessage::say(const QString& words, QPointF scene, Tone tone) {
  gone_.stop();
  if (words.isEmpty()) return hide();
  tone_ = tone;
  styleBy(*this, withRoles(tone == Tone::refusal ? kRefusalSheet : kMessageSheet));
  setText(words);
  setAccessibleDescription(words);
  const QRect room = surface_.viewport()->rect().adjusted(6, 6, -6, -6);
  ensurePolished();
  const int widest = std::min(kWidest, room.width()) - kMessagePadding;
  const QSize size =
      QFontMetrics(font()).boundingRect(0, 0, widest, 1000, Qt::TextWordWrap, words).size();
  const int width = size.width() + kMessagePadding;
  resize(width, size.height() + kMessagePadding / 2);
  const QPoint wish = surface_.mapFromScene(scene) + QPoint(10, 8);
  move(std::clamp(wish.x(), room.left(), std::max(room.left(), room.right() - width)),
       std::clamp(wish.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  show();
  raise();
  if (tone == Tone::refusal) gone_.start();
}

}  // namespace fusebench

#include "moc_canvas_message.cpp"
