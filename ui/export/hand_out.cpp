// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/hand_out.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <cstdio>
#include <string>

#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/course/hand_out.h"
#include "profiler/course/queue_picture.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "ui/models/base/page_language.h"
#include "ui/models/base/page_policy.h"
#include "ui/theme/theme.h"
#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

constexpr int kHandOutDpi = 96;  ///< that text is laid out for

QString endingOf(const QString& path) {
  return QFileInfo(path).suffix().toLower();
}

QByteArray pdfOf(QTextDocument& document, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(kHandOutDpi);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setTitle(title);
  document.print(&writer);
  buffer.close();
  return bytes;
}

/// With its pictures inside.
QByteArray htmlOf(const QTextDocument& document) {
  QString html = document.toHtml();
  html.replace(QStringLiteral("<html>"), QStringLiteral("<html lang=\"%1\">").arg(pageLanguage()));
  // A browser opens nothing from elsewhere, either, and runs no script.
  html.replace(QStringLiteral("<head>"), QStringLiteral("<head>") + pagePolicy({}));
  for (const QueueAddress& address : queuesOf(document)) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    queueImage(address.model, lightTheme()).save(&buffer, "PNG");
    html.replace(QStringLiteral("src=\"%1\"").arg(address.text),
                 QStringLiteral("src=\"data:image/png;base64,%1\"")
                     .arg(QString::fromLatin1(bytes.toBase64())));
  }
  return html.toUtf8();
}

}  // namespace

bool isHandOutForm(const QString& path) {
  const QString ending = endingOf(path);
  return ending == QLatin1String("html") || ending == QLatin1String("pdf") ||
         ending == QLatin1String("md") || ending == QLatin1String("fblesson");
}

QByteArray handOutContent(const course::Lesson& lesson, const course::Answers* answers,
                          const QString& path) {
  if (!isHandOutForm(path))
    throw InputError(
        saying("{}: a lesson is handed out as .html, .pdf, .md or .fblesson; give one "
               "of these endings",
               path.toStdString()));
  if (endingOf(path) == QLatin1String("fblesson"))
    return QByteArray::fromStdString(course::asOneFile(lesson));
  const std::string text = course::handOut(lesson, answers);
  if (endingOf(path) == QLatin1String("md"))
    return QByteArray::fromStdString(course::withPlainPictures(text));
  const QString markdown = QString::fromStdString(text);
  const QString title = QString::fromStdString(lesson.title);
  LessonDocument document;
  typesetLesson(document, markdown, lightTheme());
  document.setMetaInformation(QTextDocument::DocumentTitle, title);
  return endingOf(path) == QLatin1String("pdf") ? pdfOf(document, title) : htmlOf(document);
}

int exportHandOut(const QString& out, const QString& lesson) {
  try {
    writeFile(out.toStdString(),
              handOutContent(course::findLesson(lesson.toStdString()), nullptr, out).toStdString());
    return 0;
  } catch (const InputError& error) {
    putError("fusebench: " + shownText(error.what()) + "\n");
    return 2;
  }
}

}  // namespace fusebench
