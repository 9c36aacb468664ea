// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/views/setup/inspector_field.h"
#include "ui/views/setup/inspector_section.h"

namespace fusebench {

/// Title, question, note, lesson and reference.
class InspectorHeader : public InspectorSection {
  Q_OBJECT

 public:
  InspectorHeader(DocumentModel& document, QWidget* parent);

 protected:
  void showSettings() override;

 private:
  void addLine(const QString& label, const QString& key, const QString& name,
               std::string Experiment::*text);
  void addArea(const QString& label, const QString& key, const QString& name,
               std::string Experiment::*text);
  FieldGroup fields_;
  std::vector<std::function<void()>> shows_;
};

/// Budget, samples, precision, compile repeats, seed and the cache of the device.
class InspectorMeasure : public InspectorSection {
  Q_OBJECT

 public:
  InspectorMeasure(DocumentModel& document, QWidget* parent);

 protected:
  void showSettings() override;

 private:
  void addWhole(const QString& label, const QString& key, const QString& name, const QString& note,
                int MeasureSettings::*number);
  FieldGroup fields_;
  std::vector<std::function<void()>> shows_;
};

}  // namespace fusebench
