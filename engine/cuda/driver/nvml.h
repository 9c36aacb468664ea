// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/device/backend.h"

namespace fusebench::cuda {

/// No NVML can be used here. what() says in one line what was searched for and found.
class NoNvml : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  static std::string_view remedy();
};

/// NVIDIA's management library, which comes with the driver; opened at run time. Optional: without
/// it the clock of the processors is not known. Stays open to the end of the process.
class Nvml {
 public:
  using Handle = struct OpaqueNvmlDevice*;
  struct Functions;

  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_NVML, or
  /// libnvidia-ml.so.1. Throws NoNvml. The same library is opened once.
  static std::shared_ptr<const Nvml> open(const std::string& library = {});
  ~Nvml();

  const std::string& path() const { return path_; }  ///< as opened

  /// The device of this UUID ("GPU-..."): NVML's own order is not the driver's. Null if it has
  /// none.
  Handle find(const std::string& uuid) const;
  /// The clock of the multiprocessors, and whether heat or power supply limits it. Nothing if it is
  /// not reported.
  std::optional<ClockState> clockOf(Handle device) const;

 private:
  explicit Nvml(std::string library);

  std::unique_ptr<Functions> functions_;
  std::string path_;
};

/// The reason why a clock is reduced, among NVML's (nvmlClocksEventReasons); empty if there is no
/// temporary one. A power limit does not count: a card that runs at its limit always does so.
std::string throttling(std::uint64_t reasons);

}  // namespace fusebench::cuda
