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

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void typesetOrWait();
  void typeset();

  const Theme* theme_ = &darkTheme();
  QString markdown_;
  bool waits_ = false;    ///< to be set when it is shown
  bool toStart_ = false;  ///< another page is read from its start
};

}  // namespace fusebench
