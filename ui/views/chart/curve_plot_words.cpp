// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that shows paybacks which are no number: in words, each above a line over
// the stretch of the axis for which it holds.
#include <algorithm>
#include <cmath>

#include "ui/views/chart/curve_plot.h"

namespace fusebench {
namespace {

constexpr double kRow = 28;           ///< pixels for a line with its words
constexpr double kWordAboveLine = 4;  ///< from a line up to its words
constexpr double kEdge = 8;           ///< from the lowest line down to the axis
constexpr double kWordApart = 14;     ///< between two that share a row
constexpr double kDash = 3;           ///< half of one that marks a place alone
constexpr double kMostRoom = 0.65;    ///< of the height; the rest is for numbers
constexpr double kLeastHeight = 120;

double wordsWidth(const QCPItemText& item) {
  return QFontMetricsF(item.font()).horizontalAdvance(item.text()) + 2;
}

/// "Never" lies above every number of calls, "from the first call" below.
bool isLow(const WordSpan& span) {
  return span.status == CrossingStatus::always;
}

}  // namespace

void CurvePlot::makeWords() {
  while (words_.size() > content_.words.size()) {
    plot_.removeItem(words_.back().line);
    plot_.removeItem(words_.back().label);
    words_.pop_back();
  }
  while (words_.size() < content_.words.size()) {
    Word word{new QCPItemLine(&plot_), addText(Qt::AlignLeft | Qt::AlignBottom)};
    word.line->setLayer(kLabelLayer);
    word.line->setClipToAxisRect(false);
    for (QCPItemPosition* position : {word.line->start, word.line->end})
      position->setType(QCPItemPosition::ptAbsolute);
    words_.push_back(word);
  }
  styleWords();
}

void CurvePlot::styleWords() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const WordSpan& span = content_.words[i];
    const QColor color = theme_->series(span.series).color;
    QPen pen(color, 3);
    pen.setCapStyle(Qt::RoundCap);
    words_[i].line->setPen(pen);
    QString name;
    for (const Curve& curve : content_.curves)
      if (curve.variant == span.variant && curve.overlay < 0) name = curve.name;
    words_[i].label->setText(QStringLiteral("%1: %2").arg(name, span.text));
    words_[i].label->setFont(textFont(0.92, QFont::DemiBold));
    words_[i].label->setColor(color);
    QColor behind = theme_->panel;
    behind.setAlphaF(0.85f);
    words_[i].label->setBrush(behind);
  }
}

std::vector<CurvePlot::WordPlace> CurvePlot::wordPlaces() const {
  std::vector<WordPlace> places;
  std::vector<double> ends[2];  // of the rows at the top and at the bottom
  const double first = rect_.left(), last = rect_.right();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const WordSpan& span = content_.words[i];
    WordPlace place;
    const double dash = span.from == span.to ? kDash : 0;  // a place alone has one, too
    place.left = std::clamp(pixelOf(span.from) - dash, first, last);
    place.right = std::clamp(pixelOf(span.to) + dash, place.left + 0.5, last + 0.5);
    const double width = wordsWidth(*words_[i].label);
    place.text = std::max(std::min(place.left, last + rect_.margins().right() - width), first);
    std::vector<double>& rows = ends[isLow(span)];
    const auto free = std::find_if(rows.begin(), rows.end(), [&](double end) {
      return end + kWordApart <= std::min(place.left, place.text);
    });
    place.row = static_cast<int>(free - rows.begin());
    const double end = std::max(place.right, place.text + width);
    if (free == rows.end())
      rows.push_back(end);
    else
      *free = end;
    places.push_back(place);
  }
  return places;
}

AxisRange CurvePlot::withRoomForWords(AxisRange range) const {
  if (words_.empty()) return range;
  double above = 0, below = 0;
  const std::vector<WordPlace> places = wordPlaces();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double rows = places[i].row + 1;
    if (isLow(content_.words[i]))
      below = std::max(below, rows * kRow + kEdge);
    else
      above = std::max(above, rows * kRow);
  }
  const double height = std::max<double>(kLeastHeight, rect_.height());
  const double shrink = std::min(1.0, kMostRoom * height / std::max(1.0, above + below));
  above *= shrink;
  below *= shrink;
  const double share = 1 / (height - above - below);
  if (!range.logarithmic) {
    const double pixel = (range.high - range.low) * share;
    return {range.low - below * pixel, range.high + above * pixel, false};
  }
  const double pixel = std::log(range.high / range.low) * share;
  return {range.low * std::exp(-below * pixel), range.high * std::exp(above * pixel), true};
}

void CurvePlot::placeWords() {
  const std::vector<WordPlace> places = wordPlaces();
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const WordPlace& place = places[i];
    const double height = isLow(content_.words[i]) ? rect_.bottom() - kEdge - kRow * place.row
                                                   : rect_.top() + kRow * (place.row + 1) - kEdge;
    words_[i].line->start->setCoords(place.left, height);
    words_[i].line->end->setCoords(place.right, height);
    words_[i].label->position->setCoords(place.text, height - kWordAboveLine);
  }
}

}  // namespace fusebench
