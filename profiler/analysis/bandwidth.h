// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench {

/// Bytes that a call of a cell moves: of one whose inputs come from host memory those that are
/// brought, for the bus bounds it; of any other those that its steps read and write. Nothing where
/// that is not known.
std::optional<double> movedBytesOf(const Run& run, const Cell& cell);

/// Bytes a second that a time of so many bytes is: the longest time is the least of them.
Estimate bandwidthOf(double bytes, const Estimate& nanoseconds);
/// movedBytesOf() over the call's time, with the time's interval: bytes a second, more is better.
/// Nothing where the bytes are not known, or nothing was measured.
std::optional<Estimate> bandwidthOf(const Run& run, const Cell& cell);

/// Whether the baseline counts bytes of the same kind at that place: those that come from host
/// memory are not those that a plan's steps move, and no ratio is made of the two.
bool sameBytesAsBaseline(const Run& run, const Cell& cell);

/// The run with every time as one for each byte that is moved, the inverse of the bandwidth: what
/// compares times compares bandwidths then. Of cells that have none, or whose bytes are of another
/// kind than their baseline's, no sample is left, and nothing of compiles.
Run timesPerByte(const Run& given);
/// So many times the baseline's bandwidth, by rounds; kind none without both.
Estimate bandwidthRatioOf(const Run& perByte, const Cell& cell);
/// From where on a variant moves more bytes a second than its baseline, where both are counted.
std::vector<Crossing> bandwidthCrossings(const Run& perByte);
/// "static moves more bytes a second than eager from 12 elements on (10 to 14)"
std::string bandwidthSentence(const Crossing& crossing, const std::string& unit);

}  // namespace fusebench
