// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/empty_card.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace fusebench {
namespace {

constexpr int kNarrowestCard = 260, kWidest = 440;
constexpr int kCardMargin = 60,
              kAround = 8;  ///< left free of the room: across, and above and below
constexpr QMargins kRoomy(28, 22, 28, 24), kTight(16, 10, 16, 12);
constexpr int kBetween = 10, kAboveButton = 16;

}  // namespace

EmptyCard::EmptyCard(QWidget* parent)
    : QFrame(parent),
      scroll_(new QScrollArea(this)),
      words_(new QWidget),
      title_(new QLabel(words_)),
      text_(new QLabel(words_)),
      button_(new QPushButton(this)) {
  setObjectName(QStringLiteral("emptyCard"));
  title_->setObjectName(QStringLiteral("cardTitle"));
  text_->setObjectName(QStringLiteral("muted"));
  for (QLabel* label : {title_, text_}) label->setWordWrap(true);
  auto* lines = new QVBoxLayout(words_);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(kBetween);
  lines->addWidget(title_);
  lines->addWidget(text_);
  lines->addStretch(1);
  scroll_->setWidget(words_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setMinimumHeight(1);
  // The card's own ground is seen through it.
  for (QWidget* ground : {scroll_->viewport(), words_}) ground->setAutoFillBackground(false);
  button_->setObjectName(QStringLiteral("primary"));
  button_->setCursor(Qt::PointingHandCursor);
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(0);
  layout->addWidget(scroll_, 1);
  layout->addSpacing(kAboveButton);
  layout->addWidget(button_, 0, Qt::AlignLeft);
}

void EmptyCard::setWords(const QString& title, const QString& text) {
  title_->setText(title);
  text_->setText(text);
  scroll_->setAccessibleName(title);
}

int EmptyCard::heightFor(int width, const QMargins& margins) const {
  const int frame = 2 * frameWidth();
  const int words =
      words_->layout()->heightForWidth(width - margins.left() - margins.right() - frame);
  return margins.top() + words + kAboveButton + margins.bottom() + frame +
         (button_->isHidden() ? 0 : button_->sizeHint().height());
}

void EmptyCard::placeIn(const QSize& room) {
  ensurePolished();
  const int width = std::clamp(room.width() - kCardMargin, kNarrowestCard, kWidest);
  const int most = std::max(1, room.height() - 2 * kAround);
  const bool low = heightFor(width, kRoomy) > most;
  const QMargins& margins = low ? kTight : kRoomy;
  layout()->setContentsMargins(margins);
  const int whole = heightFor(width, margins), height = std::min(whole, most);
  // A bar that was needed once takes its width from the words, which then need it again.
  scroll_->setVerticalScrollBarPolicy(height < whole ? Qt::ScrollBarAsNeeded
                                                     : Qt::ScrollBarAlwaysOff);
  // The keyboard has to get there only where there is something to scroll.
  scroll_->setFocusPolicy(height < whole ? Qt::StrongFocus : Qt::NoFocus);
  setGeometry((room.width() - width) / 2, std::max(kAround, (room.height() - height) / 2), width,
              height);
}

}  // namespace fusebench
