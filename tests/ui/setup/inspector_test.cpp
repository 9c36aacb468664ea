// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QtTest>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/ui/events.h"
#include "ui/models/setup/devices_model.h"
#include "ui/views/base/tab_order.h"
#include "ui/views/setup/inspector_axes.h"
#include "ui/views/setup/inspector_device.h"
#include "ui/views/setup/inspector_inputs.h"
#include "ui/views/setup/inspector_section.h"
#include "ui/views/setup/inspector_sites.h"
#include "ui/views/setup/inspector_variants.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;
using Where = Problem::Where;
using Json = nlohmann::json;

class Inspectors : public testing::Test {
 protected:
  Inspectors() : inspector(document, devices) {
    document.setText(QStringLiteral("t"), {},
                     "def program(x, w):\n    x = x * w\n    x = torch.sin(x)\n    x = x + 1\n    "
                     "return x.sum()");
    document.load(document.experiment(), {});
    inspector.resize(320, 900);
    inspector.show();
    QApplication::setActiveWindow(&inspector);
  }

  /// The field with a key; `card`: which variant, input set, tensor or axis.
  template <typename Card>
  InspectorField* fieldIn(int card, const char* key) {
    QList<Card*> cards;
    for (Card* one : inspector.findChildren<Card*>())
      if (!one->isHidden()) cards.push_back(one);
    if (card >= cards.size()) return nullptr;
    if constexpr (std::is_base_of_v<InspectorCard, Card>) cards[card]->setOpen(true);
    return cards[card]->template findChild<InspectorField*>(QString::fromLatin1(key));
  }
  InspectorField* field(Where where, const char* key) {
    return inspector.section(where).findChild<InspectorField*>(QString::fromLatin1(key));
  }
  /// Puts a text into a line, key by key.
  void fill(InspectorField* field, const char* text) {
    ASSERT_NE(field, nullptr) << text;
    auto* line = qobject_cast<QLineEdit*>(field->control());
    ASSERT_NE(line, nullptr);
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, QString::fromUtf8(text));
  }
  void choose(InspectorField* field, const char* value) {
    ASSERT_NE(field, nullptr) << value;
    auto* combo = qobject_cast<QComboBox*>(field->control());
    ASSERT_NE(combo, nullptr);
    const int row = combo->findData(QString::fromUtf8(value));
    ASSERT_GE(row, 0) << value;
    combo->setCurrentIndex(row);
    emit combo->activated(row);
  }
  void menu(InspectorCard* card, const char* action) {
    for (QAction* one : card->findChild<QToolButton*>()->menu()->actions())
      if (one->text() == QString::fromUtf8(action)) return one->trigger();
    FAIL() << action;
  }
  void press(Where where, const char* text) {
    for (QToolButton* button : inspector.section(where).findChildren<QToolButton*>())
      if (button->text() == QString::fromUtf8(text)) return button->click();
    FAIL() << text;
  }
  std::string json() { return toJson(document.experiment()); }
  /// One entry of the experiment file, however its lines are broken.
  Json setting(const char* key) { return Json::parse(json()).at(key); }

  DocumentModel document;
  DevicesModel devices;
  Inspector inspector;
};

TEST_F(Inspectors, SetTheHeader) {
  fill(field(Where::header, "title"), "Sines");
  fill(field(Where::header, "lesson"), "fusion_study");
  fill(field(Where::header, "reference"), "torch_compile_2025");
  for (const char* key : {"question", "note"}) {
    auto* area = qobject_cast<QPlainTextEdit*>(field(Where::header, key)->control());
    QTest::keyClicks(area, QStringLiteral("Why %1").arg(QLatin1String(key)));
  }
  for (const char* line :
       {"\"title\": \"Sines\"", "\"question\": \"Why question\"", "\"note\": \"Why note\"",
        "\"lesson\": \"fusion_study\"", "\"reference\": \"torch_compile_2025\""})
    EXPECT_THAT(json(), HasSubstr(line));
}

