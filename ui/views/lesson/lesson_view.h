// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

#include "ui/theme/theme.h"

namespace fusebench {

/// A help page: Markdown, set for reading in a narrow column.
class LessonView : public QTextBrowser {
  Q_OBJECT

 public:
  explicit LessonView(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setLesson(const QString& markdown);

 private:
  void typeset();

  const Theme* theme_ = &darkTheme();
  QString markdown_;
};

}  // namespace fusebench
