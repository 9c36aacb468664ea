// SPDX-License-Identifier: GPL-3.0-or-later
// The map of the course: modules, what is done, and what comes next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>

#include "profiler/catalogue/catalogue.h"
#include "profiler/files/files.h"
#include "tests/temporary_folder.h"
#include "tests/ui/events.h"
#include "ui/theme/theme.h"
#include "ui/views/base/elided_combo_box.h"
#include "ui/views/base/tab_order.h"
#include "ui/views/course/course_map.h"
#include "ui/views/course/course_view.h"
#include "ui/views/course/lesson_parts.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

class CourseMapPage : public testing::Test {
 protected:
  CourseMapPage() {
    course::Answers answers = course::blankAnswers(course::findLesson("launch-cost"));
    for (course::GivenAnswer& given : answers.predictions) given.given = "1";
    for (course::GivenAnswer& given : answers.questions) given.given = "x", given.right = true;
    QDir(QString::fromStdString(folder_.string())).mkpath("answers");
    writeFile(folder_.path("answers/launch-cost.json"), course::toJson(answers));
    model = std::make_unique<CourseModel>(QString::fromStdString(folder_.string()));
    view = std::make_unique<CourseView>(*model);
    view->resize(360, 400);
    view->show();
    test::handleEvents();
  }
  CourseMap* map() { return view->findChild<CourseMap*>(); }
  /// Texts of the lines of a lesson, one per card that lists it.
  std::vector<std::string> linesOf(const QString& name) {
    std::vector<std::string> lines;
    for (const QLabel* label : map()->findChildren<QLabel*>(QStringLiteral("mapLesson")))
      if (label->text().contains(QStringLiteral("href=\"%1\"").arg(name)))
        lines.push_back(label->text().toStdString());
    return lines;
  }
  test::TemporaryFolder folder_;
  std::unique_ptr<CourseModel> model;
  std::unique_ptr<CourseView> view;
};

TEST_F(CourseMapPage, ShowsThePathAndEveryModuleWithItsLessons) {
  ASSERT_TRUE(map());
  const auto cards = map()->findChildren<QFrame*>(QStringLiteral("askedCard"));
  EXPECT_EQ(static_cast<std::size_t>(cards.size()), model->course().modules.size() + 1);
  for (const CourseModel::Row& row : model->rows()) {
    const bool onPath = std::ranges::find(model->course().path, row.name.toStdString()) !=
                        model->course().path.end();
    EXPECT_EQ(linesOf(row.name).size(), onPath ? 2u : 1u) << row.name.toStdString();
  }
  EXPECT_THAT(linesOf("norms").at(0), HasSubstr("10 min · ●●○ · after: "));
  EXPECT_THAT(linesOf("aliasing").at(0), HasSubstr("cost?; What does"));
}

TEST_F(CourseMapPage, MarksWhatIsDoneAndWhatComesNext) {
  int marks = 0;
  for (const QLabel* label : map()->findChildren<QLabel*>())
    if (label->text() == QStringLiteral("✓")) ++marks;
  EXPECT_EQ(marks, static_cast<int>(linesOf("launch-cost").size()));
  const QString next = model->next();
  ASSERT_NE(next, "");
  for (const CourseModel::Row& row : model->rows())
    for (const std::string& line : linesOf(row.name)) {
      if (row.name == next)
        EXPECT_THAT(line, HasSubstr("Next:"));
      else
        EXPECT_THAT(line, Not(HasSubstr("Next:"))) << row.name.toStdString();
    }
}

TEST_F(CourseMapPage, OpensALessonAndIsThereAgain) {
  const auto labels = map()->findChildren<QLabel*>(QStringLiteral("mapLesson"));
  emit labels.at(0)->linkActivated("queue");
  test::handleEvents();
  ASSERT_TRUE(model->lesson());
  EXPECT_EQ(model->lesson()->name, "queue");
  EXPECT_EQ(map(), nullptr);
  view->findChild<QPushButton*>(QStringLiteral("courseMapButton"))->click();
  test::handleEvents();
  EXPECT_EQ(model->lesson(), nullptr);
  EXPECT_TRUE(map());
  EXPECT_EQ(view->findChild<QComboBox*>(QStringLiteral("courseLessons"))->currentIndex(), -1);
}

TEST_F(CourseMapPage, TakesTheColorsOfTheTheme) {
  view->setTheme(lightTheme());
  EXPECT_THAT(linesOf("queue").at(0), HasSubstr(lightTheme().accent.name().toStdString()));
  view->setTheme(darkTheme());
  EXPECT_THAT(linesOf("queue").at(0), HasSubstr(darkTheme().accent.name().toStdString()));
}

TEST_F(CourseMapPage, ATitleThatIsTooWideForTheListEndsInAnEllipsis) {
  model->open("turning-point");
  view->resize(280, 400);
  test::handleEvents();
  const auto& box = *view->findChild<ElidedComboBox*>(QStringLiteral("courseLessons"));
  EXPECT_TRUE(box.shownText().endsWith(u'…')) << box.shownText().toStdString();
  view->resize(1200, 400);
  test::handleEvents();
  EXPECT_EQ(box.shownText(), model->row("turning-point")->title);
}

TEST_F(CourseMapPage, TabGoesFromTheLastPredictionToMeasuring) {
  model->open("turning-point");
  test::handleEvents();
  const std::vector<QWidget*> order = tabOrder(*view);
  const QWidget* last = view->findChildren<PredictionPart*>().back()->findChild<QLineEdit*>();
  const auto field = std::ranges::find(order, last);
  ASSERT_LT(field + 1, order.end());
  EXPECT_EQ((*(field + 1))->objectName(), "courseMeasure");
}

TEST_F(CourseMapPage, FiguresInQuestionsAreNotBroken) {
  model->open("queue");
  test::handleEvents();
  int figures = 0;
  for (const QLabel* label : view->findChildren<QLabel*>()) {
    const QString text = label->text();
    if (!text.contains("777")) continue;
    ++figures;
    EXPECT_TRUE(text.contains(QString("16~777~216").replace(u'~', QChar::Nbsp)))
        << text.toStdString();
  }
  EXPECT_EQ(figures, 3) << "a prediction and two questions";
}

TEST(LessonTexts, TakeTheKeyboardOnlyForTheirLinks) {
  const LessonText plain("A paragraph.", darkTheme(), nullptr);
  EXPECT_FALSE(plain.focusPolicy() & Qt::TabFocus);
  const LessonText linked("[A page](https://example.org/) has more.", darkTheme(), nullptr);
  EXPECT_TRUE(linked.focusPolicy() & Qt::TabFocus);
}

/// In the narrowest column that the window has for it.
TEST_F(CourseMapPage, IsAsWideAsItsColumnInEveryLanguage) {
  for (const std::string& language : languages()) {
    setLanguage(language);
    CourseModel other(QString::fromStdString(folder_.string()));
    CourseView its(other);
    its.resize(280, 400);
    its.show();
    test::handleEvents();
    const auto& scroll = *its.findChild<QScrollArea*>(QStringLiteral("coursePage"));
    EXPECT_LE(scroll.widget()->minimumSizeHint().width(), scroll.viewport()->width()) << language;
  }
  setLanguage("en");
}

}  // namespace
}  // namespace fusebench
