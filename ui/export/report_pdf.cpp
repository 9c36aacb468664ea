// SPDX-License-Identifier: GPL-3.0-or-later
// A text document on A4 pages. Drawings are objects in its text that paint themselves, so they stay
// vectors; lengths are in 1/96 inch, and the painter is scaled to the writer's resolution.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "ui/export/figure.h"
#include "ui/export/pdf_drawings.h"
#include "ui/export/pdf_pages.h"
#include "ui/export/pdf_parts.h"
#include "ui/export/report.h"
#include "ui/theme.h"

namespace fusebench {
namespace {

constexpr int kResolution = 1200;
constexpr double kPageMillimetre = kUnitsPerInch / 25.4;
constexpr double kLastLine = 16;
constexpr double kLeastFigure = 310, kMostFigure = 480;  ///< heights of the report's charts
constexpr qsizetype kMostBeside = 46;                    ///< characters of a line
constexpr qsizetype kTailLines = 8;                      ///< of a listing, on a page of their own
const QSizeF kPage(210 * kPageMillimetre, 297 * kPageMillimetre);
constexpr double kPageSide = 20 * kPageMillimetre, kPageTop = 18 * kPageMillimetre,
                 kFoot = 20 * kPageMillimetre;

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
    sectionParts_.clear();
    parts_.clear();
    cursor_ = QTextCursor(&document_);
    // A line may reach beyond the foot of its page by a part of its height: it is drawn whole
    // there.
    QTextFrameFormat frame = document_.rootFrame()->frameFormat();
    frame.setMargin(0);
    frame.setBottomMargin(kLastLine);
    document_.rootFrame()->setFrameFormat(frame);
    cursor_.beginEditBlock();  // laid out once, at its end
    part({.withNext = true});
    paragraph(report_.title, textFormat(22, theme_.text, true), 0, 4);
    paragraph(report_.subtitle, textFormat(9, theme_.muted), 0, 18);
    contents(pages);
    for (const ReportSection& section : report_.sections) {
      sectionParts_.push_back(parts_.all().size());
      heading(section.title, 16, 24, 8);
      for (std::size_t i = 0; i < section.blocks.size(); ++i) {
        if (addBeside(std::span(section.blocks).subspan(i)))
          i += 2;
        else
          std::visit([this](const auto& b) { add(b); }, section.blocks[i]);
      }
    }
    parts_.end();
    cursor_.endEditBlock();
  }

  /// Lays out until no page begins or ends badly, then fills pages that end early.
  void paginate() {
    constexpr int kMostTries = 60;
    const auto settle = [this] {
      for (int tries = 0; tries < kMostTries; ++tries) {
        write({});
        if (!improvePaging(parts_.all(), parts_.places(), height(), height() - kLastLine, paging_))
          return;
      }
    };
    settle();
    PdfPaging settled = paging_;
    fillPages(parts_.all(), parts_.places(), height(), height() - kLastLine, paging_);
    if (paging_ == settled) return;
    const int pages = document_.pageCount();
    write({});
    PdfPaging filled = paging_;
    if (document_.pageCount() != pages ||
        improvePaging(parts_.all(), parts_.places(), height(), height() - kLastLine, filled))
      paging_ = std::move(settled);
  }

  /// The pages, from 1, on which the sections begin.
  std::vector<int> sectionPages() const {
    const std::vector<PdfPlace> at = parts_.places();
    std::vector<int> pages;
    for (const std::size_t part : sectionParts_)
      pages.push_back(1 + static_cast<int>(std::floor((at[part].top + 1) / height())));
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
      for (const auto& [name, text] : report_.runs)  // so that the report can be measured against
        writer.addFileAttachment(name, text.toUtf8(), QStringLiteral("application/x-ndjson"));
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
  /// What is added next is a part of its own; the one before it ends here.
  void part(const PdfPart& made) {
    parts_.begin(made);
    breakHere_ = paging_.breaks.contains(parts_.current());
  }

  static double width() { return kPage.width() - 2 * kPageSide; }
  static double height() { return kPage.height() - kPageTop - kFoot; }

  static QTextBlockFormat blockFormat(double above, double below) {
    QTextBlockFormat format;
    format.setTopMargin(above);
    format.setBottomMargin(below);
    format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
    return format;
  }

  void start(QTextBlockFormat format) {
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

  void paragraph(const QString& text, const QTextCharFormat& format, double above = 0,
                 double below = 6) {
    start(blockFormat(above, below));
    cursor_.insertText(QString(text).replace(u'\n', QChar::LineSeparator), format);
  }

  void heading(const QString& text, double points, double above, double below) {
    const bool opensPage = paging_.breaks.contains(parts_.all().size());
    if (!parts_.all().empty() && parts_.endsWithTable() && !opensPage) {
      // Qt gives what follows a table no margin of its own.
      QTextBlockFormat gap;
      gap.setLineHeight(above - 4, QTextBlockFormat::FixedHeight);
      start(gap);
      cursor_.insertText(QStringLiteral(" "), textFormat(1, theme_.text));
    }
    part({.withNext = true});
    start(blockFormat(above, below));
    cursor_.insertText(text, textFormat(points, theme_.text, true));
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
    const bool opens =
        parts_.all().back().withNext;  // words below a heading, above what they introduce
    part({.withNext = (opens && muted) || block.text.endsWith(u':'),
          .withPrevious = muted && !opens});
    paragraph(block.text,
              textFormat(lead    ? 12.5
                         : muted ? 9
                                 : 10,
                         muted ? theme_.muted : theme_.text),
              0, lead ? 10 : 7);
  }

  void add(const ReportHeading& block) { heading(block.text, 11.5, 10, 5); }

  void add(const ReportPoint& block) {
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
      cell.insertText(block.headline, textFormat(10.5, theme_.text, true));
      cell.insertBlock();
    }
    cell.setBlockFormat(blockFormat(0, 0));
    cell.insertText(block.text, textFormat(10, theme_.text));
  }

  void add(const ReportFacts& block) {
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
      table.cellAt(row, 0).firstCursorPosition().insertText(label, textFormat(9, theme_.muted));
      table.cellAt(row, 1).firstCursorPosition().insertText(
          QString(value).replace(u'\n', QChar::LineSeparator), textFormat(9, theme_.text));
    }
  }

