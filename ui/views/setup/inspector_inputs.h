// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "ui/views/setup/inspector_field.h"
#include "ui/views/setup/inspector_section.h"

namespace fusebench {

/// One tensor of an input set: shape, fill, layout.
class TensorFields : public QWidget {
  Q_OBJECT

 public:
  TensorFields(DocumentModel& document, int set, int tensor, QWidget* parent);
  void show();
  bool isOf(int set, int tensor) const { return set == set_ && tensor == tensor_; }

 private:
  void edit(const QString& name, const QString& field,
            const std::function<void(InputSpec&)>& change);

  DocumentModel& document_;
  int set_, tensor_;
  class QLabel* title_;
  class QToolButton* remove_;
  FieldGroup fields_;
  LineField* extents_;
  ChoiceField* fill_;
  AreaField* code_;
  ChoiceField* layout_;
  ChoiceField* dtype_;
  ChoiceField* place_;
};

/// One input set.
class InputSetCard : public InspectorCard {
  Q_OBJECT

 public:
  /// The number of tensors shown at first, and added with each press of a button: a captured model
  /// has hundreds of weights, and creating the form of each one takes a moment.
  static constexpr std::size_t kTensorsAtOnce = 24;

  InputSetCard(DocumentModel& document, int index, QWidget* parent);
  void show();
  /// Shows the tensors up to this one, too.
  void reveal(std::size_t tensor);
  int index() const { return index_; }
  class QToolButton& more() {
    return *more_;
  }

 private:
  void fillMenu();

  DocumentModel& document_;
  int index_;
  FieldGroup fields_;
  LineField* name_;
  LineField* count_;
  class QToolButton* menu_;
  QVBoxLayout* list_;
  class QToolButton* more_;
  std::vector<TensorFields*> tensors_;
  std::size_t most_ = kTensorsAtOnce;
};

/// The input sets.
class InspectorInputs : public InspectorSection {
  Q_OBJECT

 public:
  InspectorInputs(DocumentModel& document, QWidget* parent);

 protected:
  void showSettings() override;

 private:
  QVBoxLayout* list_;
  std::vector<InputSetCard*> cards_;
};

}  // namespace fusebench
