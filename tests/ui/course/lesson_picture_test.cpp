// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of launches in lessons: in the theme's colors, no wider than their column, and in
// handouts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QUrl>
#include <string>
#include <vector>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/lesson.h"
#include "profiler/files/resources.h"
#include "ui/export/handout.h"
#include "ui/theme/theme.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr course::QueueModel kDry{.launch = 20, .kernel = 6, .launches = 3, .depth = 0};

/// Counts the pixels of this color in a row of the image.
int pixelsOf(const QColor& color, const QImage& image, int row) {
  int count = 0;
  for (int x = 0; x < image.width(); ++x)
    if (image.pixelColor(x, row * 3) == color) ++count;
  return count;
}

TEST(LessonPicture, LanesAreAsLongAsWhatTheyShow) {
  for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
    const QImage image = queueImage(kDry, *theme);
    const int host = pixelsOf(theme->series(0).color, image, 10);
    const int device = pixelsOf(theme->series(1).color, image, 46);
    EXPECT_NEAR(static_cast<double>(host) / device, 60.0 / 18, 0.2);
    EXPECT_EQ(pixelsOf(theme->series(1).color, image, 10), 0);
  }
}

TEST(LessonPicture, StandsInItsTextAndFitsTheColumn) {
  QTextDocument document;
  typesetLesson(document,
                QString::fromStdString("Before\n\n" + course::queueImage(kDry) + "\n\nAfter"),
                lightTheme());
  const auto addresses = queuesOf(document);
  ASSERT_EQ(addresses.size(), 1u);
  const QVariant image = document.resource(QTextDocument::ImageResource, QUrl(addresses[0].text));
  EXPECT_EQ(image.value<QImage>().width(), kQueueImageWidth * 3);
  document.setTextWidth(1000);
  const double whole = document.size().height();
  fitPictures(document, 240, lightTheme());
  document.setTextWidth(1000);
  EXPECT_LE(document.idealWidth(), 260);
  // Drawn for the column: letters of 9 pixels or more, as in the wide one.
  EXPECT_EQ(document.size().height(), whole);
  const QVariant narrow = document.resource(QTextDocument::ImageResource, QUrl(addresses[0].text));
  EXPECT_EQ(narrow.value<QImage>().width(), 240 * 3);
  EXPECT_EQ(narrow.value<QImage>().height(), image.value<QImage>().height());
}

TEST(LessonText, ChineseHasNoSpaceWhereALineWasBroken) {
  EXPECT_EQ(chineseJoined("一次\n启动"), "一次启动");
  EXPECT_EQ(chineseJoined("- 以**文本**\n  复制\n- 粘贴"), "- 以**文本**复制\n- 粘贴");
  EXPECT_EQ(chineseJoined("选 static\n或"), "选 static\n或")
      << "beside Latin letters a space stays";
  EXPECT_EQ(chineseJoined("走一遍叫\n**调用**"), "走一遍叫**调用**");
  EXPECT_EQ(chineseJoined("一条\n* 另一条"), "一条\n* 另一条") << "a list begins";
  EXPECT_EQ(chineseJoined("把\n“形状”\n改大"), "把“形状”改大");
  EXPECT_EQ(chineseJoined("a “b”\n“c” d"), "a “b”\n“c” d");
  EXPECT_EQ(chineseJoined("# 题目\n文字"), "# 题目\n文字");
  EXPECT_EQ(chineseJoined("一\n\n二"), "一\n\n二");
  EXPECT_EQ(chineseJoined("```\n一\n二\n```"), "```\n一\n二\n```");
  QTextDocument document;
  typesetLesson(document, "共用一次\n启动。", lightTheme());
  EXPECT_EQ(document.toPlainText(), "共用一次启动。");
}

TEST(LessonPicture, IsInsideWhatIsHandedOut) {
  const course::Lesson lesson = course::findLesson("queue");
  const std::string html = handoutContent(lesson, nullptr, "lesson.html").toStdString();
  EXPECT_THAT(html, HasSubstr("src=\"data:image/png;base64,iVBOR"));
  EXPECT_THAT(html, Not(HasSubstr("queue:launch")));
  const std::string markdown = handoutContent(lesson, nullptr, "lesson.md").toStdString();
  EXPECT_THAT(markdown, HasSubstr("L---------L---------L"));
  EXPECT_THAT(markdown, Not(HasSubstr("queue:launch")));
}

/// The pictures of a page, in order.
std::vector<QImage> picturesIn(const QByteArray& html) {
  std::vector<QImage> pictures;
  const QByteArray start = "src=\"data:image/png;base64,";
  for (qsizetype at = html.indexOf(start); at >= 0; at = html.indexOf(start, at + 1)) {
    const qsizetype from = at + start.size();
    pictures.push_back(QImage::fromData(
        QByteArray::fromBase64(html.mid(from, html.indexOf('"', from) - from)), "PNG"));
  }
  return pictures;
}

/// A shipped recording of an experiment that a lesson is about.
Run recorded(const std::string& name) {
  return loadRun(resourcePath("recordings/" + name + ".jsonl"));
}

