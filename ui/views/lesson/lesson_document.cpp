// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_document.h"

#include <QBuffer>
#include <QByteArray>
#include <QImageReader>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFragment>
#include <utility>
#include <vector>

#include "engine/base/shown_text.h"
#include "profiler/course/queue_picture.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr qsizetype kMostPictureBytes = qsizetype{4} << 20;
constexpr qint64 kMostPicturePixels = 16'000'000;

}  // namespace

std::optional<QImage> pictureIn(const QUrl& address) {
  if (address.scheme() != QLatin1String("data")) return std::nullopt;
  QString path = address.path(QUrl::FullyEncoded);
  if (path.size() > 2 * kMostPictureBytes) return std::nullopt;
  for (const auto& [begin, format] :
       {std::pair("image/png;base64,", "png"), std::pair("image/jpeg;base64,", "jpeg")}) {
    if (!path.startsWith(QLatin1String(begin))) continue;
    QByteArray bytes = QByteArray::fromBase64(QByteArray::fromPercentEncoding(
        path.mid(static_cast<qsizetype>(qstrlen(begin))).toLatin1()));
    if (bytes.size() > kMostPictureBytes) return std::nullopt;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, format);
    reader.setAutoDetectImageFormat(false);
    const QSize size = reader.size();
    if (!size.isValid() || qint64{size.width()} * size.height() > kMostPicturePixels)
      return std::nullopt;
    QImage image = reader.read();
    if (!image.isNull()) return image;
  }
  return std::nullopt;
}

bool isFollowed(const QUrl& address) {
  const QString scheme = address.scheme();
  if (scheme.isEmpty())
    return address.hasFragment() && address.path().isEmpty() && address.authority().isEmpty();
  return scheme == QLatin1String("http") || scheme == QLatin1String("https") ||
         scheme == QLatin1String("mailto");
}

QVariant LessonDocument::loadResource(int type, const QUrl& name) {
  if (type != QTextDocument::ImageResource) return QByteArray("");
  if (auto image = pictureIn(name)) return *std::move(image);
  QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
  nothing.fill(Qt::transparent);
  return nothing;
}

void dropForeignAddresses(QTextDocument& document) {
  std::vector<QTextFragment> fragments;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at) fragments.push_back(at.fragment());
  // From the end, so that places before stay where they are.
  struct Change {
    int position, length;
    QTextCharFormat format;
  };
  std::vector<Change> changes;
  for (const QTextFragment& fragment : fragments)
    changes.push_back({fragment.position(), fragment.length(), fragment.charFormat()});
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    QTextCharFormat format = change->format;
    const bool unfollowed = format.isAnchor() && !format.anchorHref().isEmpty() &&
                            !isFollowed(QUrl(format.anchorHref()));
    QString name;
    if (format.isImageFormat()) {
      name = format.toImageFormat().name();
      if (course::queueOf(name.toStdString()) || pictureIn(QUrl(name))) name.clear();
    }
    if (!unfollowed && name.isEmpty()) continue;
    QTextCursor cursor(&document);
    cursor.setPosition(change->position);
    cursor.setPosition(change->position + change->length, QTextCursor::KeepAnchor);
    if (!name.isEmpty()) {
      cursor.insertText(uiText("[picture not shown: %1]")
                            .arg(QString::fromStdString(shownName(name.toStdString()))),
                        QTextCharFormat());
      continue;
    }
    format.setAnchor(false);
    format.clearProperty(QTextFormat::AnchorHref);
    format.clearProperty(QTextFormat::AnchorName);
    cursor.setCharFormat(format);
  }
}

bool hasLinks(const QTextDocument& document) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto at = block.begin(); !at.atEnd(); ++at)
      if (!at.fragment().charFormat().anchorHref().isEmpty()) return true;
  return false;
}

}  // namespace fusebench
