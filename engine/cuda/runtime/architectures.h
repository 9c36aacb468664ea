// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/cuda/driver/device.h"

namespace fusebench::cuda {

/// An architecture that code can be written for without a card, and the card that is assumed for
/// what depends on more than the architecture: the number of multiprocessors decides whether rows
/// use one launch or several, and `instant` divides its work according to clocks and memory.
struct Architecture {
  int number = 0;         ///< 10 * major + minor: 90
  std::string_view card;  ///< "NVIDIA H100 80GB HBM3"
  int multiprocessors = 0;
  int clockKilohertz = 0;        ///< boost clock of the multiprocessors
  int memoryClockKilohertz = 0;  ///< two bits per cycle and line
  int memoryBusBits = 0;
  std::size_t l2Bytes = 0;

  std::string name() const;  ///< "sm_90"
  DeviceInfo device() const;
};

/// Ascending by number. The figures are those of NVIDIA's data sheets and of the driver's
/// attributes of these cards.
std::span<const Architecture> architectures();

/// Whether a name is that of an architecture: "sm_90", whether or not it is in the table.
bool namesArchitecture(std::string_view name);
/// The architecture with this name. Throws std::invalid_argument, listing those that exist.
const Architecture& architectureOf(std::string_view name);

}  // namespace fusebench::cuda