TEST(LessonHandout, ShowsTheChartOfWhatTheReaderMeasured) {
  const course::Lesson lesson = course::findLesson("turning-point");
  const fusebench::Run run = recorded("h100_fusion_study");
  EXPECT_TRUE(picturesIn(handoutContent(lesson, nullptr, "lesson.html")).empty());
  const QByteArray html = handoutContent(lesson, nullptr, "lesson.html", &run);
  const auto pictures = picturesIn(html);
  ASSERT_EQ(pictures.size(), 1u);
  const QImage& chart = pictures[0];
  EXPECT_TRUE(html.contains("width=\"620\"")) << "three pixels a unit";
  ASSERT_EQ(chart.width(), 3 * 620);
  for (const int series : {0, 1, 2}) {
    int drawn = 0;
    for (int x = 0; x < chart.width(); x += 3)
      for (int y = 0; y < chart.height(); ++y)
        drawn += chart.pixelColor(x, y) == lightTheme().series(series).color;
    EXPECT_GT(drawn, 100) << "the curve of variant " << series;
  }
  const qsizetype place = html.indexOf("data:image/png");
  EXPECT_GT(place, html.indexOf("fusebench-cli run fusion_study"));
  EXPECT_LT(place, html.indexOf("What the data shows"));
  // On paper, too.
  EXPECT_GT(handoutContent(lesson, nullptr, "lesson.pdf", &run).size(),
            handoutContent(lesson, nullptr, "lesson.pdf").size() + 10'000);
}

TEST(LessonHandout, ShowsMemoryWhereTheLessonAsksForIt) {
  const fusebench::Run run = recorded("h200_inplace_contract");
  const QByteArray html =
      handoutContent(course::findLesson("in-place-layers"), nullptr, "lesson.html", &run);
  EXPECT_EQ(picturesIn(html).size(), 2u) << "latency and memory";
}

TEST(LessonHandout, EachChartNamesItsPointOnTheSecondAxis) {
  const fusebench::Run run = recorded("h200_mlp_fusion");
  const QByteArray html =
      handoutContent(course::findLesson("matrix-products"), nullptr, "lesson.html", &run);
  const auto& batches = run.experiment.axes.at(1).values;
  EXPECT_EQ(picturesIn(html).size(), batches.size());
  for (const char* batch : {"1", "16", "256", "2Ki"})
    EXPECT_TRUE(html.contains(QByteArray("latency · batch = ") + batch + '"')) << batch;
}

TEST(LessonHandout, TakesARunOfItsOwnExperimentOnly) {
  QTemporaryDir folder;
  const QString out = folder.filePath("lesson.html");
  const auto run = [](const char* name) {
    return QString::fromStdString(resourcePath(std::string("recordings/") + name + ".jsonl"));
  };
  ASSERT_EQ(exportHandout(out, "turning-point", run("h100_fusion_study")), 0);
  QFile file(out);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(picturesIn(file.readAll()).size(), 1u);
  testing::internal::CaptureStderr();
  EXPECT_EQ(exportHandout(out, "turning-point", run("h200_layout_conv")), 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("this run is not of the lesson's experiment"));
}

TEST(LessonHandout, IndentsTheReasonOfTheLastChoiceInABrowserToo) {
  const course::Lesson lesson = course::findLesson("queue");
  course::Answers answers = course::blankAnswers(lesson);
  answers.questions[0].given = lesson.questions[0].choices[0].text;
  answers.questions[0].right = true;
  const QString html = QString::fromUtf8(handoutContent(lesson, &answers, "lesson.html"));
  const auto& choices = lesson.questions[0].choices;
  const QStringList before =
      html.left(html.indexOf(QString::fromStdString(choices.back().why))).split(u'\n');
  EXPECT_TRUE(before.back().contains(QStringLiteral("margin-left:40px;")))
      << before.back().toStdString();
  // The other reasons are inside of the list, which has that margin.
  const QStringList first =
      html.left(html.indexOf(QString::fromStdString(choices.front().why))).split(u'\n');
  EXPECT_TRUE(first.back().contains(QStringLiteral("margin-left:0px;")))
      << first.back().toStdString();
}

TEST(LessonHandout, SaysItsLanguageAndIsALessonAgainAsOneFile) {
  EXPECT_THAT(handoutContent(course::findLesson("queue"), nullptr, "lesson.html").toStdString(),
              HasSubstr("<html lang=\"en\">"));
  setLanguage("zh_CN");
  const course::Lesson chinese = course::findLesson("queue");
  const std::string html = handoutContent(chinese, nullptr, "lesson.html").toStdString();
  setLanguage("en");
  EXPECT_THAT(html, HasSubstr("<html lang=\"zh-CN\">"));
  ASSERT_TRUE(isHandoutForm("lesson.fblesson"));
  const std::string file = handoutContent(chinese, nullptr, "lesson.fblesson").toStdString();
  EXPECT_EQ(course::parseLesson(file, "lesson.fblesson").title, chinese.title);
}

/// A reader of Chinese is not given the letters that are usual in Japan, whatever the system's
/// language is.
TEST(LessonText, FiguresAreNotBroken) {
  const QChar kept = QChar::Nbsp;
  EXPECT_EQ(figuresKeptWhole("takes 2 048 calls of 3.6 µs, 4 times"),
            QString("takes 2~048 calls of 3.6~µs, 4 times").replace(u'~', kept));
  EXPECT_EQ(figuresKeptWhole("`1 024` is code"), "`1 024` is code");
  EXPECT_EQ(figuresKeptWhole("```\n1 024\n```"), "```\n1 024\n```");
}

TEST(LessonText, ChineseIsWrittenInTheLettersOfChina) {
  EXPECT_EQ(textFont().families().size(), 1);
  setLanguage("zh_CN");
  const QStringList text = textFont().families(), code = monoFont().families();
  setLanguage("en");
  ASSERT_EQ(text.size(), 2) << "a font with Chinese letters is one of what the build needs";
  EXPECT_EQ(text[0], textFont().family());
  EXPECT_TRUE(text[1].contains("SC") || text[1].startsWith("WenQuanYi") ||
              text[1].startsWith("Droid"));
  EXPECT_EQ(code.size(), 2);
}

}  // namespace
}  // namespace fusebench
