// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/hand_out.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <cstdio>

#include "engine/base/shown_text.h"
#include "profiler/course/hand_out.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "ui/theme/theme.h"
#include "ui/views/lesson/lesson_text.h"

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

}  // namespace

bool isHandOutForm(const QString& path) {
  const QString ending = endingOf(path);
  return ending == QLatin1String("html") || ending == QLatin1String("pdf") ||
         ending == QLatin1String("md");
}

QByteArray handOutContent(const course::Lesson& lesson, const course::Answers* answers,
                          const QString& path) {
  if (!isHandOutForm(path))
    throw InputError(path.toStdString() +
                     ": a lesson is handed out as .html, .pdf or .md; give one of these endings");
  const QString markdown = QString::fromStdString(course::handOut(lesson, answers));
  if (endingOf(path) == QLatin1String("md")) return markdown.toUtf8();
  const QString title = QString::fromStdString(lesson.title);
  QTextDocument document;
  typesetLesson(document, markdown, lightTheme());
  document.setMetaInformation(QTextDocument::DocumentTitle, title);
  return endingOf(path) == QLatin1String("pdf") ? pdfOf(document, title)
                                                : document.toHtml().toUtf8();
}

int exportHandOut(const QString& out, const QString& lesson) {
  try {
    writeFile(out.toStdString(),
              handOutContent(course::findLesson(lesson.toStdString()), nullptr, out).toStdString());
    return 0;
  } catch (const InputError& error) {
    std::fprintf(stderr, "fusebench: %s\n", shownText(error.what()).c_str());
    return 2;
  }
}

}  // namespace fusebench
