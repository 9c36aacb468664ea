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
  std::string cost;  ///< the kind of its cell: "launches", "graphs", "copies", "products", ...
  std::vector<std::int64_t> at;
  double measured = 0, predicted = 0;
  bool heldOut = false;
  double error() const { return measured > 0 ? predicted / measured - 1 : 0; }
};

/// The result of the fit for a parameter.
struct FitParameter {
  const sim::ParameterRow* row = nullptr;
  double value = 0;
  /// Its relative standard error, by the fit's curvature; infinite: the runs do not determine it.
  double error = 0;
};

struct SimFit {
  SimDevice device;  ///< with its accuracy
  std::vector<FitParameter> parameters;
  std::vector<FitFigure> figures;
};

/// The device on the host where a run was measured: calls have different costs on machines with the
/// same device. An empty launch, which runs contain, determines the factor.
sim::Parameters atHostOf(const SimDevice& device, const Run& run);

/// Fits the host's and the device's costs to runs measured on one device, by least squares of
/// relative errors (Levenberg and Marquardt), starting from the parameters of `begin`. Every fourth
/// cell, in their order, is held out and only used to evaluate the fit. For runs on the CPU, only
/// cells with one thread count: a core is a device then, and `begin` must be of this kind. Runs of
/// several hosts are compared with the device on their own host (see atHostOf). If there is
/// communication between ranks, the links are fitted, too. Throws InputError if the runs have too
/// few cells of our executors.
SimFit fitSimDevice(const SimDevice& begin, const std::vector<Run>& runs,
                    const std::vector<std::string>& names);

/// The file's member "fit".
std::string fitJson(const SimFit& fit);

}  // namespace fusebench
