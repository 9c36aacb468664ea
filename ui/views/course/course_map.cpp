// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/course/course_map.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <numeric>
#include <utility>

#include "ui/views/course/course_words.h"

namespace fusebench {
namespace {

QString colored(const QColor& color, const QString& html) {
  return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(color.name(), html);
}

QString catalogued(const std::string& message) {
  return QString::fromStdString(std::string(said(message)));
}

}  // namespace

CourseMap::CourseMap(const CourseModel& model, const Theme& theme, QWidget* parent)
    : QWidget(parent), model_(model), theme_(&theme) {
  setObjectName(QStringLiteral("courseMap"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(10);
  next_ = model_.next().toStdString();
  const course::Course& course = model_.course();
  const int minutes = std::accumulate(course.path.begin(), course.path.end(), 0,
                                      [&](int sum, const std::string& name) {
                                        const CourseModel::Row* row = model_.row(name);
                                        return sum + (row ? row->minutes : 0);
                                      });
  addCard(*layout, catalogued(course.pathTitle), text(saying("About {} minutes", minutes)),
          course.path);
  for (const course::CourseModule& module : course.modules) {
    std::vector<std::string> names;
    for (const course::CourseLesson& lesson : module.lessons) names.push_back(lesson.name);
    addCard(*layout, catalogued(module.title), catalogued(module.about), names);
  }
}

void CourseMap::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (const auto& [label, text] : texts_) label->setText(text());
}

void CourseMap::addCard(QVBoxLayout& layout, const QString& title, const QString& about,
                        const std::vector<std::string>& lessons) {
  auto* card = new QFrame(this);
  card->setObjectName(QStringLiteral("askedCard"));
  auto* rows = new QVBoxLayout(card);
  rows->setContentsMargins(12, 10, 12, 10);
  rows->setSpacing(6);
  auto* head = new QLabel(title, card);
  head->setFont(textFont(1, QFont::DemiBold));
  head->setWordWrap(true);
  rows->addWidget(head);
  rows->addWidget(
      addText(*card, [this, about] { return colored(theme_->muted, about.toHtmlEscaped()); }));
  for (const std::string& name : lessons) {
    const CourseModel::Row* row = model_.row(name);
    if (!row) continue;  // a damaged copy on disk
    auto* line = new QHBoxLayout;
    auto* mark = new QLabel(text(course::progressMark(row->progress)), card);
    mark->setFixedWidth(mark->fontMetrics().horizontalAdvance(QStringLiteral("✓")));
    line->addWidget(mark, 0, Qt::AlignTop);
    QLabel* its = addText(*card, [this, row] { return lessonText(*row); });
    its->setObjectName(QStringLiteral("mapLesson"));
    its->setAccessibleName(row->title);
    its->setToolTip(row->objective);
    its->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(its, &QLabel::linkActivated, this, &CourseMap::lessonWanted);
    line->addWidget(its, 1);
    rows->addLayout(line);
  }
  layout.addWidget(card);
}

QLabel* CourseMap::addText(QWidget& card, std::function<QString()> text) {
  auto* label = new QLabel(text(), &card);
  label->setTextFormat(Qt::RichText);
  label->setWordWrap(true);
  texts_.emplace_back(label, std::move(text));
  return label;
}

QString CourseMap::lessonText(const CourseModel::Row& row) const {
  QString about = text(saying("{} min", row.minutes)) + QStringLiteral(" · ") +
                  text(course::difficultyMark(row.difficulty));
  if (!row.after.isEmpty())
    about += QStringLiteral(" · ") +
             text(saying("after: {}", row.after.join(courseWord("; ")).toStdString()));
  const bool next = row.name.toStdString() == next_;
  const QString title =
      QStringLiteral("<a href=\"%1\" style=\"color:%2;text-decoration:none\">%3</a>")
          .arg(row.name.toHtmlEscaped(), theme_->accent.name(), row.title.toHtmlEscaped());
  return (next ? courseWord("<b>Next:</b> ") : QString()) + title + QStringLiteral("<br>") +
         colored(theme_->muted, about.toHtmlEscaped());
}

}  // namespace fusebench

#include "moc_course_map.cpp"
