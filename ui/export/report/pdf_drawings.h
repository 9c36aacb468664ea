// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTextFormat>
#include <QTextObjectInterface>
#include <vector>

#include "ui/export/report/report.h"

namespace fusebench {

/// What is drawn within a document's text: a figure or a picture. It must outlive the document.
struct PdfDrawing {
  const Figure* figure = nullptr;
  const ReportPicture* picture = nullptr;
  double scale = 1;
  QSizeF size() const { return (figure ? figure->size : picture->size) * scale; }
};

/// Draws them: register it for kType, and insert an object replacement character in the format that
/// add() returns.
class PdfDrawings : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

 public:
  static constexpr int kType = QTextFormat::UserObject + 1;

  QTextCharFormat add(const PdfDrawing& drawing);
  void clear() { all_.clear(); }
  QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                  const QTextFormat& format) override;

 private:
  const PdfDrawing& at(const QTextFormat& format) const;
  std::vector<PdfDrawing> all_;
};

}  // namespace fusebench
