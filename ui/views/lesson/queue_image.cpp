// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/queue_image.h"

#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>
#include <cmath>

#include "profiler/catalogue/catalogue.h"

namespace fusebench {
namespace {

constexpr int kQueueHeight = 104, kPixels = 3, kLeastWidth = 120;
constexpr int kNames = 62, kLane = 24, kHostTop = 8, kDeviceTop = 44, kAxisTop = 78;
constexpr double kStripe = 5;      ///< from stripe to stripe
constexpr double kNarrowest = 12;  ///< that a number has room in
constexpr int kTickRoom = 60;      ///< from one to the next

QString catalogued(const char* english) {
  return QString::fromUtf8(said(english).data(), static_cast<int>(said(english).size()));
}

/// 1, 2 or 5 times a power of ten, such that about so many of them fit.
double tickStep(double end, int ticks) {
  const double power = std::pow(10.0, std::floor(std::log10(end / ticks)));
  for (const double times : {1.0, 2.0, 5.0})
    if (power * times * (ticks + 1) >= end) return power * times;
  return power * 10;
}

/// Changing formats upsets a document's iterators: all at first.
std::vector<QTextFragment> picturesOf(const QTextDocument& document) {
  std::vector<QTextFragment> found;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at)
      if (at.fragment().charFormat().isImageFormat()) found.push_back(at.fragment());
  return found;
}

class QueuePainter {
 public:
  QueuePainter(QPainter& painter, const Theme& theme, double end, int width)
      : painter_(painter),
        theme_(theme),
        scale_((width - kNames - 10) / end),
        ticks_(std::clamp((width - kNames) / kTickRoom, 1, 5)) {}

  void name(const QString& text, int top) {
    painter_.setPen(theme_.muted);
    painter_.drawText(QRectF(0, top, kNames - 8, kLane), Qt::AlignRight | Qt::AlignVCenter, text);
  }

  /// Boxes with the launch's number where it has room.
  void boxes(const std::vector<course::QueueSpan>& spans, int top, const QColor& color) {
    int number = 0;
    for (const course::QueueSpan& span : spans) {
      const QRectF box(x(span.begin), top, std::max(1.0, x(span.end) - x(span.begin) - 1), kLane);
      painter_.fillRect(box, color);
      ++number;
      if (box.width() < kNarrowest) continue;
      painter_.setPen(theme_.panel);
      painter_.drawText(box, Qt::AlignCenter, QString::number(number));
    }
  }

  void waits(const std::vector<course::QueueSpan>& spans, int top) {
    for (const course::QueueSpan& span : spans) {
      const QRectF box(x(span.begin), top, x(span.end) - x(span.begin), kLane);
      painter_.save();
      painter_.setClipRect(box);
      painter_.setPen(QPen(theme_.muted, 0.7));
      for (double at = box.left() - kLane; at < box.right(); at += kStripe)
        painter_.drawLine(QPointF(at, top + kLane), QPointF(at + kLane, top));
      painter_.restore();
    }
  }

  void axis(double end) {
    const double step = tickStep(end, ticks_);
    painter_.setPen(theme_.border);
    painter_.drawLine(QPointF(x(0), kAxisTop), QPointF(x(end), kAxisTop));
    for (int i = 0; i * step <= end * (1 + 1e-9); ++i) {
      painter_.setPen(theme_.border);
      painter_.drawLine(QPointF(x(i * step), kAxisTop), QPointF(x(i * step), kAxisTop + 4));
      painter_.setPen(theme_.muted);
      const QString text =
          QString::number(i * step, 'g', 4) + (i == 0 ? QStringLiteral(" µs") : QString());
      painter_.drawText(QRectF(x(i * step) - 30, kAxisTop + 5, 60, 16),
                        Qt::AlignHCenter | Qt::AlignTop, text);
    }
  }

 private:
  double x(double time) const { return kNames + time * scale_; }

  QPainter& painter_;
  const Theme& theme_;
  double scale_;
  int ticks_;
};

}  // namespace

std::vector<QueueAddress> queuesOf(const QTextDocument& document) {
  std::vector<QueueAddress> found;
  for (const QTextFragment& fragment : picturesOf(document)) {
    const QString text = fragment.charFormat().toImageFormat().name();
    const bool known =
        std::ranges::any_of(found, [&](const QueueAddress& each) { return each.text == text; });
    if (const auto model = course::queueOf(text.toStdString()); model && !known)
      found.push_back({text, *model});
  }
  return found;
}

void fitPictures(QTextDocument& document, int width, const Theme& theme) {
  for (const QTextFragment& fragment : picturesOf(document)) {
    QTextImageFormat format = fragment.charFormat().toImageFormat();
    const int fitting = std::clamp(width, kLeastWidth, kQueueImageWidth);
    const auto model = course::queueOf(format.name().toStdString());
    if (!model || format.width() == fitting) continue;
    document.addResource(QTextDocument::ImageResource, QUrl(format.name()),
                         queueImage(*model, theme, fitting));
    format.setWidth(fitting);
    format.setHeight(kQueueHeight);
    QTextCursor cursor(&document);
    cursor.setPosition(fragment.position());
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    cursor.setCharFormat(format);
  }
}

QImage queueImage(const course::QueueModel& model, const Theme& theme, int width) {
  QImage image(width * kPixels, kQueueHeight * kPixels, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kPixels);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(textFont(0.85));
  const course::QueuePicture picture = course::pictureOf(model);
  QueuePainter lanes(painter, theme, picture.end, width);
  lanes.name(catalogued("Host"), kHostTop);
  lanes.waits(picture.waits, kHostTop);
  lanes.boxes(picture.launches, kHostTop, theme.series(0).color);
  lanes.name(catalogued("Device"), kDeviceTop);
  lanes.waits(picture.idle, kDeviceTop);
  lanes.boxes(picture.kernels, kDeviceTop, theme.series(1).color);
  lanes.axis(picture.end);
  return image;
}

}  // namespace fusebench
