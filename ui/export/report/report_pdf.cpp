// SPDX-License-Identifier: GPL-3.0-or-later
// A report's pages. The painter is scaled to the writer's resolution.
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextFrame>
#include <cmath>
#include <variant>

#include "ui/export/report/pdf_report.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kResolution = 1200;
constexpr double kLastLine = 16;

}  // namespace

PdfReport::PdfReport(const Report& report) : report_(report) {
  document_.setDocumentMargin(0);
  document_.documentLayout()->registerHandler(PdfDrawings::kType, &drawings_);
  document_.setPageSize({width(), height()});
  document_.setDefaultFont(textFont(1));
}

void PdfReport::write(const std::vector<int>& pages) {
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
  paragraph(report_.title, pdfText(22, theme_.text, true), 0, 4);
  paragraph(report_.subtitle, pdfText(9, theme_.muted), 0, 18);
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

void PdfReport::paginate() {
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

std::vector<int> PdfReport::sectionPages() const {
  const std::vector<PdfPlace> at = parts_.places();
  std::vector<int> pages;
  for (const std::size_t part : sectionParts_)
    pages.push_back(1 + static_cast<int>(std::floor((at[part].top + 1) / height())));
  return pages;
}

QByteArray PdfReport::print() {
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

void PdfReport::part(const PdfPart& made) {
  parts_.begin(made);
  breakHere_ = paging_.breaks.contains(parts_.current());
}

void PdfReport::contents(const std::vector<int>& pages) {
  paragraph(uiText("Contents"), pdfText(12, theme_.text, true), 0, 6);
  for (std::size_t i = 0; i < report_.sections.size(); ++i) {
    QTextBlockFormat format = blockFormat(0, 4);
    format.setTabPositions({QTextOption::Tab(width() - 2, QTextOption::RightTab)});
    start(format);
    cursor_.insertText(QStringLiteral("%1\t%2").arg(
                           report_.sections[i].title,
                           i < pages.size() ? QString::number(pages[i]) : QStringLiteral("00")),
                       pdfText(10, theme_.text));
  }
}

void PdfReport::printPage(QPainter& painter, int page, int count) {
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
  const QRectF foot(kPageSide, kPage.height() - kFoot + 6 * kPageMillimeter, width(), 14);
  painter.drawText(foot, Qt::AlignLeft, report_.title);
  painter.drawText(foot, Qt::AlignRight, QStringLiteral("%1 / %2").arg(page + 1).arg(count));
}

QByteArray toPdf(const Report& report) {
  PdfReport pdf(report);
  pdf.paginate();
  pdf.write({});
  pdf.write(pdf.sectionPages());  // numbers of as many digits change no page
  return pdf.print();
}

}  // namespace fusebench
