// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/sim_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_reader.h"
#include "profiler/files/json_text.h"
#include "profiler/files/resources.h"

namespace fusebench {
namespace {

constexpr std::string_view kPrefix = "sim:";
constexpr std::size_t kListedRuns = 4;

std::vector<std::string_view> parameterKeys() {
  std::vector<std::string_view> keys;
  for (const sim::ParameterRow& row : sim::parameterRows()) keys.push_back(row.key);
  return keys;
}

SimAccuracy readAccuracy(const JsonReader& fit) {
  SimAccuracy accuracy;
  accuracy.from = fit["from"].string();
  accuracy.fitted = static_cast<int>(fit["fitted"].integer(0, 1 << 30));
  accuracy.heldOut = static_cast<int>(fit["held_out"].integer(0, 1 << 30));
  accuracy.median = fit["median_error"].number(0, 1e6);
  accuracy.ninth = fit["nine_in_ten_within"].number(0, 1e6);
  if (fit.has("host_launch_ns")) accuracy.hostLaunch = fit["host_launch_ns"].number(0, 1e9);
  return accuracy;
}

SimDevice named(std::string_view name) {
  if (name.ends_with(".json")) {
    const std::string path(name);
    return parseSimDevice(readFile(path, kLargestWritten), path);
  }
  const std::vector<std::string> known = shippedDevices();
  for (const std::string& one : known)
    if (one == name) {
      const std::string file = fmt::format("devices/{}.json", one);
      return parseSimDevice(resourceText(file), file);
    }
  const std::vector<std::string_view> names(known.begin(), known.end());
  throw InputError(saying("sim:{}: there is no simulated device \"{}\"; {}", name, name,
                          suggestion(name, names)));
}

/// "launch_ns=1500"
void setParameter(SimDevice& device, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string_view key = setting.substr(0, equals);
  const sim::ParameterRow* row = sim::findParameter(key);
  if (!row)
    throw InputError(saying("sim:{}: \"{}\" is not a parameter of a simulated device; {}",
                            device.name, key, suggestion(key, parameterKeys())));
  const std::string_view text =
      equals == std::string_view::npos ? std::string_view() : setting.substr(equals + 1);
  double value = NAN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= row->least) ||
      !(value <= row->most))
    throw InputError(saying("sim:{}: {} is \"{}\"; it takes a number from {} to {}", device.name,
                            key, text, row->least, row->most));
  device.parameters.*row->member = value;
  device.changes += saying("{}{} set to {:g}", device.changes.empty() ? "" : "; ", key, value);
}

std::string originOf(const SimDevice& device) {
  if (device.madeUp) return saying("made up for teaching: it models no real device");
  const std::optional<SimAccuracy>& accuracy = device.accuracy;
  if (!accuracy) return saying("not compared with anything measured");
  // A list of many says no more than how many they are; the file has it.
  const auto runs = static_cast<std::size_t>(std::ranges::count(accuracy->from, ',')) + 1;
  const std::string from = runs > kListedRuns ? saying("{} runs", runs) : accuracy->from;
  const std::string figures = saying(
      "fitted to {}: over {} held-out figures of the same runs, the median error is {:.1f}%, and "
      "nine in ten are within {:.1f}%",
      from, accuracy->heldOut, 100 * accuracy->median, 100 * accuracy->ninth);
  // With runs from several hosts the device has the median one's launch cost here.
  return accuracy->hostLaunch > 0
             ? figures + saying(", each run with the launch cost of its own host")
             : figures;
}

}  // namespace

std::string SimDevice::truth() const {
  const std::string origin = originOf(*this);
  return changes.empty() ? origin : origin + "; " + changes;
}

std::optional<double> SimDevice::error() const {
  if (madeUp) return 0;
  return accuracy ? std::optional(accuracy->ninth) : std::nullopt;
}

bool namesSimulated(std::string_view device) {
  return device.starts_with(kPrefix);
}

SimDevice parseSimDevice(std::string_view text, std::string_view file) {
  const JsonDocument document(text, file);
  const JsonReader root(document);
  root.expectObject({"fusebench", "version", "name", "title", "made_up", "parameters"},
                    {"note", "architecture", "fit"});
  if (root["fusebench"].string() != "device")
    root["fusebench"].fail(saying("this is not a device file"));
  root["version"].integer(1, 1);
  SimDevice device;
  device.name = root["name"].name();
  device.title = root["title"].name();
  device.madeUp = root["made_up"].boolean();
  if (root.has("note")) device.note = root["note"].string();
  if (root.has("architecture"))
    device.architecture = static_cast<int>(root["architecture"].integer(1, 999));
  const JsonReader parameters = root["parameters"];
  if (!parameters.json().is_object())
    parameters.fail(saying("parameters must be an object of numbers"));
  for (const auto& [key, value] : parameters.json().items())
    if (!sim::findParameter(key))
      parameters[key].failAtKey(saying("this is not a parameter of a simulated device; {}",
                                       suggestion(key, parameterKeys())));
  for (const sim::ParameterRow& row : sim::parameterRows()) {
    if (!parameters.has(row.key) && row.later) {
      device.parameters.*row.member = row.standIn ? device.parameters.*row.standIn : 0;
      continue;
    }
    if (!parameters.has(row.key))
      parameters.fail(saying("\"{}\" ({}) is missing", row.key, row.title));
    device.parameters.*row.member = parameters[row.key].number(row.least, row.most);
  }
  if (root.has("fit")) device.accuracy = readAccuracy(root["fit"]);
  return device;
}

std::string simDeviceText(const SimDevice& device, std::string_view fit) {
  nlohmann::ordered_json object = {{"fusebench", "device"},
                                   {"version", 1},
                                   {"name", device.name},
                                   {"title", device.title},
                                   {"made_up", device.madeUp}};
  if (!device.note.empty()) object["note"] = device.note;
  if (device.architecture > 0) object["architecture"] = device.architecture;
  for (const sim::ParameterRow& row : sim::parameterRows()) {
    // Four digits say all that a fit knows.
    const double value = device.parameters.*row.member;
    object["parameters"][std::string(row.key)] =
        value == std::floor(value) ? value : std::stod(fmt::format("{:.4g}", value));
  }
  if (!fit.empty()) object["fit"] = nlohmann::ordered_json(jsonOf(fit));
  return object.dump(1) + "\n";
}

std::vector<SimDevice> simDevices() {
  std::vector<SimDevice> devices;
  for (const std::string& name : shippedDevices()) devices.push_back(named(name));
  return devices;
}

SimDevice findSimDevice(std::string_view name) {
  if (namesSimulated(name)) name.remove_prefix(kPrefix.size());
  std::size_t comma = name.find(',');
  SimDevice device = named(name.substr(0, comma));
  while (comma != std::string_view::npos) {
    name.remove_prefix(comma + 1);
    comma = name.find(',');
    setParameter(device, name.substr(0, comma));
  }
  return device;
}

}  // namespace fusebench
