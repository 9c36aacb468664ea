// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cuda/cupti/cupti_abi.h"
#include "engine/device/device_activity.h"

namespace fusebench::cuda {

/// Whether the driver call starts kernels: launches one, or a graph.
bool isLaunch(const ApiCall& call);

/// The calls that start kernels: launches, except those that were captured, that is, made between
/// the beginning of a capture and its end on one thread. Ordered by start.
std::vector<const ApiCall*> launchesOf(std::span<const ApiCall> calls);

/// Reads one record: its bytes, from its first to the next record's first or to the buffer's end.
/// Only fields that all layouts of its kind have in common are read (kernels: 5 to 11), and those
/// that newer layouts add if the record is long enough. A record without valid times is only
/// counted in `into.losses`; kinds that were not requested are skipped. A kernel's name must be a C
/// string that stays valid.
void readRecord(std::span<const std::uint8_t> record, Activities& into);

/// How to step from record to record: cuptiActivityGetNextRecord.
using NextRecord = CuptiResult (*)(std::uint8_t* buffer, std::size_t validBytes,
                                   ActivityRecord** record);

/// Reads all records of a CUPTI buffer with this many valid bytes.
void readBuffer(std::uint8_t* buffer, std::size_t validBytes, NextRecord next, Activities& into);

/// The number of each execution within its launch. All executions of a graph launch share the
/// correlation and are distinguished by their nodes; the nodes' order is that in which they started
/// in the most complete replay of their graph, so that an execution whose record was lost shifts no
/// other. Otherwise executions of one correlation are numbered by their start. Kernels only; -1 for
/// other work.
std::vector<int> placesInLaunch(std::span<const DeviceWork> work);

}  // namespace fusebench::cuda
