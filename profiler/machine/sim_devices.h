// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sim/parameters.h"

namespace fusebench {

/// How well a simulated device matches measurements on the real one, by cells that were held out
/// from the fit.
struct SimAccuracy {
  int fitted = 0, heldOut = 0;  ///< figures
  double median = 0;            ///< relative error
  double ninth = 0;             ///< nine in ten are within this
  std::string from;             ///< the recordings
  double hostLaunch = 0;        ///< an empty launch at their median host, ns; 0: not recorded
};

/// A simulated device, with the content of its file.
struct SimDevice {
  std::string name;      ///< "h100"
  std::string title;     ///< "NVIDIA H100 80GB HBM3"
  bool madeUp = false;   ///< it does not model a real device
  std::string note;      ///< the source of its figures and what they omit
  std::string changes;   ///< "launch_ns set to 1500", if it was changed
  int architecture = 0;  ///< 90 for sm_90; 0: it does not model a GPU
  sim::Parameters parameters;
  std::optional<SimAccuracy> accuracy;

  /// "fitted to ...: over 60 held-out figures of the same runs the median error is 4%, nine in ten
  /// are within 12%", or that it is fictitious; and the changes that its name makes.
  std::string truth() const;
  /// Nine in ten held-out figures are within this relative error. 0 for a fictitious device;
  /// nothing for one that was never compared with a real one.
  std::optional<double> error() const;
};

/// Whether a name is one of a simulated device: "sim:h100", "sim:h100,launch_ns=1500", "sim:FILE".
bool namesSimulated(std::string_view device);

/// Reads a device's file; throws InputError.
SimDevice parseSimDevice(std::string_view text, std::string_view file);
std::string simDeviceText(const SimDevice& device, std::string_view fit = {});
/// Those that ship, sorted by name.
std::vector<SimDevice> simDevices();
/// The device of a name, with the parameters that it sets; throws InputError.
SimDevice findSimDevice(std::string_view name);

}  // namespace fusebench
