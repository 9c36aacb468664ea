// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "engine/device/backend.h"
#include "profiler/statistics/sessions.h"

namespace fusebench {

/// The costs of the basic steps of a call on an asynchronous device, in nanoseconds: medians with
/// their 95% intervals.
struct Calibration {
  Estimate launch;     ///< one more empty kernel in a sequence of them
  Estimate enqueue;    ///< the host's part of that
  Estimate single;     ///< one empty kernel, with the wait for it
  Estimate graphNode;  ///< one more empty kernel in a graph; none where nothing can be captured
  Estimate eventPair;  ///< two events recorded, on the host
  Estimate copy;       ///< one more 4 KiB copy within the device in a sequence of them
};

struct CalibrationField {
  const char* key;    ///< in records: "launch_ns"
  const char* title;  ///< for people: "empty launch"
  Estimate Calibration::*member;
  bool line;  ///< whether charts draw it
};
std::span<const CalibrationField> calibrationFields();

/// Measures them in about 20 ms. Nothing where a launch is just a function call. Throws what the
/// backend throws.
std::optional<Calibration> calibrate(Backend& backend);

/// An object with a {"value", "ci_low", "ci_high"} for each key: the intervals hold within this
/// process.
nlohmann::json toJson(const Calibration& calibration);
/// Adds the results of another worker process of the run to `environment`, a run's: each key's
/// "sessions" then lists the processes' results one after another, and "value" is their median.
/// With three or more the interval is one about their mean that holds between processes.
void addSession(nlohmann::json& environment, const nlohmann::json& further);
/// Read from a run's environment; nothing if it has none, or none that is well formed.
std::optional<Calibration> calibrationOf(const nlohmann::json& environment);

/// On one line, "empty launch 2.1 µs, with its wait 7.4 µs, ..."
std::string sentence(const Calibration& calibration);

}  // namespace fusebench
