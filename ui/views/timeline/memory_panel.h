// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline/timeline_model.h"
#include "ui/views/timeline/file_panel.h"

class QComboBox;

namespace fusebench {

/// A snapshot of PyTorch's memory: its peaks, and the places in the program that allocated the
/// memory in use at the peak of the current selection on the timeline.
class MemoryPanel : public FilePanel {
  Q_OBJECT

 public:
  explicit MemoryPanel(TimelineModel& timeline, QWidget* parent = nullptr);
  /// The selection is followed while it is shown.
  void setWanted(bool wanted) override;
  QComboBox& device() { return *device_; }

 private:
  bool hasContent() const override { return model_.snapshot() != nullptr; }
  QStringList fill() override;
  void refresh() override;

  MemorySnapshotModel& model_;
  const TimelineModel& timeline_;
  QComboBox* device_;
  bool wanted_ = false;
};

}  // namespace fusebench
