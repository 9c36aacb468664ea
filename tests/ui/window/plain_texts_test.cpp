// SPDX-License-Identifier: GPL-3.0-or-later
// Names from files that look like HTML: nothing is loaded for their sake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QApplication>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "tests/temporary_folder.h"
#include "ui/views/base/plain_texts.h"
#include "ui/views/window/main_window.h"

namespace fusebench {
namespace {

class PlainTexts : public testing::Test {
 protected:
  PlainTexts() {
    QImage image(300, 200, QImage::Format_RGB32);
    image.fill(Qt::red);
    image.save(QString::fromStdString(folder_.path("picture.png")));
    hostile_ = QStringLiteral("<img src=\"%1\">name")
                   .arg(QString::fromStdString(folder_.path("picture.png")));
  }
  ~PlainTexts() override { QToolTip::hideText(); }
  test::TemporaryFolder folder_;
  QString hostile_;
};

TEST_F(PlainTexts, ALabelShowsMarkupAsItIs) {
  QWidget window;
  auto* layout = new QVBoxLayout(&window);
  QLabel before(hostile_), later, rich;
  rich.setTextFormat(Qt::RichText);
  rich.setText("<b>bold</b>");
  for (QLabel* label : {&before, &later, &rich}) layout->addWidget(label);
  window.show();
  later.setText(hostile_);
  // A picture would make a label as high as it is.
  for (QLabel* label : {&before, &later}) {
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_LT(label->sizeHint().height(), 100);
  }
  EXPECT_EQ(rich.textFormat(), Qt::RichText);
  for (QLabel* label : {&before, &later, &rich}) label->setParent(nullptr);
}

TEST_F(PlainTexts, ATipNamesNothingToBeLoaded) {
  QWidget widget;
  widget.resize(200, 100);
  widget.show();
  const auto tipOf = [](QWidget& of, QPoint at) {
    QToolTip::hideText();
    QHelpEvent help(QEvent::ToolTip, at, of.mapToGlobal(at));
    QApplication::sendEvent(&of, &help);
    return QToolTip::text();
  };
  widget.setToolTip("<p>our <b>own</b></p>");
  EXPECT_EQ(tipOf(widget, {5, 5}), widget.toolTip());
  widget.setToolTip(hostile_);
  EXPECT_TRUE(tipOf(widget, {5, 5}).contains("&lt;img")) << QToolTip::text().toStdString();
  QListWidget list;
  list.addItem("one");
  list.item(0)->setToolTip("<div style=\"background-image:url(/dev/zero)\">x</div>");
  list.resize(200, 100);
  list.show();
  const QPoint at = list.visualItemRect(list.item(0)).center();
  EXPECT_TRUE(tipOf(*list.viewport(), at).contains("&lt;div")) << QToolTip::text().toStdString();
  showTip(widget.mapToGlobal(QPoint(1, 1)), hostile_, &widget);
  EXPECT_TRUE(QToolTip::text().contains("&lt;img"));
}

}  // namespace
}  // namespace fusebench
