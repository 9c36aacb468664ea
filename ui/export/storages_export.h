// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/export/export_source.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/storages/storage_subject.h"

namespace fusebench {

/// Exports the memory of a call over its steps, as a picture.
class StoragesExport : public ExportSource {
 public:
  explicit StoragesExport(StoragesSubject subject) : subject_(std::move(subject)) {}

  QString heading() const override { return uiText("Export memory"); }
  QString title() const override { return subject_.title; }
  QString caption() const override { return subject_.place; }
  QString fileName() const override { return QStringLiteral("memory"); }
  std::vector<ExportForm> forms() const override;
  ViewChoices choicesOf(const QString& view) const override;
  Figure figure(const ExportChoices& choices) const override;
  QString preview(const ExportForm& form, const ExportChoices& choices,
                  bool& isText) const override;
  Writer writer(const ExportForm& form, const ExportChoices& choices) const override;

 private:
  StoragesSubject subject_;
};

/// The memory of a call at the far end of the run's axes, for the chosen variant, or for the
/// baseline and the first variant that compiles. Sends requests to a worker; takes seconds. Throws
/// InputError.
StoragesSubject storagesOf(const Run& run, const ExportChoices& choices);

}  // namespace fusebench
