// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTextBrowser>
#include <vector>

#include "profiler/course/answers.h"
#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace fusebench {

/// A piece of a lesson's text, at its full height.
class LessonText : public QTextBrowser {
  Q_OBJECT

 public:
  LessonText(const QString& markdown, const Theme& theme, QWidget* parent);
  void setTheme(const Theme& theme);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void fitHeight();
  QString markdown_;
  const Theme* theme_ = &darkTheme();
};

/// Code to run in the reader's own PyTorch, and a button that copies it.
class CodePart : public QWidget {
  Q_OBJECT

 public:
  /// `text` becomes the widget that shows the code.
  CodePart(const QString& code, const Theme& theme, LessonText*& text, QWidget* parent);
};

/// A predicted value, entered before measuring, and its outcome.
class PredictionPart : public QFrame {
  Q_OBJECT

 public:
  PredictionPart(const course::Prediction& prediction, QWidget* parent);
  void show(const course::GivenAnswer& given);

 signals:
  void entered(const QString& text);

 private:
  const course::Prediction& prediction_;
  QLineEdit* field_;
  QLabel* verdict_;
};

/// A question with its choices, or a field for a figure.
class QuestionPart : public QFrame {
  Q_OBJECT

 public:
  QuestionPart(const course::Question& question, QWidget* parent);
  /// `seen`: whether there is data to answer it with, measured on `device`.
  void show(const course::GivenAnswer& given, bool seen, const std::string& device);
  /// A click on the text of a choice chooses it.
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  void entered(const QString& text);

 private:
  const course::Question& question_;
  std::vector<QRadioButton*> choices_;
  std::vector<QLabel*> whys_;  ///< explanations of the choices, once the answer is judged
  QLineEdit* field_ = nullptr;
  QLabel* verdict_;
};

}  // namespace fusebench
