// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/event_timer.h"

namespace fusebench::cuda {

EventTimer::EventTimer(std::shared_ptr<const Device> device, Stream stream)
    : device_(std::move(device)), stream_(stream) {
  device_->use();
  try {
    device_->driver().eventCreate(&begin_, kEventDefault);
    device_->driver().eventCreate(&end_, kEventDefault);
  } catch (...) {
    destroy();
    throw;
  }
}

EventTimer::~EventTimer() {
  destroy();
}

void EventTimer::destroy() noexcept {
  if (!device_->tryUse()) return;
  for (Event event : {begin_, end_})
    if (event) device_->driver().eventDestroy.attempt(event);
}

void EventTimer::record(Event event) {
  device_->use();
  device_->driver().eventRecord(event, stream_);
}

double EventTimer::nanoseconds() {
  device_->use();
  device_->driver().eventSynchronize(end_);
  float milliseconds = 0;
  device_->driver().eventElapsedTime(&milliseconds, begin_, end_);
  return static_cast<double>(milliseconds) * 1e6;
}

}  // namespace fusebench::cuda
