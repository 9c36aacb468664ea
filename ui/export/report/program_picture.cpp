// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/program_picture.h"

#include <QGraphicsScene>
#include <QPainter>
#include <memory>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/document_model.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"

namespace fusebench {
namespace {

constexpr QSize kCanvas(420, 900);
constexpr double kPictureMargin = 12;

}  // namespace

ReportPicture programPicture(const Experiment& experiment, int variant, const Theme& theme) {
  ReportPicture result;
  if (experiment.program.ops.empty()) return result;
  DocumentModel document;
  document.load(experiment, {});
  CanvasView canvas(document);
  canvas.setTheme(theme);
  canvas.setAnimated(false);
  canvas.resize(kCanvas);
  canvas.ensurePolished();
  canvas.setVariant(variant);
  const QRectF area = canvas.surface().content().adjusted(-kPictureMargin, -kPictureMargin,
                                                          kPictureMargin, kPictureMargin);
  if (area.isEmpty()) return result;
  auto picture = std::make_shared<QPicture>();
  QPainter painter(picture.get());
  painter.setRenderHint(QPainter::Antialiasing);
  canvas.surface().scene()->render(&painter, QRectF({0, 0}, area.size()), area);
  painter.end();
  result.picture = std::move(picture);
  result.size = area.size();
  result.description = uiText("The program as a graph of %1 ops; outlines are the kernels of %2")
                           .arg(experiment.program.ops.size())
                           .arg(QString::fromStdString(
                               experiment.variants.at(static_cast<std::size_t>(variant)).name));
  return result;
}

}  // namespace fusebench
