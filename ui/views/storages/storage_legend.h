// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/models/storages/storage_picture.h"
#include "ui/theme/theme.h"

class QLabel;

namespace fusebench {

/// The classes of bytes that are drawn, with their colors.
class StorageLegend : public QWidget {
  Q_OBJECT

 public:
  explicit StorageLegend(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setClasses(const std::array<bool, kStorageClasses>& shown);

 private:
  std::array<QLabel*, kStorageClasses> chips_{}, names_{};
};

}  // namespace fusebench
