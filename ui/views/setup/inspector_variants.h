// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/run/executor.h"
#include "ui/views/setup/inspector_field.h"
#include "ui/views/setup/inspector_section.h"

namespace fusebench {

/// One variant: all settings of its curve.
class VariantCard : public InspectorCard {
  Q_OBJECT

 public:
  VariantCard(DocumentModel& document, int index, QWidget* parent);
  /// `onGpu`: settings for the CPU only are hidden.
  void show(const Theme& theme, bool onGpu);
  class QCheckBox& tick() const {
    return *tick_;
  }

 private:
  const Variant& variant() const;
  void edit(const QString& name, const QString& field, const std::function<void(Variant&)>& change);
  void fillMenu();
  void showRanks();
  void connectCheckpoints();
  void showCheckpoints();
  void connectDelivery();
  void showPages(bool onGpu);
  void showDelivery();

  DocumentModel& document_;
  int index_;
  FieldGroup fields_;
  LineField* name_;
  ChoiceField* executor_;
  ChoiceField* program_;
  ChoiceField* inputs_;
  ChoiceField* dtype_;
  ChoiceField* gradients_;
  ChoiceField* checkpoint_;
  LineField* checkpointBudget_;
  ChoiceField* autocast_;
  LineField* lossScale_;
  LineField* ranks_;
  CheckField* weak_;
  ChoiceField* buckets_;
  CheckField* overlap_;
  CheckField* graphBreaks_;
  ChoiceField *pages_, *from_, *batches_;
  LineField *prefetch_, *workers_;
  CheckField* results_;
  ChoiceField* quantize_;
  ChoiceField* calibration_;
  ChoiceField* series_;
  LineField* threads_;
  LineField* recompileLimit_;
  CheckField *contract_, *fastMath_, *tune_;
  class QToolButton* menu_;
  class QCheckBox* tick_;
};

/// An executor that no variant uses yet: selecting it adds a variant.
class ExecutorRow : public QWidget {
  Q_OBJECT

 public:
  ExecutorRow(DocumentModel& document, const ExecutorInfo& executor, QWidget* parent);
  const std::string& executor() const { return executor_; }
  class QCheckBox& tick() const {
    return *tick_;
  }

 private:
  std::string executor_;
  class QCheckBox* tick_;
};

/// The variants and which of them is the baseline.
class InspectorVariants : public InspectorSection {
  Q_OBJECT

 public:
  InspectorVariants(DocumentModel& document, QWidget* parent);

 signals:
  /// The interpreter that runs PyTorch's variants is to be chosen.
  void pythonWanted();

 protected:
  void showSettings() override;

 private:
  /// The executor whose row has the focus; empty if none has.
  std::string focusedRow() const;

  FieldGroup fields_;
  ChoiceField* shown_;  ///< program shown on the canvas, if there are several
  ChoiceField* baseline_;
  QVBoxLayout* list_;
  std::vector<VariantCard*> cards_;
  std::vector<ExecutorRow*> rows_;
};

}  // namespace fusebench
