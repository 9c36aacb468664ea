// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/payback_words.h"

#include <algorithm>

#include "ui/models/chart/chart_drawing.h"

namespace fusebench {
namespace {

constexpr double kRow = 28;           ///< pixels for a line with its words
constexpr double kLeastRow = 15;      ///< with many rows: the words are on their line
constexpr double kWordAboveLine = 4;  ///< from a line up to its words
constexpr double kEdge = 8;           ///< from the lowest line down to the axis
constexpr double kWordApart = 14;     ///< between two that share a row
constexpr double kTightBelow = 6;     ///< a row that is so much lower has its words on the line
constexpr double kDash = 3;           ///< half of one that marks a place alone
constexpr double kMostRoom = 0.65;    ///< of the height; the rest is for numbers
constexpr double kMostTight = 0.85;   ///< of it where the rows cannot be lower
constexpr double kLeastHeight = 120;

double wordWidth(const QCPItemText& item) {
  return QFontMetricsF(item.font()).horizontalAdvance(item.text()) + 2;
}

}  // namespace

void PaybackWords::make() {
  const std::vector<WordSpan>& spans = frame_.content.words;
  while (words_.size() > spans.size()) {
    frame_.plot.removeItem(words_.back().line);
    frame_.plot.removeItem(words_.back().label);
    words_.pop_back();
  }
  while (words_.size() < spans.size()) {
    auto* line = new QCPItemLine(&frame_.plot);
    line->setLayer(kLabelLayer);
    line->setClipToAxisRect(false);
    for (QCPItemPosition* position : {line->start, line->end})
      position->setType(QCPItemPosition::ptAbsolute);
    words_.push_back({line, frame_.addText(Qt::AlignLeft | Qt::AlignBottom)});
  }
  restyle();
}

void PaybackWords::restyle() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const WordSpan& span = frame_.content.words[i];
    const QColor color = frame_.theme->series(span.series).color;
    QPen pen(color, 3);
    pen.setCapStyle(Qt::RoundCap);
    words_[i].line->setPen(pen);
    words_[i].label->setText(textOf(frame_.content, span));
    words_[i].label->setFont(textFont(0.92, QFont::DemiBold));
    words_[i].label->setColor(color);
    QColor behind = frame_.theme->panel;
    behind.setAlphaF(0.85f);
    words_[i].label->setBrush(behind);
  }
}

std::vector<PaybackWords::Place> PaybackWords::places() const {
  std::vector<Place> found;
  LabelRows top(kWordApart), bottom(kWordApart);
  const double first = frame_.rect.left(), last = frame_.rect.right();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const WordSpan& span = frame_.content.words[i];
    Place place;
    const double dash = span.from == span.to ? kDash : 0;  // a place alone has one, too
    place.left = std::clamp(frame_.pixelOf(span.from) - dash, first, last);
    place.right = std::clamp(frame_.pixelOf(span.to) + dash, place.left + 0.5, last + 0.5);
    const double width = wordWidth(*words_[i].label);
    place.text =
        std::max(std::min(place.left, last + frame_.rect.margins().right() - width), first);
    LabelRows& rows = liesLow(span) ? bottom : top;
    place.row = static_cast<int>(
        *rows.place(std::min(place.left, place.text), std::max(place.right, place.text + width)));
    found.push_back(place);
  }
  return found;
}

/// Pixels for a row: less where so many are wanted that numbers would have no room.
double PaybackWords::rowHeight(int rows) const {
  const double height = std::max<double>(kLeastHeight, frame_.rect.height());
  return std::clamp(kMostRoom * height / std::max(1, rows), kLeastRow, kRow);
}

AxisRange PaybackWords::withRoom(const AxisRange& range) const {
  if (words_.empty()) return range;
  int above = 0, below = 0;  // rows
  const std::vector<Place> where = places();
  for (std::size_t i = 0; i < where.size(); ++i) {
    int& rows = liesLow(frame_.content.words[i]) ? below : above;
    rows = std::max(rows, where[i].row + 1);
  }
  const double height = std::max<double>(kLeastHeight, frame_.rect.height());
  const double row = rowHeight(above + below);
  const double top = above * row, bottom = below > 0 ? below * row + kEdge : 0;
  const double shrink = std::min(1.0, kMostTight * height / std::max(1.0, top + bottom));
  return fusebench::withRoom(range, top * shrink, bottom * shrink,
                             height - (top + bottom) * shrink);
}

/// Vertical position of the line of a row of words.
double PaybackWords::heightOf(bool low, int row, int above, int below) const {
  if (!wordsAlone(frame_.content))
    return low ? frame_.rect.bottom() - kEdge - rowHeight(above + below) * row
               : frame_.rect.top() + rowHeight(above + below) * (row + 1) - kEdge;
  const int rows = above + below;
  const double step = wordStep(frame_.rect.height(), static_cast<std::size_t>(rows), kRow);
  const double first = frame_.rect.top() + (frame_.rect.height() - step * (rows - 1)) / 2 + kEdge;
  return first + step * (low ? rows - 1 - row : row);
}

void PaybackWords::place() {
  const std::vector<Place> where = places();
  int rows[2] = {0, 0};  // above, below
  for (std::size_t i = 0; i < words_.size(); ++i) {
    int& most = rows[liesLow(frame_.content.words[i])];
    most = std::max(most, where[i].row + 1);
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Place& at = where[i];
    const double height = heightOf(liesLow(frame_.content.words[i]), at.row, rows[0], rows[1]);
    words_[i].line->start->setCoords(at.left, height);
    words_[i].line->end->setCoords(at.right, height);
    // Rows lower than a line plus the words above it have their words on the line, which begins
    // behind them.
    const bool tight =
        !wordsAlone(frame_.content) && rowHeight(rows[0] + rows[1]) < kRow - kTightBelow;
    const double half = QFontMetricsF(words_[i].label->font()).height() / 2;
    words_[i].label->position->setCoords(at.text, tight ? height + half : height - kWordAboveLine);
  }
}

}  // namespace fusebench
