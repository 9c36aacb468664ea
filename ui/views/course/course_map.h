// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "ui/models/course/course_model.h"
#include "ui/theme/theme.h"

class QLabel;
class QVBoxLayout;

namespace fusebench {

/// An overview of the course: the path for a reader with little time, then each module with its
/// lessons, what is done, and what comes next.
class CourseMap : public QWidget {
  Q_OBJECT

 public:
  CourseMap(const CourseModel& model, const Theme& theme, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

 signals:
  void lessonWanted(const QString& name);

 private:
  void addCard(QVBoxLayout& layout, const QString& title, const QString& about,
               const std::vector<std::string>& lessons);
  QLabel* addText(QWidget& card, std::function<QString()> text);
  QString lessonText(const CourseModel::Row& row) const;

  const CourseModel& model_;
  const Theme* theme_;
  std::string next_;
  /// Labels that contain theme colors, and how each is formatted.
  std::vector<std::pair<QLabel*, std::function<QString()>>> texts_;
};

}  // namespace fusebench
