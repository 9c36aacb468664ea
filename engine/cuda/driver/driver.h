// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "engine/cuda/driver/driver_abi.h"
#include "engine/cuda/driver/driver_errors.h"

namespace fusebench {
class SharedLibrary;
}

namespace fusebench::cuda {

/// One function of the driver. Calling it checks the result.
template <class... Parameters>
struct DriverFunction {
  const char* name = nullptr;
  Result (*address)(Parameters...) = nullptr;

  /// Throws CudaError unless the driver returns success.
  void operator()(Parameters... arguments) const {
    if (const Result result = address(arguments...); result != kSuccess) [[unlikely]]
      throw CudaError(name, result);
  }
  /// The driver's answer as it is, where a failure is expected or nothing may be thrown.
  Result attempt(Parameters... arguments) const noexcept { return address(arguments...); }
};

struct DriverFunctions {
#define FUSEBENCH_MEMBER(member, symbol, ...) DriverFunction<__VA_ARGS__> member;
  FUSEBENCH_DRIVER_FUNCTIONS(FUSEBENCH_MEMBER)
#undef FUSEBENCH_MEMBER
};

/// No driver can be used here. what() has in one line what was searched for and found; remedy()
/// what the user can do.
class NoDriver : public std::runtime_error {
 public:
  NoDriver(const std::string& found, std::string remedy)
      : std::runtime_error(found), remedy_(std::move(remedy)) {}
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

/// The oldest driver interface that is served: 1000 * major + 10 * minor.
inline constexpr int kOldestDriver = 12000;

/// NVIDIA's libcuda, opened at run time and initialized. Once opened it stays so to the end of the
/// process: a driver cannot be unloaded.
class Driver : public DriverFunctions {
 public:
  /// Opens `library` (a path or a name that the system's search finds); empty: the environment's
  /// FUSEBENCH_CUDA_DRIVER, and without it libcuda.so.1. Throws NoDriver. One library is opened
  /// once; failures are tried again.
  static std::shared_ptr<const Driver> open(const std::string& library = {});

  const std::string& path() const { return path_; }  ///< path of the opened file
  int version() const { return version_; }           ///< 13000 for CUDA 13.0
  std::string versionText() const;                   ///< "13.0"

 private:
  explicit Driver(std::string library);
  void bind(const SharedLibrary& library);
  void initialize();

  std::string path_;
  int version_ = 0;
};

/// The version of the driver that Driver::open would open, without starting it: tools that need to
/// see it start must be loaded before. 0 if there is none that reports it.
int driverVersionOf(const std::string& library = {});

/// "12.4" for 12040.
std::string versionText(int version);

}  // namespace fusebench::cuda
