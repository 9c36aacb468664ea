// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/course/course_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <string>
#include <utility>

#include "profiler/files/input_error.h"
#include "ui/views/base/elided_combo_box.h"
#include "ui/views/base/flow_layout.h"
#include "ui/views/course/course_map.h"
#include "ui/views/course/course_words.h"
#include "ui/views/course/lesson_parts.h"
#include "ui/views/lesson/lesson_text.h"

namespace fusebench {
namespace {

/// The sign in front of a lesson's title in the list.
QString rowMark(LessonProgress progress) {
  const std::string_view mark = course::progressMark(progress);
  return mark.empty() ? QString() : text(mark) + QLatin1Char(' ');
}

/// A line of the list that cannot be chosen.
void addHeading(QComboBox& list, const QString& text) {
  list.addItem(text);
  auto* model = qobject_cast<QStandardItemModel*>(list.model());
  QStandardItem* item = model->item(list.count() - 1);
  item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
}

}  // namespace

CourseView::CourseView(CourseModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setObjectName(QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  lessons_ = new ElidedComboBox(this);
  lessons_->setObjectName(QStringLiteral("courseLessons"));
  lessons_->setAccessibleName(courseWord("Lessons of the course"));
  lessons_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  scroll_ = new QScrollArea(this);
  scroll_->setObjectName(QStringLiteral("coursePage"));
  scroll_->setAccessibleName(courseWord("Lesson of the course"));
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  who_ = new QLineEdit(this);
  who_->setObjectName(QStringLiteral("courseWho"));
  who_->setPlaceholderText(courseWord("Your name, for the file of answers"));
  who_->setAccessibleName(who_->placeholderText());
  save_ = new QPushButton(courseWord("Save answers…"), this);
  handout_ = new QPushButton(courseWord("Handout…"), this);
  mapButton_ = new QPushButton(courseWord("Course map"), this);
  mapButton_->setObjectName(QStringLiteral("courseMapButton"));
  mapButton_->setToolTip(courseWord("Shows all modules, what is done, and what comes next"));
  auto* top = new QHBoxLayout;
  top->addWidget(lessons_, 1);
  top->addWidget(mapButton_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(save_);
  buttons->addWidget(handout_);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addLayout(top);
  layout->addWidget(scroll_, 1);
  layout->addWidget(who_);
  layout->addLayout(buttons);
  setTabOrder(lessons_, mapButton_);
  setTabOrder(mapButton_, scroll_);
  connect(mapButton_, &QPushButton::clicked, &model_, &CourseModel::close);
  connect(lessons_, &QComboBox::activated, this, &CourseView::choose);
  connect(who_, &QLineEdit::editingFinished, this, [this] { model_.setWho(who_->text()); });
  connect(save_, &QPushButton::clicked, this, &CourseView::saveWanted);
  connect(handout_, &QPushButton::clicked, this, &CourseView::handoutWanted);
  connect(&model_, &CourseModel::lessonChanged, this, &CourseView::rebuild);
  connect(&model_, &CourseModel::answersChanged, this, &CourseView::refresh);
  connect(&model_, &CourseModel::rowsChanged, this, &CourseView::fillRows);
  fillRows();
  rebuild();
}

void CourseView::setTheme(const Theme& theme) {
  theme_ = &theme;
  // The page stays: a reader loses neither the place nor what is half entered.
  for (LessonText* text : texts_) text->setTheme(theme);
  if (map_) map_->setTheme(theme);
  showNext();
}

std::string CourseView::meantDevice() const {
  const std::string& own = model_.lesson()->device;
  return own.empty() ? "cpu" : own;
}

/// The button stays enabled: the keyboard, and the page with it, would go elsewhere. A lesson
/// without a device of its own offers one only while the chosen device is simulated, for example
/// because an opened run was measured there.
void CourseView::setDevice(const QString& device) {
  device_ = device;
  if (!useDevice_) return;
  const std::string meant = meantDevice();
  const bool chosen = device.toStdString() == meant;
  const bool own = !model_.lesson()->device.empty();
  const bool simulated = device.startsWith(QStringLiteral("sim:"));
  useDevice_->setText(text(chosen ? saying("{} is chosen", meant) : saying("Choose {}", meant)));
  useDevice_->setVisible(own || simulated);
  aboutDevice_->setText(
      text(own ? saying("Meant for the device {}.", meant)
               : saying("{} is simulated. This lesson is meant for a real device.",
                        device.toStdString())));
  aboutDevice_->setVisible(own || simulated);
}

void CourseView::fillRows() {
  lessons_->clear();
  lessons_->setPlaceholderText(courseWord("Choose a lesson"));
  int current = -1;
  QString module;
  for (const CourseModel::Row& row : model_.rows()) {
    if (row.module != module) addHeading(*lessons_, module = row.module);
    if (model_.lesson() && row.name.toStdString() == model_.lesson()->name)
      current = lessons_->count();
    lessons_->addItem(rowMark(row.progress) + row.title, row.name);
    lessons_->setItemData(lessons_->count() - 1, text(saying("About {} minutes", row.minutes)),
                          Qt::ToolTipRole);
  }
  lessons_->setCurrentIndex(current);
  lessons_->setToolTip(lessons_->currentText());  // which may be wider than the list
}

void CourseView::choose(int index) {
  try {
    model_.open(lessons_->itemData(index).toString());
  } catch (const InputError&) {
    lessons_->setCurrentIndex(-1);  // it was there a moment ago
  }
}

QWidget* CourseView::textPart(const QString& markdown, QWidget* page) {
  texts_.push_back(new LessonText(markdown, *theme_, page));
  return texts_.back();
}

QWidget* CourseView::mapPage(QWidget* page) {
  map_ = new CourseMap(model_, *theme_, page);
  // Opening a lesson replaces the page, and the link with it, only after its click was handled.
  connect(
      map_, &CourseMap::lessonWanted, this,
      [this](const QString& name) { choose(lessons_->findData(name)); }, Qt::QueuedConnection);
  return map_;
}

QWidget* CourseView::runPart(QWidget* page) {
  auto* part = new QFrame(page);
  auto* layout = new QVBoxLayout(part);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* row = new FlowLayout(nullptr, 8);
  run_ = new QPushButton(courseWord("Measure"), part);
  run_->setObjectName(QStringLiteral("courseMeasure"));
  auto* show = new QPushButton(courseWord("Show the program"), part);
  show->setObjectName(QStringLiteral("courseShow"));
  show->setToolTip(courseWord("Opens the experiment of this lesson, to look at before predicting"));
  aboutDevice_ = new QLabel(part);
  aboutDevice_->setWordWrap(true);
  row->addWidget(run_);
  row->addWidget(show);
  useDevice_ = new QPushButton(part);
  useDevice_->setObjectName(QStringLiteral("courseDevice"));
  row->addWidget(useDevice_);
  connect(useDevice_, &QPushButton::clicked, this,
          [this] { emit deviceWanted(QString::fromStdString(meantDevice())); });
  layout->addLayout(row);
  layout->addWidget(aboutDevice_);
  setDevice(device_);
  connect(show, &QPushButton::clicked, this, &CourseView::showWanted);
  connect(run_, &QPushButton::clicked, this, &CourseView::measureWanted);
  return part;
}

QWidget* CourseView::partWidget(const course::LessonPart& part, QWidget* page) {
  const course::Lesson& lesson = *model_.lesson();
  switch (part.kind) {
    case course::LessonPart::Kind::text:
      return textPart(QString::fromStdString(part.text), page);
    case course::LessonPart::Kind::predict: {
      auto* widget = new PredictionPart(lesson.predictions[part.item], page);
      predictions_.push_back(widget);
      connect(widget, &PredictionPart::entered, &model_,
              [this, item = part.item](const QString& text) { model_.predict(item, text); });
      return widget;
    }
    case course::LessonPart::Kind::ask: {
      auto* widget = new QuestionPart(lesson.questions[part.item], page);
      questions_.push_back(widget);
      connect(widget, &QuestionPart::entered, &model_,
              [this, item = part.item](const QString& text) { model_.answer(item, text); });
      return widget;
    }
    case course::LessonPart::Kind::code:
      texts_.push_back(nullptr);
      return new CodePart(QString::fromStdString(part.text), *theme_, texts_.back(), page);
    case course::LessonPart::Kind::run:
      return runPart(page);
    case course::LessonPart::Kind::seen:
      break;
  }
  seen_ = new QLabel(page);
  seen_->setWordWrap(true);
  seen_->setTextFormat(Qt::PlainText);
  return seen_;
}

void CourseView::rebuild() {
  texts_.clear();
  predictions_.clear();
  questions_.clear();
  map_ = nullptr;
  run_ = useDevice_ = nullptr;
  aboutDevice_ = nullptr;
  seen_ = next_ = nullptr;
  auto* page = new QWidget;
  page->setObjectName(QStringLiteral("panel"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(4, 4, 10, 10);
  layout->setSpacing(10);
  const course::Lesson* lesson = model_.lesson();
  if (lesson)
    for (const course::LessonPart& part : lesson->parts) layout->addWidget(partWidget(part, page));
  if (lesson) {
    layout->addWidget(nextPart(page));
  } else {
    layout->addWidget(textPart(
        courseWord("In each lesson you predict a result, measure it on this device, and compare. "
                   "Choose a lesson in the list above or on the map below. The dots show how "
                   "difficult a lesson is, ◐ that you have begun it, and ✓ that you have answered "
                   "it."),
        page));
    layout->addWidget(mapPage(page));
  }
  layout->addStretch(1);
  scroll_->setWidget(page);
  scroll_->verticalScrollBar()->setValue(0);
  for (QWidget* widget : std::initializer_list<QWidget*>{who_, save_, handout_, mapButton_})
    widget->setEnabled(lesson != nullptr);
  fillRows();
  refresh();
}

/// The device, then a line for each prediction: what was asked, and what was measured.
QString CourseView::measuredText() const {
  const course::Answers& answers = model_.answers();
  QStringList lines{text(
      model_.shown()
          ? saying("Measured on {}:", answers.device)
          : saying("Measured earlier, on {} (the window now shows another run):", answers.device))};
  for (const course::GivenAnswer& given : answers.predictions)
    if (!given.seen.empty())
      lines << QStringLiteral("• %1\n   %2").arg(text(given.ask), text(given.seen));
  return lines.join(u'\n');
}

QWidget* CourseView::nextPart(QWidget* page) {
  next_ = new QLabel(page);
  next_->setObjectName(QStringLiteral("courseNext"));
  next_->setTextFormat(Qt::RichText);
  next_->setWordWrap(true);
  next_->setTextInteractionFlags(Qt::TextBrowserInteraction);
  connect(
      next_, &QLabel::linkActivated, this,
      [this](const QString& name) { choose(lessons_->findData(name)); }, Qt::QueuedConnection);
  showNext();
  return next_;
}

void CourseView::showNext() {
  if (!next_) return;
  const CourseModel::Row* row = model_.row(model_.following().toStdString());
  next_->setVisible(row != nullptr);
  if (row)
    next_->setText(
        courseWord("<b>Next:</b> ") +
        QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
            .arg(row->name.toHtmlEscaped(), theme_->accent.name(), row->title.toHtmlEscaped()));
}

void CourseView::refresh() {
  const course::Answers& answers = model_.answers();
  if (const QString who = QString::fromStdString(answers.who); !who_->hasFocus())
    who_->setText(who);
  for (std::size_t i = 0; i < predictions_.size(); ++i)
    predictions_[i]->show(answers.predictions[i]);
  for (std::size_t i = 0; i < questions_.size(); ++i)
    questions_[i]->show(answers.questions[i], model_.seen(), answers.device);
  if (!seen_) return;
  QString text = courseWord("Nothing has been measured for this lesson yet.");
  if (model_.seen()) {
    text = measuredText();
    if (answers.device.starts_with("sim:"))
      text += u'\n' + courseWord("The device is simulated: all times come from a model.");
  }
  seen_->setText(figuresKeptWhole(text));
}

}  // namespace fusebench

#include "moc_course_view.cpp"