  void add(const ReportTable& block) {
    const ExportTable& source = block.table;
    if (!block.caption.isEmpty()) {
      part({.withNext = true});
      paragraph(block.caption, textFormat(9, theme_.muted), 6, 2);
    }
    part({.whole = false});
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
        const QTextCharFormat letters = textFormat(points, theme_.text, row == 0);
        QTextTableCellFormat cell;
        cell.merge(letters);  // so that an empty cell is as high as the others
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
        cursor.insertText(QString::fromStdString(cells[c]), letters);
      }
    for (const std::string& note : source.notes) {
      part({.withPrevious = true});
      paragraph(QString::fromStdString(note), textFormat(8.5, theme_.muted), 0, 2);
    }
  }

  void add(const ReportFigure& block) {
    const double scale = width() / block.figure.size.width();
    PdfPart made{.withNext = !block.caption.isEmpty()};
    if (block.again) {
      made.least = kLeastFigure * scale;
      made.most = kMostFigure * scale;
    }
    part(made);
    const Figure* figure = &block.figure;
    if (const auto chosen = paging_.heights.find(parts_.current());
        chosen != paging_.heights.end()) {
      const QSizeF size(figure->size.width(), std::round(chosen->second / scale));
      Figure& relaid = relaid_[parts_.current()];
      if (relaid.size != size) relaid = block.again(size);
      figure = &relaid;
    }
    insert({figure, nullptr, scale});
    if (block.caption.isEmpty()) return;
    part({.withPrevious = true});
    paragraph(block.caption, textFormat(9, theme_.muted), 2, 10);
  }

  void add(const ReportPicture& block) {
    part({});
    const double room = height() - 60;
    insert({nullptr, &block,
            std::min({0.8, width() / block.size.width(), room / block.size.height()})});
  }

  /// A short listing and the picture behind it stand beside each other, if these are the next three
  /// blocks: a listing, the picture's heading, the picture.
  bool addBeside(std::span<const ReportBlock> blocks) {
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
                                                        textFormat(7.6, theme_.text, false, true));
    QTextCursor cell = table.cellAt(0, 1).firstCursorPosition();
    QTextBlockFormat middle;
    middle.setAlignment(Qt::AlignHCenter);
    cell.setBlockFormat(middle);
    cell.insertText(QString(QChar::ObjectReplacementCharacter),
                    drawings_.add({nullptr, picture, scale}));
    return true;
  }

  void add(const ReportCode& block) {
    part({.whole = false});
    const bool tight = paging_.tight.contains(parts_.current());
    // A paragraph a line, so that long texts go over pages.
    QStringList lines = block.text.split(u'\n');
    if (lines.size() > 1 && lines.back().isEmpty()) lines.removeLast();
    const qsizetype tail =
        paging_.tailBreaks.contains(parts_.current()) ? lines.size() - kTailLines : -1;
    for (qsizetype i = 0; i < lines.size(); ++i) {
      QTextBlockFormat format = blockFormat(i == 0 ? 4 : 0, i + 1 == lines.size() ? 8 : 0);
      if (tight) format.setLineHeight(104, QTextBlockFormat::ProportionalHeight);
      format.setBackground(theme_.window);
      if (i > 0 && i == tail) breakHere_ = true;
      start(format);
      cursor_.insertText(lines[i].isEmpty() ? QStringLiteral(" ") : lines[i],
                         textFormat(tight ? 7.2 : 7.6, theme_.text, false, true));
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
    QTextTable* table = cursor_.insertTable(rows, columns, format);
    parts_.isTable(table);
    return *table;
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
    painter.translate(kPageSide, kPageTop);
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
    const QRectF foot(kPageSide, kPage.height() - kFoot + 6 * kPageMillimetre, width(), 14);
    painter.drawText(foot, Qt::AlignLeft, report_.title);
    painter.drawText(foot, Qt::AlignRight, QStringLiteral("%1 / %2").arg(page + 1).arg(count));
  }

  const Report& report_;
  const Theme& theme_ = lightTheme();
  QTextDocument document_;
  PdfDrawings drawings_;
  QTextCursor cursor_;
  std::vector<std::size_t> sectionParts_;
  PdfParts parts_{document_};
  PdfPaging paging_;
  std::map<std::size_t, Figure> relaid_;  ///< those of another height
  bool breakHere_ = false;                ///< what is started next begins a page
};

}  // namespace

QByteArray toPdf(const Report& report) {
  PdfReport pdf(report);
  pdf.paginate();
  pdf.write({});
  pdf.write(pdf.sectionPages());  // numbers of as many digits change no page
  return pdf.print();
}

}  // namespace fusebench
