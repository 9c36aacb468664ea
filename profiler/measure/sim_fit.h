// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/machine/sim_devices.h"
#include "profiler/run/run.h"

namespace fusebench {

/// One measured time of one cell, and the fitted device's time for it.
struct FitFigure {
  std::string run, variant, metric;  ///< metric: "latency_ns", "enqueue_ns", ...
  std::string cost;  ///< what its cell is of: "launches", "graphs", "copies", "products", ...
  std::vector<std::int64_t> at;
  double measured = 0, predicted = 0;
  bool heldOut = false;
  double error() const { return measured > 0 ? predicted / measured - 1 : 0; }
};

/// The result of the fit for a parameter.
struct FitParameter {
  const sim::ParameterRow* row = nullptr;
  double value = 0;
  /// Its standard error as a part of it, by the fit's curvature; infinite: the runs cannot tell it.
  double error = 0;
};

struct SimFit {
  SimDevice device;  ///< with its accuracy
  std::vector<FitParameter> parameters;
  std::vector<FitFigure> figures;
};

/// The device at the host that a run was measured at: machines with the same device differ in what
/// calls cost, and an empty launch, which runs hold, tells by how much.
sim::Parameters atHostOf(const SimDevice& device, const Run& run);

/// Fits the host's and the device's costs to runs measured on one device, by least squares of
/// relative errors (Levenberg and Marquardt), starting from the parameters of `begin`. Every fourth
/// cell, by their order, is held out: it only judges. For runs on the cpu, only cells of one thread
/// count: a core is a device then, and `begin` must be of this kind. Runs of several hosts are
/// compared with the device at their own (see atHostOf). If there is communication between ranks,
/// the links are fitted, too. Throws InputError if the runs have too few cells of ours.
SimFit fitSimDevice(const SimDevice& begin, const std::vector<Run>& runs,
                    const std::vector<std::string>& names);

/// The file's member "fit".
std::string fitJson(const SimFit& fit);

}  // namespace fusebench
