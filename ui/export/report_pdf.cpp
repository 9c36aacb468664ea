// SPDX-License-Identifier: GPL-3.0-or-later
// A text document on A4 pages. Drawings are objects in its text that paint themselves, so they stay
// vectors; lengths are in 1/96 inch, and the painter is scaled to the writer's resolution.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSet>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>
#include <cmath>

#include "ui/export/pdf_drawings.h"
#include "ui/export/report.h"
#include "ui/theme.h"

namespace fusebench {
namespace {

constexpr int kResolution = 1200;
constexpr double kMillimetre = kUnitsPerInch / 25.4;
constexpr double kLastLine = 16;
const QSizeF kPage(210 * kMillimetre, 297 * kMillimetre);
constexpr double kSide = 20 * kMillimetre, kTop = 18 * kMillimetre, kFoot = 20 * kMillimetre;

/// Text formats by what they are for. Sizes in points.
QTextCharFormat textFormat(double points, const QColor& color, bool bold = false,
                           bool fixed = false) {
  QTextCharFormat format;
  QFont font = fixed ? monoFont() : textFont(1, bold ? QFont::DemiBold : QFont::Normal);
  font.setHintingPreference(QFont::PreferNoHinting);
  font.setPointSizeF(points);
  format.setFont(font);
  format.setForeground(color);
  return format;
}

class PdfReport {
 public:
  explicit PdfReport(const Report& report) : report_(report) {
    document_.setDocumentMargin(0);
    document_.documentLayout()->registerHandler(PdfDrawings::kType, &drawings_);
    document_.setPageSize({width(), height()});
    document_.setDefaultFont(textFont(1));
  }

  /// Lays everything out; `pages` are those on which sections begin, as far as they are known.
  void write(const std::vector<int>& pages) {
    document_.clear();
    drawings_.clear();
    sectionBlocks_.clear();
    headings_.clear();
    cursor_ = QTextCursor(&document_);
    // A line may reach beyond the foot of its page by a part of its height: it is drawn whole
    // there.
    QTextFrameFormat frame = document_.rootFrame()->frameFormat();
    frame.setMargin(0);
    frame.setBottomMargin(kLastLine);
    document_.rootFrame()->setFrameFormat(frame);
    cursor_.beginEditBlock();  // laid out once, at its end
    paragraph(report_.title, textFormat(22, theme_.text, true), 0, 4);
    paragraph(report_.subtitle, textFormat(9, theme_.muted), 0, 18);
    contents(pages);
    for (const ReportSection& section : report_.sections) {
      heading(section.title, 16, blockFormat(onlyWords(section) ? 22 : 0, 8), !onlyWords(section));
      sectionBlocks_.push_back(cursor_.block().blockNumber());
      for (const ReportBlock& block : section.blocks)
        std::visit([this](const auto& b) { add(b); }, block);
    }
    cursor_.endEditBlock();
  }

  /// Headings go with what follows them, for which Qt's layout has no rule: those at the foot of a
  /// page begin the next one when all is written again. Whether there was one.
  bool moveLonelyHeadings() {
    const qsizetype before = lonely_.size();
    for (std::size_t i = 0; i < headings_.size(); ++i) {
      const QTextBlock heading = document_.findBlockByNumber(headings_[i]);
      // A table's first row is where its last cell is: the others may be empty.
      QTextBlock next = heading.next();
      if (QTextTable* table = tableAt(next))
        next = table->cellAt(0, table->columns() - 1).begin().currentBlock();
      if (next.isValid() && pageOf(next) != pageOf(heading)) {
        lonely_.insert(static_cast<int>(i));
        break;  // those behind it move with it
      }
    }
    return lonely_.size() > before;
  }

  /// The pages, from 1, on which the sections begin.
  std::vector<int> sectionPages() const {
    std::vector<int> pages;
    for (const int number : sectionBlocks_)
      pages.push_back(1 + pageOf(document_.findBlockByNumber(number)));
    return pages;
  }

  QByteArray print() {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
      QPdfWriter writer(&buffer);
      writer.setResolution(kResolution);
      writer.setPageSize(QPageSize(QPageSize::A4));
      writer.setPageMargins(QMarginsF(0, 0, 0, 0));
      writer.setTitle(report_.title);
      writer.setCreator(QStringLiteral("Fusebench " FUSEBENCH_VERSION));
      QPainter painter(&writer);
      painter.scale(kResolution / kUnitsPerInch, kResolution / kUnitsPerInch);
      const int count = document_.pageCount();
      for (int page = 0; page < count; ++page) {
        if (page > 0) writer.newPage();
        printPage(painter, page, count);
      }
    }
    return buffer.data();
  }

