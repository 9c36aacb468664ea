// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/storages/storage_legend.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>

#include "ui/look/storage_colors.h"
#include "ui/theme/colors.h"

namespace fusebench {
namespace {

constexpr int kChip = 10;

}  // namespace

StorageLegend::StorageLegend(QWidget* parent) : QWidget(parent) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (std::size_t k = 0; k < kStorageClasses; ++k) {
    chips_[k] = new QLabel(this);
    names_[k] = new QLabel(title(static_cast<StorageClass>(k)), this);
    names_[k]->setFont(textFont(0.9));
    names_[k]->setContentsMargins(0, 0, 10, 0);
    layout->addWidget(chips_[k]);
    layout->addWidget(names_[k]);
  }
  layout->addStretch(1);
}

void StorageLegend::setTheme(const Theme& theme) {
  for (std::size_t k = 0; k < kStorageClasses; ++k) {
    QPixmap chip(QSize(kChip, kChip) * devicePixelRatioF());
    chip.setDevicePixelRatio(devicePixelRatioF());
    chip.fill(Qt::transparent);
    QPainter painter(&chip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(storageColor(theme, static_cast<StorageClass>(k)), theme.panel, 0.72));
    painter.drawRoundedRect(QRectF(0, 0, kChip, kChip), 2, 2);
    chips_[k]->setPixmap(chip);
  }
}

void StorageLegend::setClasses(const std::array<bool, kStorageClasses>& shown) {
  for (std::size_t k = 0; k < kStorageClasses; ++k) {
    chips_[k]->setVisible(shown[k]);
    names_[k]->setVisible(shown[k]);
  }
}

}  // namespace fusebench

#include "moc_storage_legend.cpp"
