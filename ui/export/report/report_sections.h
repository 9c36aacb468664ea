// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "ui/export/figures/figure_style.h"
#include "ui/export/report/report.h"
#include "ui/models/results/analysis_model.h"
#include "ui/models/results/cell_summaries.h"

/// The sections of a report, each by a separate function; makeReport() puts them in order. A
/// section without content has no blocks and is left out.
namespace fusebench::sections {

/// The input of all sections.
struct Context {
  const ExportedRun& exported;
  const Run& run;
  Analysis analysis;
  CellSummaries summaries;
  QString prefix;  ///< prefix of ids where there are several runs: "run2-"
};
Context contextOf(const ExportedRun& exported, const QString& prefix);
/// The style of the figures in a report.
FigureStyle figureStyle();

ReportSection answer(const Context& context);
ReportSection charts(const Context& context);
/// At the far end of the axes.
ReportSection anatomy(const Context& context);
ReportSection breakEvens(const Context& context);
ReportSection map(const Context& context);
ReportSection tables(const Context& context);
ReportSection program(const Context& context);
ReportSection method(const Context& context);

/// The first run compared with each of the others.
ReportSection comparison(std::span<const Context> contexts);

}  // namespace fusebench::sections
