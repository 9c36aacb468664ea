// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/models/storages/storage_scale.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Memory over the steps of a call: one column per step, with its storages stacked. The arrow keys
/// change the current step; the pointer and the current step show what memory contains.
class StorageCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit StorageCanvas(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// `top`: bytes at the upper end, the same for all compared variants.
  void setPicture(std::shared_ptr<const StoragePicture> picture, std::int64_t top);
  const StoragePicture& picture() const { return *picture_; }
  /// The focused column; -1: none yet.
  int current() const { return current_; }
  void setCurrent(int column);
  /// Text of the tool tip at this point; empty if nothing is there.
  QString textAt(QPoint point) const;
  /// "step 3 of 12 · exp: 4.5 MiB"
  QString columnText(int column) const;
  QRectF columnPlace(int column) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void currentChanged(int column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF plot() const;
  StorageScale scale() const;
  int columnAt(double x) const;
  std::optional<std::size_t> bandAt(QPointF point) const;
  void paintAxis(QPainter& painter) const;
  void paintBand(QPainter& painter, std::size_t band) const;
  void paintPeak(QPainter& painter) const;
  void hover(std::optional<std::size_t> band);

  std::shared_ptr<const StoragePicture> picture_ = std::make_shared<StoragePicture>();
  std::int64_t top_ = 1;
  const Theme* theme_ = &darkTheme();
  int current_ = -1;
  std::optional<std::size_t> hovered_;
};

}  // namespace fusebench
