// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that list what there is: ops, devices, doctor.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "engine/base/quantity_text.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/ops/copies.h"
#include "engine/ops/ops.h"
#include "profiler/doctor/doctor.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/environment.h"
#include "profiler/machine/machine.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/study/torch_worker.h"

namespace fusebench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view nameOf(OpKind kind) {
  switch (kind) {
    case OpKind::pointwise:
      return "pointwise";
    case OpKind::reduce:
      return "reduce";
    case OpKind::view:
      return "view";
    case OpKind::make:
      return "make";
    case OpKind::contract:
      return "contract";
    case OpKind::copy:
      return "copy";
    case OpKind::collective:
      return "collective";
    case OpKind::gradient:
      return "gradient";
    case OpKind::scan:
      return "scan";
    case OpKind::gather:
      return "gather";
    case OpKind::scatter:
      return "scatter";
    case OpKind::order:
      return "order";
  }
  return "?";
}

std::string_view nameOf(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::number:
      return "number";
    case Parameter::Kind::integer:
      return "integer";
    case Parameter::Kind::flag:
      return "flag";
    case Parameter::Kind::dims:
      return "dims";
    case Parameter::Kind::sizes:
      return "sizes";
  }
  return "?";
}

Json opJson(const OpRow& row) {
  Json json = {
      {"name", row.name},         {"spellings", Json::array()}, {"category", title(row.category)},
      {"kind", nameOf(row.kind)}, {"arity", row.arity},         {"parameters", Json::array()}};
  for (const std::string_view spelling : row.spellings) json["spellings"].push_back(spelling);
  for (const Parameter& parameter : row.parameters)
    if (!isHidden(parameter))
      json["parameters"].push_back({{"name", parameter.name},
                                    {"kind", nameOf(parameter.kind)},
                                    {"required", parameter.required},
                                    {"doc", parameter.doc}});
  json["error_ulp"] = row.bound.ulp;
  json["error_absolute"] = row.bound.absolute;
  json["doc"] = row.doc;
  return json;
}

std::string firstSpelling(const OpRow& row) {
  return row.spellings.size() == 0 ? "" : std::string(*row.spellings.begin());
}

