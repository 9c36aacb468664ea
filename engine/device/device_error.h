// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace fusebench {

/// A call of a device's API failed. what() is one line with the call and the reason.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(const std::string& message, bool sticky)
      : std::runtime_error(message), sticky_(sticky) {}
  /// Whether the device has become unusable in this process, which must then exit.
  bool isSticky() const { return sticky_; }

 private:
  bool sticky_;
};

/// The device has no free memory, even after all pooled memory was freed. what() contains the sizes
/// of the request, of free memory, and of the memory allocated here.
class DeviceOutOfMemory : public std::bad_alloc {
 public:
  explicit DeviceOutOfMemory(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;  // copies must not throw
};

}  // namespace fusebench
