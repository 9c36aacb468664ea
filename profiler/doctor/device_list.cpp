// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/doctor/device_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/files/json_text.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/clock.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

constexpr double kDevicesPatience = 30;
constexpr double kStopSlice = 0.05;

std::string textIn(const nlohmann::json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

/// The part of a backend's description before the first comma.
std::string beforeComma(const std::string& description) {
  return description.substr(0, description.find(','));
}

ListedDevice listedDevice(const nlohmann::json& told) {
  ListedDevice device;
  device.name = told.at("name").get<std::string>();
  device.model = textIn(told, "model");
  if (device.model.empty()) device.model = beforeComma(textIn(told, "description"));
  device.uuid = textIn(told, "uuid");
  device.limit = textIn(told, "limit");
  device.details =
      detailsOf(told.value("memory_bytes", std::uint64_t{0}), told.value("clock_khz", 0));
  if (const auto units = told.find("vector_units");
      units != told.end() && units->is_array() && !units->empty() && (*units)[0].is_string())
    device.details = (*units)[0].get<std::string>() + ", " + device.details;
  return device;
}

}  // namespace

DeviceList readDevices(const std::string& text) {
  try {
    const auto told = jsonOf(text);
    if (textIn(told, "fusebench") != "devices")
      throw std::runtime_error(saying("it must be a list"));
    DeviceList devices;
    for (const auto& device : told.at("devices")) devices.push_back(listedDevice(device));
    if (const auto simulated = told.find("simulated"); simulated != told.end())
      for (const auto& one : *simulated) {
        ListedDevice& device = devices.emplace_back();
        device.name = one.at("name").get<std::string>();
        device.model = saying("simulated ") + textIn(one, "model");
        device.details = textIn(one, "truth");
        device.simulated = true;
      }
    for (const auto& missing : told.at("unavailable")) {
      ListedDevice& device = devices.emplace_back();
      device.name = missing.at("name").get<std::string>();
      device.problem = missing.at("reason").get<std::string>();
      device.remedy = textIn(missing, "remedy");
    }
    return devices;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(saying("the list of devices cannot be read: {}", error.what()));
  }
}

DeviceList askDevices(const std::vector<std::string>& command, std::stop_token stop) {
  const auto process = startWorker(command);
  const std::int64_t deadline =
      nowNanoseconds() + static_cast<std::int64_t>(kDevicesPatience * 1e9);
  std::string text;
  while (true) {
    if (stop.stop_requested()) throw StopRequested();
    const auto received = process->receive(kStopSlice);
    if (received.event == WorkerConnection::Event::ended) break;
    if (received.event == WorkerConnection::Event::line) text += received.line + "\n";
    if (nowNanoseconds() > deadline)
      throw std::runtime_error(
          saying("the devices were not listed within {:.0f} s; see whether nvidia-smi answers",
                 kDevicesPatience));
  }
  if (text.empty())
    throw std::runtime_error(saying("the process that lists the devices exited without output ({})",
                                    process->epitaph()));
  return readDevices(text);
}

const ListedDevice* findDevice(const DeviceList& devices, const std::string& name) {
  const std::string plain = plainDevice(name);
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const ListedDevice& device) {
    return device.usable() &&
           (device.name == plain || (plain.starts_with("GPU-") && device.uuid.starts_with(plain)));
  });
  return found == devices.end() ? nullptr : &*found;
}

const ListedDevice* findDeviceOf(const DeviceList& devices, const std::string& name,
                                 const nlohmann::json& environment) {
  const std::string id = deviceId(environment);
  return findDevice(devices, id.empty() ? name : id);
}

std::string plainDevice(const std::string& name) {
  const BackendRow* const row = findBackendRow(name);
  return row && row->isGpu && name == row->prefix ? name + ":0" : name;
}

std::string deviceModel(const nlohmann::json& environment, const std::string& device) {
  if (!environment.is_object()) return "";
  if (namesGpu(device) || namesSimulated(device))
    return beforeComma(textIn(environment, "backend"));
  const auto cpu = environment.find("cpu");
  return cpu == environment.end() ? "" : textIn(*cpu, "model");
}

std::string deviceId(const nlohmann::json& environment) {
  return environment.is_object() ? textIn(environment, kDeviceId) : "";
}

RecordingState askRecording(const std::vector<std::string>& worker, std::stop_token stop) {
  constexpr double kPatience = 30;
  try {
    WorkerClient client(startWorker(worker), std::move(stop));
    const Reply reply = client.ask(Verb::hello, {{"record", true}}, kPatience);
    client.quit();
    if (!reply.ok)
      return {"", saying("could not be tried: {}", reply.message),
              saying("times do not depend on it")};
    const nlohmann::json& recording = reply.result.at("recording");
    return {recording.at("state"), recording.at("found"), recording.at("remedy")};
  } catch (const StopRequested&) {
    throw;
  } catch (const std::exception& error) {  // the worker died, or sends invalid lines
    return {"", saying("could not be tried: {}", error.what()),
            saying("times do not depend on it; another version may work (set FUSEBENCH_CUPTI to "
                   "its file)")};
  }
}

}  // namespace fusebench
