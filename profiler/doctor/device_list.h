// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

namespace fusebench {

/// A device as reported by `fusebench-cli devices --json`.
struct ListedDevice {
  std::string name;     ///< for --device: "cpu", "cuda:0"; where there is no GPU "cuda"
  std::string model;    ///< its own name: "NVIDIA H100 80GB HBM3"
  std::string details;  ///< "78.6 GiB of memory, up to 1980 MHz"
  std::string uuid;     ///< of a GPU
  std::string limit;    ///< what cannot run there, and why; empty: everything can
  std::string problem;  ///< why nothing can be measured there; empty: it can
  std::string remedy;   ///< how to fix it
  bool simulated = false;

  bool usable() const { return problem.empty(); }
};
using DeviceList = std::vector<ListedDevice>;

/// Reads what `fusebench-cli devices --json` printed; throws std::runtime_error.
DeviceList readDevices(const std::string& text);
/// Runs that command, so that no driver is loaded into this process. Throws std::runtime_error with
/// the problem, and StopRequested.
DeviceList askDevices(const std::vector<std::string>& command, std::stop_token stop);

/// The usable device with a name ("cuda" is the first GPU, "GPU-0123" the beginning of a UUID);
/// null: there is none.
const ListedDevice* findDevice(const DeviceList& devices, const std::string& name);

/// The usable device that a run was measured on: by the GPU's UUID if the run's environment has it,
/// else by name; null: there is none.
const ListedDevice* findDeviceOf(const DeviceList& devices, const std::string& name,
                                 const nlohmann::json& environment);

/// "cuda:0" for "cuda", otherwise the name, so that equal names mean the same device.
std::string plainDevice(const std::string& name);

/// The own name of a device from the environment of a run there: the GPU's, or the processor's;
/// empty if it is not recorded.
std::string deviceModel(const nlohmann::json& environment, const std::string& device);

/// The location of the GPU's UUID in an environment, and its value; empty if it is not recorded.
inline constexpr const char* kDeviceId = "gpu_uuid";
std::string deviceId(const nlohmann::json& environment);

/// Whether device activity can be recorded: "on", "degraded", "busy", "denied", "off", "no driver";
/// empty: it could not be tried.
struct RecordingState {
  std::string state;
  std::string found;   ///< one line
  std::string remedy;  ///< empty if nothing need be done

  bool works() const { return state == "on"; }
};
/// As determined by a worker that tries it, because the result is fixed for the lifetime of a
/// process. `worker`: its command, with its device. Only throws StopRequested.
RecordingState askRecording(const std::vector<std::string>& worker, std::stop_token stop);

}  // namespace fusebench
