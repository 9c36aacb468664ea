// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson that somebody else wrote: what its pictures and links can do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QBuffer>
#include <QImage>
#include <QPrinter>
#include <QTest>
#include <QTextDocument>
#include <QUrl>

#include "profiler/course/lesson.h"
#include "tests/temporary_folder.h"
#include "ui/export/handout.h"
#include "ui/theme/theme.h"
#include "ui/views/course/lesson_parts.h"
#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/lesson_links.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/lesson_view.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

QString pictureData(int width, int height, const char* format = "PNG") {
  QImage image(width, height, QImage::Format_RGB32);
  image.fill(Qt::red);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, format);
  return QStringLiteral("data:image/%1;base64,%2")
      .arg(QString::fromLatin1(format).toLower(), QString::fromLatin1(bytes.toBase64()));
}

class LessonSafety : public testing::Test {
 protected:
  LessonSafety() {
    QImage image(40, 30, QImage::Format_RGB32);
    image.fill(Qt::blue);
    image.save(file());
    ::mkfifo(folder_.path("pipe.png").c_str(), 0600);
  }
  QString file() const { return QString::fromStdString(folder_.path("picture.png")); }
  QString pipe() const { return QString::fromStdString(folder_.path("pipe.png")); }
  QStringList foreign() const {
    return {file(),
            "file://" + file(),
            pipe(),
            "file://" + pipe(),
            "/dev/zero",
            "file:///dev/zero",
            "../../../../../../../dev/zero",
            "http://localhost:9/picture.png",
            "qrc:/picture.png",
            "data:image/svg+xml;base64,PHN2Zy8+"};
  }
  test::TemporaryFolder folder_;
};

TEST_F(LessonSafety, APictureIsNeverAFileADeviceOrAPipe) {
  for (const QString& address : foreign())
    for (const QString& form : {QStringLiteral("Before\n\n![name](%1)\n\nAfter"),
                                QStringLiteral("Before\n\n<img src=\"%1\"/>\n\nAfter")}) {
      LessonText shown(form.arg(address), lightTheme(), nullptr);
      shown.resize(400, 300);
      const QVariant loaded =
          shown.document()->resource(QTextDocument::ImageResource, QUrl(address));
      EXPECT_EQ(loaded.value<QImage>().width(), 1) << address.toStdString();
      EXPECT_TRUE(shown.toPlainText().contains("picture not shown")) << address.toStdString();
      EXPECT_TRUE(shown.toPlainText().contains("After")) << address.toStdString();
      LessonView help;
      help.setLesson(form.arg(address));
      EXPECT_TRUE(help.toPlainText().contains("picture not shown")) << address.toStdString();
    }
}

TEST_F(LessonSafety, APictureInsideTheLessonIsShownUpToASize) {
  const QString small = pictureData(20, 10);
  LessonText shown("![name](" + small + ")", lightTheme(), nullptr);
  EXPECT_EQ(
      shown.document()->resource(QTextDocument::ImageResource, QUrl(small)).value<QImage>().width(),
      20);
  EXPECT_FALSE(shown.toPlainText().contains("picture not shown"));
  EXPECT_TRUE(pictureIn(QUrl(pictureData(20, 10, "JPEG"))));
  EXPECT_FALSE(pictureIn(QUrl(pictureData(5000, 5000)))) << "25 million pixels";
  EXPECT_FALSE(pictureIn(QUrl("data:image/png;base64," + QString(8 << 20, u'A'))));
  EXPECT_FALSE(pictureIn(QUrl("data:image/png;base64,AAAA")));
}

TEST_F(LessonSafety, HandoutsHoldNoPictureFromElsewhereAndAllowABrowserNone) {
  course::Lesson lesson = course::findLesson("queue");
  std::string wild;
  for (const QString& address : foreign()) wild += "![x](" + address.toStdString() + ")\n\n";
  wild += "[x](javascript:alert(1)) <img src=\"http://localhost:9/x.png\"/>\n\n";
  lesson.parts.front().text += "\n\n" + wild;
  const std::string html = handoutContent(lesson, nullptr, "lesson.html").toStdString();
  EXPECT_THAT(html, HasSubstr("src=\"data:image/png;base64,"));
  for (const char* address : {"src=\"http", "src=\"file", "src=\"/", "src=\"..", "src=\"qrc",
                              "href=\"javascript", "src=\"data:image/svg"})
    EXPECT_THAT(html, Not(HasSubstr(address)));
  EXPECT_THAT(html, HasSubstr("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                              "'none'; style-src 'unsafe-inline'; img-src data:;"));
  EXPECT_THAT(html, Not(HasSubstr("script-src")));
  EXPECT_LT(html.find("Content-Security-Policy"), html.find("<body"));
  EXPECT_GT(handoutContent(lesson, nullptr, "lesson.pdf").size(), 1000);
}

class LessonLinks : public testing::Test {
 protected:
  LessonLinks() {
    linkOpening() = {[this](QWidget*, const QString& address) {
                       asked_ << address;
                       return agrees_;
                     },
                     [this](const QUrl& address) { opened_ << address.toString(); }};
  }
  ~LessonLinks() override { linkOpening() = before_; }
  LinkOpening before_ = linkOpening();
  QStringList asked_, opened_;
  bool agrees_ = true;
};

TEST_F(LessonLinks, LeaveTheWindowByThreeSchemesAfterAsking) {
  LessonText text("[a](https://example.org/x)", lightTheme(), nullptr);
  LessonView help;
  for (QTextBrowser* browser :
       {static_cast<QTextBrowser*>(&text), static_cast<QTextBrowser*>(&help)}) {
    asked_.clear();
    opened_.clear();
    for (const char* address :
         {"file:///etc/passwd", "javascript:alert(1)", "smb://host/x", "/etc/passwd", "x.md",
          "data:text/html,x", "ssh://host", "vscode://x", "FILE:///etc/passwd"})
      emit browser->anchorClicked(QUrl(address));
    EXPECT_TRUE(asked_.isEmpty()) << asked_.join(' ').toStdString();
    for (const char* address :
         {"https://example.org/x", "http://example.org", "mailto:a@example.org"})
      emit browser->anchorClicked(QUrl(address));
    EXPECT_EQ(opened_, asked_);
    EXPECT_EQ(opened_.size(), 3);
    EXPECT_FALSE(browser->openLinks());
    EXPECT_FALSE(browser->openExternalLinks());
  }
  agrees_ = false;
  opened_.clear();
  emit text.anchorClicked(QUrl("https://example.org/x"));
  EXPECT_TRUE(opened_.isEmpty());
}

TEST_F(LessonLinks, AreAskedForWithTheirWholeAddressInPlainLetters) {
  LessonText text("x", lightTheme(), nullptr);
  emit text.anchorClicked(QUrl(QString::fromUtf8("https://ex\u0430mple.org/\u202egpj.exe")));
  ASSERT_EQ(asked_.size(), 1);
  for (const QChar letter : asked_[0]) EXPECT_LT(letter.unicode(), 0x80);
}

TEST_F(LessonLinks, WithAnotherSchemeAreNoLinks) {
  LessonText text("[one](file:///etc/passwd) [two](https://example.org) [three](#place)",
                  lightTheme(), nullptr);
  const QString html = text.toHtml();
  EXPECT_FALSE(html.contains("etc/passwd"));
  EXPECT_TRUE(html.contains("href=\"https://example.org\""));
  EXPECT_TRUE(html.contains("href=\"#place\""));
}

}  // namespace
}  // namespace fusebench
