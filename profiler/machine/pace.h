// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace fusebench {

/// The speed of the machine itself while a run was measured, by work that is the same in every
/// build: a fixed number of multiplications, of reads in a fixed random order from 256 KiB, and of
/// small allocations with indirect calls, as launches make them. It allows comparing two runs on
/// one machine: a processor that is slowed down by its temperature, or shared with other programs,
/// is slower in all of them.
class PaceMeter {
 public:
  PaceMeter();
  /// Takes less than 1 ms. At most once in kPaceSeconds: earlier calls do nothing.
  void tick(double seconds);
  /// {"arithmetic_ns": [...], "memory_ns": [...], ...}: a list for each of kPaceLists, in the order
  /// in which the times were taken; null without any.
  nlohmann::json described() const;

 private:
  void multiply();
  void read();
  void launch();

  double last_ = -1e9;
  std::vector<std::uint32_t> next_;           ///< one cycle through all of its elements
  std::array<std::vector<double>, 3> times_;  ///< in the order of kPaceLists
  volatile std::uint64_t kept_ = 1;           ///< prevents the compiler from removing the work
};
inline constexpr double kPaceSeconds = 0.05;

/// The members of described() that contain times.
inline constexpr const char* kPaceLists[] = {"arithmetic_ns", "memory_ns", "launch_ns"};

}  // namespace fusebench
