// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QLineEdit;
class QRadioButton;
class QToolButton;
class QVBoxLayout;

namespace fusebench {

class TargetsModel;

/// The machines that can be measured on, the devices found on each, and a line to add another one.
class InspectorTargets : public QWidget {
  Q_OBJECT

 public:
  struct Row {
    QWidget* widget;
    QRadioButton* name;
    QLabel* words;
    QToolButton *look, *copy, *remove;
  };

  InspectorTargets(TargetsModel& targets, QWidget* parent);
  const std::vector<Row>& rows() const { return rows_; }
  QLineEdit& line() const { return *line_; }
  /// The problem with the line; empty: none.
  QString problem() const;

 private:
  void rebuild();
  void refresh();
  void add();
  Row makeRow(const QString& name);

  TargetsModel& targets_;
  QVBoxLayout* list_;
  QLineEdit* line_;
  QLabel* problem_;
  std::vector<Row> rows_;
};

}  // namespace fusebench
