// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/storages/storage_picture.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <functional>
#include <string>
#include <tuple>

#include "engine/plan/copy_text.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

StorageClass classOf(const std::string& kind) {
  if (kind == "held") return StorageClass::held;
  if (kind == "input") return StorageClass::input;
  if (kind == "result") return StorageClass::result;
  if (kind == "saved") return StorageClass::saved;
  return StorageClass::temporary;
}

std::vector<StoragePicture::Column> columnsOf(const CodeListing& listing) {
  std::vector<StoragePicture::Column> columns;
  const std::size_t steps = listing.kernels.size();
  for (std::size_t s = 0; s < steps; ++s)
    columns.push_back({uiText("step %1 of %2 · %3")
                           .arg(s + 1)
                           .arg(steps)
                           .arg(QString::fromStdString(listing.kernels[s].name)),
                       listing.kernels[s].backward, 0});
  columns.push_back({uiText("after the last step"), false, 0});
  return columns;
}

/// Lays each band on those that are under it, column by column.
void stack(StoragePicture& picture) {
  for (StoragePicture::Band& band : picture.bands) {
    band.below.clear();
    for (int c = band.first; c <= band.last; ++c) {
      std::int64_t& top = picture.columns[static_cast<std::size_t>(c)].bytes;
      band.below.push_back(top);
      top += band.bytes;
    }
  }
}

void findPeak(StoragePicture& picture) {
  for (std::size_t c = 0; c < picture.columns.size(); ++c)
    if (picture.columns[c].bytes > picture.peak) {
      picture.peak = picture.columns[c].bytes;
      picture.peakColumn = static_cast<int>(c);
    }
  for (const StoragePicture::Band& band : picture.bands)
    if (band.first <= picture.peakColumn && picture.peakColumn <= band.last)
      picture.atPeak[static_cast<std::size_t>(band.kind)] += band.bytes;
}

}  // namespace

QString title(StorageClass kind) {
  switch (kind) {
    case StorageClass::held:
      return uiText("held by the program");
    case StorageClass::input:
      return uiText("inputs");
    case StorageClass::result:
      return uiText("results");
    case StorageClass::saved:
      return uiText("saved for gradients");
    case StorageClass::temporary:
      return uiText("temporary");
  }
  return {};
}

std::optional<std::size_t> StoragePicture::bandAt(int column, double bytes) const {
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const Band& band = bands[b];
    if (column < band.first || column > band.last) continue;
    const auto below =
        static_cast<double>(band.below[static_cast<std::size_t>(column - band.first)]);
    if (below <= bytes && bytes < below + static_cast<double>(band.bytes)) return b;
  }
  return std::nullopt;
}

StoragePicture storagePicture(const CodeListing& listing) {
  StoragePicture picture;
  picture.columns = columnsOf(listing);
  picture.leftOut = listing.storagesLeftOut;
  const int last = static_cast<int>(picture.columns.size()) - 1;
  for (const CellCode::StorageInfo& storage : listing.storages) {
    if (storage.memory != nameOf(Memory::device) || storage.bytes == 0) continue;
    picture.bands.push_back({QString::fromStdString(storage.name),
                             classOf(storage.kind),
                             storage.bytes,
                             std::max(0, storage.first),
                             std::min(last, storage.last),
                             {}});
  }
  // The oldest storages are at the bottom, so that the last ones to be freed move least.
  std::ranges::stable_sort(picture.bands, [](const auto& a, const auto& b) {
    return std::tie(a.kind, a.first) < std::tie(b.kind, b.first);
  });
  stack(picture);
  findPeak(picture);
  return picture;
}

QString peakText(const StoragePicture& picture) {
  if (picture.peak == 0) return uiText("There is no memory to show here.");
  std::vector<std::size_t> classes;
  for (std::size_t k = 0; k < kStorageClasses; ++k)
    if (picture.atPeak[k] > 0) classes.push_back(k);
  std::ranges::stable_sort(classes, std::greater(),
                           [&](std::size_t k) { return picture.atPeak[k]; });
  QStringList parts;
  for (const std::size_t k : classes)
    parts << uiText("%1 %2").arg(formatBytes(picture.atPeak[k]),
                                 title(static_cast<StorageClass>(k)));
  QString text = uiText("%1 at the peak: %2 (%3)")
                     .arg(formatBytes(picture.peak), parts.join(QStringLiteral(", ")),
                          picture.columns[static_cast<std::size_t>(picture.peakColumn)].step);
  if (picture.leftOut > 0)
    text += uiText("; %1 smaller ones are left out").arg(formatCount(picture.leftOut));
  return text;
}

QString bandText(const StoragePicture& picture, std::size_t band) {
  const StoragePicture::Band& of = picture.bands[band];
  const int end = static_cast<int>(picture.columns.size()) - 1;
  const QString from = of.kind == StorageClass::input || of.kind == StorageClass::held
                           ? uiText("from before the call")
                           : uiText("from step %1").arg(of.first + 1);
  const QString until =
      of.last >= end ? uiText("and stays") : uiText("until step %1").arg(of.last + 1);
  return uiText("%1 · %2 %3, %4 %5")
      .arg(of.name, formatBytes(of.bytes), title(of.kind), from, until);
}

}  // namespace fusebench
