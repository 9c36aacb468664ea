// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/readout_card.h"

#include <QPainter>
#include <algorithm>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kCardMostRows = 12;
constexpr int kCardSide = 11, kCardTop = 8;  ///< between the border and the text
constexpr int kCardColumnGap = 12;
constexpr int kRowGap = 2;
constexpr std::size_t kName = 0, kInterval = 2, kNote = 4;

QFont boldFont() {
  return textFont(1, QFont::DemiBold);
}

int rowHeight() {
  return QFontMetrics(boldFont()).height() + kRowGap;
}

}  // namespace

ReadoutCard::ReadoutCard(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("readout"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void ReadoutCard::setReadout(Readout readout, bool intervals, bool notes, int room,
                             const Theme& theme) {
  if (intervals == intervals_ && notes == notes_ && room == room_ && theme_ == &theme &&
      readout == readout_)
    return;
  room_ = room;
  readout_ = std::move(readout);
  intervals_ = intervals;
  notes_ = notes;
  theme_ = &theme;
  setAccessibleName(readout_.plainText());
  measure();
  update();
}

ReadoutCard::Texts ReadoutCard::texts(const ReadoutRow& row) const {
  return {row.name, row.value, intervals_ ? row.interval : QString(), row.beside,
          notes_ ? row.note : QString()};
}

QString ReadoutCard::lineBelow(const ReadoutRow& row) const {
  return notes_ && !dense_ ? row.more : QString();
}

/// How many rows and second lines there is room for: first the second lines go, then the last rows.
void ReadoutCard::fitInto() {
  const std::size_t all = readout_.rows.size();
  const std::size_t fixed = readout_.note.isEmpty() ? 1 : 2;
  const auto lines = static_cast<std::size_t>(
      std::max(0, (room_ - 2 * kCardTop + kRowGap) / std::max(1, rowHeight())));
  const std::size_t room = lines > fixed ? lines - fixed : 0;
  shown_ = std::min(all, kCardMostRows);
  dense_ = false;
  const auto below = std::ranges::count_if(
      readout_.rows.begin(), readout_.rows.begin() + static_cast<std::ptrdiff_t>(shown_),
      [this](const ReadoutRow& row) { return !lineBelow(row).isEmpty(); });
  dense_ = shown_ + static_cast<std::size_t>(below) > room;
  constexpr std::size_t kLeastRows = 3;
  if (shown_ > room) shown_ = std::min(shown_, std::max(kLeastRows, room > 0 ? room - 1 : 0));
}

QString ReadoutCard::moreText() const {
  return readout_.rows.size() <= shown_ ? QString()
                                        : uiText("and %1 more").arg(readout_.rows.size() - shown_);
}

void ReadoutCard::measure() {
  const QFontMetrics plain(textFont()), bold(boldFont());
  widths_ = {};
  fitInto();
  const std::size_t rows = shown_;
  int width = 0, below = 0;  // lines below those of the rows
  for (std::size_t r = 0; r < rows; ++r) {
    const Texts all = texts(readout_.rows[r]);
    if (const QString more = lineBelow(readout_.rows[r]); !more.isEmpty()) {
      width = std::max(width, kCardColumnGap + plain.horizontalAdvance(more));
      ++below;
    }
    for (std::size_t c = 0; c < kColumns; ++c)
      widths_[c] = std::max(widths_[c], (c == kName ? bold : plain).horizontalAdvance(all[c]));
  }
  int columns = 0;
  for (const int column : widths_)
    if (column > 0) columns += column + (columns > 0 ? kCardColumnGap : 0);
  width = std::max({width, columns, bold.horizontalAdvance(readout_.title),
                    plain.horizontalAdvance(moreText()), plain.horizontalAdvance(readout_.note)});
  const auto lines =
      static_cast<int>(1 + rows + static_cast<std::size_t>(below) + (moreText().isEmpty() ? 0 : 1) +
                       (readout_.note.isEmpty() ? 0 : 1));
  resize(width + 2 * kCardSide, lines * rowHeight() - kRowGap + 2 * kCardTop);
}

void ReadoutCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme_->border);
  painter.setBrush(theme_->panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  const QFont plain = textFont(), bold = boldFont();
  QRect line(kCardSide, kCardTop, width() - 2 * kCardSide, rowHeight() - kRowGap);
  const auto write = [&](const QRect& place, const QString& text, const QFont& font,
                         const QColor& color, Qt::Alignment side) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextDontClip, text);
  };
  write(line, readout_.title, bold, theme_->text, Qt::AlignLeft);
  for (std::size_t r = 0; r < shown_; ++r) {
    line.translate(0, rowHeight());
    const ReadoutRow& row = readout_.rows[r];
    const Texts all = texts(row);
    int x = line.left();
    for (std::size_t c = 0; c < kColumns; ++c) {
      if (widths_[c] == 0) continue;
      const bool secondary = row.faint || c == kInterval || c == kNote;
      write({x, line.top(), widths_[c], line.height()}, all[c],
            c == kName && !row.faint ? bold : plain,
            c == kName  ? theme_->series(row.series).color
            : secondary ? theme_->muted
                        : theme_->text,
            c == kName || c == kNote ? Qt::AlignLeft : Qt::AlignRight);
      x += widths_[c] + kCardColumnGap;
    }
    if (const QString more = lineBelow(row); !more.isEmpty()) {
      line.translate(0, rowHeight());
      write(line.adjusted(kCardColumnGap, 0, 0, 0), more, plain, theme_->muted, Qt::AlignLeft);
    }
  }
  for (const QString& words : {moreText(), readout_.note}) {
    if (words.isEmpty()) continue;
    line.translate(0, rowHeight());
    write(line, words, plain, theme_->muted, Qt::AlignLeft);
  }
}

}  // namespace fusebench

#include "moc_readout_card.cpp"
