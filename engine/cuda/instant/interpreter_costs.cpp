// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_costs.h"

namespace fusebench::cuda {
namespace {

/// An H200, on which `gpu-targets` gave what is below. A copy of 1 GiB has 4.26 bytes a picosecond
/// there, of the 4.92 that its memory's clock and width amount to.
constexpr double kMultiprocessors = 132, kKilohertz = 1'980'000;
constexpr double kPeakBytes = 4917;  ///< a nanosecond
constexpr double kL2 = 50.0 * 1024 * 1024;

/// The study (S1) of 6 ops, two of them routines, and of 34, twelve of them routines, with a sum at
/// the end: 5.67 and 12.07 us on 128 elements, 8.70 and 14.9 on 4,096, 19.8 and 59.5 on 2^20, 205
/// and 843 on 2^24. On 2^28 elements add 1 takes 1.20 ms, three cheap ops 1.54, a sum 1.45, over
/// rows of 16,384 1.37, over rows of 64 2.60. Softmax of (256, 512) is three lists, two of which
/// reduce: 32 us; of (8192, 512) 177.
constexpr ListCosts kMeasured = {
    .list = 3000,
    .instruction = 230,
    .merging = 1300,
    .mergingAll = 4300,
    .mergingRows = 9500,
    .access = 1.9e-3,
    .cheap = 0.64e-3,
    .dear = 2.5e-3,
    .gathered = 3.5e-3,
    .shared = 24e-3,
    // Eager's kernels in a row: 3 cheap ops take 26.6 us on 2^22 elements, 1.61 ms on 2^28; the
    // study's 34 ops 1.20 ms on 2^24. Tensors of 4 MiB take no longer than the host needs for a
    // launch, 2.2 to 3.2 us by host; what is assumed is nearer to a fast one, so that a list is
    // taken only where it wins there, too.
    .kernel = 1200,
    .kernelLeast = 2500,
    .memory = 4000,
    .cache = 6500,
    .cacheBytes = kL2 / 4,
};

double shareOf(double is, double measured) {
  return is > 0 ? is / measured : 1;  // what the driver does not say is as it was measured
}

}  // namespace

ListCosts listCostsOf(const DeviceInfo& device) {
  const double clock = shareOf(device.clockKilohertz, kKilohertz);
  const double speed = clock * shareOf(device.multiprocessors, kMultiprocessors);
  // Twice a clock, a bit on each line.
  const double memory =
      shareOf(2e-6 * device.memoryClockKilohertz * device.memoryBusBits / 8, kPeakBytes);
  ListCosts costs = kMeasured;
  for (double* each : {&costs.instruction, &costs.merging, &costs.mergingAll, &costs.mergingRows})
    *each /= clock;
  for (double* each : {&costs.access, &costs.cheap, &costs.dear, &costs.gathered, &costs.shared})
    *each /= speed;
  costs.memory *= memory;
  costs.cache *= speed;
  costs.cacheBytes *= shareOf(static_cast<double>(device.l2Bytes), kL2);
  return costs;
}

}  // namespace fusebench::cuda
