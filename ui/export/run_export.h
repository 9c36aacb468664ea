// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/export/export_source.h"
#include "ui/models/runs/run_comparison.h"

namespace fusebench {

/// Exports a run, or compares several.
class RunExport : public ExportSource {
 public:
  /// `crossings` are those of the run.
  RunExport(std::shared_ptr<const Run> run, std::vector<Crossing> crossings);
  /// Needs at least one run. With several it compares the first with each of the others.
  explicit RunExport(std::vector<NamedRun> runs);

  /// Other runs, which are drawn over the chart and over no other view.
  void layOver(std::vector<NamedRun> over);
  /// The axes and the part of them that this view is to be drawn with.
  void setShown(const QString& view, const ChartShown& shown);
  /// The worker that generates code for reports. Without one, the dialog does not offer code.
  void setWorker(std::vector<std::string> command) { worker_ = std::move(command); }

  QString heading() const override;
  QString title() const override;
  QString fileName() const override;
  std::vector<ExportForm> forms() const override;
  QStringList views() const override;
  ViewChoices choicesOf(const QString& view) const override;
  QStringList codes() const override;
  std::optional<QSizeF> sizeOf(const ExportChoices& choices) const override;
  Figure figure(const ExportChoices& choices) const override;
  QString preview(const ExportForm& form, const ExportChoices& choices,
                  bool& isText) const override;
  Writer writer(const ExportForm& form, const ExportChoices& choices) const override;

 private:
  struct Held {
    NamedRun named;
    std::vector<Crossing> crossings;
  };
  const Run& first() const { return *runs_.front().named.run; }
  std::vector<ExportedRun> exported() const;

  std::vector<Held> runs_;
  std::vector<NamedRun> over_;
  std::vector<std::string> worker_;
  QString shownView_;
  ChartShown shown_;
};

}  // namespace fusebench
