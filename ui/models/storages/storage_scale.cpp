// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/storages/storage_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusebench {
namespace {

constexpr int kByteTicks = 4;  ///< about

}  // namespace

std::vector<QPointF> StorageScale::outline(const StoragePicture::Band& band) const {
  std::vector<QPointF> upper, lower;
  const double high = height(band);
  for (int c = band.first; c <= band.last; ++c) {
    const auto at = static_cast<std::size_t>(c - band.first);
    if (at > 0 && band.below[at] == band.below[at - 1] && c < band.last) continue;
    const double bottom = y(static_cast<double>(band.below[at]));
    if (!lower.empty()) {
      upper.emplace_back(x(c), upper.back().y());
      lower.emplace_back(x(c), lower.back().y());
    }
    upper.emplace_back(x(c), bottom - high);
    lower.emplace_back(x(c), bottom);
  }
  upper.emplace_back(x(band.last + 1), upper.back().y());
  lower.emplace_back(x(band.last + 1), lower.back().y());
  upper.insert(upper.end(), lower.rbegin(), lower.rend());
  return upper;
}

QRectF StorageScale::nameRoom(const StoragePicture::Band& band) const {
  const auto moves = std::ranges::find_if(
      band.below, [&](std::int64_t below) { return below != band.below.front(); });
  const int end = band.first + static_cast<int>(moves - band.below.begin());
  const double bottom = y(static_cast<double>(band.below.front()));
  return {QPointF(x(band.first), bottom - height(band)), QPointF(x(end), bottom)};
}

std::vector<double> StorageScale::ticks() const {
  double step = 1;
  while (step * kByteTicks < static_cast<double>(top)) step *= 2;
  std::vector<double> ticks;
  for (double bytes = 0; bytes <= static_cast<double>(top); bytes += step) ticks.push_back(bytes);
  return ticks;
}

QString StorageScale::tickText(double bytes) const {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (auto left = static_cast<double>(top); left >= 1024 && unit + 1 < kUnits.size(); ++unit)
    left /= 1024;
  const double value = bytes / std::exp2(10.0 * static_cast<double>(unit));
  return bytes == 0 ? QStringLiteral("0")
                    : QString::number(value, 'g', 4) + u' ' + QLatin1String(kUnits[unit]);
}

std::int64_t commonTop(const std::vector<const StoragePicture*>& pictures) {
  std::int64_t peak = 0;
  for (const StoragePicture* picture : pictures) peak = std::max(peak, picture->peak);
  return std::max<std::int64_t>(1, peak + peak / 16);
}

}  // namespace fusebench
