// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/machine_differences.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/machine/backend_table.h"

namespace fusebench {
namespace {

using nlohmann::json;

struct ComparedField {
  const char* pointer;
  const char* what;
  bool otherMachine;
};

constexpr std::array kComparedFields = {
    ComparedField{"/cpu/model", toBeSaid("processor"), true},
    ComparedField{"/cpu/cores", toBeSaid("cores"), true},
    ComparedField{"/cpu/threads", toBeSaid("hardware threads"), true},
    ComparedField{"/cpu/vector_units", toBeSaid("vector units"), true},
    ComparedField{"/cpu/governor", toBeSaid("frequency governor"), true},
    ComparedField{"/cpu/turbo", toBeSaid("turbo"), true},
    ComparedField{"/virtual", toBeSaid("virtualization"), true},
    ComparedField{"/target/name", toBeSaid("target"), true},
    ComparedField{"/gpu_uuid", toBeSaid("GPU"), true},
    ComparedField{"/backend", toBeSaid("backend"), false},
    ComparedField{"/version", toBeSaid("Fusebench version"), false},
    ComparedField{"/commit", toBeSaid("commit"), false},
    ComparedField{"/compiler", toBeSaid("compiler"), false},
    ComparedField{"/kernel", toBeSaid("kernel"), false},
    ComparedField{"/os", toBeSaid("operating system"), false},
    ComparedField{"/torch/torch", toBeSaid("PyTorch"), false},
    ComparedField{"/torch/python", toBeSaid("Python"), false},
};

std::string textAt(const json& environment, const char* pointer) {
  const json::json_pointer at(pointer);
  if (!environment.is_object() || !environment.contains(at)) return "";
  const json& value = environment.at(at);
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

/// "NVIDIA H100 80GB HBM3" of a GPU's backend: what follows the first comma are versions.
std::string gpuModel(const json& environment, const std::string& device) {
  if (!namesGpu(device)) return "";
  const std::string backend = textAt(environment, "/backend");
  return backend.substr(0, backend.find(','));
}

}  // namespace

std::vector<EnvironmentDifference> environmentDifferences(const json& before,
                                                          const std::string& deviceBefore,
                                                          const json& now,
                                                          const std::string& deviceNow) {
  std::vector<EnvironmentDifference> differences;
  const auto compare = [&](const char* what, const std::string& a, const std::string& b,
                           bool otherMachine) {
    if (!a.empty() && !b.empty() && a != b)
      differences.push_back({std::string(said(what)), a, b, otherMachine});
  };
  compare(toBeSaid("device"), deviceBefore, deviceNow, true);
  compare(toBeSaid("GPU model"), gpuModel(before, deviceBefore), gpuModel(now, deviceNow), true);
  for (const ComparedField& field : kComparedFields)
    compare(field.what, textAt(before, field.pointer), textAt(now, field.pointer),
            field.otherMachine);
  return differences;
}

std::string differencesText(const std::vector<EnvironmentDifference>& differences,
                            bool otherMachine) {
  std::string text;
  for (const EnvironmentDifference& one : differences)
    if (one.otherMachine == otherMachine)
      text += (text.empty() ? std::string() : saying("; ")) +
              saying("{}: {} instead of {}", one.what, one.now, one.before);
  return text;
}

}  // namespace fusebench
