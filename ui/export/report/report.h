// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPicture>
#include <QString>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "profiler/export/export_data.h"
#include "profiler/export/export_table.h"
#include "ui/export/figures/figure.h"
#include "ui/models/code/variant_code.h"

namespace fusebench {

/// Characters of a table's cell that stays on one line.
inline constexpr std::size_t kLongestName = 24;

/// Content of a report. The writers for HTML and PDF decide how each kind of block looks.
struct ReportText {
  QString text;
  enum class Tone { plain, lead, muted } tone = Tone::plain;
};
/// A finding: a headline, a sentence or two, and the color of its variant (invalid: none).
struct ReportPoint {
  QString headline, text;
  QColor color;
};
struct ReportHeading {
  QString text;
};
struct ReportFacts {
  std::vector<std::pair<QString, QString>> rows;
};
struct ReportTable {
  ExportTable table;
  QString caption;
};
struct ReportFigure {
  Figure figure;
  QString caption;
  std::function<Figure(const QSizeF&)> again{};  ///< draws the figure in another size; may be empty
};
/// A drawing instead of a chart, such as the canvas.
struct ReportPicture {
  std::shared_ptr<const QPicture> picture;
  QSizeF size;  ///< in 1/96 inch
  QString description;
};
struct ReportCode {
  QString text;
};
using ReportBlock = std::variant<ReportText, ReportPoint, ReportHeading, ReportFacts, ReportTable,
                                 ReportFigure, ReportPicture, ReportCode>;

struct ReportSection {
  QString id;  ///< one word, which identifies its kind
  QString title;
  std::vector<ReportBlock> blocks;
};

struct Report {
  QString title;
  QString subtitle;
  std::vector<ReportSection> sections;
  /// Experiments and runs that go with it: file name and text.
  std::vector<std::pair<QString, QString>> experiments, runs;
};

/// A report of one run, or a comparison of several runs followed by each run. Needs a QApplication
/// (it draws) and takes as long as the runs' bootstrap. report_sections.h lists the contents.
Report makeReport(std::span<const ExportedRun> runs);

/// Adds the code below the program. Only on request: it is long, and a worker has to generate it.
void addGeneratedCode(Report& report, std::span<const VariantCode> codes);

/// One self-contained page: no requests, nothing to install. Charts can be read with the pointer
/// and the arrow keys, and their curves can be hidden. Runs and experiments are inside: see
/// openDocument.
QString toHtml(const Report& report);

/// A4 pages with a table of contents and page numbers; charts are vectors and text is text.
QByteArray toPdf(const Report& report);

}  // namespace fusebench
