// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "ui/models/base/ui_text.h"

namespace fusebench {

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
  hide();
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
