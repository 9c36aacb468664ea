// SPDX-License-Identifier: GPL-3.0-or-later
// How each kind of block of a report is written into a PDF file's text.
#include <QTextBlock>
#include <QTextTable>
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "ui/export/report/pdf_report.h"

namespace fusebench {
namespace {

constexpr double kLeastFigure = 310, kMostFigure = 480;  ///< heights of the report's charts
constexpr qsizetype kMostBeside = 46;                    ///< characters of a line
constexpr std::size_t kTailRows = 8;                     ///< the same of a table
constexpr qsizetype kTailLines = 8;                      ///< of a listing, on a page of their own

}  // namespace

QTextCharFormat pdfText(double points, const QColor& color, bool bold, bool fixed) {
  QTextCharFormat format;
  QFont font = fixed ? monoFont() : textFont(1, bold ? QFont::DemiBold : QFont::Normal);
  font.setHintingPreference(QFont::PreferNoHinting);
  font.setPointSizeF(points);
  format.setFont(font);
  format.setForeground(color);
  return format;
}

QTextBlockFormat PdfReport::blockFormat(double above, double below) {
  QTextBlockFormat format;
  format.setTopMargin(above);
  format.setBottomMargin(below);
  format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
  return format;
}

void PdfReport::start(QTextBlockFormat format) {
  cursor_.movePosition(QTextCursor::End);
  if (cursor_.block().length() > 1) cursor_.insertBlock();  // behind a table there is one
  if (breakHere_) {
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    format.setTopMargin(0);
    breakHere_ = false;
  }
  parts_.started(cursor_.block());
  cursor_.setBlockFormat(format);
  cursor_.setCharFormat({});
  cursor_.setBlockCharFormat({});
}

void PdfReport::paragraph(const QString& text, const QTextCharFormat& format, double above,
                          double below) {
  start(blockFormat(above, below));
  cursor_.insertText(QString(text).replace(u'\n', QChar::LineSeparator), format);
}

void PdfReport::heading(const QString& text, double points, double above, double below) {
  const bool opensPage = paging_.breaks.contains(parts_.all().size());
  if (!parts_.all().empty() && parts_.endsWithTable() && !opensPage) {
    // Qt gives what follows a table no margin of its own.
    QTextBlockFormat gap;
    gap.setLineHeight(above - 4, QTextBlockFormat::FixedHeight);
    start(gap);
    cursor_.insertText(QStringLiteral(" "), pdfText(1, theme_.text));
  }
  part({.withNext = true});
  start(blockFormat(above, below));
  cursor_.insertText(text, pdfText(points, theme_.text, true));
}

void PdfReport::add(const ReportText& block) {
  const bool lead = block.tone == ReportText::Tone::lead;
  const bool muted = block.tone == ReportText::Tone::muted;
  const bool opens =
      parts_.all().back().withNext;  // words below a heading, above what they introduce
  part(
      {.withNext = (opens && muted) || block.text.endsWith(u':'), .withPrevious = muted && !opens});
  paragraph(block.text,
            pdfText(lead    ? 12.5
                    : muted ? 9
                            : 10,
                    muted ? theme_.muted : theme_.text),
            0, lead ? 10 : 7);
}

void PdfReport::add(const ReportPoint& block) {
  part({});
  QTextTable& table = box(2, 1);
  QTextTableFormat format = table.format();
  format.setColumnWidthConstraints(
      {QTextLength(QTextLength::FixedLength, 4), QTextLength(QTextLength::VariableLength, 0)});
  format.setTopMargin(2);
  format.setBottomMargin(6);
  table.setFormat(format);
  QTextTableCellFormat bar;
  bar.setBackground(block.color.isValid() ? block.color : theme_.border);
  table.cellAt(0, 0).setFormat(bar);
  QTextTableCellFormat inside;
  inside.setLeftPadding(9);
  table.cellAt(0, 1).setFormat(inside);
  QTextCursor cell = table.cellAt(0, 1).firstCursorPosition();
  if (!block.headline.isEmpty()) {
    cell.insertText(block.headline, pdfText(10.5, theme_.text, true));
    cell.insertBlock();
  }
  cell.setBlockFormat(blockFormat(0, 0));
  cell.insertText(block.text, pdfText(10, theme_.text));
}

void PdfReport::add(const ReportFacts& block) {
  part({.whole = false});
  QTextTable& table = box(2, static_cast<int>(block.rows.size()));
  QTextTableFormat format = table.format();
  format.setColumnWidthConstraints({QTextLength(QTextLength::PercentageLength, 28),
                                    QTextLength(QTextLength::PercentageLength, 72)});
  format.setBottomMargin(14);
  table.setFormat(format);
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    const auto& [label, value] = block.rows[i];
    const int row = static_cast<int>(i);
    pad(table, row, 0, 2);
    pad(table, row, 1, 2);
    table.cellAt(row, 0).firstCursorPosition().insertText(label, pdfText(9, theme_.muted));
    table.cellAt(row, 1).firstCursorPosition().insertText(
        QString(value).replace(u'\n', QChar::LineSeparator), pdfText(9, theme_.text));
  }
}

