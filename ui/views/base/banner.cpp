// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/banner.h"

#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kBannerGap = 8, kWidestBanner = 660;

}  // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      text_(new QLabel(this)),
      remedy_(new QPushButton(this)),
      close_(new QToolButton(this)) {
  setObjectName(QStringLiteral("banner"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_->setObjectName(QStringLiteral("iconOnly"));
  close_->setAccessibleName(uiText("Dismiss the message"));
  close_->setToolTip(uiText("Dismiss"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(14, 8, 8, 8);
  layout->setSpacing(12);
  layout->addWidget(text_, 1);
  layout->addWidget(remedy_);
  layout->addWidget(close_);
  connect(close_, &QToolButton::clicked, this, &Banner::dismiss);
  connect(remedy_, &QPushButton::clicked, this, [this] {
    dismiss();
    emit remedyChosen();
  });
  if (parent) parent->installEventFilter(this);
  hide();
}

void Banner::setMargins(int top, int bottom) {
  top_ = top;
  bottom_ = bottom;
}

bool Banner::eventFilter(QObject* object, QEvent* event) {
  if (object == parentWidget() && event->type() == QEvent::Resize && isVisible()) place(false);
  return QFrame::eventFilter(object, event);
}

/// choose: at which edge, by where the mouse is.
void Banner::place(bool choose) {
  const QWidget* const over = parentWidget();
  if (!over) return;
  const int width = std::min(over->width() - 2 * kBannerGap, kWidestBanner);
  const int height = std::max(layout()->heightForWidth(width), layout()->minimumSize().height());
  const int left = (over->width() - width) / 2;
  const QRect below(left, over->height() - bottom_ - kBannerGap - height, width, height);
  if (choose)
    above_ = below.adjusted(-kBannerGap, -kBannerGap, kBannerGap, kBannerGap)
                 .contains(over->mapFromGlobal(QCursor::pos()));
  setGeometry(above_ ? QRect(left, top_ + kBannerGap, width, height) : below);
  raise();
}

void Banner::setTheme(const Theme& theme) {
  close_->setIcon(themedIcon(QStringLiteral("close"), theme, theme.muted));
}

void Banner::show(Tone tone, const QString& text, const QString& remedy) {
  setProperty("tone", nameOf(tone));
  style()->unpolish(this);
  style()->polish(this);
  text_->setText(text);
  text_->setAccessibleName(text);
  remedy_->setText(remedy);
  remedy_->setVisible(!remedy.isEmpty());
  place(!isVisible());
  setVisible(true);
}

void Banner::dismiss() {
  hide();
}

QString Banner::text() const {
  return text_->text();
}

}  // namespace fusebench

#include "moc_banner.cpp"
