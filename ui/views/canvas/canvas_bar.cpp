// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

QIcon swatch(const QColor& color) {
  QIcon icon;
  for (const qreal ratio : {1.0, 2.0}) {
    QPixmap pixmap(QSize(15, 10) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0.5, 0.5, 9, 9), 2.5, 2.5);
    painter.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

}  // namespace

CanvasBar::CanvasBar(QWidget* parent)
    : QWidget(parent),
      row_(new QWidget(this)),
      rowLayout_(new QHBoxLayout(row_)),
      list_(new QComboBox(this)) {
  setObjectName(QStringLiteral("canvasBar"));
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 5, 6, 5);
  layout->setSpacing(2);
  rowLayout_->setContentsMargins(1, 0, 0, 0);
  rowLayout_->setSpacing(0);
  list_->setAccessibleName(uiText("Variant whose kernels are shown"));
  list_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  list_->hide();
  layout->addWidget(row_);
  layout->addWidget(list_);
  layout->addStretch(1);
  out_ = button(QStringLiteral("−"), uiText("Zoom out"), uiText("Zoom out (-)"));
  zoom_ = button(QStringLiteral("100%"), uiText("Zoom"), uiText("Zoom to 100 % (Ctrl+1)"));
  in_ = button(QStringLiteral("+"), uiText("Zoom in"), uiText("Zoom in (+)"));
  fit_ = button(
      uiText("Fit"), uiText("Fit"),
      uiText("Fit to the width of the panel; press again to show the whole program (Ctrl+0)"));
  for (QToolButton* b : {out_, zoom_, in_, fit_}) layout->addWidget(b);
  zoom_->setMinimumWidth(QFontMetrics(textFont()).horizontalAdvance(QStringLiteral("300%")) + 12);
  group_.setExclusive(true);
  connect(&group_, &QButtonGroup::idClicked, this, [this](int i) {
    choose(i);
    emit picked(i);
  });
  connect(list_, &QComboBox::activated, this, [this](int i) {
    choose(i);
    emit picked(i);
  });
  connect(out_, &QToolButton::clicked, this, &CanvasBar::zoomOut);
  connect(in_, &QToolButton::clicked, this, &CanvasBar::zoomIn);
  connect(zoom_, &QToolButton::clicked, this, &CanvasBar::zoomReset);
  connect(fit_, &QToolButton::clicked, this, &CanvasBar::fit);
}

QToolButton* CanvasBar::button(const QString& text, const QString& name, const QString& tip) {
  auto* made = new QToolButton(this);
  made->setText(text);
  made->setAccessibleName(name);
  made->setToolTip(tip);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

void CanvasBar::setSegments(const std::vector<Segment>& segments, int chosen) {
  chosen_ = chosen;
  if (segments == segments_) return choose(chosen);
  const bool same = std::equal(segments.begin(), segments.end(), segments_.begin(), segments_.end(),
                               [](const Segment& one, const Segment& other) {
                                 return one.name == other.name && one.tip == other.tip;
                               });
  segments_ = segments;
  if (same) {  // in another theme
    paintSegments();
    return choose(chosen);
  }
  makeSegments();
  choose(chosen);
  chooseForm();
}

void CanvasBar::makeSegments() {
  const QSignalBlocker quiet(list_);
  for (QAbstractButton* old : group_.buttons()) {
    group_.removeButton(old);
    delete old;
  }
  list_->clear();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    QToolButton* b = button(segment.name, uiText("Kernels of %1").arg(segment.name), segment.tip);
    b->setProperty("segment", true);
    b->setCheckable(true);
    b->setIconSize({15, 10});
    b->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group_.addButton(b, static_cast<int>(i));
    rowLayout_->addWidget(b);
    list_->addItem(segment.name);
  }
  paintSegments();
}

void CanvasBar::paintSegments() {
  for (int i = 0; i < list_->count(); ++i) {
    const QIcon icon = swatch(segments_[static_cast<std::size_t>(i)].color);
    segment(i)->setIcon(icon);
    list_->setItemIcon(i, icon);
  }
}

void CanvasBar::choose(int segment) {
  chosen_ = segment;
  if (QAbstractButton* b = group_.button(segment)) b->setChecked(true);
  const QSignalBlocker quiet(list_);
  list_->setCurrentIndex(segment);
}

QToolButton* CanvasBar::segment(int i) const {
  return static_cast<QToolButton*>(group_.button(i));
}

void CanvasBar::setZoom(double zoom) {
  zoom_->setText(QStringLiteral("%1%").arg(std::lround(zoom * 100)));
}

bool CanvasBar::showsList() const {
  return !list_->isHidden();
}

/// Segments where they fit, else a list.
void CanvasBar::chooseForm() {
  int wanted = 16;
  for (QAbstractButton* b : group_.buttons()) wanted += b->sizeHint().width();
  for (QToolButton* b : {out_, zoom_, in_, fit_}) wanted += b->sizeHint().width() + 2;
  const bool fits = wanted <= width();
  row_->setVisible(fits);
  list_->setVisible(!fits);
  // The name of the variant is read; by how much the canvas is zoomed is seen.
  int beside = 16 + list_->sizeHint().width();
  for (QToolButton* b : {out_, zoom_, in_, fit_}) beside += b->sizeHint().width() + 2;
  zoom_->setVisible(fits || beside <= width());
}

void CanvasBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  chooseForm();
}

}  // namespace fusebench

#include "moc_canvas_bar.cpp"
