// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/handout.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/course/handout.h"
#include "profiler/course/queue_picture.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/figures/figure_paint.h"
#include "ui/models/base/page_language.h"
#include "ui/models/base/page_policy.h"
#include "ui/models/setup/documents.h"
#include "ui/theme/theme.h"
#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

constexpr int kHandoutDpi = 96;  ///< that text is laid out for
constexpr QSizeF kChartSize(620, 360);
constexpr double kChartPixels = 3;  ///< a unit, so that paper shows them sharp
constexpr int kListMargin = 40;     ///< pixels, of a list in a browser
constexpr const char* kPng = "data:image/png;base64,";

QString endingOf(const QString& path) {
  return QFileInfo(path).suffix().toLower();
}

QByteArray pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

bool asksOfMemory(const course::Quantity& value) {
  using Kind = course::Quantity::Kind;
  return value.kind == Kind::memory || value.kind == Kind::memoryShare ||
         value.kind == Kind::leastMemory;
}

/// Latency, and what else the lesson asks the run for.
std::vector<Metric> metricsOf(const course::Lesson& lesson) {
  std::vector<Metric> metrics = {Metric::latency};
  const bool memory =
      std::any_of(lesson.predictions.begin(), lesson.predictions.end(),
                  [](const course::Prediction& each) { return asksOfMemory(each.value); }) ||
      std::any_of(lesson.questions.begin(), lesson.questions.end(),
                  [](const course::Question& each) { return asksOfMemory(each.value); });
  if (memory) metrics.push_back(Metric::memory);
  return metrics;
}

/// Pictures of the run's curves, at every place of its second axis where it has two.
std::string chartsOf(const course::Lesson& lesson, const Run& run) {
  CellSummaries summaries;
  summaries.update(run);
  const auto& axes = run.experiment.axes;
  const std::size_t slices = axes.size() > 1 ? axes[1].values.size() : 1;
  std::string text;
  for (const Metric metric : metricsOf(lesson))
    for (std::size_t slice = 0; slice < slices; ++slice) {
      Analysis analysis;
      analysis.crossings = findCrossings(run);
      analysis.sliceLaunches = launchModels(run, slice);
      const ChartSubject subject = chartSubject(run, summaries, analysis, metric, slice);
      if (subject.content.curves.empty()) continue;
      FigureStyle style;
      style.size = kChartSize;
      style.title = subject.title;
      const QByteArray picture = pngOf(figureImage(chartFigure(subject, style), kChartPixels));
      QString told = subject.title;
      told.remove(QRegularExpression(QStringLiteral("[\\[\\]\\\\]")));
      text += fmt::format("![{}]({}{})\n\n", told.toStdString(), kPng,
                          picture.toBase64().toStdString());
    }
  return text;
}

/// Charts have two pixels or more a unit.
void fitCharts(QTextDocument& document) {
  const QString picture(QChar::ObjectReplacementCharacter);
  for (QTextCursor at = document.find(picture); !at.isNull(); at = document.find(picture, at)) {
    QTextImageFormat format = at.charFormat().toImageFormat();
    if (!format.name().startsWith(QLatin1String(kPng))) continue;
    const double width = kChartSize.width();
    if (const auto image = pictureIn(QUrl(format.name()));
        !image || image->width() != std::lround(width * kChartPixels))
      continue;
    format.setWidth(width);
    format.setHeight(kChartSize.height());
    at.setCharFormat(format);
  }
}

/// A run of the lesson's experiment.
Run runOf(const course::Lesson& lesson, const QString& file) {
  std::vector<Run> runs = openRuns(file);
  if (runs.empty())
    throw InputError(
        saying("{}: this is an experiment, which contains no results; run it first: fusebench-cli "
               "run {} --out run.jsonl",
               file.toStdString(), file.toStdString()));
  course::demandRunOf(lesson, runs.front(), file.toStdString());
  return std::move(runs.front());
}

QByteArray pdfOf(QTextDocument& document, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(kHandoutDpi);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setTitle(title);
  document.print(&writer);
  buffer.close();
  return bytes;
}

/// Qt writes a paragraph that ends a list item after the list, with an indent that only Qt reads.
/// Browsers get it as a margin, as wide as that of a list.
QString withMargins(const QString& html) {
  static const QRegularExpression indent(QStringLiteral("-qt-block-indent:([1-9]);"));
  QStringList lines = html.split(u'\n');
  qsizetype lists = 0;  // that the line is inside
  for (QString& line : lines) {
    const qsizetype missing =
        line.startsWith(QLatin1String("<p")) ? indent.match(line).captured(1).toInt() - lists : 0;
    if (missing > 0)
      line.replace(QLatin1String("margin-left:0px;"),
                   QStringLiteral("margin-left:%1px;").arg(kListMargin * missing));
    for (const char* list : {"ul", "ol"})
      lists += line.count(QLatin1String("<") + QLatin1String(list) + QLatin1String(" ")) -
               line.count(QLatin1String("</") + QLatin1String(list) + QLatin1String(">"));
  }
  return lines.join(u'\n');
}

/// With its pictures inside.
QByteArray htmlOf(const QTextDocument& document) {
  QString html = withMargins(document.toHtml());
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

bool isHandoutForm(const QString& path) {
  const QString ending = endingOf(path);
  return ending == QLatin1String("html") || ending == QLatin1String("pdf") ||
         ending == QLatin1String("md") || ending == QLatin1String("fblesson");
}

QByteArray handoutContent(const course::Lesson& lesson, const course::Answers* answers,
                          const QString& path, const Run* measured) {
  if (!isHandoutForm(path))
    throw InputError(saying(
        "{}: a lesson is exported as .html, .pdf, .md or .fblesson; give one of these extensions",
        path.toStdString()));
  if (endingOf(path) == QLatin1String("fblesson"))
    return QByteArray::fromStdString(course::asOneFile(lesson));
  if (endingOf(path) == QLatin1String("md"))
    return QByteArray::fromStdString(course::withPlainPictures(course::handout(lesson, answers)));
  const std::string text =
      course::handout(lesson, answers, nullptr, measured ? chartsOf(lesson, *measured) : "");
  const QString markdown = QString::fromStdString(text);
  const QString title = QString::fromStdString(lesson.title);
  LessonDocument document;
  typesetLesson(document, markdown, lightTheme());
  fitCharts(document);
  document.setMetaInformation(QTextDocument::DocumentTitle, title);
  return endingOf(path) == QLatin1String("pdf") ? pdfOf(document, title) : htmlOf(document);
}

int exportHandout(const QString& out, const QString& lesson, const QString& run) {
  try {
    const course::Lesson found = course::findLesson(lesson.toStdString());
    std::optional<Run> measured;
    if (!run.isEmpty()) measured = runOf(found, run);
    writeFile(out.toStdString(),
              handoutContent(found, nullptr, out, measured ? &*measured : nullptr).toStdString());
    return 0;
  } catch (const InputError& error) {
    putError("fusebench: " + shownText(error.what()) + "\n");
    return 2;
  }
}

}  // namespace fusebench