TEST_F(Inspectors, ATickAddsAVariantOfThatExecutorAndTakesItAway) {
  const std::size_t before = document.experiment().variants.size();
  ExecutorRow* other = nullptr;  // has an executor that no variant has
  for (ExecutorRow* row : inspector.findChildren<ExecutorRow*>())
    if (!other && std::ranges::none_of(document.experiment().variants, [row](const Variant& each) {
          return each.executor == row->executor();
        }))
      other = row;
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->isVisibleTo(&inspector));
  other->tick().setFocus();
  other->tick().click();
  ASSERT_EQ(document.experiment().variants.size(), before + 1);
  EXPECT_EQ(document.experiment().variants.back().executor, other->executor());
  EXPECT_FALSE(other->isVisibleTo(&inspector));
  QList<VariantCard*> cards = inspector.findChildren<VariantCard*>();
  EXPECT_FALSE(cards.last()->open()) << "details are folded";
  EXPECT_EQ(QApplication::focusWidget(), &cards.last()->tick()) << "the form stays where it is";
  cards.last()->findChild<QCheckBox*>({}, Qt::FindDirectChildrenOnly)->click();
  EXPECT_EQ(document.experiment().variants.size(), before);
  EXPECT_TRUE(other->isVisibleTo(&inspector));
}

TEST_F(Inspectors, TheShapeOfAnInputIsBroughtIntoViewAndTakesTheKeys) {
  QApplication::setActiveWindow(&inspector);
  inspector.showShape("w", {});
  test::handleEvents();
  auto* line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  ASSERT_TRUE(line);
  EXPECT_EQ(line->accessibleName(), "Shape of w");
  press(Where::axes, "Sweep size");
  EXPECT_EQ(document.experiment().axes[0].name, "elements");
}

TEST_F(Inspectors, SetEveryKeyOfAVariant) {
  press(Where::inputs, "+ Add");
  fill(fieldIn<VariantCard>(1, "name"), "fused");
  choose(fieldIn<VariantCard>(1, "executor"), "dynamic");
  choose(fieldIn<VariantCard>(1, "inputs"), "inputs 2");
  choose(fieldIn<VariantCard>(1, "series"), "5");
  fill(fieldIn<VariantCard>(1, "threads"), "4");
  fill(fieldIn<VariantCard>(1, "recompileLimit"), "3");
  qobject_cast<QCheckBox*>(fieldIn<VariantCard>(1, "contract")->control())->click();
  qobject_cast<QCheckBox*>(fieldIn<VariantCard>(1, "fastMath")->control())->click();
  EXPECT_EQ(setting("variants")[1], Json::parse(R"({"name": "fused", "executor": "dynamic",
      "inputs": "inputs 2", "threads": 4, "series": 5, "recompileLimit": 3, "contract": true,
      "fastMath": true})"));
  choose(field(Where::variants, "baseline"), "fused");
  EXPECT_THAT(json(), HasSubstr("\"baseline\": \"fused\""));
  EXPECT_NO_THROW(parseExperiment(json(), "f"));
}

TEST_F(Inspectors, CardsAreTitledByWhatTheyAreAbout) {
  const QList<VariantCard*> variants = inspector.findChildren<VariantCard*>();
  ASSERT_EQ(variants.size(), 4);  // eager, static, dynamic, instant
  EXPECT_EQ(variants[1]->title(), QStringLiteral("static"));
  fill(fieldIn<VariantCard>(1, "name"), "fused");
  EXPECT_EQ(variants[1]->title(), QStringLiteral("fused"));
  EXPECT_EQ(inspector.findChild<AxisCard*>()->title(), QStringLiteral("statements"));
  EXPECT_EQ(inspector.findChild<InputSetCard*>()->title(), QStringLiteral("inputs"));
}