/// The header and the rows from `from` to before `to`, as a table.
void PdfReport::addRows(const ReportTable& block, std::size_t from, std::size_t to) {
  const ExportTable& source = block.table;
  const bool tight = paging_.tight.contains(parts_.current());
  const int columns = static_cast<int>(source.header.size());
  const int rows = static_cast<int>(to - from);
  QTextTable& table = box(columns, rows + 1);
  QTextTableFormat format = table.format();
  format.setHeaderRowCount(1);  // again on each page
  format.setBorderCollapse(true);
  format.setBottomMargin(8);
  table.setFormat(format);
  const double points = columns > 7 ? 6.8 : columns > 5 ? 7.6 : 8.4;
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto c = static_cast<std::size_t>(column);
      const auto& cells =
          row == 0 ? source.header : source.rows[from + static_cast<std::size_t>(row - 1)];
      const QTextCharFormat letters = pdfText(points, theme_.text, row == 0);
      QTextTableCellFormat cell;
      cell.merge(letters);  // so that an empty cell is as high as the others
      cell.setPadding(tight ? 1.6 : 2.5);
      cell.setLeftPadding(column == 0 ? 0 : 5);
      cell.setBottomBorder(row == 0 ? 1.2 : 0.5);
      cell.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      cell.setBottomBorderBrush(row == 0 ? theme_.muted : theme_.border);
      cell.setVerticalAlignment(QTextCharFormat::AlignBottom);
      table.cellAt(row, column).setFormat(cell);
      QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
      QTextBlockFormat alignment;
      alignment.setAlignment(source.numeric[c] ? Qt::AlignRight : Qt::AlignLeft);
      // A word does not break at its hyphens; titles and long texts may between words.
      const bool word = cells[c].find(' ') == std::string::npos || row > 0;
      alignment.setNonBreakableLines(word && cells[c].size() <= kLongestName);
      cursor.setBlockFormat(alignment);
      cursor.insertText(QString::fromStdString(cells[c]), letters);
    }
}

void PdfReport::add(const ReportTable& block) {
  const ExportTable& source = block.table;
  if (!block.caption.isEmpty()) {
    part({.withNext = true});
    paragraph(block.caption, pdfText(9, theme_.muted), 6, 2);
  }
  part({.whole = false});
  const std::size_t rows = source.rows.size();
  // Its last rows on a page of their own are more than a few, under a header of theirs.
  const bool split = paging_.tailBreaks.contains(parts_.current()) && rows > 2 * kTailRows;
  const std::size_t first = split ? rows - kTailRows : rows;
  addRows(block, 0, first);
  if (first < rows) {
    breakHere_ = true;
    addRows(block, first, rows);
  }
  for (const std::string& note : source.notes) {
    part({.withPrevious = true});
    paragraph(QString::fromStdString(note), pdfText(8.5, theme_.muted), 0, 2);
  }
}

void PdfReport::add(const ReportFigure& block) {
  const double scale = width() / block.figure.size.width();
  PdfPart made{.withNext = !block.caption.isEmpty()};
  if (block.again) {
    made.least = kLeastFigure * scale;
    made.most = kMostFigure * scale;
  }
  part(made);
  const Figure* figure = &block.figure;
  if (const auto chosen = paging_.heights.find(parts_.current()); chosen != paging_.heights.end()) {
    const QSizeF size(figure->size.width(), std::round(chosen->second / scale));
    Figure& relaid = relaid_[parts_.current()];
    if (relaid.size != size) relaid = block.again(size);
    figure = &relaid;
  }
  insert({figure, nullptr, scale});
  if (block.caption.isEmpty()) return;
  part({.withPrevious = true});
  paragraph(block.caption, pdfText(9, theme_.muted), 2, 10);
}

