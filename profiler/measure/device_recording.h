// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/device/backend.h"
#include "profiler/measure/device_calls.h"

namespace fusebench {

/// What a backend's device does during recorded calls, by the collector of this process where it
/// collects. For a backend whose host runs the kernels, and where nothing is collected, all of it
/// does nothing.
class DeviceRecording {
 public:
  explicit DeviceRecording(Backend& backend);

  bool collects() const { return collector_ != nullptr; }
  /// Around calls of which the last is waited for.
  void begin();
  /// After a call that warms recording up and is not to be told of.
  void settle();
  void end();
  /// What was recorded between the last begin() and end(); with why it is missing, if it should be
  /// there.
  void addTo(RecordedCalls& calls, const Recorder& recorder) const;

 private:
  DeviceCollector* collector_ = nullptr;
  std::string note_;
  TickReading reading_;
  Collected collected_;
};

/// What is in the way, and what helps; one line.
std::string sentenceOf(const CollectorStatus& status);

/// Launches a kernel that does nothing and looks whether the collector of this process sees it: its
/// state then, with why, if it does not.
CollectorStatus tryRecording(Backend& backend);

}  // namespace fusebench