struct MadeBackend {
  std::unique_ptr<Backend> backend;
  std::string error;
};
MadeBackend tryCpu() {
  try {
    return {makeCpuBackend(), ""};
  } catch (const std::exception& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace

int opsCommand(bool json) {
  if (json) {
    Json all = {{"fusebench", "ops"}, {"version", 1}, {"ops", Json::array()}};
    for (const auto rows : {opRows(), copyRows()})
      for (const OpRow& row : rows) all["ops"].push_back(opJson(row));
    printJson(all);
    return kDone;
  }
  Table table(
      {head("op"), head("spelling"), head("inputs"), head("category"), saying("what it does")});
  table.leftFrom(0);
  for (const auto rows : {opRows(), copyRows()})
    for (const OpRow& row : rows)
      table.add({std::string(row.name), firstSpelling(row), std::to_string(row.arity),
                 std::string(said(title(row.category))), std::string(said(row.doc))});
  printOut(table.text() + saying("\n{} ops\n", opRows().size() + copyRows().size()));
  return kDone;
}

Json libraryJson(const LibraryStatus& library) {
  return {{"usable", library.usable},
          {"found", library.found},
          {"remedy", library.remedy.empty() ? Json(nullptr) : Json(library.remedy)}};
}

/// The kinds of devices that may be missing, and what there is of them.
struct ExaminedRow {
  const BackendRow* row = nullptr;
  BackendStatus status;
};
std::vector<ExaminedRow> examineRows() {
  std::vector<ExaminedRow> all;
  for (const BackendRow& row : backendTable())
    if (row.examine) all.push_back({&row, row.examine(/*libraries=*/true)});
  return all;
}

void printDevices(const ExaminedRow& examined) {
  const BackendStatus& status = examined.status;
  if (!status.usable()) {
    printOut(status.missing + "\n");
    if (const std::string remedy = examined.row->remedy(status); !remedy.empty())
      printOut(saying("      remedy: {}\n", remedy));
    return;
  }
  for (const FoundDevice& device : status.devices)
    printOut(
        saying("{} {}; {}; {}\n", device.name, saidAgain(device.text), device.details, device.id));
  if (!status.limit.empty()) printOut(status.limit + "\n");
  for (const NamedLibrary& library : status.libraries) {
    if (library.key.empty()) continue;
    printOut(fmt::format("      {} {}\n", library.name, library.status.found));
    if (library.required && !library.status.remedy.empty())
      printOut(saying("      remedy: {}\n", library.status.remedy));
  }
}

void printDevices(const MadeBackend& cpu, const std::vector<ExaminedRow>& examined) {
  if (cpu.backend)
    printOut(saying("cpu   {}; {} of memory\n", saidAgain(cpu.backend->description()),
                    bytesText(static_cast<double>(totalMemory()))));
  else
    printOut(saying("cpu   unavailable: {}\n", cpu.error));
  for (const ExaminedRow& each : examined) printDevices(each);
}

int devicesCommand(bool json) {
  const MadeBackend cpu = tryCpu();
  const std::vector<ExaminedRow> examined = examineRows();
  if (json) {
    Json devices = Json::array();
    Json unavailable = Json::array();
    Json libraries = Json::object();
    for (const ExaminedRow& each : examined)
      if (!each.status.usable())
        unavailable.push_back({{"name", each.row->prefix},
                               {"reason", each.status.missing},
                               {"remedy", each.row->remedy(each.status)}});
    if (cpu.backend)
      devices.push_back({{"name", "cpu"},
                         {"description", cpu.backend->description()},
                         {"vector_units", vectorUnits()},
                         {"memory_bytes", totalMemory()}});
    else
      unavailable.push_back({{"name", "cpu"}, {"reason", cpu.error}});
    for (const auto& [row, status] : examined) {
      for (const FoundDevice& device : status.devices) {
        devices.push_back(device.told);
        if (!status.limit.empty()) devices.back()["limit"] = status.limit;
      }
      for (const NamedLibrary& library : status.libraries)
        if (!library.key.empty()) libraries[library.key] = libraryJson(library.status);
    }
    Json simulated = Json::array();
    for (const SimDevice& device : simDevices())
      simulated.push_back({{"name", "sim:" + device.name},
                           {"model", device.title},
                           {"made_up", device.madeUp},
                           {"truth", device.truth()},
                           {"note", device.note},
                           {"simulated", true}});
    printJson({{"fusebench", "devices"},
               {"version", 1},
               {"devices", devices},
               {"simulated", simulated},
               {"libraries", libraries},
               {"unavailable", unavailable}});
    return kDone;
  }
  printDevices(cpu, examined);
  printOut(saying("\nSimulated, with times from a model:\n"));
  for (const SimDevice& device : simDevices())
    printOut(wrapped(saying("sim:{} {}; {}", device.name, said(device.title), device.truth()),
                     std::string(6, ' '))
                 .substr(6));
  return kDone;
}

int doctorCommand(bool json, const std::string& python) {
  const MadeBackend cpu = tryCpu();
  auto checks = examine(cpu.backend.get(), cpu.error, {ownPath(), "worker"});
  checks.push_back(checkTorch(chosenPython(python)));
  if (json) {
    Json all = {{"fusebench", "doctor"}, {"version", 1}, {"checks", Json::array()}};
    for (const DoctorCheck& check : checks) {
      Json one = {{"name", check.name},
                  {"status", name(check.status)},
                  {"found", check.found},
                  {"remedy", check.remedy.empty() ? Json(nullptr) : Json(check.remedy)}};
      if (!check.figures.is_null()) one["figures"] = check.figures;
      all["checks"].push_back(std::move(one));
    }
    printJson(all);
    return kDone;
  }
  std::string text;
  for (const DoctorCheck& check : checks) {
    const std::string label =
        fmt::format("{:<5} {:<13} ", said(name(check.status)), said(check.name));
    const std::string beside(columnsOf(label), ' ');
    text += label + wrapped(check.found, beside).substr(beside.size());
    if (!check.remedy.empty()) text += wrapped(check.remedy, std::string(20, ' '));
  }
  printOut(text);
  return kDone;
}

}  // namespace fusebench::cli
