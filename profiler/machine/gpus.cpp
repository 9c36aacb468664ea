// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/gpus.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/base/saying.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/cuda/cupti/activity_collector.h"
#include "engine/cuda/cupti/cupti.h"
#include "engine/cuda/driver/driver.h"
#include "engine/cuda/driver/nvml.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/library/cublas_lt.h"
#include "engine/cuda/library/cudnn.h"
#include "engine/cuda/library/nccl.h"
#include "engine/cuda/runtime/architecture_backend.h"
#include "engine/cuda/runtime/cuda_backend.h"
#include "engine/sim/sim_backend.h"
#include "profiler/machine/machine.h"
#include "profiler/machine/sim_devices.h"

namespace fusebench {

GpuStatus examineGpus() {
  GpuStatus status;
  try {
    const auto driver = cuda::Driver::open();
    status.driver = {true, saying("{}, CUDA {}", driver->path(), driver->versionText()), ""};
    status.devices = cuda::listDevices(*driver);
  } catch (const cuda::NoDriver& none) {
    status.driver = {false, none.what(), none.remedy()};
  } catch (const std::exception& error) {
    status.driver = {false, error.what(), saying("see whether nvidia-smi works")};
  }
  try {
    const int driver = cuda::driverVersionOf();
    const auto nvrtc = cuda::Nvrtc::open(std::string(), driver);
    const auto& all = nvrtc->architectures();
    status.nvrtc = {true,
                    saying("{}, CUDA {}, for sm_{} to sm_{}", nvrtc->path(), nvrtc->versionText(),
                           all.front(), all.back()),
                    ""};
    if (nvrtc->isNewerThan(driver)) {
      status.nvrtc.found += saying("; newer than the driver, which may refuse its code");
      status.nvrtc.remedy = saying("update the driver, or install NVRTC {} as well", driver / 1000);
    }
  } catch (const cuda::NoNvrtc& none) {
    status.nvrtc = {false, none.what(), std::string(cuda::NoNvrtc::remedy())};
  } catch (const std::exception& error) {
    status.nvrtc = {false, error.what(), std::string(cuda::NoNvrtc::remedy())};
  }
  try {
    status.nvml = {true, cuda::Nvml::open()->path(), ""};
  } catch (const cuda::NoNvml& none) {
    status.nvml = {false, none.what(), std::string(cuda::NoNvml::remedy())};
  }
  try {
    const auto cupti = cuda::Cupti::open(std::string(), cuda::driverVersionOf());
    status.cupti = {true, saying("{}, CUDA {}", cupti->path(), cupti->versionText()), ""};
  } catch (const cuda::NoCupti& none) {
    status.cupti = {false, none.what(), std::string(cuda::NoCupti::remedy())};
  }
  return status;
}

namespace {

/// A library, opened to see; `without`: what is so where it is missing.
template <class Library>
LibraryStatus examineLibrary(std::string without) {
  std::string why;
  std::shared_ptr<const Library> found;
  try {
    found = Library::open({}, *cuda::Driver::open(), why);
  } catch (const std::exception&) {  // no driver: another line says so
    found = Library::find({}, 0, why);
  }
  if (!found) return {false, why, std::move(without)};
  return {true, fmt::format("{}{}{}", found->path(), said(", "), found->versionText()), ""};
}

}  // namespace

LibraryStatus examineProducts() {
  return examineLibrary<cuda::CublasLt>(
      saying("without it matmuls on a GPU run in Fusebench's own kernels, which are far slower"));
}

LibraryStatus examineConvolutions() {
  return examineLibrary<cuda::Cudnn>(
      saying("without it convolutions on a GPU run in kernels of Fusebench's own, which are slower "
             "by far"));
}

LibraryStatus examineRanks() {
  return examineLibrary<cuda::Nccl>(
      saying("without it ranks on GPUs pass everything through host memory, and nothing of it "
             "overlaps other work"));
}

std::string missingGpu(const GpuStatus& status) {
  if (!status.driver.usable) return saying("no GPU: ") + status.driver.found;
  if (status.devices.empty()) return saying("no GPU: the driver lists none");
  return "";
}

std::string gpuRemedy(const GpuStatus& status) {
  if (!status.driver.usable) return status.driver.remedy;
  if (status.devices.empty())
    return saying("see whether nvidia-smi lists one, and what CUDA_VISIBLE_DEVICES hides");
  return "";
}

std::string gpuLimit(const GpuStatus& status) {
  if (!status.usable() || status.nvrtc.usable) return "";
  return saying("only instant runs on a GPU here: ") + status.nvrtc.found;
}

std::string deviceOfRank(const std::string& device, int rank) {
  if (!namesGpu(device)) return device;
  const auto devices = cuda::listDevices(*cuda::Driver::open());
  return fmt::format("cuda:{}", cuda::deviceOfRank(devices, device, rank).index);
}

bool namesArchitecture(const std::string& device) {
  return cuda::namesArchitecture(device);
}

std::vector<std::string> architectureNames() {
  std::vector<std::string> names;
  for (const cuda::Architecture& each : cuda::architectures()) names.push_back(each.name());
  return names;
}

namespace {

/// The code of a GPU without the GPU; what has to be computed for it is computed by the CPU.
std::unique_ptr<Backend> makeCodeBackend(const cuda::Architecture& architecture) {
  return cuda::makeArchitectureBackend(architecture,
                                       makeSimBackend(SimOptions(), makeCpuBackend()));
}

/// Empty where a simulated device models no GPU whose architecture is known.
std::function<std::unique_ptr<Backend>()> codeMaker(const SimDevice& device) {
  for (const cuda::Architecture& each : cuda::architectures())
    if (each.number == device.architecture) return [each] { return makeCodeBackend(each); };
  return {};
}

}  // namespace

std::unique_ptr<Backend> makeBackend(const std::string& device, bool recording) {
  if (device == "cpu") return makeCpuBackend();
  if (namesArchitecture(device)) return makeCodeBackend(cuda::architectureOf(device));
  if (namesSimulated(device)) {
    const SimDevice found = findSimDevice(device);
    SimOptions options;
    options.parameters = found.parameters;
    options.title = found.title;
    options.truth = found.truth();
    options.note = found.note;
    options.makeCode = codeMaker(found);
    options.error = found.error();
    options.drivesClock = true;
    return makeSimBackend(options, makeCpuBackend());
  }
  if (!namesGpu(device))
    throw std::invalid_argument(
        saying("there is no device '{}'; fusebench-cli devices lists them", device));
  if (recording) cuda::attachCollector();
  CudaOptions options;
  options.device = device;
  return makeCudaBackend(options);
}

}  // namespace fusebench
