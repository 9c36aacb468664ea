// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace fusebench {

class DevicesModel;

/// Machines and devices with a check box each, and a button that measures on all selected ones, one
/// after another. Folded at first, because most users measure in one place.
class InspectorSites : public QWidget {
  Q_OBJECT

 public:
  InspectorSites(DevicesModel& devices, QWidget* parent);
  const std::vector<QCheckBox*>& ticks() const { return ticks_; }
  QToolButton& fold() const { return *fold_; }
  QPushButton& button() const { return *run_; }
  QString words() const;

 signals:
  void startWanted();
  void stopWanted();

 private:
  void refresh();
  void setOpen(bool open);

  DevicesModel& devices_;
  QToolButton* fold_;
  QWidget* content_;
  QLabel* words_;
  QVBoxLayout* list_;
  QPushButton* run_;
  std::vector<QCheckBox*> ticks_;
};

}  // namespace fusebench
