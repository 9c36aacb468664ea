// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace fusebench {

/// The rates that a device can reach, without sparsity, from its vendor's data sheet. 0: not
/// supported.
struct DevicePeak {
  std::string_view model;  ///< a part of the name that drivers give the device
  std::string_view also;   ///< another part that must be there; empty: none
  double float64 = 0, float32 = 0, tf32 = 0, half = 0, float8 = 0;  ///< TFLOP/s of matmuls
  double bandwidth = 0;                                             ///< for its memory, GB/s
  std::string_view source;                                          ///< the data sheet
};
std::span<const DevicePeak> devicePeaks();

/// The first row that matches the name of a device; null: it is not in the table.
const DevicePeak* peakOf(std::string_view device);

/// TFLOP/s for arithmetic on a dtype; 0: not known. float32 has two: see DevicePeak.
double peakFor(const DevicePeak& peak, std::string_view dtype);

}  // namespace fusebench
