// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/memory_snapshot_model.h"

#include <utility>

namespace fusebench {
namespace {

std::vector<MemoryUse> usesOf(const MemorySnapshot& snapshot,
                              const std::optional<TimeRange>& range) {
  std::vector<MemoryUse> uses;
  for (const MemoryDevice& device : snapshot.devices)
    uses.push_back(memoryUseOf(snapshot, device, range));
  return uses;
}

}  // namespace

bool MemorySnapshotModel::isSnapshot(const QString& path) {
  return looksLikeMemorySnapshot(path.toStdString());
}

void MemorySnapshotModel::open(const QString& path) {
  struct Content {
    std::shared_ptr<const MemorySnapshot> snapshot;
    std::vector<MemoryUse> uses;
  };
  computing_.cancel();
  startReading(
      [path = path.toStdString()](const TraceProgress& goOn) {
        auto snapshot = std::make_shared<const MemorySnapshot>(readMemorySnapshot(path, goOn));
        std::vector<MemoryUse> uses = usesOf(*snapshot, {});
        return Content{std::move(snapshot), std::move(uses)};
      },
      [this](Content content) {
        snapshot_ = std::move(content.snapshot);
        uses_ = std::move(content.uses);
        range_.reset();
      });
}

void MemorySnapshotModel::select(const std::optional<TimeRange>& range) {
  if (!snapshot_ || range == range_) return;
  range_ = range;
  computing_.start(
      [snapshot = snapshot_, range](const std::stop_token&) { return usesOf(*snapshot, range); },
      [this](std::vector<MemoryUse> uses) {
        uses_ = std::move(uses);
        emit changed();
      });
}

}  // namespace fusebench

#include "moc_memory_snapshot_model.cpp"
