// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "profiler/export/export_data.h"
#include "profiler/trace/trace_export.h"
#include "ui/export/figures/timeline_totals.h"
#include "ui/export/report/report.h"

namespace fusebench {

/// A file format for exports. It supports everything that it has a writer for; the other writers
/// are null. Writers throw InputError.
struct ExportForm {
  const char* ending;  ///< its extension: "html", "benchmark.json"
  const char* name;    ///< its display name: "Report, one interactive page"
  const char* kind;    ///< what several forms are together: "a chart"

  QByteArray (*report)(const Report&) = nullptr;
  QByteArray (*figure)(const Figure&, double scale) = nullptr;
  bool pixels = false;  ///< a figure has a scale
  std::string (*runs)(std::span<const ExportedRun>) = nullptr;
  std::string (*experiment)(const Experiment&) = nullptr;
  /// Time by kernel of a part of a timeline.
  std::string (*kernels)(const TimelineSubject&) = nullptr;
  /// All launches, to a file.
  void (*launches)(const Trace&, const std::string& path, const TraceProgress&) = nullptr;

  bool ofRuns() const { return report || figure || runs || experiment; }
  bool ofTraces() const { return report || figure || kernels || launches; }
};

/// Every form; the order is that of the export dialog.
std::span<const ExportForm> exportForms();
/// By a file's name, the longest ending first; null for any other.
const ExportForm* exportForm(const QString& path);

/// ".svg, .png or .chart.pdf": the extensions of the forms for which `has` is true.
QString endingsOf(const std::function<bool(const ExportForm&)>& has, const QString& last);
/// What each ending stands for, in a sentence: ".html .pdf a report, .svg a chart".
QString formsInWords();

}  // namespace fusebench