 private:
  /// The table that begins at a block, or behind it if it is the empty one before a table.
  QTextTable* tableAt(const QTextBlock& block) {
    QTextCursor cursor(block);
    if (!cursor.currentTable() && block.length() <= 1 && block.next().isValid())
      cursor = QTextCursor(block.next());
    return cursor.currentTable();
  }

  QRectF rectOf(const QTextBlock& block) const {
    return document_.documentLayout()->blockBoundingRect(block);
  }
  int pageOf(const QTextBlock& block) const {
    // A line that has no room moves to the next page; its block's rectangle begins before it.
    const QTextLayout* layout = block.layout();
    const double down = layout->lineCount() > 0 ? layout->lineAt(0).y() : 0;
    return static_cast<int>(std::floor((rectOf(block).top() + down + 1) / height()));
  }

  static double width() { return kPage.width() - 2 * kSide; }
  static double height() { return kPage.height() - kTop - kFoot; }

  static QTextBlockFormat blockFormat(double above, double below) {
    QTextBlockFormat format;
    format.setTopMargin(above);
    format.setBottomMargin(below);
    format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
    return format;
  }

  void start(const QTextBlockFormat& format) {
    cursor_.movePosition(QTextCursor::End);
    if (cursor_.block().length() > 1) cursor_.insertBlock();  // behind a table there is one
    cursor_.setBlockFormat(format);
    cursor_.setCharFormat({});
    cursor_.setBlockCharFormat({});
  }

  void paragraph(const QString& text, const QTextCharFormat& format, double above = 0,
                 double below = 6) {
    start(blockFormat(above, below));
    cursor_.insertText(QString(text).replace(u'\n', QChar::LineSeparator), format);
  }

  /// What has drawings, tables or code begins a page.
  static bool onlyWords(const ReportSection& section) {
    return std::all_of(section.blocks.begin(), section.blocks.end(), [](const ReportBlock& block) {
      return std::holds_alternative<ReportText>(block) ||
             std::holds_alternative<ReportPoint>(block) ||
             std::holds_alternative<ReportHeading>(block);
    });
  }

  void heading(const QString& text, double points, QTextBlockFormat format, bool onNewPage) {
    if (onNewPage || lonely_.contains(static_cast<int>(headings_.size())))
      format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    start(format);
    cursor_.insertText(text, textFormat(points, theme_.text, true));
    headings_.push_back(cursor_.block().blockNumber());
  }

  void contents(const std::vector<int>& pages) {
    paragraph(QStringLiteral("Contents"), textFormat(12, theme_.text, true), 0, 6);
    for (std::size_t i = 0; i < report_.sections.size(); ++i) {
      QTextBlockFormat format = blockFormat(0, 4);
      format.setTabPositions({QTextOption::Tab(width() - 2, QTextOption::RightTab)});
      start(format);
      cursor_.insertText(QStringLiteral("%1\t%2").arg(
                             report_.sections[i].title,
                             i < pages.size() ? QString::number(pages[i]) : QStringLiteral("00")),
                         textFormat(10, theme_.text));
    }
  }

  void add(const ReportText& block) {
    const bool lead = block.tone == ReportText::Tone::lead;
    const bool muted = block.tone == ReportText::Tone::muted;
    paragraph(block.text,
              textFormat(lead    ? 12.5
                         : muted ? 9
                                 : 10,
                         muted ? theme_.muted : theme_.text),
              0, lead ? 10 : 7);
  }

  void add(const ReportHeading& block) { heading(block.text, 11.5, blockFormat(10, 5), false); }

  void add(const ReportPoint& block) {
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
      cell.insertText(block.headline, textFormat(10.5, theme_.text, true));
      cell.insertBlock();
    }
    cell.setBlockFormat(blockFormat(0, 0));
    cell.insertText(block.text, textFormat(10, theme_.text));
  }

