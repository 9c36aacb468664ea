// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "ui/models/timeline/timeline_model.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace fusebench {

/// All lanes of a timeline with a check box each, and a filter: which of them are drawn.
class LanesMenu : public QMenu {
  Q_OBJECT

 public:
  explicit LanesMenu(TimelineModel& model, QWidget* parent = nullptr);
  QLineEdit& filter() { return *filter_; }
  QListWidget& list() { return *list_; }
  QPushButton& all() { return *all_; }
  QCheckBox& counters() { return *counters_; }

 private:
  void fill();
  void count();

  TimelineModel& model_;
  QLineEdit* filter_;
  QListWidget* list_;
  QLabel* note_;
  QPushButton* all_;
  QCheckBox* counters_;
  bool ticking_ = false;  ///< a tick is being set here: its line must stay
};

}  // namespace fusebench
