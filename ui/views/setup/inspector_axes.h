// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/models/setup/axis_form.h"
#include "ui/views/setup/inspector_field.h"
#include "ui/views/setup/inspector_section.h"

namespace fusebench {

/// One axis: its name, unit and values.
class AxisCard : public InspectorCard {
  Q_OBJECT

 public:
  AxisCard(DocumentModel& document, int index, QWidget* parent);
  void show();
  void setOnGpu(bool onGpu) { onGpu_ = onGpu; }
  /// Forgets the form, so that it is derived from the values again.
  void forgetForm() { form_.reset(); }

 private:
  const Axis& axis() const;
  void choseName(const QString& name);
  void choseKind(AxisForm::Kind kind);
  void editedForm();
  void setValues(const QString& step, std::vector<std::int64_t> values);
  void showForm();

  DocumentModel& document_;
  int index_;
  bool onGpu_ = false;
  std::optional<AxisForm> form_;  ///< as chosen, while its values are the document's
  FieldGroup fields_;
  ChoiceField* name_;
  LineField* unit_;
  ChoiceField* kind_;
  LineField* list_;
  LineField* from_;
  LineField* to_;
  LineField* step_;
};

/// One or two axes.
class InspectorAxes : public InspectorSection {
  Q_OBJECT

 public:
  InspectorAxes(DocumentModel& document, QWidget* parent);

 protected:
  void showSettings() override;

 private:
  QVBoxLayout* list_;
  std::vector<AxisCard*> cards_;
  std::vector<class QToolButton*> removes_;
  class QToolButton* size_;  ///< sweeps the size
  class QToolButton* add_;
  class QToolButton* swap_;
};

}  // namespace fusebench