/// Each form takes a moment to make: a captured model with 700 weights took a minute.
TEST_F(Inspectors, ManyTensorsAreShownInParts) {
  document.edit("Add inputs", {}, [](Experiment& experiment) {
    auto& tensors = experiment.inputSets.front().inputs;
    const InputSpec weight = tensors.back();
    for (int i = 0; tensors.size() < 200; ++i) {
      tensors.push_back(weight);
      tensors.back().name = "w" + std::to_string(i);
    }
  });
  const auto shown = [&] { return inspector.findChildren<TensorFields*>().size(); };
  ASSERT_EQ(shown(), 24);
  auto& card = *inspector.findChild<InputSetCard*>();
  EXPECT_EQ(card.more().text().toStdString(), "Show 24 more of 200 tensors");
  card.more().click();
  EXPECT_EQ(shown(), 48);
  const InputSet& set = document.experiment().inputSets.front();
  inspector.showShape(QString::fromStdString(set.inputs[149].name),
                      QString::fromStdString(set.name));
  EXPECT_EQ(shown(), 150);
  inspector.showShape(QStringLiteral("nothing"), QString::fromStdString(set.name));
  EXPECT_EQ(shown(), 150);
  card.reveal(199);
  EXPECT_TRUE(card.more().isHidden());
}

TEST_F(Inspectors, WhatAnExecutorIsStandsThereInWholeHoweverNarrowThePanel) {
  inspector.resize(280, 900);
  test::handleEvents();
  int seen = 0;
  for (const ExecutorRow* row : inspector.findChildren<ExecutorRow*>()) {
    if (row->isHidden()) continue;
    const auto* about = row->findChild<QLabel*>();
    ASSERT_TRUE(about);
    ++seen;
    EXPECT_GE(about->height(), about->heightForWidth(about->width())) << row->executor();
    EXPECT_LE(about->mapTo(&inspector, QPoint(about->width(), 0)).x(), inspector.width());
    EXPECT_EQ(about->text(), row->tick().toolTip());
  }
  EXPECT_GE(seen, 5);
}