void PdfReport::add(const ReportPicture& block) {
  part({});
  const double room = height() - 60;
  insert(
      {nullptr, &block, std::min({0.8, width() / block.size.width(), room / block.size.height()})});
}

bool PdfReport::addBeside(std::span<const ReportBlock> blocks) {
  if (blocks.size() < 3) return false;
  const auto* code = std::get_if<ReportCode>(&blocks[0]);
  const auto* heading = std::get_if<ReportHeading>(&blocks[1]);
  const auto* picture = std::get_if<ReportPicture>(&blocks[2]);
  if (!code || !heading || !picture) return false;
  const double half = width() / 2 - 8;
  const QStringList lines = code->text.trimmed().split(u'\n');
  const bool short_ = std::all_of(lines.begin(), lines.end(),
                                  [](const QString& line) { return line.size() <= kMostBeside; });
  const double natural =
      std::min({0.8, half / picture->size.width(), (height() - 110) / picture->size.height()});
  const double codeHeight = static_cast<double>(lines.size()) * 15;
  if (!short_ || natural < 0.45 || codeHeight > height() - 110) return false;
  const double most = natural * picture->size.height();
  part({.least = std::max(codeHeight, most * std::min(1.0, 0.5 / natural)), .most = most});
  double scale = natural;
  if (const auto chosen = paging_.heights.find(parts_.current()); chosen != paging_.heights.end())
    scale = std::min(natural, chosen->second / picture->size.height());
  QTextTable& table = box(2, 1);
  QTextTableFormat format = table.format();
  format.setColumnWidthConstraints({QTextLength(QTextLength::PercentageLength, 50),
                                    QTextLength(QTextLength::PercentageLength, 50)});
  format.setBottomMargin(12);
  table.setFormat(format);
  table.cellAt(0, 0).firstCursorPosition().insertText(lines.join(QChar(QChar::LineSeparator)),
                                                      pdfText(7.6, theme_.text, false, true));
  QTextCursor cell = table.cellAt(0, 1).firstCursorPosition();
  QTextBlockFormat middle;
  middle.setAlignment(Qt::AlignHCenter);
  cell.setBlockFormat(middle);
  cell.insertText(QString(QChar::ObjectReplacementCharacter),
                  drawings_.add({nullptr, picture, scale}));
  return true;
}

void PdfReport::add(const ReportCode& block) {
  part({.whole = false});
  const bool tight = paging_.tight.contains(parts_.current());
  // A paragraph a line, so that long texts go over pages.
  QStringList lines = block.text.split(u'\n');
  if (lines.size() > 1 && lines.back().isEmpty()) lines.removeLast();
  const qsizetype tail =
      paging_.tailBreaks.contains(parts_.current()) ? lines.size() - kTailLines : -1;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    QTextBlockFormat format = blockFormat(i == 0 ? 4 : 0, i + 1 == lines.size() ? 8 : 0);
    // Use a minimum height. With a larger line distance the background has a gap below each line.
    format.setLineHeight(tight ? 11 : 13, QTextBlockFormat::MinimumHeight);
    format.setBackground(theme_.window);
    if (i > 0 && i == tail) breakHere_ = true;
    start(format);
    cursor_.insertText(lines[i].isEmpty() ? QStringLiteral(" ") : lines[i],
                       pdfText(tight ? 7.2 : 7.6, theme_.text, false, true));
  }
}

QTextTable& PdfReport::box(int columns, int rows) {
  // Qt keeps an empty paragraph before a table.
  QTextBlockFormat before;
  before.setLineHeight(1, QTextBlockFormat::FixedHeight);
  start(before);
  QTextTableFormat format;
  format.setBorder(0);
  format.setCellPadding(0);
  format.setCellSpacing(0);
  format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
  QTextTable* table = cursor_.insertTable(rows, columns, format);
  parts_.isTable(table);
  return *table;
}

void PdfReport::pad(QTextTable& table, int row, int column, double padding) {
  QTextTableCellFormat format;
  format.setPadding(padding);
  format.setLeftPadding(column == 0 ? 0 : 6);
  table.cellAt(row, column).setFormat(format);
}

void PdfReport::insert(const PdfDrawing& drawing) {
  start(QTextBlockFormat());
  cursor_.insertText(QString(QChar::ObjectReplacementCharacter), drawings_.add(drawing));
}

}  // namespace fusebench
