// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench {

/// Bytes that a call of a cell moves. If its inputs come from host memory, these are the copied
/// bytes, because the bus bounds the call; otherwise the bytes that its steps read and write.
/// Nothing where that is not known.
std::optional<double> movedBytesOf(const Run& run, const Cell& cell);

/// The bandwidth of moving these bytes in this time, in bytes per second: the longest time is the
/// lowest bandwidth.
Estimate bandwidthOf(double bytes, const Estimate& nanoseconds);
/// movedBytesOf() over the call's time, with the time's interval: bytes per second, more is better.
/// Nothing where the bytes are not known, or nothing was measured.
std::optional<Estimate> bandwidthOf(const Run& run, const Cell& cell);

/// Whether the baseline counts bytes of the same kind at that place: bytes copied from host memory
/// are not those that a plan's steps move, and the two are not compared.
bool sameBytesAsBaseline(const Run& run, const Cell& cell);

/// The run with every time divided by the bytes moved, the inverse of the bandwidth. A comparison
/// of these times compares bandwidths. Cells without moved bytes, or whose bytes are of another
/// kind than their baseline's, keep no samples, and compile times are removed.
Run timesPerByte(const Run& given);
/// The bandwidth relative to the baseline's, by rounds; kind none without both.
Estimate bandwidthRatioOf(const Run& perByte, const Cell& cell);
/// The points at which a variant has a higher bandwidth than its baseline, where the bytes of both
/// are counted.
std::vector<Crossing> bandwidthCrossings(const Run& perByte);
/// "static has a higher bandwidth than eager at 12 or more elements (10 to 14)"
std::string bandwidthSentence(const Crossing& crossing, const std::string& unit);

}  // namespace fusebench
