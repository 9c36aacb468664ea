// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/sim/sim_backend.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/cuda_rows.h"
#include "profiler/machine/sim_devices.h"

namespace fusebench {
namespace {

std::unique_ptr<Backend> makeSimulated(const std::string& name, bool /*recording*/) {
  const SimDevice device = findSimDevice(name);
  SimOptions options;
  options.parameters = device.parameters;
  options.title = device.title;
  options.truth = device.truth();
  options.note = device.note;
  options.makeCode = codeMaker(device.architecture);
  options.error = device.error();
  options.drivesClock = true;
  return makeSimBackend(options, makeCpuBackend());
}

}  // namespace

std::vector<BackendRow> shippedBackendRows() {
  return {
      {.prefix = "cpu",
       .names = [](std::string_view device) { return device == "cpu"; },
       .make = [](const std::string&, bool) { return makeCpuBackend(); },
       .plans = cpuPlanTraits},
      {.prefix = "sim", .names = namesSimulated, .make = makeSimulated},
      architectureRow(),
      cudaRow(),
  };
}

}  // namespace fusebench
