// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/views/setup/inspector_field.h"

class QLabel;
class QToolButton;

namespace fusebench {

class DevicesModel;
class InspectorSites;
class InspectorTargets;

/// The device to measure on: the available devices, and for a GPU whether its launches can be
/// recorded.
class InspectorDevice : public QWidget {
  Q_OBJECT

 public:
  InspectorDevice(DevicesModel& devices, QWidget* parent);
  ChoiceField& choice() const { return *choice_; }
  /// Text about recording; empty if there is none.
  QString recording() const;
  QString recordingTip() const;
  QToolButton& lookAgain() const { return *again_; }
  InspectorTargets& targets() const { return *targets_; }
  InspectorSites& sites() const { return *sites_; }

 private:
  void refresh();
  void refreshRecording();

  DevicesModel& devices_;
  InspectorTargets* targets_;
  ChoiceField* choice_;
  QLabel* recording_;
  QToolButton* again_;
  InspectorSites* sites_;
};

}  // namespace fusebench
