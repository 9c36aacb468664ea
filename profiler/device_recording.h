// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend.h"
#include "profiler/device_calls.h"

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
  void end();
  /// Of all that was recorded between begin() and end() the last is what addTo() adds.
  void keep();
  /// With why it is missing, if it should be there.
  void addTo(RecordedCalls& calls, const Recorder& recorder) const;

 private:
  struct Session {
    TickReading reading;
    cuda::Collected collected;
  };
  cuda::ActivityCollector* collector_ = nullptr;
  std::string note_;
  Session now_, kept_;
};

/// What is in the way, and what helps; one line.
std::string sentenceOf(const cuda::CollectorStatus& status);

/// Launches a kernel that does nothing and looks whether the collector of this process sees it: its
/// state then, with why, if it does not.
cuda::CollectorStatus tryRecording(Backend& backend);

}  // namespace fusebench
