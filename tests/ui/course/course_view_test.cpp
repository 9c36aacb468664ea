// SPDX-License-Identifier: GPL-3.0-or-later
// The course: lessons to choose, the entries in them, and the answers that a run gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "profiler/catalogue/catalogue.h"
#include "profiler/files/files.h"
#include "tests/temporary_folder.h"
#include "tests/ui/events.h"
#include "ui/theme/theme.h"
#include "ui/views/course/course_view.h"
#include "ui/views/course/lesson_parts.h"
#include "ui/views/lesson/lesson_text.h"

namespace fusebench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

const char* const kLessonText = R"text(```experiment
{"fusebench": "experiment", "version": 1, "title": "A test",
 "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
 "inputs": [{"name": "one", "tensors": [{"name": "x", "extents": [4, 16]}]}],
 "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
 "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2, 4, 8]}]
}
```

# How much?

A first paragraph, long enough for a line or two of the column that a lesson is read in.

```predict
ask: How long?
value: latency of eager at 8
unit: us
```

```run
```

```seen
```

```ask
ask: Who is ahead?
value: fastest at 8
choice: this one | = eager
why: Eager is ahead where launches are cheap.
choice: that one | = static
why: Static launches once.
```

```pytorch
import torch
print(torch.get_num_threads())
print("a line of code that is wider than the column of a lesson is")
```

## What to change

A last paragraph, which is below what a low window shows.
)text";

/// A run of the lesson's experiment: per statement, eager takes 1 us and static 0.5 us.
std::shared_ptr<const Run> measuredRun(const Experiment& experiment) {
  auto made = std::make_shared<Run>();
  Run& run = *made;
  run.experiment = experiment;
  run.startedAt = "2026-01-02T03:04:05Z";
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    for (int round = 0; round < 40; ++round) {
      Sample& sample = cell.samples.emplace_back();
      sample.round = round;
      sample.nanoseconds =
          (key.variant == 0 ? 1000 * static_cast<double>(key.at[0]) : 500) + 0.1 * (round % 7);
    }
  }
  return made;
}

class CourseTab : public testing::Test {
 protected:
  CourseTab() {
    writeFile(folder_.path("mine.fblesson"), kLessonText);
    view.resize(360, 240);
    view.setTheme(darkTheme());
    view.show();
    test::handleEvents();
  }
  void openMine() {
    model.open(QString::fromStdString(folder_.path("mine.fblesson")));
    test::handleEvents();
  }
  /// Where the lesson number `number` is in the list, which also has headings.
  int at(std::size_t number) { return lessons.findData(model.rows().at(number).name); }
  void measure() { model.setRun(measuredRun(model.lesson()->experiment), {}, {}); }
  template <class Widget>
  Widget& the() {
    auto* found = page().findChild<Widget*>();
    EXPECT_NE(found, nullptr);
    return *found;
  }
  QWidget& page() { return *scroll.widget(); }
  /// The texts of all visible labels of the page.
  std::vector<std::string> words() {
    std::vector<std::string> all;
    for (const QLabel* label : page().findChildren<QLabel*>())
      if (!label->isHidden()) all.push_back(label->text().toStdString());
    return all;
  }
  test::TemporaryFolder folder_;
  CourseModel model{QString::fromStdString(folder_.string())};
  CourseView view{model};
  QScrollArea& scroll = *view.findChild<QScrollArea*>(QStringLiteral("coursePage"));
  QComboBox& lessons = *view.findChild<QComboBox*>(QStringLiteral("courseLessons"));
};

TEST_F(CourseTab, ListsItsLessonsInOrderAndOpensTheOneThatIsChosen) {
  ASSERT_GE(model.rows().size(), 12u);
  EXPECT_EQ(lessons.currentIndex(), -1) << "none is open at first";
  EXPECT_THAT(the<LessonText>().toPlainText().toStdString(), HasSubstr("Choose a lesson"));
  EXPECT_EQ(lessons.itemText(at(0)), model.rows()[0].title) << "without a number: paths differ";
  EXPECT_EQ(lessons.itemText(0), model.rows()[0].module) << "a heading";
  EXPECT_FALSE(lessons.model()->flags(lessons.model()->index(0, 0)).testFlag(Qt::ItemIsEnabled));
  emit lessons.activated(at(1));
  ASSERT_TRUE(model.lesson());
  EXPECT_EQ(QString::fromStdString(model.lesson()->name), model.rows()[1].name);
  EXPECT_EQ(lessons.currentIndex(), at(1));
  EXPECT_THAT(lessons.toolTip().toStdString(), HasSubstr(model.lesson()->title));
  EXPECT_THAT(the<LessonText>().toPlainText().toStdString(), HasSubstr(model.lesson()->title));
}

TEST_F(CourseTab, HasNothingToSaveBeforeALessonIsOpen) {
  const auto enabled = [&] {
    int count = 0;
    for (const QPushButton* button : view.findChildren<QPushButton*>())
      if (button->text().endsWith(u'…') && button->isEnabled()) ++count;
    return count;
  };
  EXPECT_EQ(enabled(), 0);
  openMine();
  EXPECT_EQ(enabled(), 2);
}

TEST_F(CourseTab, AnotherThemeLeavesTheReaderWhereHeIs) {
  openMine();
  QScrollBar& bar = *scroll.verticalScrollBar();
  ASSERT_GT(bar.maximum(), 40);
  auto& field = the<QLineEdit>();
  field.setText("12");  // not entered yet
  bar.setValue(bar.maximum() - 10);
  const int place = bar.value();
  view.setTheme(lightTheme());
  test::handleEvents();
  EXPECT_EQ(bar.value(), place);
  EXPECT_EQ(the<QLineEdit>().text(), "12");
  const auto colorOfText = [&] {
    return QTextCursor(the<LessonText>().document()->lastBlock()).charFormat().foreground().color();
  };
  EXPECT_EQ(colorOfText(), lightTheme().text);
  view.setTheme(darkTheme());
  EXPECT_EQ(colorOfText(), darkTheme().text);
}

TEST_F(CourseTab, AnotherLessonBeginsAtItsTop) {
  openMine();
  scroll.verticalScrollBar()->setValue(60);
  emit lessons.activated(at(0));
  EXPECT_EQ(scroll.verticalScrollBar()->value(), 0);
}

TEST_F(CourseTab, HoldsAPredictionAgainstWhatIsMeasured) {
  openMine();
  auto& field = the<QLineEdit>();
  QTest::keyClicks(&field, "soon");
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_THAT(words(), Contains(HasSubstr("This is not a number")));
  field.selectAll();
  QTest::keyClicks(&field, "12");
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_EQ(model.answers().predictions.at(0).given, "12");
  EXPECT_THAT(words(), Contains(HasSubstr("Nothing has been measured for this lesson yet")));
  measure();
  EXPECT_THAT(words(), Contains(HasSubstr("off by a factor of 1.5")));
  EXPECT_THAT(words(), Contains(AllOf(HasSubstr("Measured on"), HasSubstr("How long?\n   8"))));
}

TEST_F(CourseTab, WhatIsSaidOfASimulatedDeviceHasALineOfItsOwn) {
  openMine();
  auto run = std::make_shared<fusebench::Run>(*measuredRun(model.lesson()->experiment));
  run->device = "sim:slow-launch";
  model.setRun(std::move(run), {}, {});
  EXPECT_THAT(words(), Contains(HasSubstr("\nThe device is simulated")));
}

TEST_F(CourseTab, ChecksAnswersByTheDataOnceThereAreAny) {
  openMine();
  const auto choices = page().findChildren<QRadioButton*>();
  ASSERT_EQ(choices.size(), 2);
  choices[0]->click();
  EXPECT_THAT(words(), Contains(HasSubstr("Measure first")));
  measure();
  EXPECT_THAT(words(), Contains(HasSubstr("No; the data show: static")));
  choices[1]->click();
  EXPECT_FALSE(choices[0]->isChecked());
  EXPECT_THAT(words(), Contains(HasSubstr("Right: static")));
}

TEST_F(CourseTab, ExplainsEveryChoiceOnceTheAnswerIsJudged) {
  openMine();
  page().findChildren<QRadioButton*>()[0]->click();
  EXPECT_THAT(words(), testing::Not(Contains("Static launches once.")));
  measure();
  EXPECT_THAT(words(), Contains("Static launches once."));
  EXPECT_THAT(words(), Contains("Eager is ahead where launches are cheap."));
}

TEST_F(CourseTab, CopiesCodeForTheReadersOwnPyTorch) {
  openMine();
  QGuiApplication::clipboard()->clear();
  page().findChild<QPushButton*>(QStringLiteral("courseCopy"))->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(),
            "import torch\nprint(torch.get_num_threads())\n"
            "print(\"a line of code that is wider than the column of a lesson is\")\n");
}

TEST_F(CourseTab, TheButtonTellsThatTheCodeIsCopiedUntilSomethingElseIs) {
  openMine();
  QGuiApplication::clipboard()->clear();
  auto* copy = page().findChild<QPushButton*>(QStringLiteral("courseCopy"));
  EXPECT_EQ(copy->text(), "Copy code");
  copy->click();
  EXPECT_EQ(copy->text(), "Copied");
  QGuiApplication::clipboard()->setText(QStringLiteral("another text"));
  EXPECT_TRUE(QTest::qWaitFor([copy] { return copy->text() == QLatin1String("Copy code"); }));
}

TEST_F(CourseTab, CodeIsNotWiderThanItsColumn) {
  view.resize(280, 400);
  openMine();
  for (LessonText* text : page().findChildren<LessonText*>()) {
    EXPECT_EQ(text->horizontalScrollBar()->maximum(), 0) << text->toPlainText().toStdString();
    EXPECT_EQ(text->horizontalScrollBar()->value(), 0);
  }
}

TEST_F(CourseTab, AClickOnTheTextOfAChoiceChoosesIt) {
  openMine();
  QRadioButton* choice = page().findChildren<QRadioButton*>()[1];
  for (QLabel* label : page().findChildren<QLabel*>())
    if (label->buddy() == choice) QTest::mouseClick(label, Qt::LeftButton);
  EXPECT_TRUE(choice->isChecked());
  EXPECT_EQ(model.answers().questions.at(0).given, "that one");
}

TEST_F(CourseTab, ALessonEndsWithALinkToTheNextOne) {
  model.open("launch-cost");
  EXPECT_EQ(model.following(), "turning-point") << "the next one on the path";
  auto& next = *page().findChild<QLabel*>(QStringLiteral("courseNext"));
  EXPECT_THAT(next.text().toStdString(),
              HasSubstr(model.row("turning-point")->title.toStdString()));
  emit next.linkActivated(model.following());
  test::handleEvents();
  EXPECT_EQ(model.lesson()->name, "turning-point");
  model.open("transposes");
  EXPECT_EQ(model.following(), "views") << "the next one in the list";
}

TEST_F(CourseTab, WhatWasEnteredIsThereAgain) {
  openMine();
  page().findChildren<QRadioButton*>()[1]->click();
  emit lessons.activated(at(0));
  openMine();
  EXPECT_TRUE(page().findChildren<QRadioButton*>()[1]->isChecked());
}

TEST_F(CourseTab, WhatWasSeenStaysWhenTheReaderGoesOn) {
  openMine();
  const auto choose = [&](int choice) { page().findChildren<QRadioButton*>()[choice]->click(); };
  choose(0);
  measure();
  Experiment other = model.lesson()->experiment;
  other.axes[0].values.pop_back();
  model.setRun(measuredRun(other), {}, {});
  EXPECT_THAT(words(), Contains(HasSubstr("Measured earlier")));
  EXPECT_THAT(words(), Contains(HasSubstr("No; the data show: static")));
  choose(1);
  EXPECT_THAT(words(), Contains(HasSubstr("Right: static")));
  emit lessons.activated(at(0));
  openMine();
  EXPECT_THAT(words(), Contains(HasSubstr("Right: static")));
  const std::string handedIn = folder_.path("mine-answers.json");
  model.save(QString::fromStdString(handedIn));
  const course::Answers saved = course::parseAnswers(readFile(handedIn), handedIn);
  EXPECT_EQ(saved.startedAt, "2026-01-02T03:04:05Z");
  EXPECT_EQ(saved.questions.at(0).right, true);
}

TEST_F(CourseTab, WhatWasSeenIsThereAgainInAnotherWindow) {
  openMine();
  page().findChildren<QRadioButton*>()[1]->click();
  measure();
  CourseModel later(QString::fromStdString(folder_.string()));
  CourseView laterView(later);
  later.open(QString::fromStdString(folder_.path("mine.fblesson")));
  EXPECT_TRUE(later.seen());
  EXPECT_FALSE(later.shown());
  EXPECT_EQ(later.answers().questions.at(0).right, true);
  later.answer(0, "this one");
  EXPECT_EQ(later.answers().questions.at(0).right, false) << "by the figures that were kept";
}

/// In the narrowest column that the window has for it, there being nothing that scrolls sideways.
TEST_F(CourseTab, EveryLessonIsAsWideAsItsColumn) {
  view.resize(280, 400);
  test::handleEvents();
  for (const char* language : {"en", "zh_CN"}) {
    setLanguage(language);
    for (const CourseModel::Row& row : model.rows()) {
      model.open(row.name);
      EXPECT_LE(page().minimumSizeHint().width(), scroll.viewport()->width())
          << row.name.toStdString() << " in " << language;
    }
  }
  setLanguage("en");
}

TEST_F(CourseTab, WhatWasEnteredIsThereInAnotherLanguage) {
  emit lessons.activated(at(0));
  model.predict(0, "12");
  const auto choices = page().findChildren<QRadioButton*>();
  ASSERT_GE(choices.size(), 2);
  choices[1]->click();
  setLanguage("zh_CN");
  {
    CourseModel later(QString::fromStdString(folder_.string()));
    CourseView laterView(later);
    EXPECT_EQ(later.rows()[0].progress, LessonProgress::begun);
    later.open(model.rows()[0].name);
    EXPECT_EQ(later.answers().predictions.at(0).given, "12");
    EXPECT_TRUE(laterView.findChildren<QRadioButton*>()[1]->isChecked());
    EXPECT_NE(laterView.findChildren<QRadioButton*>()[1]->accessibleName(),
              choices[1]->accessibleName());
  }
  setLanguage("en");
}

TEST_F(CourseTab, AnswersCarryTheNameOfWhoGaveThemInEveryLesson) {
  openMine();
  auto& who = *view.findChild<QLineEdit*>(QStringLiteral("courseWho"));
  QTest::keyClicks(&who, "Ada");
  QTest::keyClick(&who, Qt::Key_Return);
  EXPECT_EQ(model.answers().who, "Ada");
  emit lessons.activated(at(0));
  EXPECT_EQ(model.answers().who, "Ada");
  EXPECT_EQ(who.text(), "Ada");
  model.predict(0, "12");
  CourseModel later(QString::fromStdString(folder_.string()));
  later.open(model.rows()[1].name);
  EXPECT_EQ(later.answers().who, "Ada");
}

TEST_F(CourseTab, ShowingAndMeasuringAreAskedForByTheirButtons) {
  openMine();
  QSignalSpy shown(&view, &CourseView::showWanted);
  QSignalSpy wanted(&view, &CourseView::measureWanted);
  view.findChild<QPushButton*>(QStringLiteral("courseShow"))->click();
  EXPECT_EQ(shown.count(), 1);
  EXPECT_EQ(wanted.count(), 0);
  view.findChild<QPushButton*>(QStringLiteral("courseMeasure"))->click();
  EXPECT_EQ(wanted.count(), 1);
}

TEST_F(CourseTab, OffersTheDeviceThatALessonIsMeantFor) {
  openMine();
  auto* button = view.findChild<QPushButton*>(QStringLiteral("courseDevice"));
  EXPECT_TRUE(button->isHidden());
  view.setDevice("cpu");
  EXPECT_TRUE(button->isHidden());
  model.open("copies");
  button = view.findChild<QPushButton*>(QStringLiteral("courseDevice"));
  ASSERT_TRUE(button);
  EXPECT_EQ(button->text(), "Choose sim:h100");
  QSignalSpy wanted(&view, &CourseView::deviceWanted);
  button->click();
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0], "sim:h100");
  view.setDevice("sim:h100");
  EXPECT_EQ(button->text(), "sim:h100 is chosen");
}

TEST_F(CourseTab, OffersTheProcessorWhileALessonWithoutADeviceWouldBeSimulated) {
  openMine();
  view.setDevice("sim:h100");
  auto* button = view.findChild<QPushButton*>(QStringLiteral("courseDevice"));
  EXPECT_FALSE(button->isHidden());
  EXPECT_EQ(button->text(), "Choose cpu");
  QSignalSpy wanted(&view, &CourseView::deviceWanted);
  button->click();
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0], "cpu");
  view.setDevice("cpu");
  EXPECT_TRUE(button->isHidden());
}

TEST_F(CourseTab, ExplainsTheFigureOfAQuestionOnceTheAnswerIsJudged) {
  course::Question question;
  question.ask = "How long?";
  question.why = "One launch replaces two.";
  QuestionPart part(question, nullptr);
  const auto shown = [&] {
    QStringList all;
    for (const QLabel* label : part.findChildren<QLabel*>())
      if (!label->isHidden()) all << label->text();
    return all.join(u'\n').toStdString();
  };
  course::GivenAnswer given;
  given.given = "3";
  part.show(given, false, "cpu");
  EXPECT_THAT(shown(), testing::Not(HasSubstr("One launch")));
  given.seen = "4 096 ns";
  given.right = false;
  part.show(given, true, "cpu");
  const QString told =
      figuresKeptWhole(QStringLiteral("No; the data show: 4 096 ns.\nOne launch replaces two."));
  EXPECT_THAT(shown(), HasSubstr(told.toStdString()));
}

}  // namespace
}  // namespace fusebench
