// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/course/lesson_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTextDocument>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <string>

#include "ui/views/course/course_words.h"
#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/lesson_links.h"
#include "ui/views/lesson/lesson_text.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

QLabel* wrappedLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(figuresKeptWhole(text), parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

/// A heading, what is asked, and room for the rest.
QVBoxLayout* askedFrame(QFrame& frame, const QString& heading, const std::string& ask) {
  frame.setObjectName(QStringLiteral("askedCard"));
  auto* layout = new QVBoxLayout(&frame);
  layout->setContentsMargins(12, 10, 12, 10);
  auto* head = new QLabel(heading, &frame);
  head->setFont(textFont(1, QFont::DemiBold));
  layout->addWidget(head);
  layout->addWidget(wrappedLabel(QString::fromStdString(ask), &frame));
  return layout;
}

/// Adds a field with its unit to the right of it.
QLineEdit* addField(QFrame& frame, QVBoxLayout& layout, const std::string& ask,
                    const course::Unit& unit) {
  auto* row = new QHBoxLayout;
  auto* field = new QLineEdit(&frame);
  field->setMaximumWidth(120);
  field->setAccessibleName(QString::fromStdString(ask));
  row->addWidget(field);
  row->addWidget(new QLabel(unit.word.empty() ? QString() : courseWord(unit.word.c_str()), &frame));
  row->addStretch(1);
  layout.addLayout(row);
  return field;
}

constexpr int kWhyIndent = 26;  ///< under the text of a choice

void showText(QLabel& label, const QString& text) {
  label.setText(figuresKeptWhole(text));
  label.setVisible(!text.isEmpty());
}

}  // namespace

LessonText::LessonText(const QString& markdown, const Theme& theme, QWidget* parent)
    : QTextBrowser(parent), markdown_(markdown) {
  setDocument(new LessonDocument(this));
  followLessonLinks(*this);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  document()->setDocumentMargin(2);
  document()->setIndentWidth(20);
  setAccessibleName(courseWord("Lesson of the course"));
  setTheme(theme);
}

void LessonText::setTheme(const Theme& theme) {
  theme_ = &theme;
  typesetLesson(*document(), markdown_, theme);
  // The page scrolls as a whole, so Tab goes from one field to the next one, past plain text.
  setFocusPolicy(hasLinks(*document()) ? Qt::StrongFocus : Qt::ClickFocus);
  fitHeight();
}

void LessonText::fitHeight() {
  fitPictures(*document(), viewport()->width() - 2 * static_cast<int>(document()->documentMargin()),
              *theme_);
  document()->setTextWidth(viewport()->width());
  setFixedHeight(static_cast<int>(document()->size().height()) + 2);
}

void LessonText::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  fitHeight();
}

void LessonText::wheelEvent(QWheelEvent* event) {
  event->ignore();  // the lesson scrolls as a whole
}

CodePart::CodePart(const QString& code, const Theme& theme, LessonText*& text, QWidget* parent)
    : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  text = new LessonText(QStringLiteral("```python\n%1```\n").arg(code), theme, this);
  layout->addWidget(text);
  auto* copy = new QPushButton(courseWord("Copy code"), this);
  copy->setObjectName(QStringLiteral("courseCopy"));
  layout->addWidget(copy, 0, Qt::AlignLeft);
  copy->setMinimumWidth(copy->sizeHint().width());
  QClipboard* const clipboard = QGuiApplication::clipboard();
  connect(copy, &QPushButton::clicked, this, [clipboard, copy, code] {
    clipboard->setText(code);
    copy->setText(courseWord("Copied"));
  });
  // The button says so for as long as it is true.
  connect(clipboard, &QClipboard::dataChanged, copy, [clipboard, copy, code] {
    if (copy->text() == courseWord("Copied") && clipboard->text() != code)
      copy->setText(courseWord("Copy code"));
  });
}

PredictionPart::PredictionPart(const course::Prediction& prediction, QWidget* parent)
    : QFrame(parent), prediction_(prediction) {
  QVBoxLayout* layout = askedFrame(*this, courseWord("Predict"), prediction.ask);
  field_ = addField(*this, *layout, prediction.ask, prediction.unit);
  verdict_ = wrappedLabel({}, this);
  layout->addWidget(verdict_);
  connect(field_, &QLineEdit::editingFinished, this, [this] { emit entered(field_->text()); });
}

void PredictionPart::show(const course::GivenAnswer& given) {
  const QString text = QString::fromStdString(given.given);
  if (field_->text() != text) field_->setText(text);
  QString verdict = QString::fromStdString(course::verdictOf(prediction_, given));
  if (!text.isEmpty() && !course::isPrediction(given.given))
    verdict = courseWord("This is not a number; enter a figure such as 12.5.");
  showText(*verdict_, verdict);
}

QuestionPart::QuestionPart(const course::Question& question, QWidget* parent)
    : QFrame(parent), question_(question) {
  QVBoxLayout* layout = askedFrame(*this, courseWord("Question"), question.ask);
  if (question.choices.empty()) {
    field_ = addField(*this, *layout, question.ask, question.unit);
    connect(field_, &QLineEdit::editingFinished, this, [this] { emit entered(field_->text()); });
  }
  for (const course::Choice& choice : question.choices) {
    const QString text = QString::fromStdString(choice.text);
    auto* row = new QHBoxLayout;
    auto* button = new QRadioButton(this);
    button->setObjectName(QStringLiteral("courseChoice"));
    button->setAccessibleName(text);
    QLabel* label = wrappedLabel(text, this);
    label->setBuddy(button);
    label->setTextInteractionFlags(Qt::NoTextInteraction);  // a click on it chooses
    label->installEventFilter(this);
    row->addWidget(button, 0, Qt::AlignTop);
    row->addWidget(label, 1);
    layout->addLayout(row);
    choices_.push_back(button);
    whys_.push_back(wrappedLabel(QString::fromStdString(choice.why), this));
    whys_.back()->setIndent(kWhyIndent);
    whys_.back()->setObjectName(QStringLiteral("choiceWhy"));
    whys_.back()->hide();
    layout->addWidget(whys_.back());
    connect(button, &QRadioButton::clicked, this, [this, text] { emit entered(text); });
  }
  verdict_ = wrappedLabel({}, this);
  layout->addWidget(verdict_);
}

bool QuestionPart::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonRelease)
    if (auto* label = qobject_cast<QLabel*>(watched))
      if (auto* button = qobject_cast<QRadioButton*>(label->buddy())) button->click();
  return QFrame::eventFilter(watched, event);
}

void QuestionPart::show(const course::GivenAnswer& given, bool seen, const std::string& device) {
  const QString text = QString::fromStdString(given.given);
  if (field_ && field_->text() != text) field_->setText(text);
  for (std::size_t c = 0; c < choices_.size(); ++c)
    choices_[c]->setChecked(question_.choices[c].text == given.given);
  for (std::size_t c = 0; c < whys_.size(); ++c)
    whys_[c]->setVisible(given.right.has_value() && !question_.choices[c].why.empty());
  QString verdict;
  if (!text.isEmpty() && (!seen || given.seen.empty()))
    verdict = courseWord("Measure first; then the answer is checked.");
  if (!text.isEmpty() && given.right)
    verdict = QString::fromStdString(course::judgementOf(given) + "\n" +
                                     course::conclusionOf(question_, given, device) + question_.why)
                  .trimmed();
  else if (!text.isEmpty() && seen)
    verdict = QString::fromStdString(given.seen);
  showText(*verdict_, verdict);
}

}  // namespace fusebench

#include "moc_lesson_parts.cpp"