  void add(const ReportFacts& block) {
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
      table.cellAt(row, 0).firstCursorPosition().insertText(label, textFormat(9, theme_.muted));
      table.cellAt(row, 1).firstCursorPosition().insertText(
          QString(value).replace(u'\n', QChar::LineSeparator), textFormat(9, theme_.text));
    }
  }

  void add(const ReportTable& block) {
    const ExportTable& source = block.table;
    if (!block.caption.isEmpty()) paragraph(block.caption, textFormat(9, theme_.muted), 6, 2);
    const int columns = static_cast<int>(source.header.size());
    QTextTable& table = box(columns, static_cast<int>(source.rows.size()) + 1);
    QTextTableFormat format = table.format();
    format.setHeaderRowCount(1);  // again on each page
    format.setBorderCollapse(true);
    format.setBottomMargin(8);
    table.setFormat(format);
    const double points = columns > 7 ? 6.8 : columns > 5 ? 7.6 : 8.4;
    for (int row = 0; row <= static_cast<int>(source.rows.size()); ++row)
      for (int column = 0; column < columns; ++column) {
        const auto c = static_cast<std::size_t>(column);
        const auto& cells =
            row == 0 ? source.header : source.rows[static_cast<std::size_t>(row - 1)];
        QTextTableCellFormat cell;
        cell.setPadding(2.5);
        cell.setLeftPadding(column == 0 ? 0 : 5);
        cell.setBottomBorder(row == 0 ? 1.2 : 0.5);
        cell.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        cell.setBottomBorderBrush(row == 0 ? theme_.muted : theme_.border);
        cell.setVerticalAlignment(QTextCharFormat::AlignBottom);
        table.cellAt(row, column).setFormat(cell);
        QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
        QTextBlockFormat alignment;
        alignment.setAlignment(source.numeric[c] ? Qt::AlignRight : Qt::AlignLeft);
        cursor.setBlockFormat(alignment);
        cursor.insertText(QString::fromStdString(cells[c]),
                          textFormat(points, theme_.text, row == 0));
      }
    for (const std::string& note : source.notes)
      paragraph(QString::fromStdString(note), textFormat(8.5, theme_.muted), 0, 2);
  }

  void add(const ReportFigure& block) {
    insert({&block.figure, nullptr, width() / block.figure.size.width()});
    if (!block.caption.isEmpty()) paragraph(block.caption, textFormat(9, theme_.muted), 2, 10);
  }

  void add(const ReportPicture& block) {
    const double room = height() - 60;
    insert({nullptr, &block,
            std::min({0.8, width() / block.size.width(), room / block.size.height()})});
  }

  void add(const ReportCode& block) {
    // A paragraph a line, so that long texts go over pages.
    const QStringList lines = block.text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
      const bool last = i + 1 == lines.size();
      if (last && lines[i].isEmpty()) break;
      QTextBlockFormat format = blockFormat(i == 0 ? 4 : 0, last ? 8 : 0);
      format.setBackground(theme_.window);
      start(format);
      cursor_.insertText(lines[i].isEmpty() ? QStringLiteral(" ") : lines[i],
                         textFormat(7.6, theme_.text, false, true));
    }
  }

  QTextTable& box(int columns, int rows) {
    // Qt keeps an empty paragraph before a table.
    QTextBlockFormat before;
    before.setLineHeight(1, QTextBlockFormat::FixedHeight);
    start(before);
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellPadding(0);
    format.setCellSpacing(0);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    return *cursor_.insertTable(rows, columns, format);
  }

  static void pad(QTextTable& table, int row, int column, double padding) {
    QTextTableCellFormat format;
    format.setPadding(padding);
    format.setLeftPadding(column == 0 ? 0 : 6);
    table.cellAt(row, column).setFormat(format);
  }

  void insert(const PdfDrawing& drawing) {
    start(QTextBlockFormat());
    cursor_.insertText(QString(QChar::ObjectReplacementCharacter), drawings_.add(drawing));
  }

  void printPage(QPainter& painter, int page, int count) {
    painter.save();
    painter.translate(kSide, kTop);
    painter.setClipRect(QRectF(-2, 0, width() + 4, height()));
    painter.translate(0, -page * height());
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = QRectF(-2, page * height(), width() + 4, height());
    context.palette.setColor(QPalette::Text, theme_.text);
    document_.documentLayout()->draw(&painter, context);
    painter.restore();
    QFont font = textFont();
    font.setPointSizeF(8.0 * 72 / painter.device()->logicalDpiY() * 96 / 72);
    painter.setFont(font);
    painter.setPen(theme_.muted);
    const QRectF foot(kSide, kPage.height() - kFoot + 6 * kMillimetre, width(), 14);
    painter.drawText(foot, Qt::AlignLeft, report_.title);
    painter.drawText(foot, Qt::AlignRight, QStringLiteral("%1 / %2").arg(page + 1).arg(count));
  }

  const Report& report_;
  const Theme& theme_ = lightTheme();
  QTextDocument document_;
  PdfDrawings drawings_;
  QTextCursor cursor_;
  std::vector<int> sectionBlocks_, headings_;
  QSet<int> lonely_;  ///< headings that begin a page, by their number
};

}  // namespace

QByteArray toPdf(const Report& report) {
  PdfReport pdf(report);
  constexpr int kMostTries = 30;
  for (int tries = 0; tries < kMostTries; ++tries) {
    pdf.write({});
    if (!pdf.moveLonelyHeadings()) break;
  }
  pdf.write(pdf.sectionPages());  // numbers of as many digits change no page
  return pdf.print();
}

}  // namespace fusebench
