// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "profiler/trace/memory_use.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/timeline/file_model.h"

namespace fusebench {

/// The snapshot of PyTorch's memory that was opened, and what held the memory at its peaks.
class MemorySnapshotModel : public FileModel {
  Q_OBJECT

 public:
  explicit MemorySnapshotModel(QObject* parent = nullptr) : FileModel(parent), computing_(this) {}

  static bool isSnapshot(const QString& path);
  void open(const QString& path);
  /// The peaks within a range, otherwise those of the whole trace.
  void select(const std::optional<TimeRange>& range);
  /// Null: none was opened.
  std::shared_ptr<const MemorySnapshot> snapshot() const { return snapshot_; }
  /// For each device.
  const std::vector<MemoryUse>& uses() const { return uses_; }

 private:
  std::shared_ptr<const MemorySnapshot> snapshot_;
  std::vector<MemoryUse> uses_;
  std::optional<TimeRange> range_;  ///< for uses_
  LatestTask computing_;
};

}  // namespace fusebench