/// With everything open the keyboard goes from what is read first to what is read last.
TEST_F(Inspectors, AreWalkedThroughByTabInTheOrderOfTheEye) {
  for (InspectorCard* card : inspector.findChildren<InspectorCard*>()) card->setOpen(true);
  inspector.device().sites().fold().setChecked(true);
  inspector.resize(320, 4000);
  test::handleEvents();
  const std::vector<QWidget*> order = tabOrder(inspector);
  EXPECT_GT(order.size(), 60u);
  const auto place = [this](const QWidget* widget) {
    return QRect(widget->mapTo(&inspector, QPoint()), widget->size());
  };
  for (std::size_t i = 1; i < order.size(); ++i) {
    const QRect before = place(order[i - 1]), after = place(order[i]);
    EXPECT_FALSE(after.bottom() < before.top())
        << order[i - 1]->accessibleName().toStdString() << ", then "
        << order[i]->accessibleName().toStdString();
    const bool oneRow = after.top() <= before.center().y() && before.top() <= after.center().y();
    EXPECT_TRUE(!oneRow || after.left() >= before.left())
        << order[i]->accessibleName().toStdString();
  }
  // Nothing that takes the keyboard is left out.
  for (QWidget* widget : inspector.findChildren<QWidget*>()) {
    const bool takes = widget->isVisible() && widget->isEnabled() &&
                       (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy() &&
                       !widget->size().isEmpty();
    EXPECT_EQ(std::ranges::count(order, widget), takes ? 1 : 0)
        << widget->accessibleName().toStdString();
  }
}

TEST_F(Inspectors, AddDuplicateMoveAndRemoveVariants) {
  press(Where::variants, "+ Add");
  EXPECT_EQ(document.experiment().variants.size(), 5u);
  EXPECT_EQ(document.experiment().variants[4].name, "instant 2");
  menu(inspector.findChildren<VariantCard*>()[0], "Duplicate");
  EXPECT_EQ(document.experiment().variants[1].name, "eager 2");
  menu(inspector.findChildren<VariantCard*>()[0], "Move down");
  EXPECT_EQ(document.experiment().variants[0].name, "eager 2");
  menu(inspector.findChildren<VariantCard*>()[0], "Make baseline");
  EXPECT_EQ(document.experiment().baseline, "eager 2");
  menu(inspector.findChildren<VariantCard*>()[0], "Remove");
  EXPECT_EQ(document.experiment().baseline, "eager");
  EXPECT_EQ(document.undoName(), QStringLiteral("Remove variant"));
  EXPECT_TRUE(document.runnable());
}

TEST_F(Inspectors, SetEveryKeyOfAnInputSet) {
  fill(fieldIn<InputSetCard>(0, "name"), "varying");
  fill(fieldIn<InputSetCard>(0, "count"), "250");
  fill(fieldIn<TensorFields>(0, "extents"), "i % 10 + 4, 16");
  fill(fieldIn<TensorFields>(1, "extents"), "1, 16");
  choose(fieldIn<TensorFields>(0, "fill"), "uniform");
  choose(fieldIn<TensorFields>(0, "layout"), "transposed");
  EXPECT_THAT(json(), HasSubstr("\"name\": \"varying\""));
  EXPECT_THAT(json(), HasSubstr("\"count\": 250"));
  EXPECT_THAT(json(), HasSubstr("{\"name\": \"x\", \"extents\": [\"i % 10 + 4\", 16], \"fill\": "
                                "\"uniform\", \"layout\": \"transposed\"}"));
  EXPECT_THAT(json(), HasSubstr("{\"name\": \"w\", \"extents\": [1, 16], \"fill\": \"normal\"}"));
  EXPECT_EQ(document.experiment().variants[0].inputs, "varying");
  EXPECT_EQ(fieldIn<TensorFields>(0, "extents")->note().toStdString(),
            "(4, 16) (5, 16) (6, 16) (7, 16) …");
  EXPECT_EQ(fieldIn<TensorFields>(1, "extents")->note().toStdString(), "16 elements")
      << "there is always a note, so that nothing jumps while one types";
  menu(inspector.findChildren<InputSetCard*>()[0], "Duplicate");
  EXPECT_EQ(document.experiment().inputSets[1].name, "varying 2");
  menu(inspector.findChildren<InputSetCard*>()[1], "Remove");
  EXPECT_EQ(document.experiment().inputSets.size(), 1u);
}

TEST_F(Inspectors, SetEveryKeyOfAnAxis) {
  fill(fieldIn<AxisCard>(0, "unit"), "lines");
  fill(fieldIn<AxisCard>(0, "list"), "1, 2");
  EXPECT_THAT(json(),
              HasSubstr("{\"name\": \"statements\", \"unit\": \"lines\", \"values\": [1, 2]}"));
  choose(fieldIn<AxisCard>(0, "kind"), "linear");
  fill(fieldIn<AxisCard>(0, "from"), "1");
  fill(fieldIn<AxisCard>(0, "step"), "3");
  fill(fieldIn<AxisCard>(0, "to"), "10");
  EXPECT_THAT(json(), HasSubstr("\"values\": [1, 4, 7, 10]"));
  choose(fieldIn<AxisCard>(0, "kind"), "octaves");
  fill(fieldIn<AxisCard>(0, "to"), "1k");
  fill(fieldIn<AxisCard>(0, "step"), "1");
  EXPECT_THAT(json(), HasSubstr("\"values\": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]"));
  choose(fieldIn<AxisCard>(0, "kind"), "decades");
  fill(fieldIn<AxisCard>(0, "step"), "1");
  EXPECT_THAT(json(), HasSubstr("\"values\": [1, 10, 100, 1000]"));
}

TEST_F(Inspectors, NameAxesAndTakeASecondOne) {
  press(Where::axes, "+ Add");
  ASSERT_EQ(document.experiment().axes.size(), 2u);
  EXPECT_EQ(document.experiment().axes[1].name, "threads");
  press(Where::axes, "Swap");
  EXPECT_EQ(document.experiment().axes[0].name, "threads");
  auto* combo = qobject_cast<QComboBox*>(fieldIn<AxisCard>(0, "name")->control());
  combo->lineEdit()->setFocus();
  combo->lineEdit()->selectAll();
  QTest::keyClicks(combo->lineEdit(), QStringLiteral("rows"));
  QTest::keyClick(combo->lineEdit(), Qt::Key_Return);
  EXPECT_EQ(document.experiment().axes[0].name, "rows");
  EXPECT_TRUE(document.runnable()) << "the inputs have that many";
  EXPECT_EQ(document.undoName(), "Sweep rows");
  fill(fieldIn<TensorFields>(0, "extents"), "8, 16");
  fill(fieldIn<TensorFields>(1, "extents"), "8, 16");
  EXPECT_THAT(fieldIn<AxisCard>(0, "name")->problem().toStdString(),
              HasSubstr("nothing depends on the axis \"rows\""));
  fill(fieldIn<TensorFields>(0, "extents"), "rows, 16");
  fill(fieldIn<TensorFields>(1, "extents"), "rows, 16");
  EXPECT_EQ(fieldIn<AxisCard>(0, "name")->problem().toStdString(), "");
  EXPECT_TRUE(document.runnable());
  menu(inspector.findChildren<AxisCard*>()[0], "Remove");
  EXPECT_EQ(document.experiment().axes.size(), 1u);
}

TEST_F(Inspectors, AnAxisThatIsChosenBringsItsValuesAndSaysWhatFollowsIt) {
  choose(fieldIn<AxisCard>(0, "name"), "elements");
  EXPECT_TRUE(document.runnable());
  EXPECT_EQ(document.experiment().axes[0].values.front(), 64);
  EXPECT_THAT(fieldIn<AxisCard>(0, "name")->note().toStdString(),
              HasSubstr("x is (elements // 16, 16), one tensor"));
  EXPECT_THAT(fieldIn<AxisCard>(0, "list")->control()->property("text").toString().toStdString(),
              testing::StartsWith("64, 256, 1024"));
  EXPECT_EQ(document.undoName(), "Sweep elements");
  document.undo();
  EXPECT_EQ(document.experiment().axes[0].name, "statements");
}

TEST_F(Inspectors, SayThatABranchingProgramIsNotRepeated) {
  document.setText("t", {},
                   "def program(x, w):\n    a = x * w\n    b = torch.sin(a)\n    c = a + b\n"
                   "    return c.sum()");
  EXPECT_THAT(fieldIn<AxisCard>(0, "name")->note().toStdString(),
              HasSubstr("this program branches"));
}

TEST_F(Inspectors, AClickOnAnAxisNameShowsWhatThereIsToChoose) {
  auto* combo = qobject_cast<QComboBox*>(fieldIn<AxisCard>(0, "name")->control());
  QTest::mouseClick(combo->lineEdit(), Qt::LeftButton);
  EXPECT_TRUE(combo->view()->isVisible());
  combo->hidePopup();
}

TEST_F(Inspectors, SetMeasuring) {
  fill(field(Where::measure, "budgetSeconds"), "12.5");
  fill(field(Where::measure, "maximumSamples"), "300");
  fill(field(Where::measure, "minimumSamples"), "40");
  fill(field(Where::measure, "precision"), "2.5");
  fill(field(Where::measure, "compileRepeats"), "7");
  fill(field(Where::measure, "seed"), "18");
  choose(field(Where::measure, "cache"), "flushed");
  choose(field(Where::measure, "reset"), "each call");
  EXPECT_EQ(setting("measure"), Json::parse(R"({"budgetSeconds": 12.5, "minimumSamples": 40,
      "maximumSamples": 300, "precision": 0.025, "compileRepeats": 7, "seed": 18,
      "cache": "flushed", "reset": "each call"})"));
}

TEST_F(Inspectors, PutTheWordsUnderTheirField) {
  fill(fieldIn<VariantCard>(2, "threads"), "0");
  InspectorField* threads = fieldIn<VariantCard>(2, "threads");
  EXPECT_THAT(threads->problem().toStdString(), HasSubstr("0 is out of range"));
  EXPECT_EQ(fieldIn<VariantCard>(1, "threads")->problem().toStdString(), "");
  EXPECT_THAT(threads->control()->accessibleDescription().toStdString(), HasSubstr("out of range"));
  fill(fieldIn<TensorFields>(0, "extents"), "i %, 16");
  EXPECT_THAT(fieldIn<TensorFields>(0, "extents")->problem().toStdString(),
              HasSubstr("extent \"i %\""));
  EXPECT_EQ(fieldIn<TensorFields>(1, "extents")->problem().toStdString(), "");
  fill(fieldIn<TensorFields>(0, "extents"), "8, 16");
  EXPECT_EQ(fieldIn<TensorFields>(0, "extents")->problem().toStdString(), "");
}

TEST_F(Inspectors, ChangeNothingForWhatIsNoNumber) {
  const std::string before = json();
  fill(field(Where::measure, "seed"), "many");
  EXPECT_THAT(field(Where::measure, "seed")->problem().toStdString(),
              HasSubstr("must be a whole number"));
  EXPECT_EQ(json(), before);
  auto* line = qobject_cast<QLineEdit*>(field(Where::measure, "seed")->control());
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_EQ(line->text(), QStringLiteral("1"));  // what the document has comes back
  EXPECT_EQ(field(Where::measure, "seed")->problem().toStdString(), "");
}

TEST_F(Inspectors, MakeTypingOneStep) {
  fill(field(Where::header, "title"), "A longer title");
  document.undo();
  EXPECT_EQ(document.experiment().title, "New experiment");
  auto* line = qobject_cast<QLineEdit*>(field(Where::header, "title")->control());
  EXPECT_EQ(line->text(), QStringLiteral("New experiment"));
}

TEST_F(Inspectors, StepNumbersByKey) {
  auto* line = qobject_cast<QLineEdit*>(fieldIn<VariantCard>(0, "threads")->control());
  QTest::keyClick(line, Qt::Key_Up);
  QTest::keyClick(line, Qt::Key_Up);
  QTest::keyClick(line, Qt::Key_Down);
  EXPECT_EQ(document.experiment().variants[0].threads, 2);
}

TEST_F(Inspectors, LeadToAProblem) {
  fill(fieldIn<VariantCard>(2, "threads"), "0");
  inspector.section(Where::variants).setOpen(false);
  field(Where::header, "title")->control()->setFocus();
  ASSERT_FALSE(document.problems().empty());
  inspector.showProblem(document.problems()[0]);
  EXPECT_TRUE(inspector.section(Where::variants).open());
  EXPECT_TRUE(fieldIn<VariantCard>(2, "threads")->control()->hasFocus());
}

TEST_F(Inspectors, NameEveryControl) {
  for (const QWidget* widget : inspector.findChildren<QWidget*>()) {
    const bool control =
        qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
        qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QToolButton*>(widget) ||
        qobject_cast<const QCheckBox*>(widget);
    if (!control || qobject_cast<const QComboBox*>(widget->parentWidget())) continue;
    EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->metaObject()->className();
  }
}

TEST_F(Inspectors, FitASidePanel) {
  inspector.resize(300, 700);
  QApplication::processEvents();
  EXPECT_LE(inspector.widget()->minimumSizeHint().width(), 300);
  // Section headings with a count of problems next to their buttons do not make it wider.
  InspectorSection& axes = inspector.section(Where::axes);
  const int before = axes.minimumSizeHint().width();
  fill(fieldIn<AxisCard>(0, "list"), "x");
  ASSERT_FALSE(document.problems().empty());
  EXPECT_LE(axes.minimumSizeHint().width(), before);
}

TEST_F(Inspectors, WhatAVariantsCardSaysOfItIsWhollyInSightInANarrowPanel) {
  document.edit("t", {}, [](Experiment& e) {
    e.variants[0].name = "mine";  // with a name, the executor is shown
    e.variants[0].dtype = "bfloat16";
    e.variants[0].threads = 4;
    e.baseline = "mine";
  });
  const auto details = [this] {
    for (QLabel* label : inspector.findChildren<VariantCard*>()[0]->findChildren<QLabel*>("muted"))
      if (label->text().contains(QStringLiteral("bfloat16")) && !label->wordWrap() &&
          !label->text().contains(QStringLiteral("become")))
        return label;
    return static_cast<QLabel*>(nullptr);
  };
  for (const int width : {290, 700}) {
    inspector.resize(width, 900);
    test::handleEvents();
    ASSERT_TRUE(details()) << width;
    EXPECT_LE(details()->fontMetrics().horizontalAdvance(details()->text()), details()->width())
        << details()->text().toStdString() << " at " << width;
  }
}

TEST_F(Inspectors, ALoadersOptionsShowWhereTheyMeanSomething) {
  const auto hidden = [this](const char* key) { return fieldIn<VariantCard>(0, key)->isHidden(); };
  const auto delivery = [this] { return document.experiment().variants[0].options.delivery; };
  for (const char* key : {"batches", "prefetch", "workers"}) EXPECT_TRUE(hidden(key)) << key;
  const auto pick = [this](const char* key, const char* value) {
    auto* choice = qobject_cast<ChoiceField*>(fieldIn<VariantCard>(0, key));
    ASSERT_TRUE(choice);
    emit choice->chosen(QString::fromLatin1(value));
  };
  const auto type = [this](const char* key, const char* text) {
    auto* line = qobject_cast<LineField*>(fieldIn<VariantCard>(0, key));
    ASSERT_TRUE(line);
    emit line->edited(QString::fromLatin1(text));
  };
  pick("from", "pinned");
  EXPECT_EQ(delivery().from, Delivery::From::pinned);
  EXPECT_FALSE(hidden("prefetch"));
  EXPECT_TRUE(hidden("workers"));
  pick("batches", "gather");
  type("prefetch", "2");
  EXPECT_FALSE(hidden("workers"));
  type("workers", "3");
  EXPECT_EQ(delivery().prefetch, 2);
  EXPECT_EQ(delivery().workers, 3);
  // Without what they need nothing of them is left.
  pick("from", "device");
  EXPECT_EQ(delivery(), Delivery());
}

TEST_F(Inspectors, PagesAreChosenWhereTheCpuMakesThem) {
  const auto pages = [this] { return document.experiment().variants[0].options.pages; };
  auto* const field = qobject_cast<ChoiceField*>(fieldIn<VariantCard>(0, "pages"));
  ASSERT_TRUE(field);
  EXPECT_FALSE(field->isHidden());
  emit field->chosen(QStringLiteral("fresh huge"));
  EXPECT_EQ(pages(), Pages::freshHuge);
  EXPECT_THAT(json(), HasSubstr("\"pages\": \"fresh huge\""));
  const auto said = [this] {
    QStringList all;
    for (QLabel* label : inspector.findChildren<VariantCard*>()[0]->findChildren<QLabel*>("muted"))
      all << label->text();
    return all.join(u'|').toStdString();
  };
  EXPECT_THAT(said(), HasSubstr("newly mapped huge pages"));
  emit field->chosen(QStringLiteral("kept"));
  EXPECT_EQ(pages(), Pages::kept);
  EXPECT_THAT(said(), Not(HasSubstr("huge pages")));
}

TEST_F(Inspectors, CheckpointsMayKeepABudgetOfBytes) {
  const auto checkpoint = [this] { return document.experiment().variants[0].checkpoint; };
  EXPECT_TRUE(fieldIn<VariantCard>(0, "checkpoint")->isHidden());
  choose(fieldIn<VariantCard>(0, "gradients"), "all");
  EXPECT_FALSE(fieldIn<VariantCard>(0, "checkpoint")->isHidden());
  EXPECT_TRUE(fieldIn<VariantCard>(0, "checkpointBudget")->isHidden());
  choose(fieldIn<VariantCard>(0, "checkpoint"), "budget");
  EXPECT_EQ(checkpoint(), "budget 64 MB");
  InspectorField* budget = fieldIn<VariantCard>(0, "checkpointBudget");
  EXPECT_FALSE(budget->isHidden());
  EXPECT_EQ(qobject_cast<QLineEdit*>(budget->control())->text(), "64 MB");
  fill(budget, "1.5 GiB");
  EXPECT_EQ(checkpoint(), "budget 1.5 GiB");
  auto* combo = qobject_cast<QComboBox*>(fieldIn<VariantCard>(0, "checkpoint")->control());
  EXPECT_EQ(combo->currentData().toString(), "budget") << "it is one choice, whatever the size";
  fill(budget, "much");
  EXPECT_THAT(budget->problem().toStdString(), HasSubstr("64 MB or 2 GiB"));
  EXPECT_EQ(checkpoint(), "budget 1.5 GiB");
  EXPECT_TRUE(document.runnable());
  // torch.compile has an option of its own for it.
  const auto way = [&] {
    return combo->itemText(combo->findData(QStringLiteral("budget"))).toStdString() + " " +
           combo->itemData(combo->findData(QStringLiteral("budget")), Qt::ToolTipRole)
               .toString()
               .toStdString();
  };
  EXPECT_THAT(way(), HasSubstr("recomputes"));
  choose(fieldIn<VariantCard>(0, "executor"), "torch-static");
  EXPECT_EQ(checkpoint(), "budget 1.5 GiB");
  EXPECT_THAT(way(), HasSubstr("activation_memory_budget"));
  choose(fieldIn<VariantCard>(0, "checkpoint"), "sqrt");
  EXPECT_EQ(checkpoint(), "sqrt");
  EXPECT_TRUE(budget->isHidden());
}

TEST_F(Inspectors, GraphBreaksAreOfferedWhereAProgramChoosesByWhatATensorHolds) {
  EXPECT_TRUE(fieldIn<VariantCard>(1, "graphBreaks")->isHidden());
  document.setText("t", {},
                   "def program(x, w):\n    y = x * w\n    if y.mean() > 0:\n"
                   "        z = torch.exp(y)\n    else:\n        z = torch.cos(y)\n"
                   "    return z.sum()");
  auto* breaks = qobject_cast<CheckField*>(fieldIn<VariantCard>(1, "graphBreaks"));
  ASSERT_TRUE(breaks);
  EXPECT_FALSE(breaks->isHidden());
  EXPECT_FALSE(breaks->box().isChecked());
  EXPECT_FALSE(document.runnable()) << "static cannot wait for a condition";
  breaks->box().click();
  EXPECT_TRUE(document.experiment().variants[1].options.graphBreaks);
  EXPECT_THAT(json(), HasSubstr("\"graphBreaks\": true"));
  // An option that is on stays visible, so that it can be turned off.
  document.setText("t", {}, "def program(x, w):\n    return (x * w).sum()");
  EXPECT_FALSE(breaks->isHidden());
  EXPECT_TRUE(breaks->box().isChecked());
  breaks->box().click();
  EXPECT_FALSE(document.experiment().variants[1].options.graphBreaks);
  EXPECT_TRUE(breaks->isHidden());
}

TEST_F(Inspectors, AnAxisOfWhatVariantsMayAskForSaysWhatItReplaces) {
  const auto note = [this](const char* name) {
    emit qobject_cast<ChoiceField*>(fieldIn<AxisCard>(0, "name"))->chosen(QLatin1String(name));
    return fieldIn<AxisCard>(0, "name")->note().toStdString();
  };
  EXPECT_THAT(note("budget"), HasSubstr("Memory limit of a call in KB"));
  EXPECT_THAT(json(), HasSubstr("\"name\": \"budget\""));
  EXPECT_THAT(note("segment"), HasSubstr("statements per recomputed segment"));
  EXPECT_THAT(json(), HasSubstr("\"name\": \"segment\""));
}

}  // namespace
}  // namespace fusebench
