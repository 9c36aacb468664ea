// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of launches in lessons: in the theme's colours, no wider than their column, and in what
// is handed out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QTextDocument>
#include <QUrl>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/lesson.h"
#include "ui/export/hand_out.h"
#include "ui/theme/theme.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr course::QueueModel kDry{.launch = 20, .kernel = 6, .launches = 3, .depth = 0};

/// How much of a row of pixels has this colour.
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
  fitPictures(document, 240);
  document.setTextWidth(1000);
  EXPECT_LT(document.size().height(), whole - 40) << "half as high";
  EXPECT_LE(document.idealWidth(), 260);
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
  const std::string html = handOutContent(lesson, nullptr, "lesson.html").toStdString();
  EXPECT_THAT(html, HasSubstr("src=\"data:image/png;base64,iVBOR"));
  EXPECT_THAT(html, Not(HasSubstr("queue:launch")));
  const std::string markdown = handOutContent(lesson, nullptr, "lesson.md").toStdString();
  EXPECT_THAT(markdown, HasSubstr("L---------L---------L"));
  EXPECT_THAT(markdown, Not(HasSubstr("queue:launch")));
}

TEST(LessonHandOut, SaysItsLanguageAndIsALessonAgainAsOneFile) {
  EXPECT_THAT(handOutContent(course::findLesson("queue"), nullptr, "lesson.html").toStdString(),
              HasSubstr("<html lang=\"en\">"));
  setLanguage("zh_CN");
  const course::Lesson chinese = course::findLesson("queue");
  const std::string html = handOutContent(chinese, nullptr, "lesson.html").toStdString();
  setLanguage("en");
  EXPECT_THAT(html, HasSubstr("<html lang=\"zh-CN\">"));
  ASSERT_TRUE(isHandOutForm("lesson.fblesson"));
  const std::string file = handOutContent(chinese, nullptr, "lesson.fblesson").toStdString();
  EXPECT_EQ(course::parseLesson(file, "lesson.fblesson").title, chinese.title);
}

/// A reader of Chinese is not given the letters that are usual in Japan, whatever the system's
/// language is.
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
