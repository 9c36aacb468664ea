// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <vector>

#include "ui/models/setup/document_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

class DevicesModel;
class InspectorDevice;
class InspectorSection;

/// The device and everything in the experiment's file except the program, as a form in sections
/// that fold. Every change goes into the document at once; a problem is shown under its field.
class Inspector : public QScrollArea {
  Q_OBJECT

 public:
  Inspector(DocumentModel& document, DevicesModel& devices, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Opens the section of a problem, scrolls to its field and focuses it.
  void showProblem(const Problem& problem);
  /// Scrolls to the shape of an input in this input set, or in the first one, and focuses it.
  void showShape(const QString& input, const QString& inputSet);
  /// Scrolls to the list of devices and focuses it.
  void showDevice();
  /// The section for a part of the experiment.
  InspectorSection& section(Problem::Where where) const;
  InspectorDevice& device() const { return *device_; }

 signals:
  void pythonWanted();

 private:
  void refresh();

  DocumentModel& document_;
  InspectorDevice* device_;
  const Theme* theme_ = nullptr;
  std::vector<InspectorSection*> sections_;
};

}  // namespace fusebench
