// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace fusebench {
namespace {
constexpr int kHeaderHeight = 38;
}

Panel::Panel(const QString& title, QWidget* parent)
    : QFrame(parent), header_(new QFrame(this)), title_(new QLabel(title, header_)) {
  setObjectName(QStringLiteral("panel"));
  header_->setObjectName(QStringLiteral("panelHeader"));
  header_->setFixedHeight(kHeaderHeight);
  title_->setObjectName(QStringLiteral("panelTitle"));
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  title_->setMinimumWidth(40);
  controls_ = new QHBoxLayout(header_);
  controls_->setContentsMargins(14, 0, 8, 0);
  controls_->setSpacing(6);
  controls_->addWidget(title_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header_);
}

void Panel::setContent(QWidget* content) {
  if (content->accessibleName().isEmpty()) content->setAccessibleName(title_->text());
  static_cast<QVBoxLayout*>(layout())->addWidget(content, 1);
}

void Panel::setTitle(const QString& title) {
  title_->setText(title);
  title_->setToolTip(title);
}

void Panel::addControl(QWidget* control) {
  controls_->addWidget(control);
}

}  // namespace fusebench

#include "moc_panel.cpp"
