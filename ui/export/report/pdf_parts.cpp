// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/pdf_parts.h"

#include <QAbstractTextDocumentLayout>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>

namespace fusebench {
namespace {

constexpr int kTogether = 3;  ///< lines, or rows in addition to a header row
constexpr int kAtTheEnd = 6;  ///< lines or rows

}  // namespace

void PdfParts::clear() {
  all_.clear();
  blocks_.clear();
}

void PdfParts::begin(const PdfPart& part) {
  end();
  all_.push_back(part);
  blocks_.emplace_back();
}

void PdfParts::started(const QTextBlock& block) {
  if (!blocks_.empty() && blocks_.back().first < 0) blocks_.back().first = block.blockNumber();
}

void PdfParts::end() {
  if (!blocks_.empty() && blocks_.back().last < 0)
    blocks_.back().last = document_.lastBlock().blockNumber();
}

/// A line that has no room moves to the next page; its block's rectangle begins before it.
PdfParts::Lines PdfParts::linesOf(const QTextBlock& block) const {
  const QRectF rect = document_.documentLayout()->blockBoundingRect(block);
  const QTextLayout* layout = block.layout();
  if (layout->lineCount() == 0) return {rect.top(), rect.bottom()};
  const QTextLine last = layout->lineAt(layout->lineCount() - 1);
  return {rect.top() + layout->lineAt(0).y(), rect.top() + last.y() + last.height()};
}

PdfParts::Lines PdfParts::rowOf(QTextTable& table, int row) const {
  Lines lines{1e12, 0};
  for (int column = 0; column < table.columns(); ++column) {
    const QTextTableCell cell = table.cellAt(row, column);
    // Empty cells are not laid out where their row is.
    if (cell.firstPosition() == cell.lastPosition()) continue;
    lines.top = std::min(lines.top, linesOf(cell.firstCursorPosition().block()).top);
    lines.bottom = std::max(lines.bottom, linesOf(cell.lastCursorPosition().block()).bottom);
  }
  return lines;
}

PdfPlace PdfParts::placeOf(const Blocks& blocks) const {
  PdfPlace place;
  if (!blocks.tables.empty()) {
    QTextTable &first = *blocks.tables.front(), &end = *blocks.tables.back();
    const int last = end.rows() - 1;
    place.top = rowOf(first, 0).top;
    place.bottom = rowOf(end, last).bottom;
    place.headBottom = rowOf(first, std::min(first.rows() - 1, kTogether)).bottom;
    // A table of a few rows has a beginning only. Row 0 is the header.
    place.tailTop = last <= kAtTheEnd ? place.bottom - 1 : rowOf(end, last - kAtTheEnd + 1).top;
    return place;
  }
  const auto block = [&](int number) {
    return document_.findBlockByNumber(std::clamp(number, blocks.first, blocks.last));
  };
  place.top = linesOf(block(blocks.first)).top;
  place.bottom = linesOf(block(blocks.last)).bottom;
  place.headBottom = linesOf(block(blocks.first + kTogether - 1)).bottom;
  place.tailTop = linesOf(block(blocks.last - kAtTheEnd + 1)).top;
  return place;
}

std::vector<PdfPlace> PdfParts::places() const {
  std::vector<PdfPlace> all;
  for (const Blocks& blocks : blocks_) all.push_back(placeOf(blocks));
  return all;
}

}  // namespace fusebench
