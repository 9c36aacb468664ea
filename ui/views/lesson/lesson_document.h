// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTextDocument>
#include <QUrl>
#include <optional>

namespace fusebench {

/// A picture inside an address of the scheme `data`: PNG or JPEG, at most 4 MiB and 16 million
/// pixels; nothing for any other address.
std::optional<QImage> pictureIn(const QUrl& address);

/// Whether a link in a lesson may be followed: http, https or mailto, or a position in the lesson.
bool isFollowed(const QUrl& address);

/// A text document written by someone else. It never opens a file, a device, a pipe or a
/// connection: `/dev/zero` as a picture would use up all memory, and a pipe would block the window.
class LessonDocument : public QTextDocument {
  Q_OBJECT

 public:
  explicit LessonDocument(QObject* parent = nullptr) : QTextDocument(parent) {}

 protected:
  /// Never returns nothing: Qt would then try to load the address as a file.
  QVariant loadResource(int type, const QUrl& name) override;
};

/// Replaces pictures that are not shown by text, and removes the address from links that are not
/// followed.
void dropForeignAddresses(QTextDocument& document);

/// Whether there is a link to follow.
bool hasLinks(const QTextDocument& document);

}  // namespace fusebench
