// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/machine/sim_devices.h"
#include "profiler/run/run.h"

namespace fusebench {

/// A model's times compared with measured ones.
struct Agreement {
  struct Point {
    CellKey key;
    int ranks = 1;
    double measured = 0, simulated = 0;  ///< ns, medians
    double off() const { return simulated / measured - 1; }
  };
  std::vector<Point> points;  ///< per cell that both have
  double median = 0;          ///< of |off()|; 0 without any point
  double worst = 0;
  /// "at the 6 measured points the median error is 8.1%, the greatest 14.0%".
  std::string sentence() const;
};
/// For runs of one experiment, whose axes may have further values.
Agreement agreementOf(const Run& measured, const Run& simulated);

/// A measured run extended beyond the available ranks: the same experiment on a simulated device,
/// whose links and cores were fitted to the measurements.
struct Continuation {
  Run run;  ///< simulated, at the measured ranks, too
  Agreement agreement;
};

/// Extends it to `most` ranks: see withRanks(). Throws InputError.
Continuation continued(const Run& measured, const SimDevice& device, int most);

/// The simulated device that a fit to runs of this device begins with, by its name.
std::string fitsFrom(const Run& run);

}  // namespace fusebench
