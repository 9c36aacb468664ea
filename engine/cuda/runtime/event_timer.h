// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cuda/driver/device.h"
#include "engine/device/backend.h"

namespace fusebench::cuda {

/// The device's time between two events in a stream. Its clock ticks about every half microsecond
/// (CUDA Driver API, cuEventElapsedTime): time many calls at once.
class EventTimer final : public DeviceTimer {
 public:
  EventTimer(std::shared_ptr<const Device> device, Stream stream);
  ~EventTimer() override;
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start() override { record(begin_); }
  void stop() override { record(end_); }
  double nanoseconds() override;

 private:
  void record(Event event);
  void destroy() noexcept;

  std::shared_ptr<const Device> device_;
  Stream stream_;
  Event begin_ = nullptr, end_ = nullptr;
};

}  // namespace fusebench::cuda
