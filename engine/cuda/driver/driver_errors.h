// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/cuda/driver/driver_abi.h"
#include "engine/device/device_error.h"

namespace fusebench::cuda {

/// The driver's name of an error ("CUDA_ERROR_OUT_OF_MEMORY"), and its meaning in a few words. Our
/// own table, because the driver that has the texts may be missing.
std::string_view errorName(Result result);
std::string_view errorMeaning(Result result);

/// Whether the error has corrupted the context: every later call of the process fails with it.
bool isSticky(Result result);

/// A driver call failed. what() is one line: the call, the error's name and meaning, and the
/// purpose of the call.
class CudaError : public DeviceError {
 public:
  /// `purpose`: "launching sin_add"; may be empty.
  CudaError(std::string call, Result result, std::string purpose = {});

  const std::string& call() const { return call_; }
  Result result() const { return result_; }
  const std::string& purpose() const { return purpose_; }
  /// The same error with the purpose of the call, unless the error already has one.
  CudaError during(const std::string& purpose) const;

 private:
  std::string call_;
  Result result_;
  std::string purpose_;
};

}  // namespace fusebench::cuda
