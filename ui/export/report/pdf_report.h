// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBlockFormat>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextDocument>
#include <map>
#include <span>
#include <vector>

#include "ui/export/figures/figure.h"
#include "ui/export/report/pdf_drawings.h"
#include "ui/export/report/pdf_pages.h"
#include "ui/export/report/pdf_parts.h"
#include "ui/export/report/report.h"
#include "ui/theme/theme.h"

class QPainter;
class QTextTable;

namespace fusebench {

// Lengths in 1/96 inch.
inline constexpr double kPageMillimeter = kUnitsPerInch / 25.4;
inline constexpr QSizeF kPage(210 * kPageMillimeter, 297 * kPageMillimeter);
inline constexpr double kPageSide = 20 * kPageMillimeter, kPageTop = 18 * kPageMillimeter,
                        kFoot = 20 * kPageMillimeter;

/// A report as a text document on A4 pages. Drawings are objects in its text that paint themselves,
/// so they stay vectors. How pages are made is in report_pdf.cpp, how each kind of block is written
/// in pdf_blocks.cpp.
class PdfReport {
 public:
  explicit PdfReport(const Report& report);
  /// Lays everything out; `pages` are the pages on which sections begin, as far as they are known.
  void write(const std::vector<int>& pages);
  /// Lays out until no page begins or ends badly, then fills pages that end early.
  void paginate();
  /// The pages, from 1, on which the sections begin.
  std::vector<int> sectionPages() const;
  /// The file.
  QByteArray print();

 private:
  /// Begins a new part, to which everything added next belongs; the previous part ends here.
  void part(const PdfPart& made);
  static double width() { return kPage.width() - 2 * kPageSide; }
  static double height() { return kPage.height() - kPageTop - kFoot; }
  static QTextBlockFormat blockFormat(double above, double below);
  void start(QTextBlockFormat format);
  void paragraph(const QString& text, const QTextCharFormat& format, double above = 0,
                 double below = 6);
  void heading(const QString& text, double points, double above, double below);
  void contents(const std::vector<int>& pages);
  void add(const ReportText& block);
  void add(const ReportHeading& block) { heading(block.text, 11.5, 10, 5); }
  void add(const ReportPoint& block);
  void add(const ReportFacts& block);
  void add(const ReportTable& block);
  void addRows(const ReportTable& block, std::size_t from, std::size_t to);
  void add(const ReportFigure& block);
  void add(const ReportPicture& block);
  /// Places a short listing next to the picture that follows it. Applies only if the next three
  /// blocks are a listing, the picture's heading and the picture.
  bool addBeside(std::span<const ReportBlock> blocks);
  void add(const ReportCode& block);
  QTextTable& box(int columns, int rows);
  static void pad(QTextTable& table, int row, int column, double padding);
  void insert(const PdfDrawing& drawing);
  void printPage(QPainter& painter, int page, int count);

  const Report& report_;
  const Theme& theme_ = lightTheme();
  QTextDocument document_;
  PdfDrawings drawings_;
  QTextCursor cursor_;
  std::vector<std::size_t> sectionParts_;
  PdfParts parts_{document_};
  PdfPaging paging_;
  std::map<std::size_t, Figure> relaid_;  ///< those of another height
  bool breakHere_ = false;                ///< the next part begins a page
};

/// Text formats by what they are for. Sizes in points.
QTextCharFormat pdfText(double points, const QColor& color, bool bold = false, bool fixed = false);

}  // namespace fusebench
