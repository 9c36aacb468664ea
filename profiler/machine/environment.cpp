// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/environment.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/machine/build.h"
#include "profiler/machine/clock.h"
#include "profiler/machine/machine.h"

namespace fusebench {
namespace {

using nlohmann::json;

struct CpuInfo {
  std::string model, flags, features;
  double megahertz = 0;
  std::set<std::string> cores;  ///< "package/core"
};

CpuInfo readCpuInfo() {
  CpuInfo info;
  std::ifstream file("/proc/cpuinfo");
  std::string line, package = "0";
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    if (key == "model name" && info.model.empty()) info.model = value;
    if (key == "flags" && info.flags.empty()) info.flags = " " + value + " ";
    if (key == "Features" && info.features.empty()) info.features = " " + value + " ";
    if (key == "cpu MHz" && info.megahertz == 0) info.megahertz = std::atof(value.c_str());
    if (key == "physical id") package = value;
    if (key == "core id") info.cores.insert(package + "/" + value);
  }
  return info;
}

json caches() {
  json found = json::object();
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const auto level = firstLine(folder + "level"), type = firstLine(folder + "type"),
               size = firstLine(folder + "size");
    if (!level || !type || !size) break;
    const std::string suffix = *type == "Data" ? "d" : *type == "Instruction" ? "i" : "";
    found["L" + *level + suffix] = *size;
  }
  return found;
}

std::string operatingSystem() {
  std::ifstream file("/etc/os-release");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("PRETTY_NAME=\"")) return line.substr(13, line.size() - 14);
  return "";
}

void put(json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

std::string textOf(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string governor() {
  return firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").value_or("");
}

std::string turbo() {
  if (const auto off = firstLine("/sys/devices/system/cpu/intel_pstate/no_turbo"))
    return *off == "1" ? "off" : "on";
  if (const auto on = firstLine("/sys/devices/system/cpu/cpufreq/boost"))
    return *on == "1" ? "on" : "off";
  return "";
}

std::string virtualisation() {
  if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
      std::getenv("container") || std::getenv("KUBERNETES_SERVICE_HOST"))
    return "a container";
  const std::string flags = readCpuInfo().flags;
  if (flags.find(" hypervisor ") == std::string::npos) return "";
  const std::string vendor = firstLine("/sys/class/dmi/id/sys_vendor").value_or("");
  return vendor.empty() ? "a virtual machine" : fmt::format("a virtual machine ({})", vendor);
}

std::vector<std::string> vectorUnits() {
  const CpuInfo info = readCpuInfo();
  std::vector<std::string> units;
  const auto has = [&](const char* flag) {
    return info.flags.find(fmt::format(" {} ", flag)) != std::string::npos;
  };
  if (has("avx512f") && has("avx512dq") && has("avx512vl") && has("avx512bw"))
    units.emplace_back("AVX-512");
  if (has("avx2") && has("fma")) units.emplace_back("AVX2");
  if (has("sse4_1")) units.emplace_back("SSE4.1");
  if (info.features.find(" asimd ") != std::string::npos) units.emplace_back("NEON");
  return units;
}

std::vector<NarrowUnit> narrowUnits(std::string_view flags) {
  if (flags.empty()) return {};
  const auto has = [&](const char* flag) {
    return flags.find(fmt::format(" {} ", flag)) != std::string_view::npos;
  };
  return {{"VNNI", "int8", has("avx512_vnni") || has("avx_vnni")},
          {"AVX512-BF16", "bfloat16", has("avx512_bf16")},
          {"AVX512-FP16", "float16", has("avx512_fp16")},
          {"AMX", "tiles of int8 and bfloat16", has("amx_tile") && has("amx_int8")}};
}

std::vector<NarrowUnit> narrowUnits() {
  return narrowUnits(readCpuInfo().flags);
}

json systemLoad() {
  double load[3];
  if (getloadavg(load, 3) != 3) return nullptr;
  return json::array({load[0], load[1], load[2]});
}

json collectEnvironment(const std::string& backend) {
  const CpuInfo info = readCpuInfo();
  json cpu = {{"threads", std::thread::hardware_concurrency()},
              {"vector_units", vectorUnits()},
              {"caches", caches()}};
  for (const NarrowUnit& unit : narrowUnits(info.flags)) cpu["narrow"][unit.name] = unit.there;
  put(cpu, "model", info.model);
  put(cpu, "governor", governor());
  put(cpu, "turbo", turbo());
  if (!info.cores.empty()) cpu["cores"] = info.cores.size();
  if (info.megahertz > 0) cpu["mhz"] = info.megahertz;

  json environment = {
      {"cpu", cpu},
      {"memory", {{"total_bytes", totalMemory()}, {"available_bytes", availableMemory()}}},
      {"load", systemLoad()},
      {"clock", {{"source", "CLOCK_MONOTONIC"}, {"cost_ns", clockCostNanoseconds()}}},
      {"compiler", "g++ " __VERSION__},
      {"version", FUSEBENCH_VERSION},
  };
  utsname names{};
  if (uname(&names) == 0)
    environment["kernel"] = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  put(environment, "os", operatingSystem());
  put(environment, "backend", backend);
  put(environment, "virtual", virtualisation());
  put(environment, "commit", build().commit);
  put(environment, "engine", build().engine);
  return environment;
}

std::string environmentLine(const json& environment) {
  if (!environment.is_object()) return "";
  const json cpu = environment.value("cpu", json::object());
  std::string line = saidAgain(textOf(environment, "backend"));
  if (const std::string recorder = textOf(environment, "cupti"); !recorder.empty())
    line += saying(", ") + saidAgain("CUPTI " + recorder);
  if (line.empty()) line = textOf(cpu, "model");
  const auto add = [&](const std::string& label, const std::string& text) {
    if (!text.empty())
      line += fmt::format("{}{}{}", line.empty() ? std::string_view() : said("; "), label, text);
  };
  add(saying("governor "), textOf(cpu, "governor"));
  if (const std::string state = textOf(cpu, "turbo"); !state.empty())
    add(saying("turbo "), std::string(said(state)));
  if (const auto load = environment.find("load");
      load != environment.end() && load->is_array() && !load->empty() && (*load)[0].is_number())
    add(saying("load "), fmt::format("{:.2f}", (*load)[0].get<double>()));
  add("", textOf(environment, "kernel"));
  if (const std::string inside = textOf(environment, "virtual"); !inside.empty())
    add("", saying("in {}", saidAgain(inside)));
  if (const auto torch = environment.find("torch");
      torch != environment.end() && torch->is_object() && !textOf(*torch, "torch").empty())
    add("", saying("PyTorch {} in Python {}", textOf(*torch, "torch"), textOf(*torch, "python")));
  if (const std::string commit = textOf(environment, "commit"); !commit.empty())
    add("", saying("built from {}", commit));
  add("", engineNote(environment));
  return line;
}

std::string engineNote(const json& environment) {
  const std::string theirs = textOf(environment, "engine"), &ours = build().engine;
  if (theirs.empty() || ours.empty() || theirs == ours) return "";
  return saying("the engine has changed since");
}

}  // namespace fusebench
