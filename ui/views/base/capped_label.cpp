// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/capped_label.h"

#include <QScrollBar>
#include <algorithm>

namespace fusebench {

CappedLabel::CappedLabel(int mostLines, QWidget* parent)
    : QScrollArea(parent), mostLines_(mostLines), label_(new QLabel) {
  setObjectName(QStringLiteral("sentences"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  label_->setTextFormat(Qt::PlainText);
  label_->setWordWrap(true);
  label_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setWidget(label_);
  viewport()->setAutoFillBackground(false);
  label_->setAutoFillBackground(false);
}

void CappedLabel::setText(const QString& text) {
  if (label_->text() == text) return;
  label_->setText(text);
  verticalScrollBar()->setValue(0);
  fit();
}

void CappedLabel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fit();
}

/// Only what scrolls takes the keyboard.
void CappedLabel::fit() {
  const int most = mostLines_ * label_->fontMetrics().lineSpacing();
  const int needed = label_->heightForWidth(width());
  setFixedHeight(std::clamp(needed, 1, most));
  verticalScrollBar()->setSingleStep(label_->fontMetrics().lineSpacing());
  setFocusPolicy(needed > most ? Qt::StrongFocus : Qt::NoFocus);
}

}  // namespace fusebench

#include "moc_capped_label.cpp"
