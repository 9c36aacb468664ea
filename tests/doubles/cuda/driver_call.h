// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>

#include "tests/doubles/cuda/machine.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

/// Helpers that the functions of the double's driver share.
namespace fusebench::test {

inline constexpr cuda::Result kInvalidValue = 1, kNotInitialized = 3, kInvalidDevice = 101,
                              kInvalidContext = 201, kInvalidHandle = 400, kNotFound = 500,
                              kCaptureUnsupported = 900, kIllegalState = 401;

/// One driver call: alone in the machine, in a valid context that no error has spoilt.
class Call {
 public:
  Call() : lock_(Machine::get().mutex) {
    if (!machine.initialized) {
      result = kNotInitialized;
    } else if (DeviceState* device = Machine::current(); !device) {
      result = kInvalidContext;
    } else {
      result = device->poison;
    }
  }
  /// The stream, if it is one of the current context.
  StreamState* stream(cuda::Stream handle) {
    StreamState* found = machine.streams.find(handle);
    if (found && found->device == Machine::current()) return found;
    if (result == 0) result = kInvalidHandle;
    return nullptr;
  }

  Machine& machine = Machine::get();
  cuda::Result result = 0;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

inline bool validDevice(int number) {
  return number >= 0 && number < static_cast<int>(Machine::get().devices.size());
}

}  // namespace fusebench::test
