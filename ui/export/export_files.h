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
  int series = -1;  ///< whose colour it wears; -1: none
};

/// How a chart shows it: as it does at first where nothing is chosen.
struct ChartShown {
  std::optional<bool> logAxis, logValue;
  std::optional<AxisRange> x, y;  ///< as far as the window is zoomed in
};

/// Views that are no charts of a metric. The ratio is of two runs' latencies.
inline constexpr const char* kScatterView = "scatter";
inline constexpr const char *kMapView = "map", *kAnatomyView = "anatomy", *kProgramView = "program",
                            *kRatioView = "ratio";
/// What lies in memory during a call: the plans are made anew, by a worker.
inline constexpr const char* kStoragesView = "storages";

/// What a picture is to show and how; text takes nothing of it, a report the title and the code.
struct ExportChoices {
  QString view = QStringLiteral("latency");  ///< one of exportViews()
  std::size_t slice = 0;                     ///< place on the second axis that curves are of
  int variant = -1;                          ///< of a map; -1: the first that is not the baseline
  std::size_t other = 1;                     ///< of a ratio: the run set against the first
  double scale = 2;                          ///< of a PNG
  FigureStyle style;
  bool sized = false;  ///< the style's size was chosen; else a view may have one that suits it
  ChartShown shown;
  QStringList hidden;      ///< of a chart: names among figureParts()
  bool published = false;  ///< published curves stand beside latencies
  /// Variants of the first run whose generated code a report is to hold; "all" of them.
  std::vector<std::string> code;
  std::vector<std::string> workerCommand;  ///< that makes the code, and says what lies in memory
};

/// The generated code that is asked for; takes seconds. Throws InputError for a variant that the
/// run has not.
std::vector<VariantCode> chosenCode(const Run& run, const ExportChoices& choices,
                                    std::stop_token stop = {});

/// The views that a run can be exported as: "latency", ..., "map" if it sweeps two axes; "host",
/// "device", "alone" and "times" (all of them) if a device ran it; "anatomy" if it was looked at
/// where a call's time goes; "program".
QStringList exportViews(const Run& run);
/// Those of the first, and of several runs "ratio".
QStringList exportViews(std::span<const ExportedRun> runs);

/// What of that view's figure can be hidden, by name: variants and other runs, device costs,
/// fitted lines, break-evens, and published curves, which are drawn if `published` says so.
std::vector<FigurePart> figureParts(std::span<const ExportedRun> runs, const QString& view);
QString fittedLinesName();
QString breakEvensName();
QString publishedName();

/// The chart, map or picture of the first run; in a chart the others laid over it. Throws
/// InputError for a view that the run has not. On the thread of the windows only.
Figure figureOf(std::span<const ExportedRun> runs, const ExportChoices& choices);

/// What the file will hold. Throws InputError.
QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices);

/// Reads the runs, analyses them and writes the file, which is replaced if it is there; or draws
/// traces. Returns an exit code and says on stderr why, in one line: 0, or 2 (a file cannot be
/// read, the ending stands for nothing, the file cannot be written). Needs a QApplication, no
/// display.
int exportFiles(const QString& out, const QStringList& files, const ExportChoices& choices);

/// Runs from files (.jsonl, or reports that hold one), named by their files. Throws InputError.
struct LoadedRuns {
  std::vector<std::unique_ptr<Run>> runs;
  std::vector<ExportedRun> exported;
};
LoadedRuns loadForExport(const QStringList& files);

}  // namespace fusebench
