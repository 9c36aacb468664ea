// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <memory>
#include <span>
#include <vector>

#include "profiler/export_data.h"
#include "ui/export/figure.h"
#include "ui/export/figure_style.h"

namespace fusebench {

/// Every form that runs can be written in, with the ending that stands for it.
struct ExportForm {
  const char* ending;   ///< "html", "benchmark.json"
  const char* name;     ///< "Report, one HTML page"
  bool figure = false;  ///< a chart or a map, by a FigureStyle
};
std::span<const ExportForm> exportForms();
/// By a file's name, the longest ending first; null for any other.
const ExportForm* exportForm(const QString& path);

/// What a picture is to show and how; text and reports take nothing of it.
struct ExportChoices {
  QString view = QStringLiteral("latency");  ///< a metric's name in lower case, or "map"
  std::size_t slice = 0;                     ///< place on the second axis that curves are of
  int variant = -1;                          ///< of a map; -1: the first that is not the baseline
  double scale = 2;                          ///< of a PNG
  FigureStyle style;
};

/// The views that a run can be exported as: "latency", ..., "map" if it sweeps two axes.
QStringList exportViews(const Run& run);

/// The chart or map of the first run, the others laid over it. Throws InputError for a view that
/// the run has not.
Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices);

/// What the file will hold. Throws InputError.
QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices);

/// Reads the runs, analyses them and writes the file, which is replaced if it is there. Returns an
/// exit code and says on stderr why, in one line: 0, or 2 (a run cannot be read, the ending stands
/// for nothing, the file cannot be written). Needs a QApplication, no display.
int exportFiles(const QString& out, const QStringList& runs, const ExportChoices& choices);

/// Runs from files (.jsonl, or reports that hold one), named by their files. Throws InputError.
struct LoadedRuns {
  std::vector<std::unique_ptr<Run>> runs;
  std::vector<ExportedRun> exported;
};
LoadedRuns loadForExport(const QStringList& files);

}  // namespace fusebench
