// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/export/export_source.h"
#include "ui/export/figures/timeline_figure.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

/// Exports a timeline: the visible part as a report or a picture, time by kernel as a table, or all
/// of it as a trace.
class TimelineExport : public ExportSource {
 public:
  explicit TimelineExport(TimelineSubject subject) : subject_(std::move(subject)) {}

  QString heading() const override { return uiText("Export timeline"); }
  QString title() const override;
  /// The statistics of what is selected.
  QString caption() const override;
  QString fileName() const override;
  std::vector<ExportForm> forms() const override;
  ViewChoices choicesOf(const QString& view) const override;
  Figure figure(const ExportChoices& choices) const override;
  QString preview(const ExportForm& form, const ExportChoices& choices,
                  bool& isText) const override;
  Writer writer(const ExportForm& form, const ExportChoices& choices) const override;

 private:
  QString reportContents() const;

  TimelineSubject subject_;
};

/// Makes a report of traces from files, draws them one below the other, or lists their kernels, for
/// their whole time. See exportFiles.
void exportTraces(const QString& out, const QStringList& files, const ExportForm& form,
                  const ExportChoices& choices);

}  // namespace fusebench
