// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/export/export_data.h"
#include "ui/export/export_forms.h"
#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/code/variant_code.h"

namespace fusebench {

/// Something of a figure that can be hidden.
struct FigurePart {
  QString name;
  int series = -1;  ///< index of the variant whose color it has; -1: none
};

/// How a chart shows it; by default the initial view.
struct ChartShown {
  std::optional<bool> logAxis, logValue;
  std::optional<AxisRange> x, y;  ///< zoomed in as in the window
};

/// Views that do not chart a metric. The ratio compares the latencies of two runs.
inline constexpr const char* kScatterView = "scatter";
inline constexpr const char *kMapView = "map", *kAnatomyView = "anatomy", *kProgramView = "program",
                            *kRatioView = "ratio";
/// The memory of a call over its steps. A worker makes the plans again for this.
inline constexpr const char* kStoragesView = "storages";

/// Choices for an exported picture. Text formats ignore them; reports use the title and the code.
struct ExportChoices {
  QString view = QStringLiteral("latency");  ///< one of exportViews()
  std::size_t slice = 0;  ///< value of the second axis for which curves are drawn
  int variant = -1;       ///< of a map; -1: the first that is not the baseline
  std::size_t other = 1;  ///< of a ratio: the run set against the first
  double scale = 2;       ///< of a PNG
  FigureStyle style;
  bool sized = false;  ///< whether the style's size was chosen; otherwise a view may have a more
                       ///< suitable one
  ChartShown shown;
  QStringList hidden;      ///< names among figureParts() of a chart
  bool published = false;  ///< draw published curves next to the latency chart
  /// Variants of the first run whose generated code a report contains; "all" of them.
  std::vector<std::string> code;
  std::vector<std::string> workerCommand;  ///< generates the code and the memory plans
};

/// The requested generated code; takes seconds. Throws InputError for a variant that the run does
/// not have.
std::vector<VariantCode> chosenCode(const Run& run, const ExportChoices& choices,
                                    std::stop_token stop = {});

/// The views that a run can be exported as: "latency", ..., "map" if it sweeps two axes; "host",
/// "device", "alone" and "times" (all of them) if a device ran it; "anatomy" if a call breakdown
/// was recorded; "program".
QStringList exportViews(const Run& run);
/// Those of the first, and of several runs "ratio".
QStringList exportViews(std::span<const ExportedRun> runs);

/// What of that view's figure can be hidden, by name: variants and other runs, device costs,
/// fitted lines, break-evens, and published curves, which are drawn if `published` says so.
std::vector<FigurePart> figureParts(std::span<const ExportedRun> runs, const QString& view);
QString fittedLinesName();
QString breakEvensName();
QString publishedName();

/// The chart, map or picture of the first run; in a chart, the others are overlaid. Throws
/// InputError for a view that the run does not have. Only on the GUI thread.
Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices);

/// The content of the exported file. Throws InputError.
QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices);

/// Reads the runs, analyzes them and writes the file, replacing an existing one; or draws traces.
/// Returns an exit code and prints a line to stderr on failure: 0, or 2 if a file cannot be read or
/// written, or if the file's ending is unknown. Needs a QApplication, but no display.
int exportFiles(const QString& out, const QStringList& files, const ExportChoices& choices);

/// Runs from files (.jsonl, or reports that contain one), named by their files. Throws InputError.
struct LoadedRuns {
  std::vector<std::unique_ptr<Run>> runs;
  std::vector<ExportedRun> exported;
};
LoadedRuns loadForExport(const QStringList& files);

}  // namespace fusebench
