// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/device/backend.h"
#include "profiler/measure/device_calls.h"

namespace fusebench {

/// Records the activity of a backend's device during recorded calls, if the collector of this
/// process collects. It does nothing for a backend whose host runs the kernels, or where nothing is
/// collected.
class DeviceRecording {
 public:
  explicit DeviceRecording(Backend& backend);

  bool collects() const { return collector_ != nullptr; }
  /// Around calls of which the last is waited for.
  void begin();
  /// Call it after a call that only warms the recording up and is not to be reported.
  void settle();
  void end();
  /// Adds the records between the last begin() and end(), or the reason why they are missing, if
  /// they should exist.
  void addTo(RecordedCalls& calls, const Recorder& recorder) const;

 private:
  DeviceCollector* collector_ = nullptr;
  std::string note_;
  TickReading reading_;
  Collected collected_;
};

/// The obstacle and how to remove it; one line.
std::string sentenceOf(const CollectorStatus& status);

/// Launches a kernel that does nothing and looks whether the collector of this process sees it: its
/// state then, with why, if it does not.
CollectorStatus tryRecording(Backend& backend);

}  // namespace fusebench
