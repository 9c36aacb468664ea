// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/worker/code_protocol.h"

namespace fusebench {

/// The purpose of a call's bytes, from bottom to top: what is kept is below what is freed.
enum class StorageClass : std::uint8_t { held, input, result, saved, temporary };
inline constexpr std::size_t kStorageClasses = 5;
/// "saved for gradients"
QString title(StorageClass kind);

/// The memory of one call along its steps: the lifetimes of its storages, stacked.
struct StoragePicture {
  struct Band {
    QString name;
    StorageClass kind = StorageClass::temporary;
    std::int64_t bytes = 0;
    int first = 0;  ///< column
    int last = 0;   ///< column, inclusive
    /// Bytes below it, per column starting at `first`: it moves down if one below it is freed.
    std::vector<std::int64_t> below;
  };
  struct Column {
    QString step;  ///< "3 of 12 · exp"; "returned" for the last column, after all steps
    bool backward = false;
    std::int64_t bytes = 0;  ///< bytes that are allocated while it runs
  };
  std::vector<Band> bands;
  std::vector<Column> columns;  ///< one more than there are steps
  std::int64_t peak = 0;
  int peakColumn = 0;
  std::array<std::int64_t, kStorageClasses> atPeak{};
  std::int64_t leftOut = 0;  ///< storages that are too small to be listed

  /// The band at a column and a height in bytes.
  std::optional<std::size_t> bandAt(int column, double bytes) const;
};

/// Shows only storages in the device's memory.
StoragePicture storagePicture(const CodeListing& listing);

/// "at most 4.5 MiB: 3 MiB saved for gradients, 1.5 MiB temporary (step 5 of 12 · exp)".
QString peakText(const StoragePicture& picture);
/// "exp · 64 KiB temporary, from step 2 to step 3"
QString bandText(const StoragePicture& picture, std::size_t band);

}  // namespace fusebench
