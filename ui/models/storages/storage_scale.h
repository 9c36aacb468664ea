// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "ui/models/storages/storage_picture.h"

namespace fusebench {

/// Maps a picture of memory to a rectangle: a column per step from left to right, bytes upwards.
/// The window and exported figures use it.
struct StorageScale {
  QRectF area;
  std::size_t columns = 1;
  std::int64_t top = 1;  ///< bytes at the upper end

  double x(int column) const {
    return area.left() +
           area.width() * column / static_cast<double>(std::max<std::size_t>(1, columns));
  }
  double y(double bytes) const {
    return area.bottom() - area.height() * bytes / static_cast<double>(top);
  }
  double height(const StoragePicture::Band& band) const {
    return y(0) - y(static_cast<double>(band.bytes));
  }
  /// Along a band's upper side, and back along its lower one.
  std::vector<QPointF> outline(const StoragePicture::Band& band) const;
  /// The space for a band's name: its columns from the first until the band moves.
  QRectF nameRoom(const StoragePicture::Band& band) const;
  /// Values of the axis that get a label: powers of two.
  std::vector<double> ticks() const;
  /// In the unit that the whole axis has: "8 MiB".
  QString tickText(double bytes) const;
};

/// Bytes at the upper end of the axes of all these pictures: a little above the highest.
std::int64_t commonTop(const std::vector<const StoragePicture*>& pictures);

}  // namespace fusebench
