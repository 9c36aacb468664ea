// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_drops.h"

#include <QDropEvent>
#include <QMimeData>

#include "engine/edit/layers.h"
#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

const OpRow* opIn(const QMimeData& data) {
  const QString type = QString::fromLatin1(PaletteModel::kMimeType);
  return data.hasFormat(type) ? findOpOrLayer(data.data(type).toStdString()) : nullptr;
}

/// Files are the window's business.
bool isText(const QMimeData& data) {
  return data.hasText() && !data.hasUrls();
}

}  // namespace

bool CanvasDrops::handle(QEvent* event) {
  switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
      return over(static_cast<QDropEvent*>(event));
    case QEvent::DragLeave:
      surface_.setTarget(-1);
      surface_.setCandidate(-1);
      return true;
    case QEvent::Drop:
      return drop(static_cast<QDropEvent*>(event));
    default:
      return false;
  }
}

bool CanvasDrops::over(QDropEvent* event) {
  if (!opIn(*event->mimeData()) && !isText(*event->mimeData())) {
    event->ignore();
    return true;
  }
  const CanvasTarget target = actions_.targetAt(surface_.mapToScene(event->position().toPoint()));
  const bool onEdge =
      target.kind == CanvasTarget::Kind::edge || target.kind == CanvasTarget::Kind::port;
  surface_.setTarget(onEdge ? target.edge : -1);
  surface_.setCandidate(target.kind == CanvasTarget::Kind::branch ? target.node : -1);
  event->setDropAction(Qt::CopyAction);
  event->accept();
  return true;
}

bool CanvasDrops::drop(QDropEvent* event) {
  const CanvasTarget target = actions_.targetAt(surface_.mapToScene(event->position().toPoint()));
  surface_.setTarget(-1);
  surface_.setCandidate(-1);
  if (const OpRow* row = opIn(*event->mimeData()))
    actions_.put(*row, target);
  else if (isText(*event->mimeData()))
    actions_.pasteText(event->mimeData()->text(), target.edge);
  else
    return false;
  surface_.setFocus();
  event->setDropAction(Qt::CopyAction);
  event->accept();
  return true;
}

}  // namespace fusebench
